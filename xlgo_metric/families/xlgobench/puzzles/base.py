"""What the grading of every puzzle shares: the class of ``PUZZLE``, and readers of a key's value.

A value is a chain of numbers, a room or a list of identifiers. Its entries may be objects or pairs
where only one member can be meant: a room beside its probability, a step's number beside the wealth
after it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlgo_metric.core import Reference
from xlgo_metric.reading.forms import read_list
from xlgo_metric.reading.values import (
    IDENTIFIER,
    NUMBER_LIMIT,
    fold,
    identifiers,
    integer,
    plain_identifiers,
)

_NUMBERED = re.compile(r"\s*#?(\d{1,3})\s?[.):]\s*\S")
_ORDERED_KEY = re.compile(r"\D{0,10}(\d{1,4})\D{0,3}")
_SHARE = re.compile(r"[~≈]?\s?(?:[01]?\.\d{1,20}(?:e-\d{1,3})?|\d{1,3}(?:\.\d{1,20})?\s?%|[01])")
_MEMBERS = 20  # an entry has no more


class UnreadableError(Exception):
    """A value that cannot be an answer; the message says why."""


Read = Callable[[Any, "set[str]"], Any]


def read_chain(value: Any, notes: set[str]) -> list[int]:
    """The numbers of a chain."""
    value = _numbers_of_members(_listed(value, notes), notes)
    if {*map(type, value)} == {int} and max(map(abs, value)) < NUMBER_LIMIT:
        return value
    chain: list[int] = []
    for item in value:
        number = integer(item, notes)
        if number is None:
            raise UnreadableError(f"entry {len(chain) + 1} is not an integer")
        chain.append(number)
    return chain


def read_room(value: Any, notes: set[str]) -> str:
    """One identifier; the word for room is asked for beside it."""
    needed: set[str] = set()
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
        needed.add("one_item")
    room = _identifier(value, needed)
    notes |= needed - {"id_text"}
    return room


def read_rooms(value: Any, notes: set[str]) -> list[str]:
    """Identifiers, each with the word for room beside it."""
    needed: set[str] = set()
    rooms = read_identifiers(value, needed)
    notes |= needed - {"id_text"}
    return rooms


def read_identifiers(value: Any, notes: set[str]) -> list[str]:
    """The identifiers of a list."""
    value = _listed(value, notes)
    rooms: list[str] = value
    if plain_identifiers(value):
        return rooms
    numbers = [_NUMBERED.match(item) if isinstance(item, str) else None for item in value]
    ranks = [int(number[1]) for number in numbers if number]
    if ranks != sorted(ranks):
        raise UnreadableError("the entries are numbered in another order than they stand in")
    return [_identifier(item, notes) for item in value]


def _identifier(value: Any, notes: set[str]) -> str:
    pair = isinstance(value, list) and 1 < len(value) <= _MEMBERS
    if pair or (isinstance(value, dict) and 0 < len(value) <= _MEMBERS):
        value = _one_member(value, notes)
    if not isinstance(value, str):
        raise UnreadableError("the value is not a string")
    result = identifiers(value, notes)
    if len(result) != 1:
        raise UnreadableError("not exactly one identifier in a string")
    return result.pop()


def _one_member(value: dict[str, object] | list[Any], notes: set[str]) -> Any:
    """Of an object or a pair the one member that holds an identifier."""
    members = [*value.keys(), *value.values()] if isinstance(value, dict) else value
    identifiers_in = [
        m for m in members if isinstance(m, str) and IDENTIFIER.search(fold(m).upper())
    ]
    if len(identifiers_in) != 1:
        raise UnreadableError("not exactly one identifier in an entry")
    notes.add("members")
    return identifiers_in[0]


def _listed(value: Any, notes: set[str]) -> list[Any]:
    """The entries of a list, also of one that is written as a string or alone in a list."""
    if isinstance(value, str) and (read := read_list(value)) is not None:
        value = read
        notes.add("list_text")
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
        notes.add("one_item")
    if isinstance(value, dict):
        value = _in_order(value, notes)
    if not isinstance(value, list):
        raise UnreadableError("the value is not a list")
    return value


def _in_order(value: dict[str, object], notes: set[str]) -> list[Any]:
    """An object as a list: its keys, where they hold identifiers; else its values, by number."""
    keys = list(value)
    if keys and all(IDENTIFIER.search(fold(key).upper()) for key in keys):
        if not _are_shares(list(value.values())):
            raise UnreadableError("an object of identifiers without their probabilities or ranks")
        notes.add("members")
        return keys
    numbers = [_ORDERED_KEY.fullmatch(fold(key)) for key in keys]
    ranks = [int(number[1]) for number in numbers if number]
    if len(ranks) < max(len(keys), 2) or ranks != _counted(ranks):
        raise UnreadableError("the value is an object, not a list")
    notes.add("members")
    return list(value.values())


def _are_shares(values: list[Any]) -> bool:
    """Whether values are probabilities, or count the entries from 1."""
    if any(isinstance(v, bool) or not isinstance(v, (int, float, str)) for v in values):
        return False
    if all(isinstance(v, int) for v in values):
        return values == list(range(1, len(values) + 1))
    return all(_SHARE.fullmatch(fold(str(v)).strip()) for v in values)


def _counted(ranks: Sequence[int]) -> list[int]:
    """The numbers from the first one on."""
    return list(range(ranks[0], ranks[0] + len(ranks)))


def _numbers_of_members(entries: list[Any], notes: set[str]) -> list[Any]:
    """Of entries that are alike objects or pairs the one member that is no number of a step."""
    rows = [[*entry.values()] if isinstance(entry, dict) else entry for entry in entries]
    if not rows or not all(isinstance(row, list) and len(row) <= _MEMBERS for row in rows):
        return entries
    if len({len(row) for row in rows}) > 1 or any(
        isinstance(entry, dict) and [*entry] != [*entries[0]] for entry in entries
    ):
        raise UnreadableError("the entries are not alike")
    columns = [list(column) for column in zip(*rows)]
    numbers = [[integer(item, set()) for item in column] for column in columns]
    steps = [*range(len(rows))], [*range(1, len(rows) + 1)]  # they count the entries
    meant = [
        column
        for column, read in zip(columns, numbers)
        if None not in read and (len(columns) == 1 or read not in steps)
    ]
    if len(meant) != 1:
        raise UnreadableError("not exactly one number in an entry")
    notes.add("members")
    return meant[0]


IDENTIFIER_IN_TEXT = re.compile(r"(?<![A-Za-z\d])[A-Z]\d{4}(?!\d)")

Details = Mapping[str, object]
"""What ``compare`` found beside right and wrong, in plain JSON types."""

Compare = Callable[[Any, Any, Reference], tuple[bool, Details]]
PartialCredit = Callable[[Any, Any, Details], float]


def first_right(known: int = 0) -> PartialCredit:
    """Credit for a list up to its first wrong entry; the first ``known`` entries are given away."""

    def credit(answer: Sequence[Any], right: Sequence[Any], details: Details) -> float:
        same = 0
        for entry, expected in zip(answer, right):
            if entry != expected:
                break
            same += 1
        return max(same - known, 0) / max(len(right) - known, 1)

    return credit


@dataclass(frozen=True)
class Puzzle:
    """How one puzzle is graded.

    Attributes:
        key: the key of the JSON object that is asked for.
        read: turns the value of the key into an answer and notes what it had to forgive.
        compare: tells from answer, right answer and reference whether it is right, with details;
            by default answers must be equal.
        partial_credit: the share of the right answer that a wrong one has, 0 to 1, from answer,
            right answer and the details of ``compare``.
        steps_allowed: the prompt allows steps before the object ("at the very end … on its own
            line"). A strict response then ends with the object and the object begins a line; for
            the other puzzles a strict response is the object alone.
        example: the answer that stands as an example in the prompt, of identifiers that no question
            has; a response that repeats it answers nothing with it.
        value: what an entry of an answer looks like in a sentence.
    """

    key: str
    read: Read
    compare: Compare = lambda answer, right, reference: (answer == right, {})
    partial_credit: PartialCredit = lambda answer, right, details: 0.0
    steps_allowed: bool = False
    example: Any = None
    value: re.Pattern[str] = IDENTIFIER_IN_TEXT
