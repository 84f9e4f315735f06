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

from xlgo_metric.core import Grade, UnusableReferenceError
from xlgo_metric.reading.extract import extract
from xlgo_metric.reading.later import later_values
from xlgo_metric.reading.loose import read_list
from xlgo_metric.reading.native_ids import native_ids
from xlgo_metric.reading.normalise import NUMBER_LIMIT, identifiers, integer, plain_identifiers

_EXAMPLE = re.compile(r'(\{\s?"ranking"\s?:\s?)\["A1234",\s?"B5678"\]\s?\}')
_NUMBERED = re.compile(r"\s*#?(\d{1,3})\s?[.):]\s*\S")


class UnreadableError(Exception):
    """A value that cannot be an answer; the message says why."""


Read = Callable[[Any, "set[str]"], Any]
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
        example: the object that stands as an example in the prompt, for players that no question
            has; a response that repeats it answers nothing with it.
    """

    key: str
    read: Read
    compare: Compare
    steps_allowed: bool = False
    example: re.Pattern[str] | None = None


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
    if task.example and not _shares(right, task.example):
        prediction = task.example.sub(r"\1[...]}", prediction or "")
    extraction = extract(prediction, task.key, steps_allowed=task.steps_allowed)
    if extraction.status != "found":
        details: dict[str, Any] = {"lenient": []}
        if extraction.other_keys:
            details["other_keys"] = [_printable(key) for key in extraction.other_keys]
        return Grade(False, extraction.status, details=details)
    notes = extraction.notes
    written, value = native_ids(reference), extraction.value
    try:
        answer = task.read(value if written is None else written.plain(value, notes), notes)
    except UnreadableError as error:
        return Grade(False, "bad_format", details={"lenient": sorted(notes), "reason": str(error)})
    correct, details = task.compare(answer, right, reference)
    if correct and _is_taken_back(extraction.behind, answer, task):
        reason = "another answer follows that lacks the asked key"
        return Grade(False, "bad_format", details={"lenient": sorted(notes), "reason": reason})
    return Grade(
        correct=correct,
        status="correct" if correct else "wrong",
        strict=not notes,
        answer=answer,
        details={"lenient": sorted(notes), **details},
    )


def _shares(right: Any, example: re.Pattern[str]) -> bool:
    """Whether an entry of the right answer stands in the prompt's example too."""
    entries = right if isinstance(right, list) else [right]
    return any(str(entry) in example.pattern for entry in entries)


def _is_taken_back(behind: str, answer: Any, task: Task) -> bool:
    """Whether an answer with another key, or in a box, follows that differs."""
    for written in later_values(behind):
        try:
            other = task.read(written, set())
        except UnreadableError:
            continue
        if other != answer:
            return True
    return False


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


def _listed(value: Any, notes: set[str]) -> list[Any]:
    """The entries of a list, also of one that is written as a string or alone in a list."""
    if isinstance(value, str) and (read := read_list(value)) is not None:
        value = read
        notes.add("list_text")
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
        notes.add("one_item")
    if not isinstance(value, list):
        raise UnreadableError("the value is not a list")
    return value


def _read_chain(value: Any, notes: set[str]) -> list[int]:
    value = _listed(value, notes)
    if {*map(type, value)} == {int} and max(map(abs, value)) < NUMBER_LIMIT:
        return value
    chain: list[int] = []
    for item in value:
        number = integer(item, notes)
        if number is None:
            raise UnreadableError(f"entry {len(chain) + 1} is not an integer")
        chain.append(number)
    return chain


def _read_identifier(value: Any, notes: set[str]) -> str:
    if not isinstance(value, str):
        raise UnreadableError("the value is not a string")
    found = identifiers(value, notes)
    if len(found) != 1:
        raise UnreadableError("not exactly one identifier in a string")
    return found.pop()


def _read_identifiers(value: Any, notes: set[str]) -> list[str]:
    value = _listed(value, notes)
    rooms: list[str] = value
    if plain_identifiers(value):
        return rooms
    numbers = [_NUMBERED.match(item) if isinstance(item, str) else None for item in value]
    ranks = [int(number[1]) for number in numbers if number]
    if ranks != sorted(ranks):
        raise UnreadableError("the entries are numbered in another order than they stand in")
    return [_read_identifier(item, notes) for item in value]


def _read_room(value: Any, notes: set[str]) -> str:
    needed: set[str] = set()
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
        needed.add("one_item")
    room = _read_identifier(value, needed)
    notes |= needed - {"id_text"}  # the word for room is asked for
    return room


def _read_rooms(value: Any, notes: set[str]) -> list[str]:
    needed: set[str] = set()
    rooms = _read_identifiers(value, needed)
    notes |= needed - {"id_text"}
    return rooms


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


TASKS: dict[str, Task] = {
    "slt": Task("chain", _read_chain, _compare_chain),
    "dsa": Task("state", _read_room, _compare_state),
    "dsa_perm": Task("state", _read_room, _compare_state),
    "prdsa": Task("states", _read_rooms, _compare_states),
    "graph_sp": Task("path", _read_identifiers, _compare_path, steps_allowed=True),
    "t_rank": Task(
        "ranking", _read_identifiers, _compare_ranking, steps_allowed=True, example=_EXAMPLE
    ),
}
