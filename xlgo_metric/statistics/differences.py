r"""What the answers of one level say of the difference of two accuracies, without any curve.

The limits are melded from two exact intervals. For pairs the difference is the chance that exactly
one of the two answers is right, times how much oftener than not it is the first one; for unpaired
answers it is the difference of two binomial proportions. Each factor has an upper and a lower
confidence distribution, a Beta distribution whose quantiles are Clopper and Pearson's limits; the
limit of the difference is a quantile of what they make together. The paired interval leaves 0 out
if and only if the exact sign test rejects. (Fay and Lumbard 2021, doi:10.1002/sim.8829; Fay,
Proschan and Brittain 2015, doi:10.1111/biom.12231.)

Corrections for looking at many cells of a report at once; what may be said of two languages over
the tasks of a family, and how many questions it takes.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtri

from xlgo_metric.statistics.draws import Floats, Integers

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
