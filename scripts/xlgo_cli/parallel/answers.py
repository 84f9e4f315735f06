"""Which questions a log holds, which of them were answered correctly, and what identifies them.

Of every line only numbers are kept: gigabytes of prompts and answers stay in the file, and a line
that is to be shown is read again (see :func:`line_of`).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xlgo_dataset.text.language_codes import code_of
from xlgo_metric.comparison.frames import key_of

from ..logs import formats
from ..logs.lines import Problems, SampleFile, mapping, request_of
from ..logs.others import logged_lines
from . import again

if TYPE_CHECKING:
    import pandas as pd

_MOST_FIELDS = 48

DocId = int | str
Files = Mapping[str, Mapping[str, SampleFile]]
"""By language and subject."""

QUESTION = "question"
"""The field that pairs samples whose ids differ in nothing but the language."""


ID = "id"
"""Stands for the end of a sample's id, as in ``mgsm-17-te``."""

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
        doc = data.get("doc")
        value = doc.get(self.field) if isinstance(doc, dict) else None
        return value if isinstance(value, str) and value else None

    def question(self, data: Mapping[str, object]) -> str:
        """The id of the question without the code of its language."""
        language, name = self.language(data), str(data.get("doc_id"))
        tokens = re.split(r"([-_/:.])", name)
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

    @property
    def readings(self) -> list[str]:
        """The filters that have the measure, the preferred one first: each reads the same answers
        in its own way."""
        names = [name for name, measures in self.filters.items() if self.metric in measures]
        return sorted(names, key=lambda name: name != self.filter)


FIELD, FILTER = "field ", "filter "
"""Begin the columns of ``Answers`` that hold a field of the documents, or another filter."""


@dataclass(frozen=True)
class Answers:
    """The answers in one language.

    Attributes:
        language: the code in the names of the tasks.
        tasks: the file of each subject.
        frame: a row for each document: its language; its ``subject``, empty without one; its
            ``doc_id``, the place in the data; the ``file``, and the ``place`` in bytes where its
            line begins; whether it was answered ``correct``ly; hashes of its ``target``, its
            ``prompt`` and its fields; whether each other filter finds it correct, ``None`` where it
            has none;
            ``again``: whether it is correct when read again, ``None`` where it was not.
    """

    language: str
    tasks: Mapping[str, SampleFile]
    frame: pd.DataFrame

    @property
    def name(self) -> str:
        """The task, or the first of several and how many there are."""
        of = f" in {self.language}"
        names = [f"{file.task}{of * bool(file.tool)}" for file in self.tasks.values()]
        return names[0] if len(names) == 1 else f"{names[0]} (and {len(names) - 1} more)"

    @property
    def fields(self) -> list[str]:
        """The columns of fields that all documents have."""
        return [name for name in self.frame if name.startswith(FIELD)]


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
        if file.tool == formats.TABLE:
            break  # its rows are alike
    if not filters:
        raise ValueError(f"{file.path}: holds no answers")
    if wanted is not None and wanted not in filters:
        raise ValueError(f"--filter {wanted}: {file.task} has {', '.join(filters)}")
    chosen = wanted or (preferred if preferred in filters else next(iter(filters)))
    measures = filters[chosen]
    if read and not measures:
        return Choice(chosen, "", filters, read)
    if not measures:
        raise ValueError(
            f"{file.path}: {file.task} has no verdicts: grade its responses with "
            "--read number or choice"
        )
    if metric is not None and metric not in measures:
        raise ValueError(f"--metric {metric}: {file.task} logs {', '.join(measures)}")
    return Choice(chosen, metric or measures[0], filters, read)


def read_answers(
    files: Files,
    choice: Choice,
    fields: Mapping[str, Sequence[str] | None],
    problems: Problems,
    *,
    split: Split | None = None,
) -> dict[str, Answers]:
    """Read the answers in all languages, each file once.

    Args:
        files: of each language and subject.
        choice: which answers count.
        fields: of the documents in each language that are to be kept; ``None`` for all that are
            single values.
        problems: takes up what cannot be read.
        split: tells the languages apart in files that hold several.

    Raises:
        ValueError: a document stands twice, a field or language is missing, or a measure is not
            0 or 1.
    """
    found = {language: _Rows(language, choice, fields[language], split) for language in files}
    subjects: dict[SampleFile, dict[str, str]] = {}
    for language, tasks in files.items():
        for subject, file in tasks.items():
            subjects.setdefault(file, {})[language] = subject
    for file, subject_in in subjects.items():
        only = next(iter(subject_in))
        for number, place, line in logged_lines(file, problems):
            code = only if split is None else split.language(line)
            if split is not None and code is None:
                where = f"{file.path}:{number}"
                raise ValueError(f"{where}: the question has no text in {split.field!r}")
            if code in subject_in:
                found[code].add(file, subject_in[code], number, place, line)
        problems.close(file.path)
    return {
        language: Answers(language, tasks, found[language].frame())
        for language, tasks in files.items()
    }


class _Rows:
    """Collects the answers in one language; hashes take eight bytes each."""

    def __init__(
        self, language: str, choice: Choice, fields: Sequence[str] | None, split: Split | None
    ) -> None:
        self._language, self._choice, self._fields, self._split = language, choice, fields, split
        self._filters = choice.readings or [choice.filter]
        self._code = code_of(language)
        self._looked = 0
        self._rows: list[tuple[object, ...]] = []
        numbers = ("place", "target", "prompt", *(FIELD + name for name in fields or ()))
        self._numbers = {name: array("Q") for name in numbers}
        self._kept: dict[str, Sequence[str]] = {}
        self._prompts: dict[tuple[str, DocId], int] = {}
        self._otherwise: dict[tuple[object, ...], bool] = {}

    def add(
        self, file: SampleFile, subject: str, number: int, place: int, line: Mapping[str, object]
    ) -> None:
        """Take up a line of a file, if one of the filters has read it; see ``read_answers``."""
        filter_name, doc_id = str(line.get("filter", "none")), line.get("doc_id")
        if filter_name not in self._filters:
            return
        if not isinstance(doc_id, int | str):
            raise ValueError(f"{file.path}:{number}: no doc_id: not a log of lm-eval")
        metric = self._choice.metric
        right = bool(metric) and _right(line, metric, f"{file.path}:{number}")
        if filter_name != self._choice.filter:
            self._otherwise[filter_name, subject, doc_id] = right
            return
        prompt = key_of(line.get("prompt_hash") or line.get("arguments"))
        if (subject, doc_id) in self._prompts:
            same = "" if prompt == self._prompts[subject, doc_id] else ", with another prompt"
            raise ValueError(
                f"{file.path}:{number}: document {doc_id} is duplicated{same}: pass the log of "
                "a single run"
            )
        self._prompts[subject, doc_id] = prompt
        doc = mapping(line.get("doc"))
        if self._split is not None and isinstance(doc_id, str):
            doc = {QUESTION: self._split.question(line)} | doc
        if subject not in self._kept:
            every = list(formats.single_values(doc))[:_MOST_FIELDS]
            self._kept[subject] = every if self._fields is None else self._fields
        if missing := [name for name in self._kept[subject] if name not in doc]:
            raise ValueError(
                f"{file.path}:{number}: the document has no field {missing[0]!r}: choose with "
                f"--pair-by among doc_id, {', '.join(doc) or 'no others'}"
            )
        numbers = {"place": place, "target": key_of(line.get("target")), "prompt": prompt}
        fields = {FIELD + name: key_of(doc[name]) for name in self._kept[subject]}
        for name, value in (numbers | fields).items():
            self._numbers.setdefault(name, array("Q")).append(value)
        read = self._again(line, right, f"{file.path}:{number}")
        self._rows.append((self._language, subject, doc_id, file, right, read))

    def _again(self, line: Mapping[str, Any], right: bool, where: str) -> bool | None:
        """The verdict of reading again: of all answers if asked for, else of some wrong ones."""
        response = next(texts_of(line.get("resps")), "")
        kind = self._choice.read or (
            again.kind_of(line) if response and not right and self._looked < again.LOOKED else ""
        )
        found = again.verdict(line, response, kind, self._code) if kind else None
        if self._choice.read and found is None:
            raise ValueError(
                f"{where}: --read {kind}: the gold {str(line.get('target'))[:40]!r} is no {kind}"
            )
        self._looked += found is not None
        return found

    def frame(self) -> pd.DataFrame:
        """What was collected; see ``Answers``."""
        import numpy as np
        import pandas as pd

        columns = ["language", "subject", "doc_id", "file", "correct", "again"]
        frame = pd.DataFrame(self._rows, columns=columns).astype({"again": object})
        logged = frame["correct"]
        if self._choice.read:
            frame = frame.assign(correct=frame["again"])
            if self._choice.metric:
                frame[FILTER + self._choice.filter] = logged
        questions = [row[1:3] for row in self._rows]
        return frame.astype({"doc_id": object, "correct": bool}).assign(
            **{name: np.asarray(values) for name, values in self._numbers.items()
               if len(values) == len(frame)},
            **{FILTER + name: [self._otherwise.get((name, *question)) for question in questions]
               for name in self._filters[1:]},
        )  # fmt: skip


def first_document(file: SampleFile) -> dict[str, object]:
    """The fields of the first document of a log; none where it cannot be read."""
    for _, _, data in logged_lines(file, None):
        document = data.get("doc")
        return dict(document) if isinstance(document, dict) else {}
    return {}


def line_of(row: Any) -> dict[str, object]:
    """All that the log says about a row of ``Answers``, read again."""
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
