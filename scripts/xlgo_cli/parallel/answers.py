"""Which questions a log holds, which of them were answered correctly, and what identifies them.

Of every line only numbers are kept: gigabytes of prompts and answers stay in the file, and a line
that is to be shown is read again (see :func:`line_of`). A table is read by columns.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xlgo_dataset.text.language_codes import code_of
from xlgo_metric.comparison.frames import hashed, key_of

from ..logs import formats
from ..logs.formats import TABLE, tables
from ..logs.lines import Problems, SampleFile, mapping, request_of
from ..logs.others import logged_lines
from . import again

if TYPE_CHECKING:
    import pandas as pd

_MOST_FIELDS = 48

Files = Mapping[str, Mapping[str, SampleFile]]
"""By language and subject."""

QUESTION = "question"
"""The field that pairs samples whose ids differ in nothing but the language."""

ID = "id"
"""Stands for the end of a sample's id, as in ``mgsm-17-te``."""

FIELD = "field "
"""Begins the columns that hold a field of the documents."""

_END = re.compile(r"[-_/:.]([A-Za-z]{2,3})$")


@dataclass(frozen=True)
class Split:
    """How the languages of a log are distinguished.

    Attributes:
        field: of the question; ``id`` for the end of its id.
    """

    field: str

    def language(self, data: Mapping[str, object]) -> str | None:
        """The language of a logged answer."""
        if self.field == ID:
            match = _END.search(str(data.get("doc_id")))
            return match[1] if match else None
        value = mapping(data.get("doc")).get(self.field)
        return value if isinstance(value, str) and value else None


def without_language(question: str, language: str | None) -> str:
    """The id of a question without the code of its language."""
    tokens = re.split(r"([-_/:.])", question)
    return "".join("*" if token == language else token for token in tokens)


@dataclass(frozen=True)
class Choice:
    """What counts as an answer.

    Attributes:
        filter: the harness's filter.
        metric: its measure, 0 or 1 for every document.
        filters: all filters of the log, with the measures of each.
        read: how responses are read again (``known.KINDS``), which then counts; empty for the
            log's own verdict.
    """

    filter: str
    metric: str
    filters: Mapping[str, tuple[str, ...]]
    read: str = ""


def choose(
    file: SampleFile, metric: str | None, wanted: str | None, preferred: str, read: str = ""
) -> Choice:
    """Which filter and measure count, out of those in a log.

    Args:
        metric, wanted: the measure and the filter that were asked for.
        preferred: the filter to take, if it is there, where none was asked for.
        read: see ``Choice``; the log then needs no measure.

    Raises:
        ValueError: the log holds no such filter or measure, or nothing at all.
    """
    filters: dict[str, tuple[str, ...]] = {}
    for _, _, data in logged_lines(file, None):
        name = str(data.get("filter", "none"))
        if name not in filters:
            filters[name] = _measures(data)
        if file.tool == TABLE:
            break  # its rows are alike
    if not filters:
        raise ValueError(f"{file.path}: holds no answers")
    if wanted is not None and wanted not in filters:
        raise ValueError(f"--filter {wanted}: {file.task} has {', '.join(filters)}")
    chosen = wanted or (preferred if preferred in filters else next(iter(filters)))
    measures = filters[chosen]
    if not measures and not read:
        raise ValueError(
            f"{file.path}: {file.task} has no verdicts: grade its responses with "
            "--read number or choice"
        )
    if metric is not None and metric not in measures and measures:
        raise ValueError(f"--metric {metric}: {file.task} logs {', '.join(measures)}")
    return Choice(chosen, metric or next(iter(measures), ""), filters, read)


def read_answers(
    files: Files,
    choice: Choice,
    problems: Problems,
    *,
    needed: Sequence[str] = (),
    split: Split | None = None,
) -> dict[str, pd.DataFrame]:
    """Read the answers in all languages, each file once.

    Args:
        files: of each language and subject.
        choice: which answers count.
        problems: takes up what cannot be read.
        needed: fields of the documents that are kept beside those that are single values.
        split: tells the languages apart in files that hold several.

    Returns:
        For each language a frame with a row for each document: its ``language``; its ``subject``,
        empty without one; its ``doc_id``, the place in the data; the ``file``, and the ``place`` in
        bytes where its line begins; the verdict as ``logged``, and that which counts, ``correct``;
        ``again``: whether it is correct when read again, ``None`` where it was not; hashes of its
        ``target``, its ``prompt`` and of the fields that all documents have.

    Raises:
        ValueError: a document stands twice, a language is missing, or a measure is not 0 or 1.
    """
    import pandas as pd

    subjects: dict[SampleFile, dict[str, str]] = {}
    for language, tasks in files.items():
        for subject, file in tasks.items():
            subjects.setdefault(file, {})[language] = subject
    parts: dict[str, list[pd.DataFrame]] = {language: [] for language in files}
    read_again = _Reread(choice.read)
    for file, subject_in in subjects.items():
        if file.tool == TABLE:
            found = _of_table(file, subject_in, choice, read_again, problems)
        else:
            lines = _lines(file, subject_in, split, problems)
            found = _of_log(file, lines, choice, [*needed], read_again, parted=split is not None)
        for code, part in found:
            verdict = part["again"] if choice.read else part["logged"]
            subject = subject_in[code]
            parts[code].append(part.assign(subject=subject, correct=verdict.astype(bool)))
        problems.close(file.path)
    for language, some in parts.items():
        if not some:
            raise ValueError(
                f"{next(iter(files[language].values())).task}: no answer in {language} has the "
                f"filter {choice.filter!r} (--filter)"
            )
    return {code: pd.concat(some, ignore_index=True, join="inner") for code, some in parts.items()}


def _of_table(
    file: SampleFile,
    subject_in: Collection[str],
    choice: Choice,
    read_again: _Reread,
    problems: Problems,
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The answers of a table by language; see ``read_answers``."""
    import numpy as np

    whole, fields, more = tables.answers(file.path, tables.Part(*file.part))
    if more:
        words = f"{more} further answers to the same questions: left out"
        problems.add(str(file.path), words, lost=False)
    columns = {FIELD + name: hashed(whole[name]) for name in fields[:_MOST_FIELDS]}
    if isinstance(whole[QUESTION].iloc[0], str):
        pairs = zip(whole[QUESTION], whole["language"])
        columns[FIELD + QUESTION] = hashed([without_language(*pair) for pair in pairs])
    prompt = np.where(whole["prompt"] == "", key_of(None), hashed(whole["prompt"]))
    frame = whole[["language", "place"]].assign(
        doc_id=whole[QUESTION].astype(object), file=file,
        logged=whole["correct"].astype(bool) if choice.metric else False,
        target=hashed(whole["gold"]), prompt=prompt, **columns,
    )  # fmt: skip
    for language, part in frame.groupby("language", sort=False):
        code = str(language)
        if code not in subject_in:
            continue
        found = dict.fromkeys(part.index)
        wanted = part if choice.read else part[~part["logged"]].iloc[: again.LOOKED]
        if tables.has_responses(file.path):
            for row, line in zip(wanted.index, tables.lines_at(file.path, wanted["place"])):
                where = f"{file.path}: row {whole['row'][row]}"
                found[row] = read_again(code, line, False, where)
        elif choice.read:
            raise ValueError(f"{file.path}: no column of responses: --read {choice.read} has none")
        yield code, part.assign(again=np.array([*found.values()], dtype=object))


def _lines(
    file: SampleFile, languages: Collection[str], split: Split | None, problems: Problems
) -> Iterator[tuple[str, str, int, dict[str, object]]]:
    """Language, place in words and in bytes, and content of the lines of a log."""
    for number, place, line in logged_lines(file, problems):
        where = f"{file.path}:{number}"
        code = next(iter(languages)) if split is None else split.language(line)
        if code is None:
            raise ValueError(f"{where}: the question has no text in {split and split.field!r}")
        if code in languages:
            yield code, where, place, line


def _of_log(
    file: SampleFile,
    lines: Iterable[tuple[str, str, int, dict[str, object]]],
    choice: Choice,
    needed: Sequence[str],
    read_again: _Reread,
    *,
    parted: bool,
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The answers of a log by language; see ``read_answers``.

    Args:
        parted: it holds several languages, whose ids may name them.
    """
    import pandas as pd

    rows: dict[str, dict[object, dict[str, Any]]] = defaultdict(dict)
    for code, where, place, line in lines:
        if str(line.get("filter", "none")) != choice.filter:
            continue
        doc_id, doc = line.get("doc_id"), mapping(line.get("doc"))
        if not isinstance(doc_id, int | str):
            raise ValueError(f"{where}: no doc_id: not a log of lm-eval")
        right = bool(choice.metric) and _right(line, choice.metric, where)
        prompt = key_of(line.get("prompt_hash") or line.get("arguments"))
        if (first := rows[code].get(doc_id)) is not None:
            same = "" if prompt == first["prompt"] else ", with another prompt"
            raise ValueError(
                f"{where}: document {doc_id} is duplicated{same}: pass the log of a single run"
            )
        if parted and isinstance(doc_id, str):
            doc = {QUESTION: without_language(doc_id, code), **doc}
        names = dict.fromkeys([*needed, *list(formats.single_values(doc))[:_MOST_FIELDS]])
        rows[code][doc_id] = {
            "language": code, "doc_id": doc_id, "file": file, "place": place, "logged": right,
            "again": read_again(code, line, right, where), "target": key_of(line.get("target")),
            "prompt": prompt, **{FIELD + name: key_of(doc[name]) for name in names if name in doc},
        }  # fmt: skip
    for code, found in rows.items():
        frame = pd.DataFrame(list(found.values())).astype({"doc_id": object, "again": object})
        hashes = [n for n in frame if n.startswith(FIELD) or n in ("target", "prompt")]
        some = [name for name in hashes if frame[name].isna().any()]  # not in all documents
        whole = [name for name in hashes if name not in some]
        yield code, frame.drop(columns=some).astype(dict.fromkeys(whole, "uint64"))


class _Reread:
    """Reads responses again: all of them if asked for, else some wrong ones of each language."""

    def __init__(self, kind: str) -> None:
        self._kind, self._looked = kind, Counter[str]()

    def __call__(
        self, language: str, line: Mapping[str, Any], right: bool, where: str
    ) -> bool | None:
        """The verdict on an answer; ``None`` where it was not read.

        Raises:
            ValueError: all are to be read, and a gold is of another kind.
        """
        response = next(texts_of(line.get("resps")), "")
        looks = response and not right and self._looked[language] < again.LOOKED
        kind = self._kind or (again.kind_of(line) if looks else "")
        found = again.verdict(line, response, kind, code_of(language)) if kind else None
        if self._kind and found is None:
            gold = str(line.get("target"))[:40]
            raise ValueError(f"{where}: --read {kind}: the gold {gold!r} is no {kind}")
        self._looked[language] += found is not None
        return found


def first_document(file: SampleFile) -> dict[str, object]:
    """The fields of the first document of a log; none where it cannot be read."""
    return next((dict(mapping(data.get("doc"))) for _, _, data in logged_lines(file, None)), {})


def line_of(row: Any) -> dict[str, object]:
    """All that the log says about a row of ``read_answers``, read again."""
    return formats.line_at(row.file.path, int(row.place), row.file.tool)


def asked_of(data: Mapping[str, object]) -> str:
    """The whole request of a logged document, as it was sent."""
    return request_of(dict(data))


_NOT_MEASURES = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
    "doc_hash", "prompt_hash", "target_hash",
})  # fmt: skip


def _measures(data: Mapping[str, object]) -> tuple[str, ...]:
    """The measures of a line that are numbers, in the harness's order."""
    names = data.get("metrics")
    listed = names if isinstance(names, list) else [n for n in data if n not in _NOT_MEASURES]
    return tuple(str(name) for name in listed if isinstance(data.get(str(name)), int | float))


def _right(data: Mapping[str, object], metric: str, where: str) -> bool:
    value = data.get(metric)
    if not isinstance(value, int | float) or value not in (0, 1):
        raise ValueError(
            f"{where}: {metric} is {value!r}: a paired test needs answers that are right or wrong "
            "(1 or 0): choose another --metric"
        )
    return bool(value)


def texts_of(value: Any) -> Iterator[str]:
    """The responses of a generation; nothing of the pairs of numbers of a multiple choice."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    values = value if isinstance(value, list) else [value]
    yield from (text for text in values if isinstance(text, str))
