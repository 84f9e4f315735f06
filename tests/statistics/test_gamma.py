"""The curve against closed forms and chi-square, the fits against scipy.optimize."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import curve_fit, minimize
from scipy.special import chdtr

from xlgo_metric.statistics.fitting import (
    fit_gamma,
    fit_likelihood,
)
from xlgo_metric.statistics.gamma import (
    Q_BOUNDS,
    fit_curves,
    gamma_accuracy,
)

C = np.linspace(100, 600, 20)


def simulated(q: float, half: float, seed: int, n: int = 50) -> np.ndarray:
    chance = chdtr(q, q * half**2 / C**2)
    return np.random.default_rng(seed).binomial(n, chance)


def test_q_of_two_is_an_exponential() -> None:
    for c in (0.5, 1.0, 30.0, 4000.0):
        assert gamma_accuracy(c, 2, 1e-3) == pytest.approx(
            -math.expm1(-1 / (1e-3 * c * c)), rel=1e-12
        )


def test_q_of_four_is_an_erlang() -> None:
    x = 2 / (2e-5 * 150**2)
    assert gamma_accuracy(150, 4, 2e-5) == pytest.approx(1 - math.exp(-x) * (1 + x), rel=1e-12)


def test_the_curve_is_a_chi_square_distribution() -> None:
    q, r = np.array([0.7, 3.0, 15.0, 300.0])[:, None], 1.3e-5
    np.testing.assert_allclose(
        gamma_accuracy(C, q, r), chdtr(q, q / (r * C**2)), rtol=1e-11, atol=1e-300
    )


@pytest.mark.parametrize(
    ("c", "q", "r"), [(-1, 5, 1e-5), (1, 0, 1e-5), (1, 5, 0), (1, -2, 1), (math.nan, 1, 1)]
)
def test_what_cannot_be_is_refused(c: float, q: float, r: float) -> None:
    with pytest.raises(ValueError, match="every entry"):
        gamma_accuracy(c, q, r)


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


def test_unequal_levels_weigh_by_their_answers() -> None:
    """A level of 100 answers is two levels of 50 with the same complexity."""
    k = simulated(10, 300, 3)
    doubled = fit_curves(np.append(C, C[9]), np.append(k, k[9]) / 50, n=50)
    n = np.full(20, 50)
    n[9] = 100
    assert np.array(fit_curves(C, k / 50, n=n)) == pytest.approx(np.array(doubled), rel=1e-4)


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


def test_goodness_of_fit_by_hand() -> None:
    c, k, n = [10.0, 20.0, 40.0], [9, 6, 1], 10
    fit = fit_gamma(c, k, n)
    f = gamma_accuracy(c, *fit)
    mean = 16 / 30
    left = sum((a / 10 - b) ** 2 for a, b in zip(k, f))
    assert fit.r2 == pytest.approx(1 - left / sum((a / 10 - mean) ** 2 for a in k))
    held = [min(max(x, 0.001), 0.999) for x in f]
    deviance = 2 * sum(
        a * math.log(a / (10 * x)) + (10 - a) * math.log((10 - a) / (10 * (1 - x)))
        for a, x in zip(k, held)
    )
    assert fit.deviance == pytest.approx(deviance)


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


@pytest.mark.parametrize(
    ("n", "advice"), [(1, "more questions"), (4, "more questions"), (50, "levels closer")]
)
def test_the_advice_fits_the_number_of_questions(n, advice):
    """With one question a level every accuracy is 0 or 1, however close the levels are."""
    fit = fit_gamma(np.arange(10.0, 70.0, 10.0), np.array([n, n, n, 0, n, 0]), n)
    [warning] = [text for text in fit.warnings if "of 6 levels" in text]
    assert advice in warning


@pytest.mark.parametrize(
    ("c", "k", "n", "says"),
    [
        ([1, 2], [1, 2, 3], 5, "one value per complexity"),
        ([0, 2], [1, 2], 5, "above 0"),
        ([1, 2], [1, 6], 5, "at most n"),
        ([1, 2], [1, -1], 5, "at most n"),
        ([1, 2], [1, 0], [5, 0], "at least one answer"),
        ([], [], 5, "at least one complexity"),
    ],
)
def test_impossible_counts_are_refused(c, k, n, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        fit_gamma(c, k, n)


def test_likelihood_fits_are_those_of_a_simplex_search() -> None:
    for seed, (ceiling, floor) in enumerate([(1.0, 0.0), (0.95, 0.02)]):
        k = simulated(12, 280, seed)
        k = np.minimum(k, 48)

        def loss(theta: np.ndarray, k=k, ceiling=ceiling, floor=floor) -> float:
            q, r = np.exp(theta)
            f = floor + (ceiling - floor) * chdtr(q, q / (r * C**2))
            f = np.clip(f, 1e-9, 1 - 1e-9)
            prior = 0.5 * ((theta[0] - math.log(15)) / 2) ** 2
            return prior - float((k * np.log(f) + (50 - k) * np.log(1 - f)).sum())

        options = {"xatol": 1e-8, "fatol": 1e-10, "maxiter": 4000}
        best = minimize(loss, np.log([10, 300.0**-2]), method="Nelder-Mead", options=options)
        theta, least = fit_likelihood(C, k[None], 50, ceiling=ceiling, floor=floor)
        assert least[0] == pytest.approx(best.fun, abs=1e-6)
        assert theta[0] == pytest.approx(best.x, abs=1e-3)
