"""The curve against closed forms and chi-square, the fits against scipy.optimize."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import curve_fit
from scipy.special import chdtr

from xlgo_metric.statistics.gamma import (
    Q_BOUNDS,
    fit_curves,
    gamma_accuracy,
)
from xlgo_metric.statistics.gaps import fit_gamma

C = np.linspace(100, 600, 20)


def simulated(q: float, half: float, seed: int, n: int = 50) -> np.ndarray:
    chance = chdtr(q, q * half**2 / C**2)
    return np.random.default_rng(seed).binomial(n, chance)


def test_q_of_two_is_an_exponential() -> None:
    for c in (0.5, 1.0, 30.0, 4000.0):
        assert gamma_accuracy(c, 2, 1e-3) == pytest.approx(
            -math.expm1(-1 / (1e-3 * c * c)), rel=1e-12
        )


def test_the_curve_is_a_chi_square_distribution() -> None:
    q, r = np.array([0.7, 3.0, 15.0, 300.0])[:, None], 1.3e-5
    np.testing.assert_allclose(
        gamma_accuracy(C, q, r), chdtr(q, q / (r * C**2)), rtol=1e-11, atol=1e-300
    )


@pytest.mark.parametrize("q", [1.5, 3.0, 10.0, 30.0, 60.0])
def test_fits_are_those_of_curve_fit(q: float) -> None:
    grid = np.linspace(100, 600, 101)
    for seed in range(6):
        p = simulated(q, 180.0 + 50 * seed, seed) / 50
        ours = fit_curves(C, p)
        scipys, _ = curve_fit(
            lambda c, a, b: chdtr(a, a / (b * c * c)),
            C,
            p,
            p0=ours,
            bounds=([0.5, 1e-12], [2000, 1]),
            x_scale=[float(x) for x in ours],
            xtol=1e-12,
            ftol=1e-14,
        )
        apart = gamma_accuracy(grid, *ours) - gamma_accuracy(grid, *scipys)
        assert np.abs(apart).max() < 1e-4


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 5000), st.integers(0, 7)), min_size=1, max_size=12),
    st.sampled_from(["ls", "wls"]),
)
def test_any_counts_give_a_finite_curve(levels: list[tuple[int, int]], method: Any) -> None:
    c, k = zip(*levels)
    fit = fit_gamma(c, k, 7, method=method)
    assert Q_BOUNDS[0] * 0.999 <= fit.q <= Q_BOUNDS[1] * 1.001
    assert 0 < fit.r < math.inf
    assert math.isfinite(fit.deviance)
    assert np.isfinite(fit.accuracy(c)).all()
    assert fit.identified or fit.warnings


@pytest.mark.parametrize(
    ("k", "says"),
    [
        ([50] * 6, "every answer is right"),
        ([0] * 6, "every answer is wrong"),
        ([10, 14, 20, 26, 33, 40], "flat or rising"),
        ([25, 26, 24, 25, 25, 26], "flat or rising"),
        ([50, 50, 50, 0, 0, 0], "only 0 of 6 levels"),
    ],
)
def test_data_that_fix_no_curve_are_flagged(k: list[int], says: str) -> None:
    fit = fit_gamma([10, 20, 30, 40, 50, 60], k, 50)
    assert not fit.identified
    assert any(says in text for text in fit.warnings)
