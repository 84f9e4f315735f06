"""Grading of the five XLGoBench puzzles: exact match of the whole answer (paper, section 2.4).

Right is what the puzzle asks for, nothing less: the list has its exact length, an identifier in
prose is no answer, and no entry may be there twice. How an answer is written down is forgiven as
far as its meaning is clear in every script alike (see `LENIENT_RULES` in `reading.extract`); what
had to be forgiven is recorded, and `Grade.strict` tells the answers that need nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from xlgo_metric.core import Grade, Status, UnusableReferenceError
from xlgo_metric.reading.extract import Extraction, extract
from xlgo_metric.reading.later import later_values
from xlgo_metric.reading.lexicon import Context
from xlgo_metric.reading.native_ids import native_ids

from .values import (
    Read,
    UnreadableError,
    read_chain,
    read_identifiers,
    read_room,
    read_rooms,
)

_IN_TEXT = re.compile(r"(?<![A-Za-z\d])[A-Z]\d{4}(?!\d)")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])-?\d{1,6}(?![A-Za-z0-9_]|\.\d)")
Compare = Callable[[Any, Any, "dict[str, Any]"], "tuple[bool, dict[str, Any]]"]


@dataclass(frozen=True)
class Task:
    """How one puzzle is graded.

    Attributes:
        key: the key of the JSON object that is asked for.
        read: turns the value of the key into an answer and notes what it had to forgive.
        compare: tells from answer, right answer and reference whether it is right, with details.
        steps_allowed: the prompt allows steps before the object ("at the very end … on its own
            line"). A strict response then ends with the object and the object begins a line; for
            the other puzzles a strict response is the object alone.
        example: the answer that stands as an example in the prompt, of identifiers that no question
            has; a response that repeats it answers nothing with it.
        value: what an entry of an answer looks like in a sentence.
    """

    key: str
    read: Read
    compare: Compare
    steps_allowed: bool = False
    example: Any = None
    value: re.Pattern[str] = _IN_TEXT


def grade(prediction: str | None, reference: dict[str, Any]) -> Grade:
    """Grade one response to an XLGoBench prompt.

    The details hold ``lenient`` (names of the lenient rules that were needed) and

    - ``reason``: why an answer of status ``bad_format`` cannot be understood;
    - ``other_keys``: with ``no_answer``, the keys of an object that lacks the asked one;
    - slt: ``length``; ``first_wrong_step`` (from 1; ``None`` if right); ``final_value`` (the last
      value is right); ``capital_prepended`` (the right chain after the initial capital, which
      counts as wrong; the capital is checked if the reference has ``capital``);
    - prdsa: ``ordered`` (right also in order); ``hits`` (how many of the asked rooms are named);
    - graph_sp: ``length``; ``reversed``; ``is_path`` (leads from source to target over edges
      without coming back to a node; ``None`` if the reference has no ``edges``);
    - t_rank: ``length``; ``kendall`` (pairs in the wrong order) and ``kendall_normalised`` (of all
      pairs, 0 to 1), ``None`` unless the answer ranks exactly the players.

    Args:
        prediction: the response; ``None`` is an empty one.
        reference: ``task`` and ``answer``; other keys may be missing. ``ids`` says how the prompt
            writes identifiers (``reading.native_ids``); answers and details have the plain ones.

    Raises:
        ValueError: the reference has an unknown task or no answer for it, or the prediction is
            not text.
    """
    if not isinstance(prediction, (str, type(None))):
        raise ValueError(f"a prediction is text or None, not {type(prediction).__name__}")
    task, right = _expected(reference)
    language = reference.get("language")
    written = native_ids(reference)

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
    )


def _shares(right: Any, example: Any) -> bool:
    """Whether the right answer has an entry of the prompt's example."""
    return bool({*map(str, _entries(right))} & {*_entries(example)})


def _entries(answer: Any) -> list[Any]:
    return answer if isinstance(answer, list) else [answer]


def _without_answer(extraction: Extraction, task: Task) -> Grade:
    """The grade of a response without a value of the key."""
    details: dict[str, Any] = {"lenient": []}
    if extraction.other_keys:
        details["other_keys"] = [_printable(key) for key in extraction.other_keys]
    status: Status = "bad_format"
    if extraction.status != "found":
        status = extraction.status
    if status == "no_answer" and extraction.context.words.names(extraction.answer, task.value):
        status = "bad_format"
        details["reason"] = "an answer outside of the asked object"
    return Grade(False, status, details=details)


def _taken_back(extraction: Extraction, answer: Any, task: Task, read: Read) -> Grade | None:
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
    after = words.aftermath(behind)
    for claim in after.claims:
        stated = words.stated(claim, task.value, loose=True)
        if stated is not None and not _says(stated.values, answer):
            return _no_longer("another answer follows outside of the asked object", extraction)
    if after.withdrawn:
        return _no_longer("the response takes its answer back", extraction)
    return None


def _no_longer(reason: str, extraction: Extraction) -> Grade:
    notes = sorted(extraction.notes)
    return Grade(False, "bad_format", details={"lenient": notes, "reason": reason})


def _says(values: Sequence[str], answer: Any) -> bool:
    """Whether a sentence names nothing but an answer: all of a list or a part, in its order."""
    named = [str(int(v)) if v.lstrip("-").isdigit() else v for v in values]
    entries = [str(entry) for entry in _entries(answer)]
    starts = range(len(entries) - len(named) + 1)
    return any(entries[at : at + len(named)] == named for at in starts)


def _expected(reference: dict[str, Any]) -> tuple[Task, Any]:
    name = reference.get("task")
    if not isinstance(name, str) or name not in TASKS:
        raise UnusableReferenceError(
            f"unknown task {name!r} in a reference: allowed are {', '.join(TASKS)}"
        )
    task = TASKS[name]
    answer = reference.get("answer")
    if not isinstance(answer, dict) or task.key not in answer:
        raise UnusableReferenceError(
            f'a reference of task {name} needs "answer": {{"{task.key}": …}}'
        )
    return task, answer[task.key]


def _printable(key: str) -> str:
    """The key without lone surrogates, which no file can hold."""
    return key.encode("utf-8", "replace").decode()


def _compare_chain(
    answer: list[int], right: list[int], reference: dict[str, Any]
) -> tuple[bool, dict[str, Any]]:
    correct = answer == right
    wrong_step = None
    if not correct:
        steps = enumerate(zip(answer, right), start=1)
        behind = min(len(answer), len(right)) + 1
        wrong_step = next((step for step, (a, b) in steps if a != b), behind)
    prepended = len(answer) == len(right) + 1 and answer[1:] == right
    if "capital" in reference:
        prepended = prepended and answer[0] == reference["capital"]
    return correct, {
        "length": len(answer),
        "first_wrong_step": wrong_step,
        "final_value": answer[-1:] == right[-1:],
        "capital_prepended": prepended,
    }


def _compare_state(
    answer: str, right: str, reference: dict[str, Any]
) -> tuple[bool, dict[str, Any]]:
    return answer == right, {}


def _compare_states(
    answer: list[str], right: list[str], reference: dict[str, Any]
) -> tuple[bool, dict[str, Any]]:
    correct = len(answer) == len(right) and set(answer) == set(right)
    return correct, {"ordered": answer == right, "hits": len(set(answer) & set(right))}


def _compare_path(
    answer: list[str], right: list[str], reference: dict[str, Any]
) -> tuple[bool, dict[str, Any]]:
    edges = reference.get("edges")
    is_path = None
    if edges is not None:
        known = {frozenset(edge[:2]) for edge in edges}
        steps = [frozenset(step) for step in pairwise(answer)]
        is_path = (
            answer[:1] + answer[-1:] == right[:1] + right[-1:]
            and len(set(answer)) == len(answer)
            and all(step in known for step in steps)
        )
    return answer == right, {
        "length": len(answer),
        "reversed": answer != right and answer[::-1] == right,
        "is_path": is_path,
    }


def _compare_ranking(
    answer: list[str], right: list[str], reference: dict[str, Any]
) -> tuple[bool, dict[str, Any]]:
    distance = None
    if answer == right:
        distance = 0
    elif len(answer) == len(right) and set(answer) == set(right):
        place = {player: i for i, player in enumerate(right)}
        distance = inversions([place[player] for player in answer])
    pairs = len(right) * (len(right) - 1) // 2
    return answer == right, {
        "length": len(answer),
        "kendall": distance,
        "kendall_normalised": None if distance is None else distance / max(pairs, 1),
    }


def partial_credit(grade: Grade, reference: Mapping[str, Any]) -> float:
    """The share of the right answer that a wrong one has, 0 to 1.

    A list counts up to its first wrong entry; what the question gives away (the source of a path)
    does not count. The rooms of prdsa have no order: those that are right count, out of all that
    are named, so that naming every room earns little. A single room is right or wrong.

    Args:
        grade: of a wrong answer.
        reference: ``task`` and ``answer``.
    """
    task, right = _expected(dict(reference))
    if task.compare is _compare_state:
        return 0.0
    if task.compare is _compare_states:
        return float(grade.details["hits"]) / max(len(grade.answer), len(right))
    same = 0
    for given, asked in zip(grade.answer, right):
        if given != asked:
            break
        same += 1
    known = 1 if task.compare is _compare_path else 0
    return max(same - known, 0) / max(len(right) - known, 1)


def inversions(order: Sequence[int]) -> int:
    """How many pairs of a permutation of 0 … n-1 stand in falling order, in O(n log n)."""
    counts = [0] * (len(order) + 1)  # a Fenwick tree over the numbers that came before
    total = 0
    for seen, number in enumerate(order):
        smaller, i = 0, number
        while i > 0:
            smaller += counts[i]
            i -= i & -i
        total += seen - smaller
        i = number + 1
        while i < len(counts):
            counts[i] += 1
            i += i & -i
    return total


_ROOMS = ["G5374", "W2169", "T3803", "R5010", "F8573", "M5422", "U4598", "V6313"]
TASKS: dict[str, Task] = {
    "slt": Task("chain", read_chain, _compare_chain, value=_NUMBER),
    "dsa": Task("state", read_room, _compare_state, example="D6881"),
    "dsa_perm": Task("state", read_room, _compare_state, example="D6881"),
    "prdsa": Task("states", read_rooms, _compare_states, example=_ROOMS),
    "graph_sp": Task(
        "path",
        read_identifiers,
        _compare_path,
        steps_allowed=True,
        example=["A1234", "B5678", "C9012"],
    ),
    "t_rank": Task(
        "ranking",
        read_identifiers,
        _compare_ranking,
        steps_allowed=True,
        example=["A1234", "B5678"],
    ),
}
