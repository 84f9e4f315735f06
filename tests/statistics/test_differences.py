"""Tests and intervals of differences, against enumeration, exact tests and data of known truth."""

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from scipy.optimize import isotonic_regression, minimize
from scipy.special import chdtr
from scipy.stats import beta

from xlgo_metric.statistics import gamma, gaps, paired
from xlgo_metric.statistics.differences import (
    MARGIN,
    Contrast,
    claim_power,
    holm,
    infer,
    inflation,
    paired_limits,
    questions_needed,
    stretched,
)
from xlgo_metric.statistics.levels import free_interval, isotonic, rises, scan

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
        return float(np.abs(slopes @ np.linalg.solve(information, (difference / v) @ slopes)).max())

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
    found = paired.paired_test(k_en, k_l, d, 10, C, draws=19_999, seed=5)
    assert found == pytest.approx(exact, abs=4.5 * math.sqrt(exact * (1 - exact) / 19_999) + 1e-4)


def test_the_smallest_p_value_is_one_of_the_draws() -> None:
    assert paired.paired_test([50] * 5, [0] * 5, [50] * 5, 50, C, draws=99) == 0.01
    assert paired.paired_test([50] * 5, [0] * 5, [50] * 5, 50, C) == 1 / 20_000


def test_the_seed_decides() -> None:
    data = ([10, 9, 7, 4, 1], [10, 8, 4, 2, 0], [0, 1, 5, 4, 1], 10, C)
    assert paired.paired_test(*data, seed=1) == paired.paired_test(*data, seed=1)
    assert paired.paired_test(*data, seed=1) != paired.paired_test(*data, seed=2)


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
        paired.paired_test(k_en, k_l, d, n, [10, 20])


def interval_of(k_en: Any, k_l: Any, d: Any, n: int, c: Any, **more: Any) -> paired.PairedInterval:
    """The interval of the largest gap, where there is one."""
    return paired.whole_intervals({"te": paired.checked_counts(k_en, k_l, d, n, c)}, **more)["te"]


def pairs(f: np.ndarray, g: np.ndarray, phi: float, rng: np.random.Generator, n: int):
    """k_en, k_l and discordant pairs with accuracies f and g and correlation phi."""
    both = f * g + phi * np.sqrt(f * (1 - f) * g * (1 - g))
    chances = np.stack([both, f - both, g - both, 1 - f - g + both], axis=1).clip(0)
    table = rng.multinomial(n, chances / chances.sum(axis=1, keepdims=True))
    return table[:, 0] + table[:, 1], table[:, 0] + table[:, 2], table[:, 1] + table[:, 2]


def test_a_real_gap_is_seen_and_lies_in_the_interval() -> None:
    c = np.linspace(100, 600, 20)
    english, other = (12.0, 330.0**-2), (12.0, 260.0**-2)
    f, g = (np.asarray(gamma.gamma_accuracy(c, *x)) for x in (english, other))
    truth, _ = gaps.smd(english, other, 100, 600)
    rng = np.random.default_rng(3)
    held = 0
    for repetition in range(20):
        k_en, k_l, d = pairs(f, g, 0.3, rng, 50)
        assert paired.paired_test(k_en, k_l, d, 50, c, draws=999) < 0.01
        ahead = interval_of(k_en, k_l, d, 50, c, draws=100, seed=repetition)
        held += ahead.low <= truth <= ahead.high
        assert 0 < ahead.low < ahead.estimate < ahead.high
        if repetition < 4:  # the interval has the sign of the gap
            behind = interval_of(k_l, k_en, d, 50, c, draws=100, seed=repetition)
            assert behind.low <= behind.estimate <= behind.high < 0
            assert behind.estimate == pytest.approx(-ahead.estimate, abs=0.02)
    assert held >= 16


def test_the_bias_of_a_gap_that_is_not_there_is_taken_off() -> None:
    c = np.linspace(100, 600, 20)
    f = np.asarray(gamma.gamma_accuracy(c, 20.0, 300.0**-2))
    rng = np.random.default_rng(1)
    observed, corrected, held = [], [], 0
    for _ in range(12):
        k_en, k_l, d = pairs(f, f, 0.0, rng, 50)
        observed.append(
            abs(
                gaps.smd(gamma.fit_curves(c, k_en / 50), gamma.fit_curves(c, k_l / 50), 100, 600)[0]
            )
        )
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
    counts = paired.checked_counts([9, 8], [4, 6], [5, 6], [12, 12], [4.0, 8.0])
    found = paired.exchange_test(counts, nets=nets, draws=19_999)
    project, directions = paired._score_geometry(counts)

    def statistic(differences: Any) -> float:
        return float(np.abs(directions @ (project.T @ np.array(differences))).max())

    observed = statistic([5, 2])
    every = [
        statistic([a + b + 3 * c, d + e + 2 * f])
        for a, b, c, d, e, f in itertools.product((-1, 1), repeat=6)
    ]
    exact = np.mean([one >= observed * (1 - 1e-9) for one in every])
    assert found == pytest.approx(exact, abs=0.01)
    assert paired.exchange_test(counts, nets=nets[:0]) == paired.exchange_test(counts) < found


Floats = npt.NDArray[np.float64]


def enumerated(y: Floats) -> tuple[Floats, float]:
    """Adjusted p values over all signs of cluster sums, and the critical value at 5%."""
    unit = np.sqrt((y**2).sum(axis=0))
    unit[unit == 0] = 1
    observed = np.abs(y.sum(axis=0)) / unit
    largest = np.array(
        [
            max(abs(sum(s * v for s, v in zip(signs, column))) / u for column, u in zip(y.T, unit))
            for signs in itertools.product((1, -1), repeat=len(y))
        ]
    )
    p = np.array([(largest >= one - 1e-12).mean() for one in observed])
    values = np.unique(np.round(np.r_[0, largest], 12))
    return p, float(min(v for v in values if (largest > v + 1e-9).mean() <= 0.05))


@pytest.mark.parametrize("seed", range(4))
def test_several_contrasts_share_the_signs_of_their_clusters(seed: int) -> None:
    d = np.random.default_rng(seed).integers(-1, 2, (15, 3)).astype(float)
    d[:, 0] = 1
    cluster = np.array([0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 6, 7, 7, 7])
    y = np.array([d[cluster == c].sum(axis=0) for c in range(8)]) / 15
    assert [
        one.p_value for one in infer([Contrast.of(of, cluster) for of in d.T])
    ] == pytest.approx(list(enumerated(y)[0]))


def test_the_definition_by_loops_and_contrasts_of_other_questions() -> None:
    """Unequal tasks and levels; the second contrast lacks a question, the third a whole task."""
    rng = np.random.default_rng(5)
    task, level = np.array([0] * 6 + [1] * 4), np.array([1, 1, 1, 2, 2, 2, 1, 1, 1, 3])
    d = rng.integers(-1, 2, (10, 3)).astype(float)
    asked = np.ones((10, 3), dtype=bool)
    asked[0, 1] = asked[6:, 2] = False
    contrasts, y = [], np.zeros((10, 3))
    for k in range(3):
        at = np.flatnonzero(asked[:, k])
        contrasts.append(Contrast.of(d[at, k], at, task[at], level[at]))
        for q in at:
            own = [z for z in at if task[z] == task[q]]
            alike = [z for z in own if level[z] == level[q]]
            levels, tasks = {level[z] for z in own}, {task[z] for z in at}
            y[q, k] = d[q, k] / len(tasks) / len(levels) / len(alike)
    found = infer(contrasts)
    assert [one.difference for one in found] == pytest.approx(list(y.sum(axis=0)))
    assert [one.n for one in contrasts] == [10, 9, 6]
    assert [one.p_value for one in found] == pytest.approx(list(enumerated(y)[0]))


def test_the_limit_near_zero_is_the_first_difference_that_is_not_rejected() -> None:
    d = np.array([1, 1, 1, 1, 1, 1, 1, 1, 1, 0, -1, 0.0])
    (found,), critical = infer([Contrast.of(d)]), enumerated(d[:, None] / 12)[1]
    scan = np.linspace(0, d.mean(), 200_001)
    moved = d[:, None] - scan
    inside = np.abs(moved.sum(axis=0)) <= critical * np.sqrt((moved**2).sum(axis=0))
    assert found.is_significant
    assert found.ci_low == pytest.approx(scan[inside][0], abs=1e-5)


@pytest.mark.parametrize("failures", [0, 5])
def test_the_other_limit_is_clopper_and_pearsons(failures: int) -> None:
    d = np.r_[np.ones(failures), np.zeros(60 - failures)]
    (found,) = infer([Contrast.of(d)], draws=40_000)
    assert found.ci_high == pytest.approx(beta.ppf(0.975, failures + 1, 60 - failures), abs=0.004)


@pytest.mark.parametrize("n", [6, 7, 20, 32, 80, 92])
def test_where_all_questions_differ_alike_the_near_limit_is_theirs_too(n: int) -> None:
    (found, turned), (tie,) = infer([Contrast.of(np.ones(n)), Contrast.of(-np.ones(n))]), infer(
        [Contrast.of(np.r_[np.full(3 * n, 0.1), np.full(n, -0.3)])]
    )  # fmt: skip
    # Clopper and Pearson's, of pairs of which each is right in one language alone.
    assert found.ci_low == pytest.approx(2 * beta.ppf(0.025, n, 1) - 1, abs=0.03)
    assert (found.ci_high, turned.ci_low, turned.ci_high) == (1.0, -1.0, -found.ci_low)
    assert (tie.difference, tie.p_value) == (0.0, 1.0)


def test_zero_is_outside_exactly_where_the_mark_stands() -> None:
    rng, marks = np.random.default_rng(3), 0
    for i in range(300):
        n, k = int(rng.integers(4, 60)), int(rng.integers(1, 5))
        right = rng.random((n, 1)) < rng.random()
        d = right * 1.0 - (rng.random((n, k)) < rng.random(k))
        cluster = None if i % 3 else np.arange(n) // (1 + i % 2)
        task = rng.integers(0, 2, n) * (i % 2)
        for one in infer([Contrast.of(c, cluster, task) for c in d.T], draws=399, seed=i):
            marks += one.is_significant
            assert not (one.refused and one.is_significant)
            if math.isnan(one.ci_low):
                assert one.refused
                continue
            assert one.ci_low - 1e-12 <= one.difference <= one.ci_high + 1e-12
            outside = not one.ci_low <= 0 <= one.ci_high
            assert one.is_significant == outside == (one.p_value <= 0.05)
    assert marks > 50


@pytest.mark.parametrize(
    ("differences", "cluster", "why"),
    [
        (np.r_[np.ones(5), 0, 0], None, "5 informative questions: no outcome could be significant"),
        (np.ones(40), np.arange(40) // 4, "10 clusters of questions"),
        (np.ones(80), np.arange(80) // 4, ""),
    ],
)
def test_refusals_say_why(differences: Floats, cluster: Floats | None, why: str) -> None:
    (found,) = infer([Contrast.of(differences, cluster)])
    assert why in found.refused
    assert (found.is_significant, math.isnan(found.ci_low)) == (not why, "clusters" in why)
    assert not why.startswith("5") or found.ci_low <= 0 < found.ci_high
    assert infer([]) == []


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=7)


def closed_bonferroni(p: list[float]) -> list[float]:
    """Holm is the closed test of Bonferroni tests: the worst set of hypotheses that holds i."""
    indexes = range(len(p))
    sets = [s for size in range(1, len(p) + 1) for s in itertools.combinations(indexes, size)]
    return [min(1.0, max(len(s) * min(p[j] for j in s) for s in sets if i in s)) for i in indexes]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(P_VALUES)
def test_holm_is_the_closed_bonferroni_test(p: list[float]) -> None:
    np.testing.assert_allclose(holm(p), closed_bonferroni(p), rtol=1e-12)


def test_an_interval_is_widened_by_the_spread_of_whole_clusters() -> None:
    """Two questions alone, a cluster of four that agree, and one of three against one."""
    discordant = np.array([10, 7])
    nets = np.array([[0, 4, 4], [0, 2, 4], [1, 1, 3]])  # level, sum of its differences, questions
    sums = [
        sum(sign * size for sign, size in zip(signs, (1, 1, 4, 2)))
        for signs in itertools.product((-1, 1), repeat=4)
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


def test_isotonic_curves_are_those_of_scipy() -> None:
    rng = np.random.default_rng(1)
    for levels in (1, 2, 7, 23):
        n = rng.integers(1, 40, levels).astype(float)
        p = rng.random((5, levels))
        wanted = [isotonic_regression(row, weights=n, increasing=False).x for row in p]
        assert isotonic(p, n) == pytest.approx(np.array(wanted))


def outcomes(rng: np.random.Generator, en: np.ndarray, other: np.ndarray, n: int) -> np.ndarray:
    """Counts of the four outcomes per level; half of the questions have one draw in common."""
    u, v = rng.random((2, len(en), n))
    v = np.where(rng.random(v.shape) < 0.5, u, v)
    a, b = u < en[:, None], v < other[:, None]
    return np.stack([(a & b).sum(1), (a & ~b).sum(1), (~a & b).sum(1), (~a & ~b).sum(1)], axis=1)


@pytest.mark.parametrize("n", [10, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "curves",
    [
        (np.repeat([0.95, 0.05], 10), np.repeat([0.95, 0.05], [7, 13])),
        (np.linspace(0.9, 0.6, 20), np.linspace(0.9, 0.6, 20)),
        (np.linspace(1.0, 0.2, 20), np.linspace(1.0, 0.0, 20)),
        (np.full(20, 0.3), np.linspace(0.8, 0.1, 20)),
    ],
)
def test_the_largest_gap_is_held(curves: tuple[np.ndarray, np.ndarray], n: int) -> None:
    rng, c = np.random.default_rng(7), np.arange(10.0, 30.0)
    gap = curves[0] - curves[1]
    largest = gap[np.abs(gap).argmax()]
    held = refused = 0
    for seed in range(30):
        both, en, other, _ = outcomes(rng, *curves, n).T
        limits = free_interval(
            paired.checked_counts(both + en, both + other, en + other, n, c), seed=seed
        )
        if limits is None:  # an accuracy seems to rise, at 2.5% for each of the two
            refused += 1
            continue
        low, high = limits
        held += low <= largest + 1e-9 and largest - 1e-9 <= high
        assert -1.0 <= low <= high <= 1.0
    assert refused <= 5  # of 30: chance .003 at 5%
    assert held >= 25 - refused  # chance .003 at 95%


def test_there_are_no_limits_where_an_accuracy_rises() -> None:
    """English falls from 95 to 0, the language rises from 0 to 95: isotonic curves say nothing."""
    rng, c = np.random.default_rng(1), np.arange(1.0, 9.0)
    falls = np.linspace(0.95, 0.0, 8)
    for seed in range(20):
        both, en, other, _ = outcomes(rng, falls, falls[::-1], 10).T
        counts = paired.checked_counts(both + en, both + other, en + other, 10, c)
        assert free_interval(counts, seed=seed) is None
    assert rises(np.array([0, 2, 9]), np.full(3, 10))
    assert not rises(np.array([9, 5, 5, 0]), np.full(4, 10))


def test_a_scan_claims_nothing_too_often_where_the_other_is_ahead() -> None:
    """The null of a direction is "nowhere ahead", whatever happens on the other side."""
    rng, wrong = np.random.default_rng(5), 0
    for seed in range(300):
        differ = rng.integers(0, 15, 12)
        ups = rng.binomial(differ, np.where(np.arange(12) < 6, 0.5, 0.15))
        wrong += int(scan(ups, differ - ups, draws=399, seed=seed).first.any())
    assert wrong / 300 <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / 300)


@pytest.mark.parametrize("discordant", [0.1, pytest.param(0.3, marks=pytest.mark.slow)])
def test_the_questions_that_no_gap_takes_are_enough_by_simulation(discordant: float) -> None:
    n = questions_needed(discordant)
    rng = np.random.default_rng(0)
    differ = rng.binomial(n, discordant, 600)
    first = rng.binomial(differ, 0.5)
    claims = [
        max(map(abs, paired_limits(int(a), int(d - a), n))) < MARGIN for a, d in zip(first, differ)
    ]
    assert np.mean(claims) == pytest.approx(0.8, abs=0.06)
    assert claim_power(n, discordant) >= 0.8 > claim_power(int(0.85 * n), discordant)
    with pytest.raises(ValueError, match="discordant pairs in"):
        questions_needed(discordant, difference=0.06)
