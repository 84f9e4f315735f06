"""What a change does to answers to the same questions, and how sure that is.

An effect is a mean over questions. Three kinds are distinguished by what is known of their chance:

- the difference of two accuracies: exact sign test, exact melded limits (``differences``);
- the mean of two such differences of which each question has both (a Shapley value of two
  factors): under the hypothesis that the factor changes nothing, the two answers of both pairs can
  be exchanged together, so the sign of a question's score is a fair toss, and the test that
  enumerates all signs is exact;
- any other combination, such as what is left of an effect when part of another is taken out:
  there is no exchange that leaves it as it is, so its test is Student's, an approximation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from xlgo_metric.statistics.differences import CONFIDENCE, paired_limits, sign_test
from xlgo_metric.statistics.draws import Floats

Answers = npt.NDArray[np.bool_]
_LEVEL = 1.0 - CONFIDENCE
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Effect:
    """A mean over questions, a fraction, with its 95% interval and the p value that it is 0."""

    estimate: float
    low: float
    high: float
    p: float


def difference(first: Answers, second: Answers) -> Effect:
    """The accuracy of ``first`` minus that of ``second`` on the same questions; exact.

    Args:
        first, second: whether each question was answered correctly, shape (questions,), not empty.

    Raises:
        ValueError: no questions, or shapes that do not match.
    """
    if first.shape != second.shape or not first.size:
        raise ValueError(f"one answer each is needed: shapes {first.shape} and {second.shape}")
    alone, other = int((first & ~second).sum()), int((second & ~first).sum())
    low, high = paired_limits(alone, other, first.size)
    return Effect((alone - other) / first.size, low, high, sign_test(alone, other))


def averaged(halves: npt.NDArray[np.int64]) -> Effect:
    """The mean of two differences on the same questions, such as a Shapley value of two factors.

    Args:
        halves: for each question the sum of both differences, a whole number from -2 to 2; the
            score of a question is half of it. Shape (questions,), at least one.

    Returns:
        The effect with the exact p value of ``flip_test``. The interval is that of ``mean_limits``;
        it is widened to hold 0 where the exact test does not reject.
    """
    p = flip_test(halves)
    low, high = mean_limits(halves / 2.0, reach=1.0)
    if p > _LEVEL:
        low, high = min(low, 0.0), max(high, 0.0)
    return Effect(float(halves.mean() / 2.0), low, high, p)


def combined(scores: Floats, reach: float) -> Effect:
    """The mean of scores of which nothing exact is known; Student's test.

    Args:
        scores: shape (questions,), at least one.
        reach: the largest absolute value that a score can have, above 0.
    """
    low, high = mean_limits(scores, reach)
    centre, error, free = _moments(scores, reach)
    p = 2.0 * float(stdtr(free, -abs(centre) / error))
    return Effect(centre, low, high, min(p, 1.0))


def flip_test(scores: npt.NDArray[np.int64]) -> float:
    """The exact two-sided p value that the sign of every score is a fair toss.

    All sign patterns are enumerated by convolution: scores of one size s, n of them, sum up to
    s (2 Bin(n, 1/2) - n).

    Args:
        scores: whole numbers, shape (questions,); zeros tell nothing.

    Returns:
        The share of patterns whose sum is at least as far from 0; 1 without scores.
    """
    from scipy.stats import binom  # half a second to import

    sizes, counts = np.unique(np.abs(scores[scores != 0]), return_counts=True)
    chances = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist()):
        tosses = np.zeros(2 * size * count + 1)
        tosses[:: 2 * size] = binom.pmf(np.arange(count + 1), count, 0.5)
        chances = np.convolve(chances, tosses)
    reached = np.abs(np.arange(len(chances)) - len(chances) // 2) >= abs(int(scores.sum()))
    return min(float(chances[reached].sum()), 1.0)


def mean_limits(scores: Floats, reach: float) -> tuple[float, float]:
    """95% limits of a mean over questions, in [-reach, reach].

    Student's interval with two questions more, one as far above the mean as a score can be and one
    as far below it: without them a few equal scores would have no spread (in the manner of Agresti
    and Min 2005, Statistics in Medicine 24, 729-740, who add half a pair to each cell). It is what
    the paired bootstrap converges to, whose standard deviation of a mean is known without draws.

    Args:
        scores: shape (questions,), at least one.
        reach: the largest absolute value that a score can have, above 0.
    """
    centre, error, free = _moments(scores, reach)
    half = float(stdtrit(free, 1.0 - _LEVEL / 2.0)) * error
    return max(centre - half, -reach), min(centre + half, reach)


def _moments(scores: Floats, reach: float) -> tuple[float, float, int]:
    """Mean, its standard error and degrees of freedom, with the two questions more."""
    if not scores.size or reach <= 0.0 or np.abs(scores).max() > reach + _ROUNDING:
        raise ValueError(f"scores must lie within {reach:g} of 0, and there must be one at least")
    centre, n = float(scores.mean()), scores.size + 2
    spread = (float(((scores - centre) ** 2).sum()) + 2.0 * reach**2) / (n - 1)
    return centre, float(np.sqrt(spread / n)), n - 1
