"""The paired test against full enumeration, its size by simulation, the interval by its rule."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import chdtr

from xlgo_metric.statistics.gamma import fit_curves, gamma_accuracy
from xlgo_metric.statistics.gaps import smd
from xlgo_metric.statistics.paired import (
    PairedInterval,
    _score_geometry,
    checked_counts,
    exchange_test,
    paired_test,
    whole_interval,
)

C = np.array([20.0, 40.0, 60.0, 80.0, 100.0])


def pooled_geometry(k_both: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Slopes and variances at the pooled curve, from chi-square and a simplex search."""

    def f(theta: np.ndarray) -> np.ndarray:
        q, r = np.exp(theta)
        return chdtr(q, q / (r * C**2))

    def loss(theta: np.ndarray) -> float:
        p = np.clip(f(theta), 1e-9, 1 - 1e-9)
        prior = 0.5 * ((theta[0] - math.log(15)) / 2) ** 2
        return prior - float((k_both * np.log(p) + (2 * n - k_both) * np.log(1 - p)).sum())

    start = np.log([10.0, 60.0**-2])
    options = {"xatol": 1e-9, "fatol": 1e-11, "maxiter": 5000}
    theta = minimize(loss, start, method="Nelder-Mead", options=options).x
    h = 1e-5
    steps = np.eye(2) * h
    slopes = np.stack([(f(theta + s) - f(theta - s)) / (2 * h) for s in steps], axis=1)
    p = np.clip(f(theta), 0.001, 0.999)
    return slopes, p * (1 - p)


def enumerated_p(k_en: np.ndarray, k_l: np.ndarray, d: np.ndarray, n: int) -> float:
    """The p value over every way to exchange the discordant pairs, weighted by its ways."""
    slopes, v = pooled_geometry(k_en + k_l, n)
    information = (n * slopes.T / v) @ slopes + np.diag([0.25, 1e-6])

    def statistic(difference: np.ndarray) -> float:
        score = (difference / v) @ slopes
        return float(np.abs(slopes @ np.linalg.solve(information, score)).max())

    observed = statistic(k_en - k_l)
    reached = total = 0
    for ups in itertools.product(*(range(x + 1) for x in d)):
        ways = math.prod(math.comb(int(x), up) for x, up in zip(d, ups))
        total += ways
        if statistic(2.0 * np.array(ups) - d) >= observed * (1 - 1e-6):
            reached += ways
    assert total == 2 ** int(d.sum())
    return reached / total


@pytest.mark.parametrize(
    ("k_en", "k_l", "d"),
    [
        ([10, 9, 7, 4, 1], [10, 8, 4, 2, 0], [0, 1, 5, 4, 1]),
        ([10, 10, 6, 3, 0], [9, 7, 7, 2, 0], [1, 3, 3, 3, 0]),
        ([8, 8, 5, 1, 1], [10, 9, 6, 3, 0], [2, 1, 3, 2, 1]),
        ([10, 5, 5, 5, 0], [10, 5, 5, 5, 0], [0, 2, 4, 2, 0]),
        ([10, 10, 5, 0, 0], [10, 10, 1, 0, 0], [0, 0, 6, 0, 0]),
    ],
)
def test_the_p_value_is_the_enumerated_one(k_en, k_l, d) -> None:
    exact = enumerated_p(np.array(k_en), np.array(k_l), np.array(d), 10)
    found = paired_test(k_en, k_l, d, 10, C, draws=19_999, seed=5)
    assert found == pytest.approx(exact, abs=4.5 * math.sqrt(exact * (1 - exact) / 19_999) + 1e-4)


def test_the_smallest_p_value_is_one_of_the_draws() -> None:
    assert paired_test([50] * 5, [0] * 5, [50] * 5, 50, C, draws=99) == 0.01
    assert paired_test([50] * 5, [0] * 5, [50] * 5, 50, C) == 1 / 20_000


def test_the_seed_decides() -> None:
    data = ([10, 9, 7, 4, 1], [10, 8, 4, 2, 0], [0, 1, 5, 4, 1], 10, C)
    assert paired_test(*data, seed=1) == paired_test(*data, seed=1)
    assert paired_test(*data, seed=1) != paired_test(*data, seed=2)


@pytest.mark.parametrize(
    ("k_en", "k_l", "d", "n", "says"),
    [
        ([5, 3], [1, 3], [3, 0], 10, "level 0: 5 and 1 right of 10"),  # fewer than the difference
        ([5, 3], [1, 3], [2, 0], 10, "level 0"),  # the same, with a parity that can be
        ([5, 3], [5, 3], [0, 1], 10, "level 1"),  # a parity that cannot be
        ([5, 3], [5, 3], [0, 8], 10, "level 1"),  # more than the correct answers
        ([9, 3], [9, 3], [4, 0], 10, "level 0"),  # more than the wrong answers
        ([11, 3], [9, 3], [2, 0], 10, "level 0"),
        ([5, 3], [5, 3], [0, 0], 0, "level 0"),
        ([5, 3], [5, 3, 2], [0, 0], 10, "k_l has the shape"),
        ([5.5, 3], [5, 3], [0, 0], 10, "k_en must hold integers"),
        ([5, 3], [5, 3], [0, -2], 10, "discordant must hold"),
    ],
)
def test_impossible_counts_are_refused(k_en, k_l, d, n, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        paired_test(k_en, k_l, d, n, [10, 20])


def interval_of(k_en: Any, k_l: Any, d: Any, n: int, c: Any, **more: Any) -> PairedInterval:
    """The interval of the largest gap, where there is one."""
    found = whole_interval(checked_counts(k_en, k_l, d, n, c), **more)
    assert found is not None
    return found


def pairs(f: np.ndarray, g: np.ndarray, phi: float, rng: np.random.Generator, n: int):
    """k_en, k_l and discordant pairs with accuracies f and g and correlation phi."""
    both = f * g + phi * np.sqrt(f * (1 - f) * g * (1 - g))
    chances = np.stack([both, f - both, g - both, 1 - f - g + both], axis=1).clip(0)
    table = rng.multinomial(n, chances / chances.sum(axis=1, keepdims=True))
    return table[:, 0] + table[:, 1], table[:, 0] + table[:, 2], table[:, 1] + table[:, 2]


def test_a_real_gap_is_seen_and_lies_in_the_interval() -> None:
    c = np.linspace(100, 600, 20)
    english, other = (12.0, 330.0**-2), (12.0, 260.0**-2)
    f, g = (np.asarray(gamma_accuracy(c, *x)) for x in (english, other))
    truth, _ = smd(english, other, 100, 600)
    rng = np.random.default_rng(3)
    held = 0
    for repetition in range(20):
        k_en, k_l, d = pairs(f, g, 0.3, rng, 50)
        assert paired_test(k_en, k_l, d, 50, c, draws=999) < 0.01
        interval = interval_of(k_en, k_l, d, 50, c, draws=100, seed=repetition)
        held += interval.low <= truth <= interval.high
        assert 0 < interval.low < interval.estimate < interval.high
    assert held >= 16


def test_the_interval_has_the_sign_of_the_gap() -> None:
    c = np.linspace(100, 600, 20)
    f, g = (np.asarray(gamma_accuracy(c, 12.0, h**-2.0)) for h in (330, 260))
    k_en, k_l, d = pairs(f, g, 0.3, np.random.default_rng(3), 50)
    ahead = interval_of(k_en, k_l, d, 50, c)
    behind = interval_of(k_l, k_en, d, 50, c)
    assert behind.low <= behind.estimate <= behind.high < 0 < ahead.low
    assert behind.estimate == pytest.approx(-ahead.estimate, abs=0.02)


def test_the_bias_of_a_gap_that_is_not_there_is_taken_off() -> None:
    c = np.linspace(100, 600, 20)
    f = np.asarray(gamma_accuracy(c, 20.0, 300.0**-2))
    rng = np.random.default_rng(1)
    observed, corrected, held = [], [], 0
    for _ in range(12):
        k_en, k_l, d = pairs(f, f, 0.0, rng, 50)
        observed.append(abs(smd(fit_curves(c, k_en / 50), fit_curves(c, k_l / 50), 100, 600)[0]))
        found = interval_of(k_en, k_l, d, 50, c, draws=100)
        corrected.append(abs(found.estimate))
        held += found.low <= 0 <= found.high
    assert held >= 10
    assert np.mean(corrected) < 0.75 * np.mean(observed)


def test_questions_of_one_cluster_are_exchanged_together() -> None:
    """Against all ways to exchange: two single pairs and a cluster of three at each of two levels.

    A net of 3 where one level is exchanged with its cluster as a whole, so 2 ** 6 sign patterns.
    """
    nets = np.array([[0, 3, 3], [1, 2, 4]])
    counts = checked_counts([9, 8], [4, 6], [5, 6], [12, 12], [4.0, 8.0])
    found = exchange_test(counts, nets=nets, draws=19_999)
    project, directions = _score_geometry(counts)

    def statistic(differences: Any) -> float:
        return float(np.abs(directions @ (project.T @ np.array(differences))).max())

    observed = statistic([5, 2])
    every = [
        statistic([a + b + 3 * c, d + e + 2 * f])
        for a, b, c, d, e, f in itertools.product((-1, 1), repeat=6)
    ]
    exact = np.mean([one >= observed * (1 - 1e-9) for one in every])
    assert found == pytest.approx(exact, abs=0.01)
    assert exchange_test(counts, nets=nets[:0]) == exchange_test(counts) < found
