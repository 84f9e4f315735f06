"""What may be said of levels and curves: for all cells together, and above what shortcuts get.

``floors.json`` holds task, heuristic and pairs of complexity and accuracy, measured by
``benchmarks/floors.py``; docs/puzzles.md says what they mean for reading a curve and a gap.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import NamedTuple, cast

import numpy as np
from scipy.special import ndtri, stdtrit

from xlgo_metric.comparison.gaps import GapCell, GapTask, Paired
from xlgo_metric.comparison.section import cells_of
from xlgo_metric.statistics.differences import ALPHA, CONFIDENCE, holm, stretched
from xlgo_metric.statistics.levels import SIDE
from xlgo_metric.views import Row

Points = list[list[float]]


class Floor(NamedTuple):
    """The strongest shortcut at a complexity.

    Attributes:
        heuristic: its name.
        accuracy: a fraction.
    """

    heuristic: str
    accuracy: float


@lru_cache(maxsize=1)
def measured() -> dict[str, dict[str, Points]]:
    """Complexity and accuracy of every heuristic of every task, complexities rising."""
    text = resources.files(__package__).joinpath("floors.json").read_text("utf-8")
    return cast("dict[str, dict[str, Points]]", json.loads(text))


def strongest_floor(task: str, complexity: float) -> Floor | None:
    """The strongest shortcut of a task at a complexity; linear between those measured.

    Args:
        task: its name.
        complexity: any; accuracies are not carried on beyond the complexities measured.

    Returns:
        The heuristic with the highest accuracy there; ``None`` where nothing was measured.
    """
    result = [
        Floor(name, float(np.interp(complexity, *np.transpose(points))))
        for name, points in measured().get(task, {}).items()
        if points[0][0] <= complexity <= points[-1][0]
    ]
    return max(result, key=lambda floor: floor.accuracy, default=None)


def floor_points(task: str, low: float | None, high: float | None) -> list[Row]:
    """The strongest shortcut at both ends of a range and at every complexity measured in it.

    Returns:
        ``{"complexity", "accuracy", "heuristic"}`` each, complexities rising; none for a task
        without floors or without complexities.
    """
    if low is None or high is None:
        return []
    sizes = {c for points in measured().get(task, {}).values() for c, _ in points}
    return [
        {"complexity": c, "accuracy": floor.accuracy, "heuristic": floor.heuristic}
        for c in map(float, sorted({low, high, *(c for c in sizes if low < c < high)}))
        if (floor := strongest_floor(task, c)) is not None
    ]


_TAILS = 5.0
"""Degrees of freedom of the tails of refitted gaps beyond 95%. As a normal's, the intervals of two
cells with a gap of .73 and two without missed in 5.3% of 376 reports (benchmarks/sentences.py), as
these in 2.7%."""

_REACH = 1.959964


def settle(tasks: Mapping[str, GapTask]) -> None:
    """Correct what is said of levels and of curves for all cells of the section together.

    That two languages differ at some complexity is corrected by Holm's method; that each of them is
    ahead somewhere must hold for both directions, Bonferroni-corrected; intervals of the largest
    gap get limits that hold for all cells together.

    Args:
        tasks: of the section.
    """
    tested = [
        (cell, paired) for _, _, cell in cells_of(tasks) if (paired := cell["paired"]) is not None
    ]
    for (cell, paired), p in zip(tested, holm([paired["p"] for _, paired in tested])):
        paired["p_holm"] = float(p)
        difference, sides = cell["difference"], cell["sides"]
        differs = float(p) < ALPHA
        if difference is None or sides is None:
            continue
        if differs and max(sides["p_behind"], sides["p_ahead"]) * len(tested) <= SIDE:
            ahead = difference["difference"] > 0
            cell["crossing"] = sides["ahead"] if ahead else sides["behind"]
        if differs or difference["is_significant"]:
            cell["extreme"] = None  # something was found after all
        _hold_together(cell, paired, len(tested))


def _hold_together(cell: GapCell, paired: Paired, cells: int) -> None:
    """Give the interval of a largest gap limits that hold for so many cells (Bonferroni).

    A sentence states the intervals of the cells that are significant and largest; without this
    they would miss the truth the more often, the more cells there are.
    """
    tail = (1.0 - CONFIDENCE) / cells
    ends = 0.5 * tail, 0.5 * (1.0 - CONFIDENCE)
    wider = float(ndtri(ends[0]) / ndtri(ends[1]))
    heavier = float(stdtrit(_TAILS, ends[0]) / stdtrit(_TAILS, ends[1]))
    group = stretched_ends(paired["low"], paired["high"], paired["estimate"], heavier)
    free = stretched_ends(paired["free_low"], paired["free_high"], None, wider)
    paired["free_low_all"], paired["free_high_all"] = free or (None, None)
    if group and free and _curves_cross(cell):
        # There the curves' own interval misses in 2.5% of cells at a nominal 1.25%.
        group = min(group[0], free[0]), max(group[1], free[1])
    paired["low_all"], paired["high_all"] = group or (None, None)


def stretched_ends(
    low: float | None, high: float | None, estimate: float | None, wider: float
) -> tuple[float, float] | None:
    """The limits of an interval, as many times farther from its estimate; nothing without any."""
    return None if low is None or high is None else stretched(low, high, wider, estimate)


def _curves_cross(cell: GapCell) -> bool:
    """Whether each language is ahead somewhere, as tested or by the fitted curves."""
    rd, sd = cell["rd"], cell["rd_sd"]
    fitted = rd is not None and sd is not None and rd < -_REACH * sd
    return fitted or cell["crossing"] is not None
