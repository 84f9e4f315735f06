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
from xlgo_metric.statistics.adaptive import EXTENDED
from xlgo_metric.statistics.adaptive.second_stage import NAME as PAIR
from xlgo_metric.statistics.adaptive.sparse import draws_interval, paired_draws, sparse_draws
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gaps import Draws
from xlgo_metric.statistics.paired import PairCounts, PairedInterval

_FEWEST_LEVELS = 2

Pair = tuple[Draws, Draws]
"""Curves of the baseline and of a language; draw i of one belongs to draw i of the other."""


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
    whole = isinstance(low, int) and isinstance(high, int)
    return (low, high) if whole and 0 < low < high and "design" in reference else None


def warnings(task: str, found: Stated, cells: Mapping[str, Side]) -> list[str]:
    """Notes on the design for readers of the numbers."""
    sentences = [
        f"{task}: the questions were chosen (design {found.design}): accuracy, differences, DW-ACC "
        "and spread are of these questions, each of which counts once, so a complexity weighs as "
        "often as it was asked; they do not compare with those of other designs; curves, average "
        f"accuracy and gaps are stated on {found.c_min} to {found.c_max}"
    ]
    more = {language: len(apart(cell)) for language, cell in cells.items()}
    if any(more.values()):
        each = ", ".join(f"{language} {count}" for language, count in more.items() if count)
        sentences.append(
            f"{task}: languages that are far apart had more questions ({each}): they count where "
            "the two are compared, and accuracy, differences, DW-ACC and spread of languages do "
            "not compare with each other"
        )
    if EXTENDED in found.design:
        sentences.append(
            f"{task}: budget, precision or second stage were changed after answers had been seen; "
            "p values and intervals do not take account of that"
        )
    return sentences


def apart(cell: Side) -> list[str]:
    """The questions, one an answer, that were asked in the second stage of two languages only."""
    return list(cell.frame["question"][cell.frame["design"].str.startswith(PAIR)])


def unpaired(cell: Side, other: Side) -> int:
    """Questions of second stages that only one of two languages was asked."""
    return len({*apart(cell)} ^ {*apart(other)})


def curves(cell: Side, role: str, *, seed: int, draws: int) -> Draws:
    """A curve with refits that hold where there are few answers at each complexity."""
    stream = Stream("sparse draws", seed, cell.task, role)
    return sparse_draws(*cell.levels, draws=draws, stream=stream)


def paired(counts: PairCounts, *, seed: int, draws: int) -> Pair | None:
    """The curves of the common questions, refitted in pairs; ``None`` with fewer than 2 levels."""
    if len(counts.c) < _FEWEST_LEVELS:
        return None
    return paired_draws(counts, draws=draws, stream=Stream("sparse pairs", seed))


def interval(found: Stated, drawn: Pair | None, pairs: int) -> PairedInterval | None:
    """The interval of the gap on the stated range; ``None`` where there are no refits."""
    if drawn is None:
        return None
    return draws_interval(*drawn, found.c_min, found.c_max, pairs=pairs)
