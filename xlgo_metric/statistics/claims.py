"""What may be said of two languages over the tasks of a family.

- ``paired_difference``: the difference of their accuracies, which needs no curve.
- ``standing``, ``within_everywhere``, ``questions_needed``, ``claim_power``: no gap as a claim,
  that a difference lies within a margin, and how many questions that takes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from xlgo_metric.statistics.differences import (
    CONFIDENCE,
    clustered_sign_test,
    paired_limits,
    sign_test,
)
from xlgo_metric.statistics.draws import Integers
from xlgo_metric.statistics.effects import Effect, flipped

if TYPE_CHECKING:
    from typing_extensions import NotRequired  # from Python 3.11 on in typing

STATISTIC = "mean over tasks of the difference of accuracies, exchanged by cluster"
_UNIT = 120
"""Tasks of different sizes weigh in the test by integers up to this, so that all ways to
exchange can be counted: to within 1/240 of equal weights where tasks differ by less than a half."""

Standing = Literal["equal", "behind", "ahead", "not known"]


class Verdict(TypedDict):
    """The baseline's accuracy minus that of a language.

    Attributes:
        difference: a fraction, every task with the same weight; positive: the language is behind.
        low, high: its 95% interval.
        low_all, high_all: one that holds for all verdicts that are told together.
        p: exact, two-sided; of the test that exchanges the answers of whole clusters.
        n: questions answered in both languages; ``clusters`` of them, ``tasks`` of them.
        exact: whether the interval is exact too: one task, every question by itself.
        standing: what the interval allows to claim; see ``standing``.
    """

    difference: float
    low: float
    high: float
    p: float
    n: int
    clusters: int
    tasks: int
    exact: bool
    standing: Standing
    low_all: NotRequired[float]
    high_all: NotRequired[float]


class OverTasks(Verdict):
    """The verdict of a language over all tasks."""

    p_holm: float | None
    left_out: list[str]
    rank: NotRequired[dict[str, object]]


class Verdicts(TypedDict):
    """One verdict a language, and the languages that may be the most affected."""

    statistic: str
    languages: dict[str, OverTasks]
    last: list[str]


def paired_difference(
    values: Integers, task: Integers, cluster: Integers, confidence: float = CONFIDENCE
) -> Effect:
    """The difference of two accuracies, on the same questions of one or more tasks.

    Every task has the same weight, whatever the number of its questions. The test's statistic is
    the sum over clusters of their weighted differences; under "the language changes nothing" the
    sign of each is a fair toss, whatever the dependence within a cluster, so p is exact
    (``clustered_sign_test``). For one task, the interval is exact without clusters
    (``paired_limits``), and that of ``effects.flipped`` with clusters. For several tasks it is
    Student's, from the spread of whole clusters, with one question more for and one against in each
    task, and widened to hold 0 where the test does not reject.

    Args:
        values: of each question, right in the first minus right in the second: -1, 0 or 1; shape
            (questions,), at least one.
        task, cluster: which task and which cluster each question belongs to, numbers from 0 without
            a gap; clusters may span tasks.
        confidence: of the interval, above 0 and below 1.
    """
    n = np.bincount(task)
    estimate = float((np.bincount(task, weights=values) / n).mean())
    if len(n) == 1 and cluster.max() + 1 == len(values):
        first, second = int((values > 0).sum()), int((values < 0).sum())
        limits = paired_limits(first, second, len(values), confidence)
        return Effect(estimate, *limits, sign_test(first, second))
    if len(n) == 1:
        return flipped(values, 1.0, cluster, confidence)
    p = clustered_sign_test(np.bincount(cluster, weights=_weights(n)[task] * values))
    low, high = _limits(values, task, cluster, confidence)
    low, high = min(low, estimate), max(high, estimate)
    if p > 1.0 - confidence:
        low, high = min(low, 0.0), max(high, 0.0)
    return Effect(estimate, low, high, p)


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


MARGIN = 0.05
POWER = 0.8
_MOST_QUESTIONS = 10_000_000


def standing(low: float, high: float, margin: float = MARGIN) -> Standing:
    """What the 95% interval of a difference (baseline minus the other) allows to claim.

    ``equal`` where the whole interval lies within the margin (two one-sided tests at 2.5%;
    Schuirmann 1987), ``behind`` or ``ahead`` where it lies on one side of 0, else ``not known``. A
    difference that is significant and surely within the margin is ``equal``.

    Raises:
        ValueError: limits in the wrong order, or a margin not above 0.
    """
    if not low <= high or not margin > 0:
        raise ValueError(f"limits {low}, {high} or margin {margin} cannot be")
    if -margin < low and high < margin:
        return "equal"
    return "behind" if low > 0 else "ahead" if high < 0 else "not known"


def within_everywhere(low: npt.ArrayLike, high: npt.ArrayLike, margin: float = MARGIN) -> bool:
    """Whether a band lies within the margin at every complexity; ``False`` for no complexities.

    Args:
        low, high: simultaneous 95% limits per level.
        margin: a fraction above 0.
    """
    below, above = np.atleast_1d(low), np.atleast_1d(high)
    return bool(len(below) and (below > -margin).all() and (above < margin).all())


def questions_needed(
    discordant: float, *, margin: float = MARGIN, power: float = POWER, difference: float = 0.0
) -> int:
    """Questions in each of two languages until ``equal`` is claimed with some chance.

    By the normal approximation of the paired limits, then upwards until the exact power, over all
    numbers of discordant pairs, is reached.

    Args:
        discordant: the share of questions that only one of the two answers correctly, above 0.
        margin: a fraction above the absolute value of ``difference``.
        power: the chance of the claim, above 0 and below 1.
        difference: the true one.

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
    far = float(ndtri(0.975))
    near = float(ndtri(power if difference else 0.5 + 0.5 * power))
    variance = discordant - difference**2
    n = max(math.ceil(variance * ((far + near) / room) ** 2), 10)
    while claim_power(n, discordant, margin=margin, difference=difference) < power:
        n = math.ceil(1.02 * n) + 1
        if n > _MOST_QUESTIONS:
            raise ValueError(f"more than {_MOST_QUESTIONS} questions would be needed")
    return n


def claim_power(
    n: int, discordant: float, *, margin: float = MARGIN, difference: float = 0.0
) -> float:
    """The chance that n question pairs claim ``equal``, to about 1%.

    Over 41 quantiles of the number of discordant pairs; given it, over all their directions, by the
    limits of :func:`paired_limits` at the edge.
    """
    from scipy.stats import binom

    total = 0.0
    at = (np.arange(41) + 0.5) / 41
    share = 0.5 + 0.5 * difference / discordant
    for differ in binom.ppf(at, n, discordant).astype(int).tolist():
        edge = _edge(differ, n, margin)
        if edge is not None:
            total += binom.cdf(edge, differ, share) - binom.cdf(differ - edge - 1, differ, share)
    return float(total / len(at))


def _edge(differ: int, n: int, margin: float) -> int | None:
    """The most of the discordant pairs that one side may have for the claim; ``None`` for none."""

    def claims(first: int) -> bool:
        return max(paired_limits(first, differ - first, n)[1],
                   -paired_limits(differ - first, first, n)[0]) < margin  # fmt: skip

    low, high = (differ + 1) // 2, differ
    if not claims(low):
        return None
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if claims(middle) else (low, middle - 1)
    return low


ALPHA = 0.05
"""The chance of even one false claim among the tests that are corrected together."""


def is_significant(p: float | None) -> bool:
    """Whether a corrected p value is below 5%; not where there was no test."""
    return p is not None and p < ALPHA


def is_silent(only_base: int | None, only_other: int | None) -> bool:
    """Whether there are too few discordant questions for any outcome to reach 5%."""
    return 2.0 ** (1 - (only_base or 0) - (only_other or 0)) >= ALPHA
