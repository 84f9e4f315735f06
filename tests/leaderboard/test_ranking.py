"""The statistics of a leaderboard against second ways to reach them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest

from xlgo_cli.leaderboard.standings import mean_interval
from xlgo_metric.statistics.claims import Pair, compared, ranks
from xlgo_metric.statistics.differences import clustered_sign_test, sign_test


def brute_force(differences: list[int]) -> Fraction:
    """The share of all choices of signs whose sum is as far from 0."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, differences)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    return Fraction(sum(found >= observed for found in sums), len(sums))


@pytest.mark.parametrize("seed", range(40))
def test_clustered_test_is_the_exact_one(seed: int) -> None:
    generator = np.random.default_rng(seed)
    differences = generator.integers(-7, 8, size=generator.integers(1, 12)).tolist()
    assert clustered_sign_test(differences) == pytest.approx(float(brute_force(differences)))


def test_clusters_of_one_are_the_sign_test() -> None:
    for first, second in product(range(5), range(5)):
        differences = [1] * first + [-1] * second + [0] * 3
        assert clustered_sign_test(differences) == sign_test(first, second)
    assert clustered_sign_test([7] * 60 + [1]) >= 2.0**-60
    assert clustered_sign_test([]) == 1.0


@pytest.mark.parametrize("wrong", [[0.5], [float("nan")], [float("inf")]])
def test_differences_are_whole_numbers(wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="integer"):
        clustered_sign_test(wrong)


def test_models_that_are_equal_are_told_apart_by_chance_only() -> None:
    """Answers to one puzzle in five languages go together; the plain sign test claims too much."""
    generator = np.random.default_rng(1)
    puzzles, languages, trials = 60, 5, 600
    cluster = np.repeat(np.arange(puzzles), languages)
    claims = naive = 0
    for _ in range(trials):
        skill = generator.random((2, puzzles)) < 0.5  # the same in all languages, but for slips
        right = np.repeat(skill, languages, axis=1) ^ (generator.random((2, len(cluster))) < 0.1)
        [pair] = compared(right, cluster)
        claims += pair.p < 0.05
        only = [int(np.sum(right[a] & ~right[1 - a])) for a in (0, 1)]
        naive += sign_test(*only) < 0.05
    assert claims / trials < 0.05 + 3 * sqrt(0.05 * 0.95 / trials)
    assert naive / trials > 0.15


def test_places_follow_from_who_is_clearly_better() -> None:
    right = np.array([[1] * 9 + [0], [1] * 8 + [0] * 2, [1] * 8 + [0] * 2, [0] * 10], dtype=bool)
    pairs = [
        Pair(0, 1, 0.1, 0.3, 0.3),
        Pair(0, 2, 0.1, 0.01, 0.04),
        Pair(0, 3, 0.9, 0.001, 0.001),
        Pair(1, 2, 0.0, 1.0, 1.0),
        Pair(1, 3, 0.8, 0.001, 0.001),
        Pair(2, 3, 0.8, 0.02, 0.06),
    ]
    found = [(one.rank, one.low, one.high) for one in ranks(right.sum(axis=1), pairs)]
    assert found == [(1, 1, 2), (2, 1, 3), (2, 2, 4), (4, 3, 4)]


def test_pairs_are_corrected_together() -> None:
    generator = np.random.default_rng(2)
    right = generator.random((4, 40)) < np.array([[0.9], [0.6], [0.5], [0.1]])
    pairs = compared(right, np.arange(40))
    assert [(p.first, p.second) for p in pairs] == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    largest = 0.0
    for left, pair in enumerate(sorted(pairs, key=lambda one: one.p)):
        assert pair.gain == pytest.approx(right[pair.first].mean() - right[pair.second].mean())
        largest = max(largest, (len(pairs) - left) * pair.p)
        assert pair.p_holm == pytest.approx(min(1.0, largest))


def test_the_interval_of_a_mean_covers_as_often_as_it_says() -> None:
    """Of normal estimates with normal intervals it is the textbook interval of their mean."""
    cells = [(0.2, 0.2 - 1.96 * sd, 0.2 + 1.96 * sd) for sd in (0.1, 0.2, 0.4)]
    half = 1.96 * sqrt(0.1**2 + 0.2**2 + 0.4**2) / 3
    assert mean_interval(cells) == pytest.approx((0.2 - half, 0.2 + half))
    assert mean_interval([(0.3, 0.1, 0.9)]) == pytest.approx((0.1, 0.9))
