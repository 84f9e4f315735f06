"""Tests and limits for two languages that were asked the same questions.

The published rule treats the two languages as independent, which is liberal when they are and
conservative when a question that is hard in one is hard in the other. The test here is exact for
any such dependence, the interval has close to its nominal coverage (measured in
benchmarks/statistics.md).

A curve says something of every complexity, the answers only of those that were asked.
``pair_limits`` and the functions below it keep a claim within the answers: how large a gap the
levels allow, which levels are informative, whether they lie close enough to see accuracy fall.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from xlgo_metric.statistics.differences import paired_limits
from xlgo_metric.statistics.draws import Floats, Integers, Stream, exchanges
from xlgo_metric.statistics.gamma import curve_and_slopes, fit_curves, together
from xlgo_metric.statistics.gaps import REACH, TRANSITION, fit_likelihood, spread, whole_divergence

PERMUTATIONS = 19_999
RESAMPLES = 300
_HELD_WITHIN = (0.001, 0.999)
# A weak ridge (a prior of sd 2 on log q) keeps the information matrix invertible.
_RIDGE = (0.25, 1e-6)
_TIES = 1e-9


@dataclass(frozen=True)
class PairedInterval:
    """A bias-corrected interval of the signed largest gap, fractions with low <= high."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class PairCounts:
    """Questions answered in the baseline and in another language, per level, by rising complexity.

    Attributes:
        c, n: complexity and pairs, n above 0; all of shape (levels,).
        k_base, k_other, discordant: right in the baseline, in the other, in exactly one of them.
    """

    c: Floats
    n: Integers
    k_base: Integers
    k_other: Integers
    discordant: Integers

    @property
    def only_base(self) -> Integers:
        """Pairs that are right in the baseline only."""
        return (self.discordant + self.k_base - self.k_other) // 2

    @property
    def only_other(self) -> Integers:
        """Pairs that are right in the other language only."""
        return self.discordant - self.only_base

    @property
    def outcomes(self) -> Integers:
        """Pairs right in both, in the baseline only, in the other only, in none: (levels, 4)."""
        alone, both = (self.only_base, self.only_other), self.k_base - self.only_base
        return np.stack([both, *alone, self.n - both - sum(alone)], axis=1)

    @property
    def is_coarse(self) -> bool:
        """Whether the levels are too coarse for the drop of one of the two; see :func:`coarse`."""
        return any(coarse(self.c, k, self.n) for k in (self.k_base, self.k_other))


def paired_test(
    k_en: npt.ArrayLike,
    k_l: npt.ArrayLike,
    discordant: npt.ArrayLike,
    n: npt.ArrayLike,
    c: npt.ArrayLike,
    *,
    draws: int = PERMUTATIONS,
    seed: int = 0,
) -> float:
    """P value of "the language changes nothing", by exchanging the two answers to a question.

    Under the null hypothesis the two answers to one question can be exchanged. Only discordant
    pairs (right in one language, wrong in the other) change anything then: at a level with d of
    them the difference of correct answers is 2 Bin(d, 1/2) - d. The statistic is the largest gap
    at any level that the efficient score of the pooled curve points to; the pooled curve does
    not change under the exchange, so nothing is refitted and the test is exact.

    Args:
        k_en, k_l: correct answers per level in English and in the language, shape (levels,).
        discordant: pairs per level that are right in exactly one of the two, shape (levels,).
        n: pairs per level, a number or shape (levels,).
        c: complexities, shape (levels,), above 0.
        draws: exchanges drawn; the p value is a multiple of 1/(draws + 1).
        seed: of the draws.

    Returns:
        The two-sided p value, in [1/(draws + 1), 1]; 1 without discordant pairs.

    Raises:
        ValueError: shapes that do not match or counts that cannot be.
    """
    return exchange_test(checked_counts(k_en, k_l, discordant, n, c), draws=draws, seed=seed)


def exchange_test(
    pairs: PairCounts,
    *,
    nets: Integers | None = None,
    draws: int = PERMUTATIONS,
    seed: int = 0,
) -> float:
    """The paired test of counts, with clusters; see :func:`paired_test`.

    Args:
        pairs: the common questions.
        nets: clusters of questions, which are exchanged together; see ``draws.exchanges``.
        draws, seed: as in :func:`paired_test`.
    """
    if draws < 1:
        raise ValueError(f"at least one draw is needed, not {draws}")
    if not pairs.discordant.any():
        return 1.0
    project, directions = _score_geometry(pairs)
    # Levels without discordant pairs are 0 in every exchange: leaving them out changes no draw but
    # saves most of the work at floor and ceiling.
    some = pairs.discordant > 0
    project = project[some]
    observed = np.abs(directions @ (project.T @ (pairs.k_base - pairs.k_other)[some])).max()
    exchanged = exchanges(Stream("paired test", seed), pairs.discordant, nets, draws)[:, some]
    redrawn = np.abs((exchanged @ project) @ directions.T).max(axis=1)
    # Equal statistics come out of sums in another order, so ties are counted within rounding.
    reached = int((redrawn >= observed * (1.0 - _TIES)).sum())
    return (1 + reached) / (draws + 1)


def _score_geometry(pairs: PairCounts) -> tuple[Floats, Floats]:
    """Weights of the level differences in the score, and the directions in which it is read.

    Returns:
        ``project`` of shape (levels, 2), the rows g_i / v_i; ``directions`` of shape (levels, 2),
        the rows I^-1 g_i. The score is S = sum of differences times ``project``, the statistic
        max |g_i' I^-1 S|: the largest gap, at any level, that a first-order step would give.
    """
    c, n = pairs.c, pairs.n
    # Under the null hypothesis the two languages have one curve: it is fitted to both together.
    k_both = (pairs.k_base + pairs.k_other)[None].astype(np.float64)
    theta, _ = fit_likelihood(c, k_both, 2.0 * n)
    f, slope_q, slope_r = curve_and_slopes(c, theta)
    # Where the curve is flat at 0 or 1, one answer against it would have an infinite weight.
    f = np.clip(f[0], *_HELD_WITHIN)
    slopes = np.stack([slope_q[0], slope_r[0]], axis=1)
    project: Floats = slopes / (f * (1.0 - f))[:, None]
    information = (n[:, None] * project).T @ slopes + np.diag(_RIDGE)
    return project, np.linalg.solve(information, slopes.T).T


def corrected(observed: float, redrawn: Floats) -> Floats:
    """Lower limit, estimate and upper limit of a gap on the side of its sign, bias taken out.

    Args:
        observed: the signed gap.
        redrawn: the signed gaps of the resamples.
    """
    centre = 2.0 * abs(observed) - float(np.abs(redrawn).mean())
    reach = REACH * spread(redrawn)
    return np.array([centre - reach, centre, centre + reach])


def resampled_gaps(
    pairs: Sequence[PairCounts], *, draws: int, seed: int
) -> list[tuple[float, Floats]]:
    """The gaps between the fitted curves of pairs, and those of resampled question pairs.

    Args:
        pairs: the common questions of one or more languages, of the same complexities.
        draws: resamples, at least 2.
        seed: of the draws.

    Raises:
        ValueError: fewer than two draws.
    """
    if draws < 2:
        raise ValueError(f"a standard deviation needs at least 2 draws, not {draws}")
    c, n = pairs[0].c, np.stack([pair.n for pair in pairs])
    resampled = np.stack(
        [Stream("paired interval", seed).resample(pair.outcomes, draws) for pair in pairs]
    )
    right = np.stack([[pair.k_base, pair.k_other] for pair in pairs], axis=1)
    fits = fit_curves(c, right / n, n=n)
    redrawn = np.stack([resampled[..., 0] + resampled[..., only] for only in (1, 2)])
    start = fits[0][..., None], fits[1][..., None]
    refits = fit_curves(c, redrawn / n[:, None], n=n[:, None], start=start)
    observed, drawn = (
        whole_divergence((q[0], r[0]), (q[1], r[1]), float(c.min()), float(c.max())).smd
        for q, r in (fits, refits)
    )
    return [*zip(observed.tolist(), drawn)]


def checked_counts(
    k_en: npt.ArrayLike,
    k_l: npt.ArrayLike,
    discordant: npt.ArrayLike,
    n: npt.ArrayLike,
    c: npt.ArrayLike,
) -> PairCounts:
    """Counts of question pairs that can be; arguments as in :func:`paired_test`.

    Raises:
        ValueError: shapes that do not match or counts that cannot be.
    """
    c = np.asarray(c, dtype=np.float64)
    if c.ndim != 1 or not len(c) or not np.all((c > 0) & np.isfinite(c)):
        raise ValueError("c must list one or more complexities, finite and above 0")
    counts = []
    for name, numbers in (("k_en", k_en), ("k_l", k_l), ("discordant", discordant), ("n", n)):
        values = np.asarray(numbers, dtype=np.float64)
        if name == "n":
            values = np.broadcast_to(values, c.shape)
        if values.shape != c.shape:
            raise ValueError(f"{name} has the shape {values.shape}, c has {c.shape}: one per level")
        if not np.all((values >= 0) & (values == np.floor(values))):
            raise ValueError(f"{name} must hold integers that are 0 or more")
        counts.append(values.astype(np.int64))
    k_base, k_other, differ, pairs = counts
    possible = (
        (pairs > 0)
        & (np.abs(k_base - k_other) <= differ)
        & (differ <= np.minimum(k_base + k_other, 2 * pairs - k_base - k_other))
        & ((k_base + k_other - differ) % 2 == 0)
    )
    if not possible.all():
        level = int(np.flatnonzero(~possible)[0])
        raise ValueError(
            f"impossible counts at level {level}: {k_base[level]} and {k_other[level]} right of "
            f"{pairs[level]} pairs cannot leave {differ[level]} discordant pairs"
        )
    return PairCounts(c, pairs, k_base, k_other, differ)


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
    around_drop = np.zeros(len(share), dtype=bool)
    below = np.flatnonzero(share < 0.5)
    first = int(below[0]) if len(below) else len(share)
    around_drop[max(first - 1, 0) : first + 1] = True
    return around_drop, False


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


def whole_intervals(
    pairs: Mapping[str, PairCounts],
    *,
    unidentified: Collection[str] = (),
    draws: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, PairedInterval]:
    """Bias-corrected intervals of the largest gaps that whole complexities have.

    The largest of many gaps is biased away from 0. Pairs are resampled within each level, both
    curves refitted by least squares, and with s the sign of the observed SMD the report is
    2|SMD| - mean|SMD*|, plus and minus 1.96 sd(s SMD*), with the sign s.

    The interval may pass 0: where the sign is in doubt the gap may lie on the other side. Where
    every whole complexity of the range was asked, the levels themselves bound it: the interval
    lies within their exact limits, and on the side of the gap it ends there, because resampling 10
    correct answers of 10 gives nothing else. Without a curve it is then these limits alone, from
    the largest gap that a level is sure to have, if any is.

    Args:
        pairs: the common questions of each language, by its name.
        unidentified: languages in which the answers do not fix the curves of both.
        draws: resamples, at least 2.
        seed: of the draws.

    Returns:
        The interval of each; of none where whole complexities were left out and a curve is not
        identified or fewer than two levels of a language lie on the drop.

    Raises:
        ValueError: shapes that do not match or counts that cannot be.
    """
    seen = {
        name: counts
        for name, counts in pairs.items()
        if consecutive(counts.c) or not (name in unidentified or counts.is_coarse)
    }
    gaps = together(partial(resampled_gaps, draws=draws, seed=seed), seen, attrgetter("c"))
    return {
        name: _interval(seen[name], *gaps[name], identified=name not in unidentified)
        for name in seen
    }


def _interval(
    pairs: PairCounts, observed: float, redrawn: Floats, *, identified: bool
) -> PairedInterval:
    """The interval of one language, from its gap and those of its resamples."""
    sign = -1.0 if observed < 0 else 1.0
    low, estimate, high = np.clip(corrected(observed, redrawn), -1.0, 1.0).tolist()
    estimate = max(estimate, 0.0)
    if consecutive(pairs.c):
        limits = pair_limits(pairs.only_base, pairs.only_other, pairs.n)
        least, high = -abs(most(limits, -sign)), abs(most(limits, sign))
        surely = float(np.sort(sign * limits, axis=1)[:, 0].max())
        low = max(low, least) if identified else surely if surely > 0 else least
        low, estimate = min(low, high), min(estimate, high)
    ends = sorted((sign * low, sign * high))
    return PairedInterval(sign * estimate + 0.0, ends[0] + 0.0, ends[1] + 0.0)
