"""Closed forms of gaps and averages against dense grids and numerical integration."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import chdtr

from tests.looping import looped
from xlgo_metric.statistics.gaps import average_accuracy, divergence, smd

GRID = np.linspace(100, 600, 20_001)


def curve(c: np.ndarray, q: float, r: float) -> np.ndarray:
    return chdtr(q, q / (r * c * c))


def random_pairs(count: int) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    rng = np.random.default_rng(7)
    found = []
    for i in range(count):
        q = np.exp(rng.uniform(np.log(0.6), np.log(500), 2))
        half = rng.uniform(60, 800, 2)
        if i % 5 == 0:
            q[1] = q[0]
        if i % 7 == 0:
            half[1] = half[0]
        found.append(((q[0], half[0] ** -2), (q[1], half[1] ** -2)))
    return found


def test_the_largest_gap_is_the_largest_on_a_dense_grid() -> None:
    pairs = random_pairs(60)
    english, other = (np.array([p[i] for p in pairs]).T for i in (0, 1))
    batch = divergence(tuple(english), tuple(other), 100, 600)
    for i, (a, b) in enumerate(pairs):
        gap = curve(GRID, *a) - curve(GRID, *b)
        largest = np.abs(gap).argmax()
        assert abs(batch.smd[i]) == pytest.approx(abs(gap[largest]), abs=2e-6)
        at = batch.c_star[i]
        assert batch.smd[i] == pytest.approx(curve(at, *a) - curve(at, *b), abs=1e-12)
        assert (batch.f_en[i], batch.f_l[i]) == pytest.approx((curve(at, *a), curve(at, *b)))
        assert batch.rd[i] == pytest.approx((np.sign(batch.smd[i]) * gap).min(), abs=3e-6)
        assert 100 <= at <= 600
        assert smd(a, b, 100, 600) == (batch.smd[i], at)


@looped("q", [0.5, 0.9, 1.0, 1.5, 1.6, 2.0, 7.0, 100.0, 1500.0])
@looped("half", [40.0, 150.0, 300.0, 900.0])
def test_average_accuracy_is_the_integral(q: float, half: float) -> None:
    area, _ = quad(curve, 100, 600, (q, half**-2), points=[min(max(half, 101), 599)], epsabs=1e-10)
    assert average_accuracy(q, half**-2, 100, 600) == pytest.approx(area / 500, abs=1e-7)
