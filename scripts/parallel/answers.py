"""Which questions a log holds, which of them were answered correctly, and what identifies them.

Of every line only numbers are kept: gigabytes of prompts and answers stay in the file, and a line
that is to be shown is read again (see :func:`line_at`).
"""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..logs.formats import reader
from ..logs.lines import Problems, SampleFile, request_of

_MOST_FIELDS = 48
_OTHER_DIGITS = re.compile(r"(?![0-9])\d")

DocId = int | str

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
    """

    filter: str
    metric: str
    filters: Mapping[str, tuple[str, ...]]

    @property
    def readings(self) -> list[str]:
        """The filters that have the measure, the one that counts first: each reads the same
        answers in its own way."""
        names = [name for name, measures in self.filters.items() if self.metric in measures]
        return sorted(names, key=lambda name: name != self.filter)


@dataclass
class Answers:
    """The answers in one language; all lists have one entry for each document.

    Attributes:
        language: the code in the names of the tasks.
        tasks: the file of each subject.
        subjects: the subject of each document, empty without one.
        doc_ids: its place in the data.
        right: whether it was answered correctly.
        targets, prompts: hashes of what the right answer is and of what was asked.
        places: where its line begins in the file, in bytes.
        fields: hashes of the values that its fields have.
        other_digits: wrong answers that hold digits of another script than 0 to 9.
        by_filter: whether other filters of the log find it correct; ``None`` where they have none.
    """

    language: str
    tasks: dict[str, SampleFile]
    subjects: list[str] = field(default_factory=list)
    doc_ids: list[DocId] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    targets: array[int] = field(default_factory=lambda: array("Q"))
    prompts: array[int] = field(default_factory=lambda: array("Q"))
    places: array[int] = field(default_factory=lambda: array("Q"))
    fields: dict[str, array[int]] = field(default_factory=dict)
    other_digits: int = 0
    by_filter: dict[str, list[bool | None]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The task, or the first of several and how many there are."""
        names = [file.task for file in self.tasks.values()]
        return names[0] if len(names) == 1 else f"{names[0]} (and {len(names) - 1} more)"

    def line(self, number: int) -> dict[str, object]:
        """All that the log says about one document."""
        return line_at(self.tasks[self.subjects[number]], self.places[number])


def choose(file: SampleFile, metric: str | None, wanted: str | None, preferred: str) -> Choice:
    """Which filter and measure count, out of those in a log.

    Args:
        metric, wanted: the measure and the filter that were asked for.
        preferred: the filter to take, if it is there, where none was asked for.

    Raises:
        ValueError: the log holds no such filter or measure, or nothing at all.
    """
    filters: dict[str, tuple[str, ...]] = {}
    for _, _, data in logged_lines(file, None):
        name = str(data.get("filter", "none"))
        if name not in filters:
            filters[name] = _measures(data)
    if not filters:
        raise ValueError(f"{file.path}: holds no answers")
    if wanted is not None and wanted not in filters:
        raise ValueError(f"--filter {wanted}: {file.task} has {', '.join(filters)}")
    chosen = wanted or (preferred if preferred in filters else next(iter(filters)))
    measures = filters[chosen]
    if not measures or (metric is not None and metric not in measures):
        there = ", ".join(measures) or "none"
        raise ValueError(f"--metric {metric or '?'}: {file.task} logs {there} for its answers")
    return Choice(chosen, metric or measures[0], filters)


def read_answers(
    language: str,
    tasks: Mapping[str, SampleFile],
    choice: Choice,
    fields: Sequence[str] | None,
    problems: Problems,
    *,
    split: Split | None = None,
) -> Answers:
    """Read the answers of one language.

    Args:
        tasks: the file of each subject.
        choice: which answers count.
        fields: of the documents that are to be kept; ``None`` for all that are single values.
        problems: takes up what cannot be read.
        split: tells the languages apart in files that hold several.

    Raises:
        ValueError: a document stands twice, a field is missing, or a measure is not 0 or 1.
    """
    answers = Answers(language, dict(tasks))
    for subject, file in tasks.items():
        prompt_of: dict[DocId, int] = {}
        otherwise: dict[str, dict[DocId, bool]] = {name: {} for name in choice.readings[1:]}
        first = len(answers.doc_ids)
        kept = None if fields is None else list(dict.fromkeys(fields))
        for number, place, line in logged_lines(file, problems):
            filter_name = str(line.get("filter", "none"))
            if filter_name != choice.filter and filter_name not in otherwise:
                continue
            doc_id, doc = line.get("doc_id"), line.get("doc")
            doc = doc if isinstance(doc, dict) else {}
            if split is not None:
                if split.language(line) != language:
                    continue
                doc = {QUESTION: split.question(line)} | doc
            if not isinstance(doc_id, int | str):
                raise ValueError(f"{file.path}:{number}: no doc_id: not a log of lm-eval")
            right = _right(line, choice.metric, f"{file.path}:{number}")
            if filter_name != choice.filter:
                otherwise[filter_name][doc_id] = right
                continue
            prompt = _hash(line.get("prompt_hash") or line.get("arguments"))
            if doc_id in prompt_of:
                same = "" if prompt == prompt_of[doc_id] else ", with another prompt"
                raise ValueError(
                    f"{file.path}:{number}: document {doc_id} is duplicated{same}: pass the log of "
                    "a single run"
                )
            prompt_of[doc_id] = prompt
            if kept is None:
                kept = _single_values(doc)
            for name in kept:
                if name not in doc:
                    raise ValueError(
                        f"{file.path}:{number}: the document has no field {name!r}: choose with "
                        f"--pair-by among doc_id, {', '.join(doc) or 'no others'}"
                    )
                answers.fields.setdefault(name, array("Q")).append(_hash(doc[name]))
            answers.subjects.append(subject)
            answers.doc_ids.append(doc_id)
            answers.right.append(right)
            answers.targets.append(_hash(line.get("target")))
            answers.prompts.append(prompt)
            answers.places.append(place)
            answers.other_digits += not right and _has_other_digits(line)
        for name, found in otherwise.items():
            more = [found.get(doc_id) for doc_id in answers.doc_ids[first:]]
            answers.by_filter.setdefault(name, []).extend(more)
        problems.close(file.path)
    total = len(answers.doc_ids)
    answers.fields = {name: kept for name, kept in answers.fields.items() if len(kept) == total}
    return answers


def first_document(file: SampleFile) -> dict[str, object]:
    """The fields of the first document of a log; none where it cannot be read."""
    for _, _, data in logged_lines(file, None):
        document = data.get("doc")
        return dict(document) if isinstance(document, dict) else {}
    return {}


def line_at(file: SampleFile, place: int) -> dict[str, object]:
    """An answer of a log, read again."""
    if file.tool:
        return reader(file.tool).at(file.path, place).line()
    with file.path.open("rb") as lines:
        lines.seek(place)
        data: dict[str, object] = json.loads(lines.readline().decode("utf-8-sig"))
    return data


def asked_of(data: Mapping[str, object]) -> str:
    """The whole request of a logged document, as it was sent."""
    return request_of(dict(data))


def logged_lines(
    file: SampleFile, problems: Problems | None
) -> Iterator[tuple[int, int, dict[str, object]]]:
    """Number, place and content of each answer that can be read; others go to ``problems``.

    Answers of other tools come in the form of the harness; of several to a question the first
    counts, and one that failed is missing.
    """
    if not file.tool:
        yield from _harness_lines(file, problems)
        return
    repeats = 0
    for found in reader(file.tool).read(file.path):
        if isinstance(found, Exception):
            if problems is not None:
                problems.add(str(file.path), f"{found}; left out")
        elif found.repeat:
            repeats += 1
        elif found.response is not None:
            yield found.number, found.place, found.line()
    if repeats and problems is not None:
        problems.add(
            str(file.path), f"{repeats} further answers to the same questions: left out", lost=False
        )


def _harness_lines(
    file: SampleFile, problems: Problems | None
) -> Iterator[tuple[int, int, dict[str, object]]]:
    place = 0
    with file.path.open("rb") as lines:
        for number, raw in enumerate(lines, start=1):
            here, place = place, place + len(raw)
            if not raw.strip():
                continue
            try:
                data = json.loads(raw.decode("utf-8-sig"))
                if not isinstance(data, dict):
                    raise ValueError("not a JSON object")
            except (ValueError, RecursionError) as error:
                if problems is not None:
                    reason = f"cannot be read ({error}); left out"
                    problems.add_line(file.path, number, "broken line", reason)
                continue
            yield number, here, data


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


def _single_values(doc: Mapping[str, object]) -> list[str]:
    found = [name for name, value in doc.items() if isinstance(value, str | int | float)]
    return found[:_MOST_FIELDS]


def _hash(value: Any) -> int:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _has_other_digits(data: Mapping[str, object]) -> bool:
    """Whether the response has digits that a pattern such as ``[0-9]`` does not see."""
    return any(_OTHER_DIGITS.search(text) for text in texts_of(data.get("resps")))


def texts_of(value: Any) -> Iterator[str]:
    """The responses of a generation; nothing of the pairs of numbers of a multiple choice."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    values = value if isinstance(value, list) else [value]
    yield from (text for text in values if isinstance(text, str))
