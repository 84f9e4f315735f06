"""Isotonic curves against pooling of violators, their interval against data of known truth."""

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from xlgo_metric.statistics.levels import free_interval, isotonic, rises
from xlgo_metric.statistics.paired import checked_counts


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
        limits = free_interval(checked_counts(both + en, both + other, en + other, n, c), seed=seed)
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
        counts = checked_counts(both + en, both + other, en + other, 10, c)
        assert free_interval(counts, seed=seed) is None
    assert rises(np.array([0, 2, 9]), np.full(3, 10))
    assert not rises(np.array([9, 5, 5, 0]), np.full(4, 10))
