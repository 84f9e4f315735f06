"""Runs of neighbouring levels: where two languages differ, claimed for all runs at once.

One level holds few answers; a run of neighbouring ones holds more. Every run of some lengths is
looked at, and what is said of any of them holds for all together. No curve is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.draws import Floats, Integers, Stream, exchanges

LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Of runs, in levels; beside them, all levels together."""

DRAWS = 1_999
SIDE = 0.025
_TIES = 1e-9

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Scan:
    """Where the baseline is ahead, and where the other language is, by exchanging answers.

    Attributes:
        p_first, p_second: that the first, or the second, is nowhere more often right alone than
            the other; one-sided, exact for both questions at once at twice the smaller.
        first, second: the levels of the shortest runs in which that holds at one-sided 2.5%,
            simultaneously for all runs, and so for both directions at 5%; shape (levels,).
    """

    p_first: float
    p_second: float
    first: Mask
    second: Mask

    @property
    def crosses(self) -> bool:
        """Whether each language is ahead somewhere."""
        return bool(self.first.any() and self.second.any())


def _least(found: Integers) -> list[tuple[int, int]]:
    """The runs that hold no other of the runs."""
    every = [(int(a), int(b)) for a, b in found]
    least: list[tuple[int, int]] = []
    for a, b in sorted(every, key=lambda run: run[1] - run[0]):
        if not any(a <= start and end <= b for start, end in least):
            least.append((a, b))
    return least


def runs(levels: int) -> Integers:
    """First level and level after the last of every run, shape (runs, 2)."""
    lengths = sorted({length for length in LENGTHS if length < levels} | {levels})
    return np.array([(a, a + size) for size in lengths for a in range(levels - size + 1)])


def summed(values: npt.ArrayLike, over: Integers) -> Floats:
    """Sums over runs, of values per level; ``over`` is from :func:`runs`."""
    before = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    found: Floats = before[over[:, 1]] - before[over[:, 0]]
    return found


def extremes(values: Floats, over: Integers, unit: Floats) -> tuple[Floats, Floats]:
    """The largest and the smallest of the sums over runs, each in units of its run.

    Args:
        values: shape (levels, draws).
        over: from :func:`runs`.
        unit: shape (runs,), above 0.

    Returns:
        Two arrays of shape (draws,).
    """
    before = np.zeros((len(values) + 1, values.shape[1]))
    np.cumsum(values, axis=0, out=before[1:])
    largest = np.full(values.shape[1], -np.inf)
    smallest = -largest
    # Run by run, in the cache: the sums of all runs of all draws take many times the memory.
    for (start, end), one in zip(over.tolist(), unit.tolist()):
        scaled = (before[end] - before[start]) / one
        np.maximum(largest, scaled, out=largest)
        np.minimum(smallest, scaled, out=smallest)
    return largest, smallest


def scan(
    only_first: npt.ArrayLike,
    only_second: npt.ArrayLike,
    *,
    nets: Integers | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Scan:
    """Find the runs of levels in which one of two languages is ahead.

    The statistic of a run is (a - b) / sqrt(a + b), with a and b the questions that only one of the
    two answered correctly; that of a direction is the largest over all runs. It is redrawn by
    exchanging the answers of each pair, which leaves every a + b as it is. If the first is nowhere
    ahead, exchanging can only make its statistic larger on average, so the claim is exact whatever
    the second does, and it holds for all runs together (max-T; Westfall and Young 1993).

    Args:
        only_first, only_second: whole numbers per level, by rising complexity, shape (levels,).
        nets: clusters of questions, which are exchanged together; see ``draws.exchanges``.
        draws: exchanges, at least 39.
        seed: of the draws.
    """
    a, b = (np.asarray(x, dtype=np.int64) for x in (only_first, only_second))
    nothing = np.zeros(len(a), dtype=bool)
    differ = a + b
    if not differ.any():
        return Scan(1.0, 1.0, nothing, nothing)
    over = runs(len(a))
    unit = np.sqrt(np.maximum(summed(differ, over), 1.0))
    redrawn = exchanges(Stream("scan", seed), differ, nets, draws)
    scaled = summed(a - b, over) / unit
    high, low = extremes(redrawn.T, over, unit)
    each = []
    # The largest over all runs of each exchange: a p value read off it holds for all runs at once.
    for sign, largest in ((1.0, np.sort(high)), (-1.0, np.sort(-low))):
        reached = len(largest) - np.searchsorted(largest, sign * scaled - _TIES)
        p = (1.0 + reached) / (draws + 1.0)
        where = nothing.copy()
        # A run is significant if a part of it is; only the shortest say where the language is
        # ahead.
        for start, end in _least(over[p <= SIDE]):
            where[start:end] = True
        each.append((float(p.min()), where))
    (p_first, first), (p_second, second) = each
    return Scan(p_first, p_second, first, second)
