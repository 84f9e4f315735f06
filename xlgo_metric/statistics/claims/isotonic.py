"""The largest gap of two languages without any formula of their curves.

The only assumption is that accuracy does not rise with complexity. The limits are those of the gap
at the complexities that were asked or, with ``between``, of those between them too.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.claims.blocks import extremes, runs, summed
from xlgo_metric.statistics.draws import Floats, Integers, Stream
from xlgo_metric.statistics.paired import PairCounts

DRAWS = 300
_KAPPA_DRAWS = 1_999
_SIDE = 0.025
_REACH = 1.959964
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
    found = np.full(rows.shape, np.inf)
    for start in range(len(rows)):
        # From the last end back: the highest mean over ends at each level or later.
        mean = (sums[:start:-1] - sums[start]) / (total[:start:-1] - total[start])
        highest = np.maximum.accumulate(mean, axis=0)[::-1]
        np.minimum(found[start:], highest, out=found[start:])
    return np.moveaxis(found, 0, -1)


def free_interval(
    pairs: PairCounts,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    between: bool = False,
) -> tuple[float, float]:
    """95% limits of the largest gap, with its sign, by isotonic curves.

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
        Lower and upper limit, in [-1, 1].
    """
    pairs = _joined(pairs)
    alone = pairs.only_base, pairs.only_other
    near = _near(*alone, pairs.n, seed)
    both = pairs.k_base - pairs.only_base
    counts = np.stack([both, *alone, pairs.n - both - sum(alone)], axis=1)
    far = _far(counts, draws, seed, between=between)
    high = far[0] if far[0] >= max(near[1], 0.0) else -max(near[1], 0.0)
    low = -far[1] if far[1] >= max(near[0], 0.0) else max(near[0], 0.0)
    return max(low, -1.0) + 0.0, min(high, 1.0) + 0.0


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
    over = runs(len(n))
    a, b, size = (summed(x, over) for x in (only_base, only_other, n))
    # One pair more of either kind: a run without discordant pairs has an error above 0.
    mean, share = (a - b) / (size + 2.0), (a + b + 1.0) / (size + 2.0)
    error = np.sqrt((share - mean**2) / (size + 2.0))
    differ = only_base + only_other
    variance = n * (differ + 1.0) / (n + 2.0)
    normal = Stream("runs", seed).normals((_KAPPA_DRAWS, len(n))).T * np.sqrt(variance)[:, None]
    largest, _ = extremes(normal, over, np.sqrt(summed(variance, over)))
    kappa = float(np.quantile(largest, 1.0 - _SIDE))
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
        return np.stack([
            np.concatenate([one - two, one[..., lower] - two[..., upper]], axis=-1)
            for one, two in ((first, second), (second, first))
        ])  # fmt: skip

    # Resampling the counts themselves would never draw an outcome that was not seen, and levels at
    # 0 or 1 would have no spread.
    chances = (counts + _PRIOR) / (n + 4.0 * _PRIOR)[:, None]
    redrawn = Stream("isotonic", seed).multinomials(n, chances, draws).astype(np.float64)
    gap, sd = apart(counts.astype(np.float64)), np.std(apart(redrawn), axis=1, ddof=1)
    highest = (gap + _REACH * sd).max(axis=1)
    return float(highest[0]), float(highest[1])
