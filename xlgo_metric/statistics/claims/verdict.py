"""One language against another over the tasks of a family: a difference that needs no curve.

Every task has the same weight, whatever the number of its questions. Questions that are not
independent of each other (repeats of a question, tasks derived from the same questions, questions
about one passage) form a cluster, which is exchanged as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from xlgo_metric.statistics.differences import (
    CONFIDENCE,
    clustered_sign_test,
    paired_limits,
    sign_test,
)
from xlgo_metric.statistics.draws import Integers

STATISTIC = "mean over tasks of the difference of accuracies, exchanged by cluster"
_UNIT = 120
"""Tasks of different sizes weigh in the test by whole numbers up to this, so that all ways to
exchange can be counted: to within 1/240 of equal weights where tasks differ by less than a half."""


@dataclass(frozen=True)
class Verdict:
    """The baseline's accuracy minus that of a language.

    Attributes:
        difference: a fraction, every task with the same weight; positive: the language is behind.
        low, high: its 95% interval.
        p: exact, two-sided; of the test that exchanges the answers of whole clusters.
        n: questions answered in both languages; ``clusters`` of them, ``tasks`` of them.
        exact: whether the interval is exact too: one task, every question by itself.
    """

    difference: float
    low: float
    high: float
    p: float
    n: int
    clusters: int
    tasks: int
    exact: bool


def verdict(
    difference: npt.ArrayLike,
    task: npt.ArrayLike | None = None,
    cluster: npt.ArrayLike | None = None,
    *,
    confidence: float = CONFIDENCE,
) -> Verdict:
    """Compare two languages over all questions of one or more tasks.

    The test's statistic is the sum over clusters of their weighted differences; under "the language
    changes nothing" the sign of each is a fair toss, whatever the dependence within a cluster, so p
    is exact (``clustered_sign_test``). The interval is exact for one task without clusters (melded,
    ``paired_limits``); else it is Student's, from the spread of whole clusters, with one question
    more for and one against in each task, and widened to hold 0 where the test does not reject.

    Args:
        difference: of each question, right in the baseline minus right in the language: -1, 0
            or 1; shape (questions,), at least one.
        task: which task each question is of, any values; all of one if ``None``.
        cluster: which cluster each question belongs to, any values, over all tasks; every question
            by itself if ``None``.
        confidence: of the interval, above 0 and below 1; higher where one of several verdicts is
            looked at because it is the largest.

    Raises:
        ValueError: no questions, or shapes that do not match.
    """
    values = np.asarray(difference, dtype=np.int64)
    if values.ndim != 1 or not len(values):
        raise ValueError("a difference needs at least one question answered in both languages")
    tasks, of = _numbered(task, len(values))
    alone = np.arange(len(values)) if cluster is None else cluster
    clusters, within = _numbered(alone, len(values))
    n = np.bincount(of)
    means = np.bincount(of, weights=values) / n
    estimate = float(means.mean())
    sums = np.bincount(within, weights=(_weights(n)[of] * values).astype(np.float64))
    p = clustered_sign_test(np.rint(sums))
    if tasks == 1 and clusters == len(values):
        first, second = int((values > 0).sum()), int((values < 0).sum())
        low, high = paired_limits(first, second, len(values), confidence)
        p = sign_test(first, second)
    else:
        low, high = _limits(values, of, within, confidence)
        low, high = min(low, estimate), max(high, estimate)
        if p > 1.0 - confidence:
            low, high = min(low, 0.0), max(high, 0.0)
    exact = tasks == 1 and clusters == len(values)
    return Verdict(estimate, low, high, p, len(values), clusters, tasks, exact)


def _numbered(names: npt.ArrayLike | None, size: int) -> tuple[int, Integers]:
    """How many different names there are, and the number of each question's."""
    if names is None:
        return 1, np.zeros(size, dtype=np.int64)
    given = np.asarray(names)
    if given.shape != (size,):
        raise ValueError(f"one name per question is needed: {size}, not {given.shape}")
    found, number = np.unique(given, return_inverse=True)
    return len(found), number.astype(np.int64)


def _weights(n: Integers) -> Integers:
    """Whole weights of a question of each task, about as 1/n."""
    if len(set(n.tolist())) == 1:
        return np.ones(len(n), dtype=np.int64)
    return np.maximum(np.rint(_UNIT * n.min() / n), 1).astype(np.int64)


def _limits(
    values: Integers, of: Integers, within: Integers, confidence: float
) -> tuple[float, float]:
    """Student's interval from whole clusters; Agresti and Min's two pairs more in each task."""
    n = np.bincount(of)
    tasks = len(n)
    shrunk = np.bincount(of, weights=values) / (n + 2.0)
    parts = (values - shrunk[of]) / (tasks * (n[of] + 2.0))
    whole = np.bincount(within, weights=parts)
    extra = (1.0 + shrunk**2) * 2.0 / (tasks * (n + 2.0)) ** 2
    free = max(len(whole) + tasks, 2)
    error = float(np.sqrt(((whole**2).sum() + extra.sum()) * free / (free - 1.0)))
    reach = float(stdtrit(free - 1, 0.5 + 0.5 * confidence)) * error
    middle = float(shrunk.mean())
    return max(middle - reach, -1.0), min(middle + reach, 1.0)
