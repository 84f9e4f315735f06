"""Effects of changes against enumeration of all signs, exact coverage and SciPy's own tests."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy import stats

from xlgo_metric.comparison import Cell
from xlgo_metric.statistics.differences import (
    clustered_sign_test,
    inflation,
    paired_limits,
    stretched,
)
from xlgo_metric.statistics.effects import averaged, combined, flipped, mean_limits


@pytest.mark.parametrize(
    "scores", [[1], [2, 1], [1, 1, 1, -1], [2, -1, 1, 1, 2, 0, -2], [2] * 5 + [1] * 6, [0, 0], []]
)
def test_the_test_by_signs_is_the_share_of_all_sign_patterns(scores) -> None:
    values = np.array(scores, dtype=np.int64)
    sums = [
        sum(s * v for s, v in zip(signs, scores)) for signs in product((1, -1), repeat=len(scores))
    ]
    reached = sum(abs(total) >= abs(sum(scores)) for total in sums)
    assert clustered_sign_test(values) == pytest.approx(reached / len(sums))


def test_the_test_by_signs_of_single_differences_is_the_sign_test() -> None:
    for plus, minus in ((9, 2), (30, 12), (0, 7), (5, 5)):
        values = np.array([1] * plus + [-1] * minus, dtype=np.int64)
        expected = stats.binomtest(plus, plus + minus).pvalue
        assert clustered_sign_test(values) == pytest.approx(expected)
        assert clustered_sign_test(2 * values) == pytest.approx(expected)


def test_the_test_by_signs_rejects_as_seldom_as_it_says() -> None:
    rng = np.random.default_rng(3)
    p = [
        clustered_sign_test(rng.choice([-2, -1, 0, 1, 2], 60) * rng.choice([-1, 1], 60))
        for _ in range(2000)
    ]
    for level in (0.01, 0.05, 0.2):
        assert np.mean(np.array(p) <= level) <= level + 3 * np.sqrt(level * (1 - level) / 2000)


def test_difference_has_the_exact_limits_and_the_sign_of_the_first() -> None:
    first = np.array([True] * 12 + [False] * 8)
    second = np.array([True] * 5 + [False] * 14 + [True])
    found = Cell.of(first, second, "en", "te")
    assert found.difference == pytest.approx((12 - 6) / 20)
    assert (found.low, found.high) == paired_limits(7, 1, 20)
    assert found.p == pytest.approx(stats.binomtest(7, 8).pvalue)
    with pytest.raises(ValueError, match="one answer each"):
        Cell.of(first, second[:3], "en", "te")


def test_mean_limits_without_the_two_questions_are_students() -> None:
    scores = np.random.default_rng(0).uniform(-1, 1, 5000)
    low, high = stats.t.interval(0.95, 4999, scores.mean(), stats.sem(scores))
    assert mean_limits(scores, 1.0) == pytest.approx((low, high), abs=2e-4)
    assert combined(scores, 1.0).p == pytest.approx(stats.ttest_1samp(scores, 0).pvalue, abs=2e-3)


@pytest.mark.parametrize("n", [12, 40])
@pytest.mark.parametrize("chances", [(0.02, 0.01), (0.1, 0.0), (0.3, 0.1), (0.5, 0.4)])
def test_mean_limits_cover_a_mean_of_signs_exactly_enumerated(n, chances) -> None:
    """Of all counts of +1 and -1 among n questions, weighted by their chance."""
    plus, minus = chances
    truth, covered = plus - minus, 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            scores = np.array([1.0] * a + [-1.0] * b + [0.0] * (n - a - b))
            low, high = mean_limits(scores, 1.0)
            chance = (
                comb(n, a) * comb(n - a, b) * plus**a * minus**b * (1 - plus - minus) ** (n - a - b)
            )
            covered += chance * (low <= truth <= high)
    assert covered >= 0.92


def test_limits_of_an_average_hold_0_where_the_exact_test_does_not_reject() -> None:
    few = averaged(np.array([2, 2, 2, 2]))
    assert (few.p, few.low, few.estimate) == (0.125, 0.0, 1.0)
    many = averaged(np.array([2] * 9))
    assert many.p < 0.05
    assert many.low > 0.0


def test_scores_out_of_reach_are_refused() -> None:
    with pytest.raises(ValueError, match="within 1 of 0"):
        combined(np.array([0.5, 1.5]), 1.0)
    with pytest.raises(ValueError, match="one at least"):
        combined(np.array([]), 1.0)


def test_questions_of_one_cluster_count_as_one() -> None:
    """Four copies of every question tell no more than the questions themselves, which are 40."""
    rng = np.random.default_rng(8)
    first, second = rng.random(40) < 0.7, rng.random(40) < 0.4
    alone = flipped(first.astype(np.int64) - second, 1.0)
    copies, cluster = np.tile(np.stack([first, second]), 4), np.tile(np.arange(40), 4)
    together = Cell.of(copies[0], copies[1], "en", "te", cluster=cluster)
    assert together.difference == pytest.approx(alone.estimate)
    assert together.p == pytest.approx(alone.p, rel=1e-9)
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high))
    parted = Cell.of(copies[0], copies[1], "en", "te")
    assert alone.p > 10 * (parted.p or 0.0)
    halves = 2 * (copies[0].astype(np.int64) - copies[1])
    assert averaged(halves, cluster).p == pytest.approx(alone.p, rel=1e-9)
    assert combined(halves / 2.0, 1.0, cluster).high == pytest.approx(alone.high)
    # Clusters of one question each change nothing.
    assert Cell.of(first, second, "en", "te", cluster=np.arange(40)) == Cell.of(
        first, second, "en", "te"
    )


def test_an_interval_is_widened_by_the_spread_of_whole_clusters() -> None:
    """Two questions alone, a cluster of four that agree, and one of three against one."""
    discordant = np.array([10, 7])
    nets = np.array([[0, 4, 4], [0, 2, 4], [1, 1, 3]])  # level, sum of its differences, questions
    sums = [
        sum(sign * size for sign, size in zip(signs, (1, 1, 4, 2)))
        for signs in product((-1, 1), repeat=4)
    ]
    of_questions = 10  # the variance of as many tosses of a coin
    wider = float(np.sqrt(np.mean(np.square(sums)) / of_questions))
    assert inflation(discordant, nets, np.array([0])) == pytest.approx(wider)
    # Questions of a cluster that contradict each other do not make it narrower.
    assert inflation(discordant, nets, np.array([1])) == 1.0
    assert inflation(discordant, None, np.array([0])) == 1.0
    assert stretched(0.1, 0.3, 2.0) == pytest.approx((0.0, 0.4))
    assert stretched(0.1, 0.3, 2.0, 0.15) == pytest.approx((0.05, 0.45))
    assert stretched(-0.9, 0.9, 2.0) == (-1.0, 1.0)
