"""Verdicts, ranks and "no gap": against enumeration, published definitions and known truth."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binomtest

from xlgo_metric.comparison import Cell
from xlgo_metric.statistics.claims import (
    Verdict,
    claim_power,
    is_significant,
    is_silent,
    questions_needed,
    standing,
    within_everywhere,
)
from xlgo_metric.statistics.differences import paired_limits
from xlgo_metric.statistics.levels import extremes, runs, scan, summed


def verdict(values: npt.ArrayLike, task: Any = None, cluster: Any = None) -> Verdict:
    """Of the differences of questions, -1, 0 or 1."""
    sides = np.asarray(values) > 0, np.asarray(values) < 0
    return Cell.of(*sides, "en", "te", task=task, cluster=cluster).verdict


def test_one_task_is_the_sign_test_and_its_exact_interval() -> None:
    values = [1] * 9 + [-1] * 2 + [0] * 14
    found = verdict(values)
    assert found["p"] == pytest.approx(binomtest(9, 11).pvalue, rel=1e-12)
    assert (found["low"], found["high"]) == paired_limits(9, 2, 25)
    assert found["difference"] == 7 / 25
    assert found["exact"]


def test_tasks_weigh_alike_and_clusters_are_exchanged_as_a_whole() -> None:
    values = np.array([1, 1, 0, -1, 1, 1, 0, 0, 1])
    task = np.array(["a"] * 3 + ["b"] * 6)
    cluster = np.array([0, 0, 1, 2, 2, 3, 4, 5, 0])  # one puzzle is in both tasks
    found = verdict(values, task, cluster)
    assert found["difference"] == pytest.approx((2 / 3 + 2 / 6) / 2)
    weights = np.where(task == "a", 2, 1)  # about 1/n: 1/3 and 1/6
    sums = np.bincount(cluster, weights * values)
    every = [abs(np.dot(signs, sums)) for signs in itertools.product((-1, 1), repeat=len(sums))]
    assert found["p"] == pytest.approx(np.mean(np.array(every) >= abs(sums.sum()) - 1e-9))
    assert found["clusters"] == 6
    assert found["tasks"] == 2
    assert not found["exact"]


def test_an_interval_over_tasks_holds_0_where_the_test_does_not_reject() -> None:
    """Of five clusters that all lean one way the least p value is 2/2^5, above 5%."""
    values = np.array([1, 1, 1, 0] * 5)
    task, cluster = np.tile(["a", "b"], 10), np.repeat(np.arange(5), 4)
    found = verdict(values, task, cluster)
    assert found["p"] == pytest.approx(2 / 2**5)
    assert found["low"] <= 0 < found["difference"]
    turned = verdict(-values, task, cluster)
    assert turned["difference"] < 0 <= turned["high"]
    six = verdict(np.array([1, 1, 1, 0] * 6), np.tile(["a", "b"], 12), np.repeat(np.arange(6), 4))
    assert six["p"] == pytest.approx(2 / 2**6)
    assert six["low"] > 0


def test_the_interval_over_tasks_covers() -> None:
    """Three tasks of unlike sizes and difficulty, questions in clusters of up to three."""
    rng, held, repeats = np.random.default_rng(2), 0, 400
    truth = (0.3 + 0.1 + 0.0) / 3
    for _ in range(repeats):
        values, tasks, clusters = [], [], []
        for name, gap, count in (("a", 0.3, 20), ("b", 0.1, 45), ("c", 0.0, 12)):
            for group in range(count):
                lean = rng.random()  # a cluster's questions share their luck
                size = rng.integers(1, 4)
                en, other = lean < 0.4 + gap, lean < 0.4
                flip = rng.random(size) < 0.2
                values += [int(np.where(f, 0, int(en) - int(other))) for f in flip]
                tasks += [name] * size
                clusters += [f"{name}{group}"] * size
        found = verdict(values, tasks, clusters)
        held += found["low"] <= 0.8 * truth <= found["high"]
    assert held / repeats > 0.925


def test_a_scan_claims_each_side_where_it_is() -> None:
    first = np.array([1, 2, 3, 20, 22, 25, 4, 2])
    second = np.array([18, 20, 3, 1, 2, 1, 3, 2])
    found = scan(first, second)
    assert found.crosses
    assert found.p_first < 0.01
    assert found.p_second < 0.01
    assert found.second[:2].all()
    assert found.first[3:6].all()
    assert not (found.first & found.second).any()
    assert scan(np.zeros(3), np.zeros(3)).p_first == 1.0


def test_a_scan_of_one_level_is_the_one_sided_sign_test() -> None:
    found = scan([9], [2], draws=19_999)
    assert found.p_first == pytest.approx(binomtest(9, 11, alternative="greater").pvalue, abs=0.004)


def test_a_scan_claims_nothing_too_often_where_the_other_is_ahead() -> None:
    """The null of a direction is "nowhere ahead", whatever happens on the other side."""
    rng, wrong = np.random.default_rng(5), 0
    for seed in range(300):
        differ = rng.integers(0, 15, 12)
        share = np.where(np.arange(12) < 6, 0.5, 0.15)
        ups = rng.binomial(differ, share)
        wrong += int(scan(ups, differ - ups, draws=399, seed=seed).first.any())
    assert wrong / 300 <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / 300)


def test_runs_are_every_run_of_their_lengths() -> None:
    found = {tuple(run) for run in runs(6).tolist()}
    assert {(a, a + 1) for a in range(6)} <= found
    assert (0, 6) in found
    assert (1, 5) in found
    over = np.array([[0, 3], [1, 2]])
    assert summed([1.0, 2.0, 4.0], over).tolist() == [7.0, 2.0]
    high, low = extremes(np.array([[1.0, 0.0], [2.0, 1.0], [4.0, 0.0]]), over, np.array([7.0, 1.0]))
    assert (high.tolist(), low.tolist()) == ([2.0, 1.0], [1.0, 1 / 7])


def test_significant_is_below_5_percent() -> None:
    assert is_significant(0.0499)
    assert not is_significant(0.05)
    assert not is_significant(None)


def test_silent_is_where_no_outcome_could_be_significant() -> None:
    for first, second in itertools.product(range(8), repeat=2):
        differ = first + second
        least = binomtest(0, differ).pvalue if differ else 1.0
        assert is_silent(first, second) == (least >= 0.05), (first, second)
    assert is_silent(None, None)


def test_standings() -> None:
    assert standing(-0.04, 0.049) == "equal"
    assert standing(0.01, 0.04) == "equal"
    assert standing(0.01, 0.2) == "behind"
    assert standing(-0.3, -0.01) == "ahead"
    assert standing(-0.05, 0.01) == "not known"
    assert within_everywhere([-0.04], [0.04])
    assert not within_everywhere([], [])
    assert not within_everywhere([-0.04, -0.06], [0.04, 0.0])
    with pytest.raises(ValueError, match="cannot be"):
        standing(0.2, 0.1)


@pytest.mark.parametrize("discordant", [0.1, pytest.param(0.3, marks=pytest.mark.slow)])
def test_the_questions_that_no_gap_takes_are_enough_by_simulation(discordant: float) -> None:
    n = questions_needed(discordant)
    rng = np.random.default_rng(0)
    differ = rng.binomial(n, discordant, 600)
    first = rng.binomial(differ, 0.5)
    claims = [
        standing(*paired_limits(int(a), int(d - a), n)) == "equal" for a, d in zip(first, differ)
    ]
    assert np.mean(claims) == pytest.approx(0.8, abs=0.06)
    assert claim_power(n, discordant) >= 0.8 > claim_power(int(0.85 * n), discordant)
    with pytest.raises(ValueError, match="discordant pairs in"):
        questions_needed(discordant, difference=0.06)
