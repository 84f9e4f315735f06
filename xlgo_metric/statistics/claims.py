"""What may be said of languages over the tasks of a family.

- ``verdict``: one language against another, a difference that needs no curve. Every task has the
  same weight, whatever the number of its questions. Questions that are not independent of each
  other (repeats of a question, tasks derived from the same questions, questions about one passage)
  form a cluster, which is exchanged as a whole.
- ``standing``, ``within_everywhere``, ``questions_needed``, ``claim_power``: no gap as a claim,
  that a difference lies within a margin, and how many questions that takes.
- ``ranks``: which languages, or models, can be distinguished in an order (simultaneous intervals).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from xlgo_metric.statistics.differences import (
    CONFIDENCE,
    clustered_sign_test,
    holm,
    paired_limits,
    sign_test,
)
from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.effects import flipped

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
    is exact (``clustered_sign_test``). For one task, the interval is exact without clusters
    (``paired_limits``), and that of ``effects.flipped`` with clusters. For several tasks it is
    Student's, from the spread of whole clusters, with one question more for and one against
    in each task, and widened to hold 0 where the test does not reject.

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
    exact = tasks == 1 and clusters == len(values)
    if exact:
        first, second = int((values > 0).sum()), int((values < 0).sum())
        p = sign_test(first, second)
        low, high = paired_limits(first, second, len(values), confidence)
    elif tasks == 1:
        found = flipped(values, 1.0, within, confidence)
        p, low, high = found.p, found.low, found.high
    else:
        sums = np.bincount(within, weights=(_weights(n)[of] * values).astype(np.float64))
        p = clustered_sign_test(np.rint(sums))
        low, high = _limits(values, of, within, confidence)
        low, high = min(low, estimate), max(high, estimate)
        if p > 1.0 - confidence:
            low, high = min(low, 0.0), max(high, 0.0)
    return {
        "difference": estimate, "low": low, "high": high, "p": p, "n": len(values),
        "clusters": clusters, "tasks": tasks, "exact": exact, "standing": standing(low, high),
    }  # fmt: skip


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


@dataclass(frozen=True)
class Pair:
    """Two of those compared, by their places.

    Attributes:
        first, second: places.
        gain: accuracy of the first minus that of the second.
        p: exact test over clusters; ``p_holm`` after Holm's correction for all pairs.
    """

    first: int
    second: int
    gain: float
    p: float
    p_holm: float = 1.0


@dataclass(frozen=True)
class Rank:
    """A place and the places that cannot be ruled out at 95%, all from 1."""

    rank: int
    low: int
    high: int


def compared(right: npt.ArrayLike, cluster: npt.ArrayLike) -> list[Pair]:
    """Every pair, on the same questions: the clustered sign test with Holm's correction.

    Args:
        right: correct answers, shape (compared, questions), truth values or whole-number weights.
        cluster: which cluster each question belongs to, integers from 0.
    """
    answers, of = np.asarray(right).astype(np.int64), np.asarray(cluster)
    found = []
    for a, b in combinations(range(len(answers)), 2):
        difference = answers[a] - answers[b]
        sums = np.rint(np.bincount(of, weights=difference))
        found.append(Pair(a, b, float(difference.mean()), clustered_sign_test(sums)))
    adjusted = holm([pair.p for pair in found])
    return [replace(pair, p_holm=float(p)) for pair, p in zip(found, adjusted)]


def ranks(scores: npt.ArrayLike, pairs: Sequence[Pair]) -> tuple[Rank, ...]:
    """The rank of each, best first, with its interval; equal scores share a rank.

    As many stand above as are significantly better, and as many below as are significantly worse.
    All intervals hold together with a chance of at least 95%, since Holm's pairs do (Mogstad,
    Romano, Shaikh and Wilhelm 2024, doi:10.1093/restud/rdad006, with exact tests in the place of
    their bounds).

    Args:
        scores: higher is better, shape (compared,).
        pairs: from :func:`compared`.
    """
    values: Floats = np.asarray(scores, dtype=np.float64)
    above, below = [0] * len(values), [0] * len(values)
    for pair in pairs:
        if is_significant(pair.p_holm) and pair.gain != 0:
            better, worse = (
                (pair.first, pair.second) if pair.gain > 0 else (pair.second, pair.first)
            )
            above[worse] += 1
            below[better] += 1
    return tuple(
        Rank(1 + int(np.sum(values > value)), 1 + over, len(values) - under)
        for value, over, under in zip(values, above, below)
    )


def may_be_last(found: Sequence[Rank]) -> list[int]:
    """The places of those that may be the last, one only where it is behind all others."""
    return [place for place, rank in enumerate(found) if rank.high == len(found)]
