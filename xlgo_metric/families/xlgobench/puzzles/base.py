"""How one puzzle is graded: what a module of this folder holds as ``PUZZLE``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from xlgo_metric.core import Reference

from ..values import Read

IDENTIFIER_IN_TEXT = re.compile(r"(?<![A-Za-z\d])[A-Z]\d{4}(?!\d)")

Instance = Mapping[str, object]
"""A puzzle in its JSON form, as ``to_json`` of the data set gives it."""

Details = Mapping[str, object]
"""What ``compare`` found beside right and wrong, in plain JSON types."""

Compare = Callable[[Any, Any, Reference], tuple[bool, Details]]
PartialCredit = Callable[[Any, Any, Details], float]


class FirstError(TypedDict, total=False):
    """Where a wrong answer first goes wrong.

    ``kind``; ``step`` (from 1) and ``of`` (how many there are), ``None`` where the answer does not
    tell; ``chance``, the share of wrong answers drawn at random that have each kind, where that is
    not negligible.
    """

    kind: str
    step: int | None
    of: int
    chance: dict[str, float]


@dataclass(frozen=True)
class Wrong:
    """A wrong answer whose first error is sought.

    Attributes:
        answer, right: as they are compared.
        reference: of the question.
        draw: gives the puzzle; ``None`` where it cannot be drawn again.
        text: the response, with its thinking.
    """

    answer: Any
    right: Any
    reference: Reference
    draw: Callable[[], Instance | None]
    text: str


def no_credit(answer: Any, right: Any, details: Details) -> float:
    """An answer is right or wrong."""
    return 0.0


def first_right(known: int = 0) -> PartialCredit:
    """Credit for a list up to its first wrong entry; the first ``known`` entries are given away."""

    def credit(answer: Sequence[Any], right: Sequence[Any], details: Details) -> float:
        same = 0
        for given, asked in zip(answer, right):
            if given != asked:
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
        compare: tells from answer, right answer and reference whether it is right, with details.
        partial_credit: the share of the right answer that a wrong one has, 0 to 1, from answer,
            right answer and the details of ``compare``.
        first_error: where a wrong answer first goes wrong; ``None`` where nothing is known of the
            puzzle, or of its errors.
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
    partial_credit: PartialCredit = no_credit
    first_error: Callable[[Wrong], FirstError | None] = lambda wrong: None
    steps_allowed: bool = False
    example: Any = None
    value: re.Pattern[str] = IDENTIFIER_IN_TEXT
