"""The manifest of a run: what is asked, written before the model answers.

A manifest is a file of JSON lines beside the results. The first, of kind ``planned``, has the
tasks and the design. A line of kind ``asked`` is appended for each task when its requests have
been built, before any is sent; adaptive runs append one per task and round. A line of kind
``sent`` names the requests of chains before they are sent. A line of kind ``ended`` lists the
SHA-256 of the files that a part of the run wrote, and one of kind ``done`` says that nothing
planned is left. What a killed process has half written is dropped.

Nothing is written unless ``recording`` is active, so a plain ``lm-eval run`` has no manifest.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from xlgo_metric.version import READER_VERSION, STATISTICS_VERSION

from .redaction import redacted_json
from .replies import append_line, chat_sha, digest, sha256_of, text_sha, whole_lines

FILE = "xlgo_manifest.ndjson"
"""Its name, in the folder of the results. Not ``.jsonl``, which is how samples are found."""
SCHEMA = 1

PLANNED, ASKED, SENT, ENDED, DONE = "planned", "asked", "sent", "ended", "done"

_recorders: list[Recorder] = []


class Recorder:
    """An open manifest.

    Args:
        path: of the file.
        run: what the run is: the type of model, its arguments and name, and how it answers.
    """

    def __init__(self, path: Path, run: Mapping[str, object]) -> None:
        self.path = path
        self._run = redacted_json(dict(run))
        self._known = {_identity(line) for line in read(path, cut=True)}
        self.plan = ""

    def append(self, line: Mapping[str, Any]) -> None:
        """Append a line that is not there yet; after this call a kill does not lose it.

        Raises:
            OSError: the file cannot be written.
        """
        found = {"schema": SCHEMA, "started": _now(), "made_by": _versions(), **line}
        if found["kind"] == ASKED:
            found["run"] = self._run
        identity = _identity(found)
        if identity in self._known:
            return
        self._known.add(identity)
        # There may be a line of the kind ``sent`` for each request.
        append_line(self.path, found, lasting=found["kind"] != SENT)


@contextlib.contextmanager
def recording(
    path: Path, run: Mapping[str, object], planned: Mapping[str, object]
) -> Iterator[Recorder]:
    """Write down what tasks ask while this is active.

    Args:
        path, run: see :class:`Recorder`.
        planned: ``tasks`` (names of the harness) and ``design``, as JSON values.

    Raises:
        ValueError: the file is there and is no manifest.
        OSError: it cannot be read or written.
    """
    recorder = Recorder(path, run)
    recorder.append({"kind": PLANNED, **redacted_json(dict(planned))})
    recorder.plan = plan_id(planned)
    _recorders.append(recorder)
    try:
        yield recorder
    finally:
        _recorders.remove(recorder)


def done() -> None:
    """Append that nothing of the plan is left to ask."""
    for recorder in _recorders:
        recorder.append({"kind": DONE, "plan": recorder.plan})


@contextlib.contextmanager
def files_listed(folder: Path) -> Iterator[None]:
    """Append the checksums of the files that the harness writes below a folder meanwhile."""
    before = set(_files(folder)) if _recorders else set()
    yield
    for recorder in _recorders:
        new = sorted(set(_files(folder)) - before)
        listed = {path.relative_to(folder).as_posix(): sha256_of(path) for path in new}
        recorder.append({"kind": ENDED, "files": listed})


def _files(folder: Path) -> Iterator[Path]:
    for pattern in ("samples_*.jsonl", "results_*.json"):
        yield from folder.rglob(pattern)


def is_recording() -> bool:
    """Return whether a manifest is being written."""
    return bool(_recorders)


def asked(
    task: str,
    metadata: Mapping[str, Any],
    questions: Iterable[tuple[Mapping[str, Any], str, Any]],
    *,
    generation: Mapping[str, Any],
    repeats: int,
) -> None:
    """Append the questions of a task of the harness.

    Args:
        task: its name in the harness.
        metadata: of its configuration; the options of the data are kept.
        questions: of each the document, the SHA-256 of its prompt, and the request that is sent
            for it (``None`` if another process builds it).
        generation: how the model answers.
        repeats: how often each is asked.
    """
    rows, counts = [], Counter[str]()
    for doc, prompt, request in questions:
        reference = digest(json.loads(doc["reference"]))
        sent = None if request is None else chat_sha(request)
        rows.append([doc["id"], doc["language"], prompt, reference, sent])
        counts[doc["language"]] += 1
    options = options_of(metadata)
    line = {
        "kind": ASKED,
        "task": task,
        "options": options,
        "generation": dict(generation),
        "repeats": repeats,
        "counts": dict(counts),
        "questions": rows,
    }
    for recorder in _recorders:
        recorder.append(redacted_json(line))


def sent(keys: Sequence[str]) -> None:
    """Append the keys of the requests that chains send next (see ``ledger.request_key``)."""
    for recorder in _recorders if keys else ():
        recorder.append({"kind": SENT, "requests": sorted(keys)})


def plan_id(planned: Mapping[str, Any]) -> str:
    """What identifies a plan in its ``done`` line."""
    return digest({name: redacted_json(planned[name]) for name in ("tasks", "design")})


def options_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Of the metadata of a task, which hold arguments of the model too, the options of the data."""
    from .tasks.utils import known_options

    known = known_options(metadata) if "xlgo_options" in metadata else []
    return {
        name: value
        for name, value in metadata.items()
        if name in known or (name.startswith("xlgo_") and name != "xlgo_ledger")
    }


def read(path: Path, *, cut: bool = False) -> list[dict[str, Any]]:
    """The lines of a manifest, none if there is no file.

    Args:
        path: of the file.
        cut: remove what a killed process has half written at its end.

    Raises:
        ValueError: a whole line is damaged, or of a newer schema.
        OSError: it cannot be read.
    """
    found = []
    for number, line in enumerate(whole_lines(path, cut=cut), start=1):
        try:
            row = json.loads(line)
            if row["schema"] != SCHEMA:
                raise ValueError(f"schema {row['schema']}: this version of xlgo reads {SCHEMA}")
            _check(row)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(
                f"{path}:{number}: not a line of a manifest: {type(error).__name__} {error!s:.100}"
            ) from None
        found.append(row)
    return found


def _check(row: Mapping[str, Any]) -> None:
    """Raise unless a line holds what readers take out of it."""
    if row["kind"] == ASKED:
        texts = row["task"], row["started"], row["run"]["name"]
        known = all(isinstance(text, str) for text in texts) and isinstance(row["options"], dict)
        if not known or type(row["repeats"]) is not int or not 1 <= row["repeats"] < 1_000_000:
            raise ValueError("an entry is not of its type")
        for _, _, prompt, reference, sent in row["questions"]:
            if not all(isinstance(sha, str) for sha in (prompt, reference, sent or "")):
                raise ValueError("a question is no list of texts")
    elif row["kind"] == ENDED:
        if not all(isinstance(sha, str) for sha in row["files"].values()):
            raise ValueError("a file has no checksum")
    elif row["kind"] == PLANNED:
        if not all(isinstance(name, str) for name in row["tasks"]):
            raise ValueError("a task has no name")
        plan_id(row)
    elif row["kind"] not in (SENT, DONE):
        raise ValueError(f"kind {row['kind']!r}")


def _identity(line: Mapping[str, object]) -> str:
    """The same for lines that say the same at two times."""
    return digest({k: v for k, v in line.items() if k not in ("started", "made_by")})


def _versions() -> dict[str, object]:
    return {
        "xlgo": version("xlgo"),
        "lm_eval": version("lm_eval"),
        "reader": READER_VERSION,
        "statistics": STATISTICS_VERSION,
    }


def _now() -> str:
    """As in the names of the harness's files."""
    return datetime.now().isoformat().replace(":", "-")


class Recorded:
    """A mixin for tasks of the harness: their questions are recorded when requests are built."""

    config: Any
    instances: Any

    def doc_to_text(self, doc: Any, *given: Any, **options: Any) -> Any:
        """As in the harness; the hash of the prompt is kept for the manifest."""
        text = super().doc_to_text(doc, *given, **options)  # type: ignore[misc]
        if is_recording():
            self.__dict__.setdefault("_prompts", {})[doc["id"]] = text_sha(text)
        return text

    def build_all_requests(self, **given: Any) -> None:
        """As in the harness; then the questions are written into the manifest."""
        super().build_all_requests(**given)  # type: ignore[misc]
        if is_recording() and int(given.get("rank", 0)) == 0:
            config = self.config
            asked(
                config.task,
                config.metadata or {},
                self._questions(given),
                generation=config.generation_kwargs or {},
                repeats=config.repeats or 1,
            )

    def _questions(self, given: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], str, Any]]:
        prompts: dict[str, str] = self.__dict__.pop("_prompts", {})
        own = {instance.doc_id: instance for instance in self.instances}
        docs = {number: instance.doc for number, instance in own.items()}
        if int(given.get("world_size", 1)) > 1:  # of several processes each builds its part
            names = ("limit", "samples")
            chosen = {name: given[name] for name in names if given.get(name) is not None}
            docs = dict(self.doc_iterator(rank=0, world_size=1, **chosen))  # type: ignore[attr-defined]
        for number, doc in docs.items():
            prompt = prompts.get(doc["id"])
            if prompt is None:
                prompt = text_sha(super().doc_to_text(doc))  # type: ignore[misc]
            yield doc, prompt, own[number].arguments[0] if number in own else None
