"""Grading of the five XLGoBench puzzles: exact match of the whole answer (paper, section 2.4).

Right is what the puzzle asks for, nothing less: the list has its exact length, an identifier in
prose is no answer, and no entry may be there twice. How an answer is written down is forgiven as
far as its meaning is clear in every script alike (see `LENIENT_RULES` in `reading.extract`); what
had to be forgiven is recorded, and `Grade.strict` tells the answers that need nothing.
`Grade.in_form` tells those in a JSON object, whatever stands around it, from those in LaTeX and the
like (rule `not_json`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from xlgo_metric.core import Grade, Reference, Status, UnusableReferenceError
from xlgo_metric.families.xlgobench.puzzles import PUZZLES
from xlgo_metric.families.xlgobench.puzzles.base import (
    FirstError,
    Puzzle,
    Read,
    UnreadableError,
    Wrong,
)
from xlgo_metric.reading.extract import Extraction, extract, later_values
from xlgo_metric.reading.grammar import Context
from xlgo_metric.reading.native_ids import native_ids
from xlgo_metric.reading.run_on import before_run_on


def grade(prediction: str | None, reference: Reference) -> Grade:
    """Grade one response to an XLGoBench prompt.

    The details hold ``lenient`` (names of the lenient rules that were needed) and

    - ``reason``: why an answer of status ``bad_format`` cannot be understood;
    - ``other_keys``: with ``no_answer``, the keys of an object that lacks the asked one;
    - what ``compare`` of the puzzle finds (``puzzles``).

    Args:
        prediction: the response; ``None`` is an empty one.
        reference: ``task`` and ``answer``; other keys may be missing. ``ids`` says how the prompt
            writes identifiers (``reading.native_ids``); answers and details have the plain ones.

    Raises:
        ValueError: the reference has an unknown task or no answer for it, or the prediction is
            not text.
    """
    # What runs on does so on a line of its own.
    runs_on = isinstance(prediction, str) and "\n" in prediction
    return _grade_to_run_on(prediction, reference) if runs_on else _grade(prediction, reference)


def _grade(prediction: str | None, reference: Reference) -> Grade:
    if not isinstance(prediction, (str, type(None))):
        raise ValueError(f"a prediction is text or None, not {type(prediction).__name__}")
    task, right = _expected(reference)
    language = reference.get("language")
    written = native_ids(reference) if "ids" in reference else None

    def read(value: Any, notes: set[str], context: Context) -> Any:
        return task.read(value if written is None else written.plain(value, notes), notes, context)

    def is_example(value: Any) -> bool:
        """Whether a value is the prompt's example, and not the right answer as well."""
        try:
            return bool(read(value, set(), Context("en")) == task.example)
        except UnreadableError:
            return False

    extraction = extract(
        prediction,
        task.key,
        language=language if isinstance(language, str) else None,
        steps_allowed=task.steps_allowed,
        is_example=is_example if task.example and not _shares(right, task.example) else None,
    )
    if extraction.status != "found":
        return _without_answer(extraction, task)
    notes = extraction.notes
    try:
        answer = read(extraction.value, notes, extraction.context)
    except UnreadableError as error:
        return Grade(False, "bad_format", details={"lenient": sorted(notes), "reason": str(error)})
    taken_back = _taken_back(extraction, answer, task, read)
    if taken_back is not None:
        return taken_back
    correct, details = task.compare(answer, right, reference)
    return Grade(
        correct=correct,
        status="correct" if correct else "wrong",
        strict=not notes,
        answer=answer,
        details={"lenient": sorted(notes), **details},
        in_form="not_json" not in notes,
    )


_grade_to_run_on = before_run_on(_grade)


def _shares(right: Any, example: Any) -> bool:
    """Whether the right answer has an entry of the prompt's example."""
    return bool({*map(str, _entries(right))} & {*_entries(example)})


def _entries(answer: Any) -> list[Any]:
    return answer if isinstance(answer, list) else [answer]


def _without_answer(extraction: Extraction, task: Puzzle) -> Grade:
    """The grade of a response without a value of the key."""
    details: dict[str, object] = {"lenient": []}
    if extraction.other_keys:
        details["other_keys"] = [_printable(key) for key in extraction.other_keys]
    status: Status = "bad_format"
    if extraction.status != "found":
        status = extraction.status
    if status == "no_answer" and (
        extraction.struck or extraction.context.words.names(extraction.answer, task.value)
    ):
        status = "bad_format"
        details["reason"] = "an answer outside of the asked object"
    return Grade(False, status, details=details)


def _taken_back(extraction: Extraction, answer: Any, task: Puzzle, read: Read) -> Grade | None:
    """The grade of an answer that the text behind it takes back or replaces, if it does."""
    behind = extraction.behind
    if not behind.strip():
        return None
    words = extraction.context.words
    for written in later_values(behind, words):
        try:
            other = read(written, set(), extraction.context)
        except UnreadableError:
            continue
        if other != answer:
            return _no_longer("another answer follows that lacks the asked key", extraction)
    after = words.aftermath(behind, " ".join(map(str, _entries(answer))))
    value = _listed(task.value) if isinstance(answer, list) else task.value
    stated = words.restated(after, value)
    named = task.value.findall(" ; ".join(stated.values)) if stated else []
    if stated is not None and not _says(named, answer, whole=after.withdrawn):
        return _no_longer("another answer follows outside of the asked object", extraction)
    if after.withdrawn:
        return _no_longer("the response takes its answer back", extraction)
    return None


@cache
def _listed(value: re.Pattern[str]) -> re.Pattern[str]:
    """Entries of a list, as a sentence gives them together."""
    one = value.pattern
    return re.compile(rf"{one}(?:\s?(?:→|->|=>|>|[,،、])\s?{one}){{0,200}}", value.flags)


def _no_longer(reason: str, extraction: Extraction) -> Grade:
    notes = sorted(extraction.notes)
    return Grade(False, "bad_format", details={"lenient": notes, "reason": reason})


def _says(values: Sequence[str], answer: Any, *, whole: bool) -> bool:
    """Whether a sentence names nothing but an answer: all of a list or a part, in its order."""
    named = [str(int(v)) if v.lstrip("-").isdigit() else v for v in values]
    entries = [str(entry) for entry in _entries(answer)]
    if whole and len(named) < len(entries):
        return False
    starts = range(len(entries) - len(named) + 1)
    return any(entries[at : at + len(named)] == named for at in starts)


def _expected(reference: Reference) -> tuple[Puzzle, Any]:
    name = reference.get("task")
    if not isinstance(name, str) or name not in PUZZLES:
        raise UnusableReferenceError(
            f"unknown task {name!r} in a reference: allowed are {', '.join(PUZZLES)}"
        )
    task = PUZZLES[name]
    answer = reference.get("answer")
    if not isinstance(answer, dict) or task.key not in answer:
        raise UnusableReferenceError(
            f'a reference of task {name} needs "answer": {{"{task.key}": …}}'
        )
    return task, answer[task.key]


def _printable(key: str) -> str:
    """The key without lone surrogates, which no file can hold."""
    return key.encode("utf-8", "replace").decode()


def partial_credit(grade: Grade, reference: Mapping[str, object]) -> float:
    """The share of the right answer that a wrong one has, 0 to 1; see ``Puzzle``.

    Args:
        grade: of a wrong answer.
        reference: ``task`` and ``answer``.
    """
    task, right = _expected(reference)
    return task.partial_credit(grade.answer, right, grade.details)


def first_error(
    grade: Grade,
    reference: Mapping[str, object],
    draw: Callable[[], Mapping[str, object] | None],
    text: str,
) -> FirstError | None:
    """Where a wrong answer first goes wrong; see ``Puzzle``.

    Args:
        grade: of the answer, with the status ``wrong``.
        reference: of the question.
        draw: gives the puzzle; ``None`` where it cannot be drawn again.
        text: the response, with its thinking, in which a walk may be written down.
    """
    task, right = _expected(reference)
    return task.first_error(Wrong(grade.answer, right, reference, draw, text))
