"""What a change does to answers to the same questions, and how sure that is.

An effect is a mean over questions. Three kinds are distinguished by what is known of their chance:

- the difference of two accuracies (``claims.paired_difference``): exact sign test, exact limits;
- the mean of two such differences of which each question has both (a Shapley value of two
  factors): under the hypothesis that the factor changes nothing, the two answers of both pairs can
  be exchanged together, so the sign of a question's score is a fair toss, and the test over all
  signs is exact;
- any other combination, such as what is left of an effect when part of another is taken out:
  there is no exchange that leaves it as it is, so its test is Student's, an approximation.

Questions of one structure are not independent: they form a cluster, and count as one in all three.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from xlgo_metric.statistics.differences import (
    CONFIDENCE,
    clustered_sign_test,
)
from xlgo_metric.statistics.draws import Floats, Integers

Answers = npt.NDArray[np.bool_]
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Effect:
    """A mean over questions, a fraction, with its 95% interval and the p value that it is 0."""

    estimate: float
    low: float
    high: float
    p: float


def averaged(halves: Integers, cluster: Integers | None = None) -> Effect:
    """The mean of two differences on the same questions, such as a Shapley value of two factors.

    Args:
        halves: for each question the sum of both differences, an integer from -2 to 2; the
            score of a question is half of it. Shape (questions,), at least one.
        cluster: see :func:`flipped`, of which the effect is half.
    """
    found = flipped(halves, 2.0, cluster)
    return Effect(found.estimate / 2.0, found.low / 2.0, found.high / 2.0, found.p)


def flipped(
    scores: Integers,
    reach: float,
    cluster: Integers | None = None,
    confidence: float = CONFIDENCE,
) -> Effect:
    """The mean of scores of which the sign of every one is a fair toss, if there is no effect.

    Args:
        scores: integers, shape (questions,), at least one.
        reach: the largest absolute value that a score can have, above 0.
        cluster: which cluster each question belongs to, from 0 without a gap; their scores are
            flipped together. Every question by itself if ``None``.
        confidence: of the interval, above 0 and below 1.

    Returns:
        The effect with the exact p value of ``clustered_sign_test``. The interval is that of
        ``mean_limits``; it is widened to hold 0 where the exact test does not reject.
    """
    sums, _, _ = _by_cluster(scores, reach, cluster)
    p = clustered_sign_test(sums)
    low, high = mean_limits(scores, reach, cluster, confidence)
    if p > 1.0 - confidence:
        low, high = min(low, 0.0), max(high, 0.0)
    return Effect(float(scores.mean()), low, high, p)


def combined(
    scores: Floats,
    reach: float,
    cluster: Integers | None = None,
    confidence: float = CONFIDENCE,
) -> Effect:
    """The mean of scores of which nothing exact is known; Student's test.

    Args:
        scores: shape (questions,), at least one.
        reach: the largest absolute value that a score can have, above 0.
        cluster, confidence: see :func:`flipped`.
    """
    low, high = mean_limits(scores, reach, cluster, confidence)
    sums, most, scale = _by_cluster(scores, reach, cluster)
    centre, error, free = _moments(sums, most)
    p = 2.0 * float(stdtr(free, -abs(centre) / error))
    return Effect(scale * centre, low, high, min(p, 1.0))


def mean_limits(
    scores: npt.ArrayLike,
    reach: float,
    cluster: Integers | None = None,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """Limits of a mean over questions, in [-reach, reach].

    Student's interval with two questions more, one as far above the mean as a score can be and one
    as far below it: without them a few equal scores would have no spread (in the manner of Agresti
    and Min 2005, Statistics in Medicine 24, 729-740, who add half a pair to each cell). It is what
    the paired bootstrap converges to, whose standard deviation of a mean is known without draws.

    Args:
        scores: shape (questions,), at least one.
        reach: the largest absolute value that a score can have, above 0.
        cluster, confidence: see :func:`flipped`; the interval is made of sums over clusters.
    """
    sums, most, scale = _by_cluster(scores, reach, cluster)
    centre, error, free = _moments(sums, most)
    half = float(stdtrit(free, 0.5 + 0.5 * confidence)) * error
    return max(scale * (centre - half), -reach), min(scale * (centre + half), reach)


def _by_cluster(
    scores: npt.ArrayLike, reach: float, cluster: Integers | None
) -> tuple[Floats, float, float]:
    """Sums over clusters, the largest value that one can have, and clusters per question."""
    values = np.asarray(scores, dtype=np.float64)
    if cluster is None or not values.size:
        return values, reach, 1.0
    sums = np.bincount(cluster, weights=values).astype(np.float64)
    if len(sums) == len(values):
        return values, reach, 1.0
    return sums, max(reach, float(np.abs(sums).max())), len(sums) / len(values)


def _moments(scores: Floats, reach: float) -> tuple[float, float, int]:
    """Mean, its standard error and degrees of freedom, with the two questions more."""
    if not scores.size or reach <= 0.0 or np.abs(scores).max() > reach + _ROUNDING:
        raise ValueError(f"scores must lie within {reach:g} of 0, and there must be one at least")
    centre, n = float(scores.mean()), scores.size + 2
    spread = (float(((scores - centre) ** 2).sum()) + 2.0 * reach**2) / (n - 1)
    return centre, float(np.sqrt(spread / n)), n - 1
