"""What the levels that were asked show of a gap, and the interval of the gap of whole complexities.

A curve says something of every complexity, the answers only of those that were asked. These
functions keep a claim within the answers: how large a gap the levels allow, which levels tell two
languages apart, whether the levels lie close enough to see the fall of accuracy.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from xlgo_metric.statistics.diagnosis import TRANSITION
from xlgo_metric.statistics.differences import paired_limits
from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.gaps import whole_divergence
from xlgo_metric.statistics.paired import (
    RESAMPLES,
    PairCounts,
    PairedInterval,
    corrected,
    resampled_gaps,
)

BETWEEN = (0.10, 0.90)
_ALMOST = 0.05
_ONE_SIDED = 0.025
_FEWEST_ON_THE_DROP = 2

Mask = npt.NDArray[np.bool_]


def pair_limits(only_en: Integers, only_l: Integers, n: Integers) -> Floats:
    """Exact 95% limits of the difference of each level, shape (levels, 2); see paired_limits."""
    counts = zip(only_en.tolist(), only_l.tolist(), n.tolist())
    return np.array([paired_limits(*level) for level in counts]).reshape(-1, 2)


def most(limits: Floats, sign: float) -> float:
    """The largest gap of that sign that any level allows, with that sign; 0 without levels.

    Args:
        limits: lower and upper limits of the differences, shape (levels, 2).
        sign: below 0 for gaps to the other side.
    """
    if not len(limits):
        return 0.0
    return float(min(limits[:, 0].min(), 0.0) if sign < 0 else max(limits[:, 1].max(), 0.0))


def telling(right: Integers, total: Integers) -> tuple[Mask, bool]:
    """The levels at which two languages can differ, chosen without regard to which is ahead.

    Args:
        right, total: correct answers and answers of both languages together, shape (levels,), by
            rising complexity, at least one level.

    Returns:
        Those where 10 to 90% are right, and ``True``. Where there are none, the levels on both
        sides of the steepest fall past one half, and ``False``.
    """
    share = right / total
    between: Mask = (share >= BETWEEN[0]) & (share <= BETWEEN[1])
    if between.any():
        return between, True
    beside = np.zeros(len(share), dtype=bool)
    below = np.flatnonzero(share < 0.5)
    first = int(below[0]) if len(below) else len(share)
    beside[max(first - 1, 0) : first + 1] = True
    return beside, False


def extreme(right: Integers, total: Integers) -> str | None:
    """``nothing`` or ``everything`` where a model solves almost that, so that no gap can show.

    At most 5% (or at least 95%) of all answers are right, and at no level is it sure that more
    than 10% (fewer than 90%) are.

    Args:
        right, total: correct answers and answers of one language, shape (levels,).
    """
    if not len(total):
        return None
    share = float(right.sum() / total.sum())
    if share <= _ALMOST and not _surely_above(right, total).any():
        return "nothing"
    if share >= 1.0 - _ALMOST and not _surely_above(total - right, total).any():
        return "everything"
    return None


def _surely_above(right: Integers, total: Integers) -> Mask:
    """Whether Clopper and Pearson's lower 95% limit lies above the lower end of ``BETWEEN``."""
    k = np.maximum(right, 1).astype(np.float64)
    low = np.where(right > 0, betaincinv(k, total - k + 1.0, _ONE_SIDED), 0.0)
    above: Mask = low > BETWEEN[0]
    return above


def consecutive(c: Floats) -> bool:
    """Whether the levels are all whole complexities of their range."""
    return bool(np.all(c == np.floor(c)) and np.all(np.diff(c) == 1.0))


def coarse(c: Floats, k: Integers, n: Integers) -> bool:
    """Whether whole complexities were left out and fewer than two levels lie on the drop."""
    share = k / n
    inside = (share > TRANSITION[0]) & (share < TRANSITION[1])
    return not consecutive(c) and int(inside.sum()) < _FEWEST_ON_THE_DROP


def whole_interval(
    pairs: PairCounts,
    *,
    identified: bool = True,
    draws: int = RESAMPLES,
    seed: int = 0,
) -> PairedInterval | None:
    """Bias-corrected interval of the largest gap that whole complexities have.

    As :func:`xlgo_metric.statistics.paired.paired_interval`, but the gap is sought over whole
    complexities, and the interval may pass 0: where the sign is in doubt the gap may lie on the
    other side. Where every whole complexity of the range was asked, the levels themselves bound
    it: the interval lies within their exact limits, and on the side of the gap it ends there,
    because resampling 10 correct answers of 10 gives nothing else. Without a curve it is then these
    limits alone, from the largest gap that a level is sure to have, if any is.

    Args:
        pairs: the common questions.
        identified: whether the answers fix the curves of both languages.
        draws: resamples, at least 2.
        seed: of the draws.

    Returns:
        The interval; ``None`` where whole complexities were left out and a curve is not identified
        or fewer than two levels of a language lie on the drop.

    Raises:
        ValueError: shapes that do not match or counts that cannot be.
    """
    every = consecutive(pairs.c)
    if not every and not identified:
        return None
    if not every and any(coarse(pairs.c, k, pairs.n) for k in (pairs.k_base, pairs.k_other)):
        return None
    observed, redrawn = resampled_gaps(pairs, search=whole_divergence, draws=draws, seed=seed)
    sign = -1.0 if observed < 0 else 1.0
    low, estimate, high = np.clip(corrected(observed, redrawn), -1.0, 1.0).tolist()
    estimate = max(estimate, 0.0)
    if every:
        limits = pair_limits(pairs.only_base, pairs.only_other, pairs.n)
        least, high = -abs(most(limits, -sign)), abs(most(limits, sign))
        surely = float(np.sort(sign * limits, axis=1)[:, 0].max())
        low = max(low, least) if identified else surely if surely > 0 else least
        low, estimate = min(low, high), min(estimate, high)
    ends = sorted((sign * low, sign * high))
    return PairedInterval(sign * estimate + 0.0, ends[0] + 0.0, ends[1] + 0.0)
