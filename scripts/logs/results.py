"""Reading what lm-evaluation-harness wrote: folders of ``samples_*.jsonl`` and ``results_*.json``.

Whatever can be read is read; what cannot is a ``Problem`` (``xlgo_cli.logs.read_errors``) that
names the file and the line. Lines are read one at a time: a prompt may have 160 kB.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from .judgements import is_ledger
from .read_errors import Problems

_DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_SAMPLES = re.compile(rf"samples_(?P<task>.+)_(?P<date>{_DATE})\.jsonl")
_RESULTS = re.compile(rf".*_(?P<date>{_DATE})\.json")


@dataclass(frozen=True)
class SampleFile:
    """One file of samples.

    Attributes:
        task: the name that the harness has for the task.
        date: when the run ended, as the harness writes it into file names; sorts as text.
        model: the name of the model.
    """

    path: Path
    task: str
    date: str
    model: str


@dataclass
class Run:
    """The files that belong to one report.

    Attributes:
        model: the name of the model.
        files: the samples, newest first.
        info: the harness's description of the newest run (``results_*.json``), perhaps empty.
    """

    model: str
    files: list[SampleFile]
    info: dict[str, Any]
    problems: Problems

    @property
    def date(self) -> str:
        """When the newest run ended."""
        return self.files[0].date


@dataclass(frozen=True)
class Sample:
    """One response of a model.

    Attributes:
        file, line: where it stands.
        reference: what it is graded against.
        response: the response as the model gave it; ``None`` where there is none.
        prompt: what was asked, perhaps long; empty where the file does not have it.
        repeat: which of several responses to the same prompt, from 0.
    """

    file: SampleFile
    line: int
    reference: dict[str, Any]
    response: str | None
    prompt: str
    repeat: int = 0

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.file.path}:{self.line}"


def find_run(path: Path, *, model: str | None = None, date: str | None = None) -> Run:
    """The samples below ``path`` that make one report: of one model, the newest of each task.

    Args:
        path: a folder that the harness wrote into, or one file of samples.
        model: the model, where the folder holds several; else that of the newest samples.
        date: take the run whose date (in the file names) begins so, instead of the newest.

    Raises:
        ValueError: there is no such file or folder, or it holds no samples that fit.
    """
    problems = Problems()
    if not path.exists():
        raise ValueError(f"{path}: there is no such file or folder")
    if path.suffix == ".json":
        raise ValueError(f"{path}: holds no samples: give samples_*.jsonl or the folder of both")
    paths = [path] if path.is_file() else _below(path, problems)
    if not paths and problems.items:
        raise ValueError(str(problems.items[0]))
    if not paths:
        raise ValueError(
            f"{path}: no samples_*.jsonl here or below: run lm-eval with --log_samples (xlgo run "
            "does so), or give the folder that holds the samples"
        )
    described = _descriptions({p.parent for p in paths}, problems)
    files = [_sample_file(p, described) for p in paths]
    models = sorted({file.model for file in files})
    if model is not None:
        files = [file for file in files if file.model == model]
        if not files:
            raise ValueError(f"{path}: no samples of {model!r}: there are {', '.join(models)}")
    if date is not None:
        dates = sorted({file.date for file in files})
        files = [file for file in files if file.date.startswith(date)]
        if not files:
            raise ValueError(f"{path}: no run of {date!r}: there are {', '.join(dates)}")
    files.sort(key=lambda file: file.task)
    files.sort(key=lambda file: file.date, reverse=True)
    newest = files[0]
    if model is None and len(models) > 1:
        others = ", ".join(name for name in models if name != newest.model)
        problems.add(
            str(path),
            f"several models; this is {newest.model}, the newest. Left out: {others} "
            "(choose with --model)",
            lost=False,
        )
    chosen: dict[str, SampleFile] = {}
    for file in files:
        if file.model != newest.model:
            continue
        if chosen.setdefault(file.task, file) is not file:
            problems.add(str(file.path), "an older run of the same task: left out", lost=False)
    info = described.get((newest.path.parent, newest.date), {})
    return Run(newest.model, list(chosen.values()), info, problems)


def read_samples(
    run: Run, progress: Callable[[int], object] = lambda size: None
) -> Iterator[Sample]:
    """The responses in the files of ``run``, read line by line.

    A question that was answered in several files counts once: the newest run wins. What cannot be
    read goes to ``run.problems``.

    Args:
        progress: called with the number of bytes just read.
    """
    owners: dict[tuple[str, ...], str] = {}
    seen: set[tuple[Any, ...]] = set()
    for file in run.files:
        skipped = Counter[str]()
        for sample in _read_file(file, run.problems, progress):
            if owners.setdefault(_cell(sample), file.date) != file.date:
                skipped["of a task and language that a newer run answered too"] += 1
                continue
            key = _key(sample)
            if key in seen:
                skipped["that stand more than once"] += 1
                continue
            seen.add(key)
            yield sample
        for why, count in skipped.items():
            run.problems.add(str(file.path), f"{count} answers {why}: left out", lost=False)
        run.problems.close(file.path)


def _below(folder: Path, problems: Problems) -> list[Path]:
    """The JSONL files in a folder and in those below it; a folder that cannot be read is named.

    Ledgers of chains and of judges are no samples.
    """

    def unreadable(error: OSError) -> None:
        problems.add(str(error.filename), f"cannot be read: {error.strerror or error}")

    found = (
        Path(top, name)
        for top, _, names in os.walk(folder, onerror=unreadable)
        for name in names
        if name.endswith(".jsonl")
    )
    return sorted(path for path in found if path.is_file() and not is_ledger(path))


def total_size(run: Run) -> int:
    """Bytes that :func:`read_samples` will read."""
    return sum(file.path.stat().st_size for file in run.files if file.path.exists())


def _descriptions(
    folders: Iterable[Path], problems: Problems
) -> dict[tuple[Path, str], dict[str, Any]]:
    """What the harness wrote about each run, by folder and date."""
    found: dict[tuple[Path, str], dict[str, Any]] = {}
    for path in sorted(p for folder in folders for p in folder.glob("*.json")):
        match = _RESULTS.fullmatch(path.name)
        if not match:
            continue
        try:
            data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            problems.add(str(path), f"cannot be read ({error}): its description is missing", False)
            continue
        if isinstance(data, dict):
            found[path.parent, match["date"]] = data
    return found


def _sample_file(path: Path, described: dict[tuple[Path, str], dict[str, Any]]) -> SampleFile:
    match = _SAMPLES.fullmatch(path.name)
    if match:
        task, date = match["task"], match["date"]
    else:
        task = path.stem
        changed = datetime.fromtimestamp(path.stat().st_mtime, timezone.utc)
        date = changed.strftime("%Y-%m-%dT%H-%M-%S")
    return SampleFile(path, task, date, _model(path.parent, date, described))


def _model(folder: Path, date: str, described: dict[tuple[Path, str], dict[str, Any]]) -> str:
    """The model of a run; where its description is lost, that of the others in the folder."""
    names = {
        when: str(info["model_name"])
        for (where, when), info in described.items()
        if where == folder and info.get("model_name")
    }
    others = set(names.values())
    return names.get(date) or (others.pop() if len(others) == 1 else folder.resolve().name)


def _read_file(
    file: SampleFile, problems: Problems, progress: Callable[[int], object]
) -> Iterator[Sample]:
    others = 0
    number = 0
    try:
        with file.path.open("rb") as lines:
            for number, raw in enumerate(lines, start=1):
                progress(len(raw))
                if not raw.strip():
                    continue
                try:
                    samples = list(_parse(raw, file, number))
                except _AnotherTaskError:
                    others += 1
                except (ValueError, RecursionError) as error:
                    kind = "column" if str(error).startswith("column") else "broken line"
                    problems.add_line(file.path, number, kind, f"{error}; left out")
                else:
                    for sample in samples:
                        if not (sample.response or "").strip():
                            problems.add_line(
                                file.path, number, "empty answer",
                                "empty answer; graded as no answer", lost=False,
                            )  # fmt: skip
                        yield sample
    except OSError as error:
        problems.add(f"{file.path}:{number + 1}", f"cannot be read: {error.strerror or error}")
        return
    if others:
        problems.add(
            str(file.path),
            f"{others} lines of another task (they have no column doc.reference): left out",
            lost=False,
        )
    elif not number:
        problems.add(str(file.path), "the file is empty")


class _AnotherTaskError(Exception):
    """A sample that is not one of ours."""


def _parse(raw: bytes, file: SampleFile, number: int) -> Iterator[Sample]:
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON ({error.msg} at character {error.pos + 1})") from None
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    doc = data.get("doc")
    doc = doc if isinstance(doc, dict) else {}
    reference = _reference(data, doc)
    prompt = _prompt(data, doc)
    for repeat, response in enumerate(_responses(data)):
        yield Sample(file, number, reference, response, prompt, repeat)


def _reference(data: dict[str, Any], doc: dict[str, Any]) -> dict[str, Any]:
    """The reference: a column of the question, the harness's target or a column of its own."""
    for column, value in (
        ("doc.reference", doc.get("reference")),
        ("reference", data.get("reference")),
        ("target", data.get("target")),
    ):
        found = _object(value, column)
        if found is not None and ("task" in found or column != "target"):
            if not isinstance(found.get("task"), str):
                raise ValueError(f"column {column}: the reference names no task")
            return found
    raise _AnotherTaskError


def _object(value: Any, column: str) -> dict[str, Any] | None:
    """A JSON object, given as such or as text; ``None`` for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError as error:
            if column == "target":
                return None
            raise ValueError(f"column {column}: not valid JSON ({error})") from None
    return value if isinstance(value, dict) else None


def _responses(data: dict[str, Any]) -> list[str | None]:
    """The responses, as the model gave them, as many as the harness's filter kept."""
    if "prediction" in data:
        return _texts(data["prediction"], "prediction")
    if "resps" not in data and "filtered_resps" not in data:
        raise ValueError("column resps: missing, and so is filtered_resps")
    kept = _texts(_first(data.get("filtered_resps", data.get("resps"))), "filtered_resps")
    if not data.get("resps"):
        return kept
    return _texts(_first(data["resps"]), "resps")[: len(kept)]


def _first(value: Any) -> Any:
    """The responses to the first, and here only, request of a question."""
    return value[0] if isinstance(value, list) and value else value


def _texts(value: Any, column: str) -> list[str | None]:
    values = value if isinstance(value, list) else [value]
    if not all(text is None or isinstance(text, str) for text in values):
        raise ValueError(f"column {column}: not text")
    return values or [None]


def _prompt(data: dict[str, Any], doc: dict[str, Any]) -> str:
    prompt = doc.get("prompt", data.get("prompt"))
    if isinstance(prompt, str):
        return prompt
    argument = data.get("arguments")
    for key in ("gen_args_0", "arg_0"):
        argument = argument.get(key) if isinstance(argument, dict) else _first(argument)
    return argument if isinstance(argument, str) else ""


def _cell(sample: Sample) -> tuple[str, ...]:
    """What only one run may answer; a level with a name is a task of its own in the harness."""
    reference = sample.reference
    names = ("family", "task", "language", "text")
    level = reference.get("level")
    return (
        *(str(reference.get(name, "")) for name in names),
        level if isinstance(level, str) else "",
    )


def _key(sample: Sample) -> tuple[Any, ...]:
    identity = sample.reference.get("instance_id") or sample.reference.get("id")
    if not isinstance(identity, str):
        identity = sample.where
    params = sample.reference.get("params")  # one instance can be asked in several wordings
    return (*_cell(sample), identity, json.dumps(params, sort_keys=True), sample.repeat)
