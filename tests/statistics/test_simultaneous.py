"""The one procedure of gaps: against enumeration, exact tests, and data of known truth."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import beta

from xlgo_metric.statistics.differences import Contrast, Inference, infer

Floats = npt.NDArray[np.float64]


def columns(d: npt.ArrayLike, cluster: npt.ArrayLike | None = None) -> list[Contrast]:
    """A contrast for each column."""
    return [Contrast.of(column, cluster) for column in np.atleast_2d(np.asarray(d).T)]


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


def p_values(found: list[Inference]) -> list[float]:
    return [one.p_value for one in found]


@pytest.mark.parametrize("seed", range(4))
def test_several_contrasts_share_the_signs_of_their_clusters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = rng.integers(-1, 2, (15, 3)).astype(float)
    d[:, 0] = 1
    cluster = np.array([0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 6, 7, 7, 7])
    y = np.array([d[cluster == c].sum(axis=0) for c in range(8)]) / 15
    assert p_values(infer(columns(d, cluster))) == pytest.approx(list(enumerated(y)[0]))


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
    assert p_values(found) == pytest.approx(list(enumerated(y)[0]))


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
            if math.isnan(one.ci_low):
                assert one.refused
                assert not one.is_significant
                continue
            assert one.ci_low <= one.difference + 1e-12
            assert one.difference <= one.ci_high + 1e-12
            outside = not one.ci_low <= 0 <= one.ci_high
            assert one.is_significant == outside == (one.p_value <= 0.05)
            assert not (one.refused and one.is_significant)
    assert marks > 50


def test_refusals_say_why() -> None:
    few = infer([Contrast.of([1, 1, 1, 1, 1, 0, 0])])[0]
    assert not few.is_significant
    assert "5 informative questions: no outcome could be significant" in few.refused
    assert few.ci_low <= 0 < few.ci_high
    clustered = infer([Contrast.of(np.ones(40), np.arange(40) // 4)])[0]
    assert "10 clusters of questions" in clustered.refused
    assert math.isnan(clustered.ci_low)
    assert not clustered.is_significant
    assert infer([Contrast.of(np.ones(80), np.arange(80) // 4)])[0].is_significant
    assert infer([]) == []
