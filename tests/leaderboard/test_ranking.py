"""The statistics of a leaderboard against second ways to reach them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest

from xlgo_cli.leaderboard.standings import mean_interval
from xlgo_metric.comparison import AnswerTable, Cell, Comparison, compare
from xlgo_metric.statistics.differences import clustered_sign_test, sign_test

from ..comparison.test_compare import answer


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
        claims += Cell.of(right[0], right[1], "a", "b", cluster=cluster).verdict["p"] < 0.05
        only = [int(np.sum(right[a] & ~right[1 - a])) for a in (0, 1)]
        naive += sign_test(*only) < 0.05
    assert claims / trials < 0.05 + 3 * sqrt(0.05 * 0.95 / trials)
    assert naive / trials > 0.15


def test_places_follow_from_who_is_clearly_better() -> None:
    pairs = {
        ("a", "b"): (0.1, 0.3), ("a", "c"): (0.1, 0.04), ("a", "d"): (0.9, 0.001),
        ("b", "c"): (0.0, 1.0), ("b", "d"): (0.8, 0.001), ("c", "d"): (0.8, 0.06),
    }  # fmt: skip
    made = Comparison("model", None, cells=tuple(
        Cell({}, base, other, 10, 0.0, 0.0, 0, 0, gain, gain, gain, p, p)
        for (base, other), (gain, p) in pairs.items()
    ))  # fmt: skip
    found = {name: (one.rank, one.low, one.high) for name, one in made.ranks().items()}
    assert found == {"a": (1, 1, 2), "b": (2, 1, 3), "c": (2, 2, 4), "d": (4, 3, 4)}
    with pytest.raises(ValueError, match="one cell for every two models"):
        replace(made, cells=made.cells[1:]).ranks()


def test_pairs_are_corrected_together() -> None:
    generator = np.random.default_rng(2)
    right = generator.random((4, 40)) < np.array([[0.9], [0.6], [0.5], [0.1]])
    rows = [
        answer(f"q{n}", "en", bool(correct), model=model)
        for model, of in zip("abcd", right)
        for n, correct in enumerate(of)
    ]
    pairs = compare(AnswerTable.of_answers(rows), "model", ranked=True).cells
    assert [pair.base + pair.other for pair in pairs] == ["ab", "ac", "ad", "bc", "bd", "cd"]
    largest = 0.0
    for left, pair in enumerate(sorted(pairs, key=lambda one: one.p or 0.0)):
        first, second = (right["abcd".index(name)] for name in (pair.base, pair.other))
        p = sign_test(int((first & ~second).sum()), int((second & ~first).sum()))
        assert pair.difference == pytest.approx(first.mean() - second.mean())
        largest = max(largest, (len(pairs) - left) * p)
        assert pair.p_adjusted == pytest.approx(min(1.0, largest))


def test_the_interval_of_a_mean_covers_as_often_as_it_says() -> None:
    """Of normal estimates with normal intervals it is the textbook interval of their mean."""
    cells = [(0.2, 0.2 - 1.96 * sd, 0.2 + 1.96 * sd) for sd in (0.1, 0.2, 0.4)]
    half = 1.96 * sqrt(0.1**2 + 0.2**2 + 0.4**2) / 3
    assert mean_interval(cells) == pytest.approx((0.2 - half, 0.2 + half))
    assert mean_interval([(0.3, 0.1, 0.9)]) == pytest.approx((0.1, 0.9))
