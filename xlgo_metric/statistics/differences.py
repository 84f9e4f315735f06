r"""What answers say of the difference of two accuracies: at one level, and over cells together.

At one level, without any curve, the limits are melded from two exact intervals. For pairs the
difference is the chance that exactly one of the two answers is right, times how much oftener than
not it is the first one; for unpaired answers it is the difference of two binomial proportions. Each
factor has an upper and a lower confidence distribution, a Beta distribution whose quantiles are
Clopper and Pearson's limits; the limit of the difference is a quantile of what they make together.
The paired interval leaves 0 out if and only if the exact sign test rejects. (Fay and Lumbard 2021,
doi:10.1002/sim.8829; Fay, Proschan and Brittain 2015, doi:10.1111/biom.12231.)

What may be said of two languages over the tasks of a family, and how many questions it takes.

Over cells together one procedure gives number, interval and mark of every paired difference. A
contrast is a weighted mean of paired differences d: accuracy in the baseline minus accuracy in a
language on one question, one model minus another, or a difference of two such gaps. With y the sum
of weight times d over a cluster of questions, and a the sum of its weights:

- **Mark and p**: S = |sum y| / sqrt(sum y^2), against the largest S over all contrasts when the
  signs of whole clusters are drawn, one sign a cluster for all contrasts (single-step max-T;
  Westfall and Young 1993; for studentized sums of clusters Canay, Romano and Shaikh 2017,
  doi:10.3982/ECTA13081). Under "the two sides can be exchanged" the sign of each cluster is a fair
  toss, so that one contrast is exact; all signs are listed where they are few.
- **The limit next to 0 of a significant difference**: the first delta at which S of y - delta a
  does not exceed the same critical value, a root of a quadratic equation.
- **Every other limit**: quantiles of the mean with exponential weights for clusters (Rubin 1981,
  doi:10.1214/aos/1176345338) and one further cluster against the limit, as in Clopper and Pearson's
  limits, which these are for one contrast of equal weights and one direction. The level is
  calibrated for all limits together, and a limit is drawn back to 0 where there is no mark.

So 0 is outside the interval if and only if the difference is significant. Why not otherwise:
inverting the flips on both sides covers 55% where failures are rare, standard errors claim too much
(9% for 20 languages), and Tango's and Newcombe's limits know neither weights nor clusters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtri

from xlgo_metric.statistics.draws import Floats, Integers, Stream

CONFIDENCE = 0.95
_NODES = 200  # of each of the two distributions: quantiles are right to about 1e-4
_AT = (np.arange(_NODES) + 0.5) / _NODES


def paired_limits(
    only_first: int, only_second: int, n: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """An interval of the difference of two accuracies on the same questions.

    Args:
        only_first, only_second: questions that only the first, or only the second, answered
            rightly.
        n: questions, at least one.
        confidence: above 0 and below 1.

    Returns:
        The lower and the upper limit of first minus second, fractions in [-1, 1].

    Raises:
        ValueError: counts that cannot be.
    """
    if min(only_first, only_second) < 0 or n < max(1, only_first + only_second):
        raise ValueError(
            f"{only_first} and {only_second} questions answered by one alone cannot be among {n}"
        )
    tail = 0.5 * (1.0 - confidence)
    high = _paired_upper(only_first, only_second, n, tail)
    # The lower limit is the upper one with the sides exchanged; 0.0 - x has no negative zero.
    return 0.0 - _paired_upper(only_second, only_first, n, tail), high


def unpaired_limits(
    k_first: int, n_first: int, k_second: int, n_second: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """An interval of the difference of two accuracies on different questions.

    Args:
        k_first, n_first: correct answers and answers of the first, n at least one; so the second.
        confidence: above 0 and below 1.

    Returns:
        The lower and the upper limit of first minus second, fractions in [-1, 1].

    Raises:
        ValueError: counts that cannot be.
    """
    if not (0 <= k_first <= n_first and 0 <= k_second <= n_second and min(n_first, n_second) > 0):
        raise ValueError(f"impossible counts: {k_first} of {n_first}, {k_second} of {n_second}")
    tail = 0.5 * (1.0 - confidence)
    high = _unpaired_upper(k_first, n_first, k_second, n_second, tail)
    return 0.0 - _unpaired_upper(k_second, n_second, k_first, n_first, tail), high


def inflation(discordant: Integers | None, nets: Integers | None, levels: Integers) -> float:
    """How many times wider an interval is because questions of one cluster answer alike.

    The standard error of a sum of whole clusters over that of as many questions, about no gap.

    Args:
        discordant, nets: as in ``draws.exchanges``; ``None`` without any.
        levels: those that count.

    Returns:
        At least 1.
    """
    if discordant is None or nets is None or not len(nets):
        return 1.0
    _, net, differ = nets[np.isin(nets[:, 0], levels)].T
    total = int(discordant[levels].sum())
    more = float((net**2 - differ).sum()) / max(total, 1)
    return float(np.sqrt(max(1.0 + more, 1.0)))


def stretched(
    low: float, high: float, times: float, estimate: float | None = None
) -> tuple[float, float]:
    """Limits ``times`` as far from the estimate, or from their middle, within -1 and 1."""
    if times == 1.0:
        return low, high
    middle = 0.5 * (low + high)
    if estimate is not None and low <= estimate <= high:
        middle = estimate
    below, above = (middle + times * (end - middle) for end in (low, high))
    return max(below, -1.0), min(above, 1.0)


@lru_cache(maxsize=16384)
def _paired_upper(first: int, second: int, n: int, tail: float) -> float:
    differ = first + second
    share = 2.0 * _upper(first, differ)[:, None] - 1.0  # of the pairs that differ, signed
    # The limit is conservative: of the share of discordant pairs, the end that lies further out is
    # taken, which depends on the sign of what it is multiplied by.
    often, seldom = _upper(differ, n), _lower(differ, n)
    return _quantile(np.where(share > 0, often, seldom) * share, tail)


@lru_cache(maxsize=16384)
def _unpaired_upper(k_first: int, n_first: int, k_second: int, n_second: int, tail: float) -> float:
    apart = _upper(k_first, n_first)[:, None] - _lower(k_second, n_second)
    return _quantile(apart, tail)


def _quantile(values: Floats, tail: float) -> float:
    # Hazen's positions are those of the nodes, so that a factor without spread costs nothing.
    return float(np.quantile(values, 1.0 - tail, method="hazen", overwrite_input=True))


@lru_cache(maxsize=4096)
def _upper(k: int, n: int) -> Floats:
    """Nodes of the upper confidence distribution of a proportion, Beta(k + 1, n - k): read only."""
    return np.ones(_NODES) if k == n else np.asarray(betaincinv(k + 1.0, float(n - k), _AT))


@lru_cache(maxsize=4096)
def _lower(k: int, n: int) -> Floats:
    """Nodes of the lower confidence distribution of a proportion, Beta(k, n - k + 1): read only."""
    return np.zeros(_NODES) if k == 0 else np.asarray(betaincinv(float(k), n - k + 1.0, _AT))


def holm(p: npt.ArrayLike) -> Floats:
    """Holm's adjusted p values: they bound the chance of even one false claim.

    Args:
        p: p values of any shape; NaN marks a cell that was not tested and stays NaN.

    Returns:
        Adjusted p values of the same shape: the running maximum, from the smallest p, of
        (m - rank) p, at most 1.

    Raises:
        ValueError: a p value outside [0, 1].
    """
    p = np.asarray(p, dtype=np.float64)
    if not np.all(np.isnan(p) | ((p >= 0) & (p <= 1))):
        raise ValueError("p values must lie in [0, 1]; use NaN for a cell that was not tested")
    order = np.argsort(p, axis=None, kind="stable")  # NaN comes last
    ranked = p.ravel()[order]
    times = np.maximum(np.count_nonzero(~np.isnan(p)) - np.arange(p.size), 0)
    result = np.empty(p.size)
    result[order] = np.minimum(np.maximum.accumulate(times * ranked), 1.0)
    return result.reshape(p.shape)


ALPHA = 0.05
"""The chance of even one false claim among the tests that are corrected together."""


MARGIN = 0.05
POWER = 0.8
_MOST_QUESTIONS = 10_000_000


def questions_needed(
    discordant: float,
    *,
    margin: float = MARGIN,
    power: float = POWER,
    difference: float = 0.0,
    languages: int = 1,
) -> int:
    """Questions in each of two languages until no gap is claimed with some chance.

    By the normal approximation of the paired limits, then upwards until the exact power, over all
    numbers of discordant pairs, is reached. Limits are those of the sentence that is printed: they
    hold for all languages together (here by Bonferroni, which is a little wider).

    Args:
        discordant: the share of questions that only one of the two answers correctly, above 0.
        margin: a fraction above the absolute value of ``difference``.
        power: the chance of the claim, above 0 and below 1.
        difference: the true one.
        languages: how many are compared with the baseline together.

    Raises:
        ValueError: a value out of range.
    """
    room = margin - abs(difference)
    if not (0 < discordant <= 1 and room > 0 and 0 < power < 1 and abs(difference) <= discordant):
        raise ValueError(
            f"a plan needs a share of discordant pairs in (0, 1] (given: {discordant}), a true "
            f"difference within it and within the margin ({difference}, {margin}), and a power in "
            f"(0, 1) ({power})"
        )
    far = float(ndtri(1.0 - 0.5 * ALPHA / languages))
    near = float(ndtri(power if difference else 0.5 + 0.5 * power))
    variance = discordant - difference**2
    n = max(math.ceil(variance * ((far + near) / room) ** 2), 10)
    while (
        claim_power(n, discordant, margin=margin, difference=difference, languages=languages)
        < power
    ):
        n = math.ceil(1.02 * n) + 1
        if n > _MOST_QUESTIONS:
            raise ValueError(f"more than {_MOST_QUESTIONS} questions would be needed")
    return n


def claim_power(
    n: int,
    discordant: float,
    *,
    margin: float = MARGIN,
    difference: float = 0.0,
    languages: int = 1,
) -> float:
    """The chance that n question pairs claim no gap, to about 1%.

    Over 41 quantiles of the number of discordant pairs; given it, over all their directions, by the
    limits of :func:`paired_limits` at the edge.
    """
    from scipy.stats import binom

    total = 0.0
    quantiles = (np.arange(41) + 0.5) / 41
    share = 0.5 + 0.5 * difference / discordant
    for differ in binom.ppf(quantiles, n, discordant).astype(int).tolist():
        edge = _edge(differ, n, margin, 1.0 - ALPHA / languages)
        if edge is not None:
            total += binom.cdf(edge, differ, share) - binom.cdf(differ - edge - 1, differ, share)
    return float(total / len(quantiles))


def _edge(differ: int, n: int, margin: float, confidence: float = CONFIDENCE) -> int | None:
    """The most of the discordant pairs that one side may have for the claim; ``None`` for none."""

    def claims(first: int) -> bool:
        return max(paired_limits(first, differ - first, n, confidence)[1],
                   -paired_limits(differ - first, first, n, confidence)[0]) < margin  # fmt: skip

    low, high = (differ + 1) // 2, differ
    if not claims(low):
        return None
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if claims(middle) else (low, middle - 1)
    return low


DRAWS = 9_999
FEWEST_CLUSTERS, FEWEST_INFORMATIVE = 20, 6
"""Clusters, and those with a difference, below which clusters of several questions allow neither
mark nor interval: 10 clusters of 25 questions cover 84%."""

_TIES = 1.0 + 1e-9
_ZERO = 1e-12
_ALIKE = 1e-6  # roots of equal differences are right to the half of the digits
_BLOCK = 1 << 22


def question_weights(task: npt.ArrayLike, level: npt.ArrayLike) -> Floats:
    """The weight of each question: tasks count alike, and within a task its levels do.

    Args:
        task, level: number of the task of each question, and of its level, shape (questions,).

    Returns:
        Shape (questions,), summing to 1.
    """
    task_of, level_of = (np.unique(x, return_inverse=True)[1] for x in (task, level))
    cells = task_of * (level_of.max() + 1) + level_of
    _, first, cell, n = np.unique(cells, True, True, True)
    levels = np.bincount(task_of[first])
    weights: Floats = 1.0 / (len(levels) * levels[task_of] * n[cell])
    return weights


@dataclass(frozen=True)
class Contrast:
    """A weighted mean of paired differences, as sums over clusters.

    Attributes:
        cluster: name or number of each cluster, each once; a name gets one sign in all contrasts
            of a call.
        total, weight: sums over the cluster of weight times difference, and of weights, which sum
            to 1; shape (clusters,).
        unit: the root mean square weight of a question.
        n: questions.
        reach: the largest absolute difference that a question can have.
    """

    cluster: npt.NDArray[Any]
    total: Floats
    weight: Floats
    unit: float
    n: int
    reach: float = 1.0

    @classmethod
    def of(
        cls,
        difference: npt.ArrayLike,
        cluster: npt.ArrayLike | None = None,
        task: npt.ArrayLike | None = None,
        level: npt.ArrayLike | None = None,
        *,
        reach: float = 1.0,
    ) -> Contrast:
        """The mean over tasks, alike, of the mean over their levels, alike, of the differences.

        This is the one definition of a gap; docs/statistics.md says what it means.

        Args:
            difference: of each question, shape (questions,), at least one; where a question was
                asked several times, the difference of its means.
            cluster: name or number of the cluster of each question; each by itself if ``None``.
            task, level: number of the task of each question, and of its level within the task; one
                if ``None``.
            reach: the largest absolute difference that can be, 2 for differences of gaps.

        Raises:
            ValueError: no question, shapes that do not match, or a difference beyond ``reach``.
        """
        d = np.asarray(difference, dtype=np.float64)
        n = d.size
        labels = [
            np.arange(n)
            if names_or_none is None and is_single
            else np.zeros(n, dtype=np.int64)
            if names_or_none is None
            else np.asarray(names_or_none)
            for names_or_none, is_single in ((cluster, True), (task, False), (level, False))
        ]
        if d.ndim != 1 or not n or any(label.shape != (n,) for label in labels):
            shapes = ", ".join(str(label.shape) for label in labels)
            raise ValueError(
                f"one difference, cluster, task and level a question is needed: {d.shape}, {shapes}"
            )
        if not np.all(np.abs(d) <= reach + _ZERO):
            raise ValueError(f"a difference lies beyond {reach:g}")
        weight = question_weights(*labels[1:])
        names, index = np.unique(labels[0], return_inverse=True)
        total, sums = (np.bincount(index, x).astype(np.float64) for x in (weight * d, weight))
        total[np.abs(total) < _ZERO] = 0.0
        unit = float(np.sqrt((weight**2).mean()))
        return cls(names, total, sums, unit, n, reach)

    @property
    def difference(self) -> float:
        """The weighted mean, rounded once, so that it does not depend on an order; a tie is 0."""
        mean = math.fsum(self.total.tolist())
        return mean if abs(mean) > _ZERO else 0.0

    @property
    def informative(self) -> int:
        """Clusters with a difference."""
        return int(np.count_nonzero(self.total))


@dataclass(frozen=True)
class Inference:
    """What is known of a contrast; limits and p hold for all contrasts of the call together.

    Attributes:
        difference: the weighted mean.
        ci_low, ci_high: its 95% interval; NaN where there can be none.
        p_value: two-sided, adjusted.
        is_significant: whether 0 is outside the interval.
        refused: why there can be no mark; empty where there can.
    """

    difference: float
    ci_low: float
    ci_high: float
    p_value: float
    is_significant: bool
    refused: str = ""


def infer(
    contrasts: Sequence[Contrast], *, alpha: float = ALPHA, draws: int = DRAWS, seed: int = 0
) -> list[Inference]:
    """Test contrasts and give their intervals, all together.

    Args:
        contrasts: any number; those of one page, or of one table.
        alpha: the chance of even one false claim, and of even one interval that misses.
        draws: of signs and of weights, at least 19.
        seed: of the draws; the same seed gives the same numbers.

    Raises:
        ValueError: too few draws for ``alpha``.
    """
    if not contrasts:
        return []
    if (draws + 1) * alpha < 1.0:
        raise ValueError(f"{draws} draws cannot show a p value of {alpha:g}")
    y, a = _aligned(contrasts)
    size = np.sqrt((y**2).sum(axis=0))
    scale = np.where(size > 0, size, 1.0)
    gap = np.array([contrast.difference for contrast in contrasts])
    observed = np.abs(gap) / scale
    largest, listed = _largest(y / scale, draws, seed)
    # A drawn reference set holds the observed signs, too: it counts as one draw more.
    total = len(largest) + (not listed)
    critical = float(largest[-1 - (int(alpha * total + 1e-9) - (not listed))]) * _TIES
    above = len(largest) - np.searchsorted(largest, observed / _TIES)
    p = (above + (not listed)) / total
    able = np.abs(y).sum(axis=0) / scale > critical
    significant = observed > critical
    sign = np.where(gap < 0, -1.0, 1.0)
    near = _near(sign * gap, (a**2).sum(axis=0), sign * (y * a).sum(axis=0), size, critical)
    low, high = _far(contrasts, (y, a), alpha, draws, seed)
    # Where all questions have one and the same difference no smaller one is ever refused: there the
    # weights limit this side, too.
    weighted = np.maximum(np.where(gap < 0, -high, low), _ZERO)
    near = sign * np.where(near > np.abs(gap) * (1.0 - _ALIKE), weighted, near)
    low = np.where(significant & (gap > 0), near, np.minimum(np.minimum(low, gap), 0.0))
    high = np.where(significant & (gap < 0), near, np.maximum(np.maximum(high, gap), 0.0))
    result = []
    for index, contrast in enumerate(contrasts):
        limits, is_significant, refused = (
            (max(float(low[index]), -contrast.reach), min(float(high[index]), contrast.reach)),
            bool(significant[index]),
            "",
        )
        if not able[index]:
            refused = (
                f"only {_counted(contrast.informative, 'informative question')}: no outcome could "
            )
            refused += "be significant"
        clusters, informative = len(contrast.cluster), contrast.informative
        if clusters < contrast.n and (
            clusters < FEWEST_CLUSTERS or informative < FEWEST_INFORMATIVE
        ):
            refused = (
                f"only {_counted(clusters, 'cluster')} of questions, {informative} informative: "
                f"{FEWEST_CLUSTERS} and {FEWEST_INFORMATIVE} are needed"
            )
            limits, is_significant = (float("nan"), float("nan")), False
        result.append(
            Inference(contrast.difference, *limits, float(p[index]), is_significant, refused)
        )
    return result


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _aligned(contrasts: Sequence[Contrast]) -> tuple[Floats, Floats]:
    """Sums and weights of all contrasts over one list of clusters, shape (clusters, contrasts).

    Clusters are sorted by their values, so that no number depends on their names, on the order of
    clusters and contrasts, or on which side is the baseline.
    """
    names, row = np.unique(
        np.concatenate([contrast.cluster for contrast in contrasts]), return_inverse=True
    )
    column = np.repeat(np.arange(len(contrasts)), [len(contrast.cluster) for contrast in contrasts])
    y, a = np.zeros((2, len(names), len(contrasts)))
    y[row, column] = np.concatenate([contrast.total for contrast in contrasts])
    a[row, column] = np.concatenate([contrast.weight for contrast in contrasts])
    gap = np.array([contrast.difference for contrast in contrasts])
    first = np.lexsort(np.round([(y**2).sum(axis=0), np.abs(gap)], 12))
    turned = y * np.where(gap < 0, -1.0, 1.0)  # exchanged sides get the same draws
    order = np.lexsort(np.hstack([turned[:, first], a[:, first]]).T)
    return y[order], a[order]


def _blocks(rows: int, columns: int) -> Iterator[int]:
    step = max(1, _BLOCK // max(columns, 1))
    return (min(step, rows - begin) for begin in range(0, rows, step))


def _largest(scaled: Floats, draws: int, seed: int) -> tuple[Floats, bool]:
    """The largest statistic over contrasts for drawn signs, or for all (then ``True``); rising."""
    scaled = scaled[(scaled != 0).any(axis=1)]
    count = len(scaled)
    if count < 63 and 2**count <= draws:
        bits = np.arange(2**count)[:, None] >> np.arange(count) & 1
        return np.sort(np.abs((1.0 - 2.0 * bits) @ scaled).max(axis=1)), True
    stream, result = Stream("signs", seed), []
    for rows in _blocks(draws, count):
        raw = stream.words(rows * -(-count // 64)).astype("<u8").view(np.uint8).reshape(rows, -1)
        bits = np.unpackbits(raw, axis=1, bitorder="little")[:, :count]
        sums = np.abs((1.0 - 2.0 * bits) @ scaled)
        result.append(np.ascontiguousarray(sums.T).max(axis=0))  # along rows it takes ten times
    return np.sort(np.concatenate(result)), False


def _near(gap: Floats, aa: Floats, ya: Floats, size: Floats, critical: float) -> Floats:
    """The smaller root delta of (gap - delta)^2 = critical^2 sum (y - delta a)^2, for gap > 0."""
    square = critical**2
    bend, half, rest = 1.0 - square * aa, gap - square * ya, gap**2 - (critical * size) ** 2
    root = np.sqrt(np.maximum(half**2 - bend * rest, 0.0))
    # The usual formula would cancel where the bend is small; this one is stable.
    near: Floats = np.divide(rest, half + root, out=np.zeros_like(gap), where=rest > 0)
    return near


def _exponentials(seed: int, draws: int, columns: int) -> Iterable[Floats]:
    """Exponential weights, shape (rows, columns) each, in blocks; read only."""
    if draws * columns <= _BLOCK:  # all comparisons of a page have the same ones
        return _kept_exponentials(seed, draws, columns)
    stream = Stream("weights", seed)
    return (-np.log(stream.uniforms((rows, columns))) for rows in _blocks(draws, columns))


@lru_cache(maxsize=2)
def _kept_exponentials(seed: int, draws: int, columns: int) -> tuple[Floats]:
    return (-np.log(Stream("weights", seed).uniforms((draws, columns))),)


def _far(
    contrasts: Sequence[Contrast], sums: tuple[Floats, Floats], alpha: float, draws: int, seed: int
) -> tuple[Floats, Floats]:
    """Limits that hold together, by exponential weights, shape (contrasts,) each."""
    y, a = sums
    step = np.maximum(np.abs(y).max(axis=0), [contrast.unit for contrast in contrasts])
    reach = np.array([contrast.reach for contrast in contrasts])
    # Contrasts on the same questions share the further cluster; those of other tasks do not.
    firsts, group = np.unique((a > 0).argmax(axis=0), return_inverse=True)
    weights, weighted = np.unique(a, axis=1, return_inverse=True)  # languages share questions
    lows, highs = [], []
    for drawn in _exponentials(seed, draws, len(y) + len(firsts)):
        further, e = drawn[:, group + len(y)] * step, drawn[:, : len(y)]
        above, below = e @ y, (e @ weights)[:, weighted] + further / reach
        lows.append((above - further) / below)
        highs.append((above + further) / below)
    limits = np.hstack([np.concatenate(lows), -np.concatenate(highs)])
    most = int(alpha * draws / 2)
    lowest = np.argpartition(limits, most, axis=0)[: most + 1]
    values = np.take_along_axis(limits, lowest, axis=0)
    lowest = np.take_along_axis(lowest, values.argsort(axis=0), axis=0)
    # The rank of each draw in its worst limit; alpha of the draws lie beyond the level chosen.
    worst = np.full(draws, most)
    np.minimum.at(worst, lowest, np.arange(most + 1)[:, None])
    low, high = np.split(np.sort(values, axis=0)[np.sort(worst)[int(alpha * draws)]], 2)
    return low, -high
