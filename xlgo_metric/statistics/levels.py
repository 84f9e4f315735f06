"""What the levels themselves show of two languages, without a fitted curve.

- ``scan``: runs of neighbouring levels in which one language is ahead. One level holds few
  answers, a run of them more; what is said of any run holds for all runs at once.
- ``free_interval``: limits of the largest gap. They assume only that accuracy does not rise with
  complexity, and hold at the complexities that were asked or, with ``between``, between them too.
- ``misfit``: whether the incomplete gamma curve fits the levels, and by how much it misses them.

For ``misfit`` the deviance of a fitted curve is held against those of answers drawn from that curve
and fitted in the same way (parametric bootstrap; Efron and Tibshirani 1993, chapter 6). A tabulated
chi-square does not do: least squares does not minimise the deviance, and with few answers a level
it has another distribution. A model that loses some easy questions to slips has a ceiling below 1,
which hardly moves the largest gap. The curve may therefore be scaled by one of ``CEILINGS``, the
one with the least deviance, in the answers and in every draw.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from xlgo_metric.statistics.draws import Floats, Integers, Stream, exchanges
from xlgo_metric.statistics.gamma import fit_curves, fit_weighted, gamma_accuracy
from xlgo_metric.statistics.gaps import Counted, counts_of
from xlgo_metric.statistics.paired import PairCounts

LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Of runs, in levels; beside them, all levels together."""

_SCAN_DRAWS = 1_999
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


def _least(candidates: Integers) -> list[tuple[int, int]]:
    """The runs that hold no other of the runs."""
    every = [(int(a), int(b)) for a, b in candidates]
    least: list[tuple[int, int]] = []
    for a, b in sorted(every, key=lambda run: run[1] - run[0]):
        if not any(a <= start and end <= b for start, end in least):
            least.append((a, b))
    return least


def runs(levels: int) -> Integers:
    """First level and level after the last of every run, shape (runs, 2)."""
    lengths = sorted({length for length in LENGTHS if length < levels} | {levels})
    return np.array([(a, a + size) for size in lengths for a in range(levels - size + 1)])


def summed(values: npt.ArrayLike, spans: Integers) -> Floats:
    """Sums over runs, of values per level; ``spans`` is from :func:`runs`."""
    before = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    result: Floats = before[spans[:, 1]] - before[spans[:, 0]]
    return result


def extremes(values: Floats, spans: Integers, unit: Floats) -> tuple[Floats, Floats]:
    """The largest and the smallest of the sums over runs, each in units of its run.

    Args:
        values: shape (levels, draws).
        spans: from :func:`runs`.
        unit: shape (runs,), above 0.

    Returns:
        Two arrays of shape (draws,).
    """
    before = np.zeros((len(values) + 1, values.shape[1]))
    np.cumsum(values, axis=0, out=before[1:])
    largest = np.full(values.shape[1], -np.inf)
    smallest = -largest
    # Run by run, in the cache: the sums of all runs of all draws take many times the memory.
    for (start, end), scale in zip(spans.tolist(), unit.tolist()):
        scaled = (before[end] - before[start]) / scale
        np.maximum(largest, scaled, out=largest)
        np.minimum(smallest, scaled, out=smallest)
    return largest, smallest


def scan(
    only_first: npt.ArrayLike,
    only_second: npt.ArrayLike,
    *,
    nets: Integers | None = None,
    draws: int = _SCAN_DRAWS,
    seed: int = 0,
) -> Scan:
    """Find the runs of levels in which one of two languages is ahead.

    The statistic of a run is (a - b) / sqrt(a + b), with a and b the questions that only one of the
    two answered correctly; that of a direction is the largest over all runs. It is redrawn by
    exchanging the answers of each pair, which leaves every a + b as it is. If the first is nowhere
    ahead, exchanging can only make its statistic larger on average, so the claim is exact whatever
    the second does, and it holds for all runs together (max-T; Westfall and Young 1993).

    Args:
        only_first, only_second: integers per level, by rising complexity, shape (levels,).
        nets: clusters of questions, which are exchanged together; see ``draws.exchanges``.
        draws: exchanges, at least 39.
        seed: of the draws.
    """
    a, b = (np.asarray(x, dtype=np.int64) for x in (only_first, only_second))
    nothing = np.zeros(len(a), dtype=bool)
    differ = a + b
    if not differ.any():
        return Scan(1.0, 1.0, nothing, nothing)
    spans = runs(len(a))
    unit = np.sqrt(np.maximum(summed(differ, spans), 1.0))
    redrawn = exchanges(Stream("scan", seed), differ, nets, draws)
    scaled = summed(a - b, spans) / unit
    high, low = extremes(redrawn.T, spans, unit)
    sides = []
    # The largest over all runs of each exchange: a p value read off it holds for all runs at once.
    for sign, largest in ((1.0, np.sort(high)), (-1.0, np.sort(-low))):
        reached = len(largest) - np.searchsorted(largest, sign * scaled - _TIES)
        p = (1.0 + reached) / (draws + 1.0)
        where = nothing.copy()
        # A run is significant if a part of it is; only the shortest say where the language is
        # ahead.
        for start, end in _least(spans[p <= SIDE]):
            where[start:end] = True
        sides.append((float(p.min()), where))
    (p_first, first), (p_second, second) = sides
    return Scan(p_first, p_second, first, second)


_FREE_DRAWS = 300
_KAPPA_DRAWS = 1_999
REACH = 1.959964
"""Standard errors that a 95% interval reaches to either side."""
_FEWEST = 10  # questions of a level; where there are fewer, neighbouring levels are joined
_MOST_LEVELS = 100  # time and memory grow with the square
_PRIOR = 0.25  # of an answer, added to each of the four outcomes before pairs are drawn again


def isotonic(p: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """The least-squares curves that never rise (Barlow et al. 1972, min-max formula).

    Args:
        p: accuracies by rising complexity, shape (..., levels).
        n: their weights, above 0, shape (levels,).

    Returns:
        The fitted accuracies, of the shape of p.
    """
    p, n = np.asarray(p, dtype=np.float64), np.asarray(n, dtype=np.float64)
    # The max-min formula (Robertson, Wright and Dykstra 1988): the fit at a level is the least,
    # over starts before it, of the highest mean over ends behind it. All rows at once; pooling
    # adjacent violators would loop over each.
    rows = np.moveaxis(p, -1, 0) * n.reshape(-1, *[1] * (p.ndim - 1))
    sums = np.concatenate([np.zeros((1, *p.shape[:-1])), np.cumsum(rows, axis=0)])
    total = np.concatenate([[0.0], np.cumsum(n)]).reshape(-1, *[1] * (p.ndim - 1))
    result = np.full(rows.shape, np.inf)
    for start in range(len(rows)):
        # From the last end back: the highest mean over ends at each level or later.
        mean = (sums[:start:-1] - sums[start]) / (total[:start:-1] - total[start])
        highest = np.maximum.accumulate(mean, axis=0)[::-1]
        np.minimum(result[start:], highest, out=result[start:])
    return np.moveaxis(result, 0, -1)


def free_interval(
    pairs: PairCounts,
    *,
    draws: int = _FREE_DRAWS,
    seed: int = 0,
    between: bool = False,
) -> tuple[float, float] | None:
    """95% limits of the largest gap, with its sign, by isotonic curves.

    They assume that accuracy does not rise with complexity.

    - **The near limit** is the largest lower limit of the mean difference over any run of levels,
      simultaneous for all runs: a mean is never larger than the largest gap, and the run was
      chosen because it is large.
    - **The far limit** is the largest upper 97.5% limit of any level. It need not be simultaneous:
      the level of the largest gap has a limit of its own, and the largest of all is not below it.
      Isotonic curves are used, with the standard deviation of their difference over resampled
      question pairs.

    A gap to the other side is ruled out where its far limit does not reach the near limit; else the
    limits span both sides.

    Args:
        pairs: the common questions.
        draws: resamples of question pairs, at least 2.
        seed: of the draws.
        between: of the largest gap also at complexities between those asked, where it is at most
            what one language has at the level below minus what the other has at the level above.

    Returns:
        Lower and upper limit, in [-1, 1]; ``None`` where an accuracy rises (``rises``), or where
        the two ends cross, so that the assumption fails.
    """
    pairs = _joined(pairs)
    if any(rises(k, pairs.n, draws=draws, seed=seed) for k in (pairs.k_base, pairs.k_other)):
        return None
    near = _near(pairs.only_base, pairs.only_other, pairs.n, seed)
    far = _far(pairs.outcomes, draws, seed, between=between)
    high = far[0] if far[0] >= max(near[1], 0.0) else -max(near[1], 0.0)
    low = -far[1] if far[1] >= max(near[0], 0.0) else max(near[0], 0.0)
    return None if low > high else (max(low, -1.0) + 0.0, min(high, 1.0) + 0.0)


def rises(k: Integers, n: Integers, *, draws: int = _FREE_DRAWS, seed: int = 0) -> bool:
    """Whether an accuracy rises with complexity somewhere, at 2.5%.

    The squared distance from the isotonic curve, in units of its variance, against answers drawn
    from that curve (parametric bootstrap).

    Args:
        k, n: correct answers and answers per level, by rising complexity, n above 0.
        draws, seed: of the bootstrap.
    """
    weights = n.astype(np.float64)
    curve = isotonic(k / n, weights)
    # Drawn from a curve with a little of both outcomes, or a level at 0 or 1 would never vary.
    chances = (curve * n + 2.0 * _PRIOR) / (n + 4.0 * _PRIOR)

    def distance(right: Floats) -> Floats:
        off = right / n - isotonic(right / n, weights)
        result: Floats = (weights * off**2 / (chances * (1.0 - chances))).sum(axis=-1)
        return result

    drawn = Stream("rises", seed).binomials(n, chances, draws).astype(np.float64)
    reached = int((distance(drawn) >= float(distance(k.astype(np.float64))) - _TIES).sum())
    return (1 + reached) / (draws + 1) <= SIDE


def _joined(pairs: PairCounts) -> PairCounts:
    """Neighbouring levels put together until each has enough questions, and few enough are left."""
    total, levels = pairs.n, len(pairs.c)
    fewest = max(_FEWEST, int(total.sum()) // _MOST_LEVELS if levels > _MOST_LEVELS else 0)
    starts, size = [0], 0
    for level, count in enumerate(total.tolist()):
        if size >= fewest:
            starts.append(level)
            size = 0
        size += count
    # The last level has too few questions of its own and joins the one before.
    if size < fewest and len(starts) > 1:
        starts.pop()
    sides = (total, pairs.k_base, pairs.k_other, pairs.discordant)
    return PairCounts(pairs.c[starts], *(np.add.reduceat(side, starts) for side in sides))


def _near(only_base: Integers, only_other: Integers, n: Integers, seed: int) -> tuple[float, float]:
    """The largest simultaneous lower limits over runs, of either sign.

    Each run has Agresti and Min's limits (2005), with a pair more of either kind; the multiple of
    the standard error is the 97.5% quantile of the largest of as many normal sums over runs.
    """
    spans = runs(len(n))
    a, b, size = (summed(x, spans) for x in (only_base, only_other, n))
    # One pair more of either kind: a run without discordant pairs has an error above 0.
    mean, share = (a - b) / (size + 2.0), (a + b + 1.0) / (size + 2.0)
    error = np.sqrt((share - mean**2) / (size + 2.0))
    differ = only_base + only_other
    variance = n * (differ + 1.0) / (n + 2.0)
    normal = Stream("runs", seed).normals((_KAPPA_DRAWS, len(n))).T * np.sqrt(variance)[:, None]
    largest, _ = extremes(normal, spans, np.sqrt(summed(variance, spans)))
    kappa = float(np.quantile(largest, 1.0 - SIDE))
    return float((mean - kappa * error).max()), float((-mean - kappa * error).max())


def _far(counts: Integers, draws: int, seed: int, *, between: bool = False) -> tuple[float, float]:
    """The largest upper limits over levels, of either sign.

    Args:
        counts: questions right in both languages, in one, in the other, in none; (levels, 4).
        draws, seed, between: as in :func:`free_interval`.
    """
    n = counts.sum(axis=1)
    weights = n.astype(np.float64)

    def apart(cells: Floats) -> Floats:
        first, second = (
            isotonic((cells[..., 0] + cells[..., alone]) / n, weights) for alone in (1, 2)
        )
        if not between:
            return np.stack([first - second, second - first])
        lower, upper = slice(None, -1), slice(1, None)
        return np.stack(
            [
                np.concatenate([one - two, one[..., lower] - two[..., upper]], axis=-1)
                for one, two in ((first, second), (second, first))
            ]
        )

    # Resampling the counts themselves would never draw an outcome that was not seen, and levels at
    # 0 or 1 would have no spread.
    chances = (counts + _PRIOR) / (n + 4.0 * _PRIOR)[:, None]
    redrawn = Stream("isotonic", seed).multinomials(n, chances, draws).astype(np.float64)
    gap, sd = apart(counts.astype(np.float64)), np.std(apart(redrawn), axis=1, ddof=1)
    highest = (gap + REACH * sd).max(axis=1)
    return float(highest[0]), float(highest[1])


LEVEL = 0.025
"""Of each curve, so that the two of a gap are wrongly flagged in at most 5% together."""

_FIT_DRAWS = 199
CEILINGS = (1.0, 0.99, 0.98, 0.97, 0.96, 0.95)
_HELD_WITHIN = (0.001, 0.999)
_RARE_ANSWERS = 0.1  # the least that is expected right, and wrong, of the answers of a level drawn


@dataclass(frozen=True)
class Misfit:
    """How badly a curve fits.

    Attributes:
        p: the chance of a deviance as large if the curve were right; a multiple of 1/(draws + 1).
        size: how far the accuracies of the levels lie from the curve, as a root mean square over
            the answers, less what chance adds; a fraction, 0 where chance explains all of it.
    """

    p: float
    size: float

    @property
    def found(self) -> bool:
        """Whether the curve does not fit, at ``LEVEL``."""
        return self.p <= LEVEL


def misfits(
    curves: Sequence[Counted], *, weighted: bool = False, draws: int = _FIT_DRAWS
) -> list[Misfit]:
    """Test the fit of curves by a parametric bootstrap of the deviance of each.

    Args:
        curves: one or more of the same complexities. Where questions were asked several times,
            count each question once and give its mean number of correct answers: repeats of a
            question are not independent.
        weighted: fit as :func:`fit_weighted` does, as in designs with a plan of questions.
        draws: answers drawn from each curve and fitted again, at least 39.

    Raises:
        ValueError: too few draws for ``LEVEL``, or what :func:`fit_curves` raises.
    """
    if (draws + 1) * LEVEL < 1.0:
        raise ValueError(f"a test at {LEVEL:g} needs at least {round(1 / LEVEL) - 1} draws")
    c, k, n, streams = counts_of(curves)
    if weighted:
        q, r, weights = map(np.array, zip(*(fit_weighted(c, *counts) for counts in zip(k, n))))
    else:
        (q, r), weights = fit_curves(c, k / n, n=n), n
    curve = np.asarray(gamma_accuracy(c, q[:, None], r[:, None]))
    observed, scale = _deviance(k, n, curve)
    true = np.clip(scale[:, None] * curve, *_HELD_WITHIN)
    # A curve of few answers is too sure of its ends: of draws from it as it is, a right one was
    # rejected in 6 to 9% (10 questions a level). Designs with a plan reject in at most 1.3% anyway.
    rare = 0.0 if weighted else _RARE_ANSWERS / n
    chances = np.clip(true, rare, 1.0 - rare)
    counts, n = n.astype(np.int64), n[:, None]
    drawn = np.stack(
        [one.binomials(sizes, p, draws) for one, sizes, p in zip(streams, counts, chances)]
    )
    starts = q[:, None], r[:, None]
    refits = fit_curves(c, drawn / n, n=weights[:, None], start=starts)
    refitted = np.asarray(gamma_accuracy(c, refits[0][..., None], refits[1][..., None]))
    redrawn, _ = _deviance(drawn.astype(np.float64), n, refitted)
    p = (1 + (redrawn >= observed[:, None]).sum(axis=1)) / (draws + 1)
    apart = (counts * (k / counts - true) ** 2).sum(axis=1) - (true * (1.0 - true)).sum(axis=1)
    sizes = np.sqrt(np.maximum(apart / counts.sum(axis=1), 0.0))
    return [Misfit(*both) for both in zip(p.tolist(), sizes.tolist())]


def _deviance(k: Floats, n: Floats, curve: Floats) -> tuple[Floats, Floats]:
    """The least deviance of each curve over ``CEILINGS``, and the ceiling that has it."""
    p = k / n
    saturated = n * (xlogy(p, p) + xlogy(1.0 - p, 1.0 - p))
    deviances = []
    for ceiling in CEILINGS:
        bounded = np.clip(ceiling * curve, *_HELD_WITHIN)
        lost = saturated - n * (p * np.log(bounded) + (1.0 - p) * np.log(1.0 - bounded))
        deviances.append(2.0 * lost.sum(axis=-1))
    result = np.stack(deviances)
    return result.min(axis=0), np.array(CEILINGS)[result.argmin(axis=0)]
