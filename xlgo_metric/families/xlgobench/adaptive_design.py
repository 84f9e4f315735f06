"""Answers to a plan of questions: the design and the range that their references state.

Where a plan names every question, the levels are those that tell most, not those that results are
stated on; and there may be few answers at each. So range and uncertainty come from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from xlgo_metric.comparison.table import Side
from xlgo_metric.core import common
from xlgo_metric.statistics.adaptive import EXTENDED, PAIR


@dataclass(frozen=True)
class Stated:
    """What the references of a task's answers say of their design.

    Attributes:
        design: how the questions were chosen.
        c_min, c_max: the range on which results are stated.
    """

    design: str
    c_min: int
    c_max: int


def stated(cells: Iterable[Side]) -> Stated | None:
    """The design and range of a task; ``None`` unless all answers are to a plan of one range."""
    references = [record.reference for cell in cells for record in cell.records]
    ranges = {_range(reference) for reference in references}
    design = common(references, "design")
    if design is None or len(ranges) != 1:
        return None
    (ends,) = ranges
    return None if ends is None else Stated(design, *ends)


def _range(reference: Any) -> tuple[int, int] | None:
    """The stated range of one reference; ``None`` where there is none that can be used."""
    ends = reference.get("range")
    if not isinstance(ends, list) or len(ends) != 2:
        return None
    low, high = ends
    integers = isinstance(low, int) and isinstance(high, int)
    return (low, high) if integers and 0 < low < high and "design" in reference else None


def warnings(task: str, found: Stated, cells: Mapping[str, Side]) -> list[str]:
    """Notes on the design for readers of the numbers."""
    sentences = [
        f"{task}: the questions were chosen (design {found.design}): accuracy and "
        "differences are of these questions, each of which counts once, so a complexity weighs as "
        "often as it was asked; they do not compare with those of other designs; curves, average "
        f"accuracy and gaps are stated on {found.c_min} to {found.c_max}"
    ]
    more = {language: len(apart(cell)) for language, cell in cells.items()}
    if any(more.values()):
        each = ", ".join(f"{language} {count}" for language, count in more.items() if count)
        sentences.append(
            f"{task}: languages that are far apart had more questions ({each}): they count where "
            "the two are compared, and accuracy and differences of languages do not compare "
            "with each other"
        )
    if EXTENDED in found.design:
        sentences.append(
            f"{task}: budget or precision were changed after answers had been seen; "
            "p values and intervals do not take account of that"
        )
    return sentences


def apart(cell: Side) -> list[str]:
    """The questions, one an answer, that were asked in the second stage of two languages only."""
    return list(cell.frame["question"][cell.frame["design"].str.startswith(PAIR)])


def unpaired(cell: Side, other: Side) -> int:
    """Questions of second stages that only one of two languages was asked."""
    return len({*apart(cell)} ^ {*apart(other)})
