"""Uncertainty with few answers at each of many complexities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2, norm

from xlgo_metric.statistics.adaptive import draws_interval, paired_draws
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import fit_weighted, gamma_accuracy
from xlgo_metric.statistics.paired import PairCounts

C = np.unique(np.round(np.exp(np.linspace(np.log(40), np.log(200), 40)))).astype(float)
N = 1 + np.arange(len(C)) % 12
Q, HALF = 20.0, 90.0


def curve(c: np.ndarray, half: float = HALF) -> np.ndarray:
    return chi2.cdf(chi2.ppf(0.5, Q) * (half / c) ** 2, Q)


def curve_of(q: float, half: float) -> np.ndarray:
    return chi2.cdf(chi2.ppf(0.5, q) * (half / C) ** 2, q)


def answers(seed: int, phi: float, halves: tuple[float, float] = (HALF, HALF)) -> PairCounts:
    """Pairs from two latent normals."""
    rng = np.random.default_rng(seed)
    latent = np.sin(phi * np.pi / 2)
    counts = []
    for size, n in zip(C, N):
        z = rng.multivariate_normal([0, 0], [[1, latent], [latent, 1]], size=n)
        right = z < norm.ppf([curve(np.array(size), half) for half in halves])
        counts.append([*right.sum(axis=0), (right[:, 0] != right[:, 1]).sum()])
    k_en, k_l, discordant = np.array(counts).T
    return PairCounts(C, N, k_en, k_l, discordant)


def least_squares(p: np.ndarray, weights: np.ndarray, start: np.ndarray) -> np.ndarray:
    """(log q, log half-accuracy) by a simplex search on a curve of SciPy's chi-squared."""

    def cost(at: np.ndarray) -> float:
        q, half = np.exp(at)
        return float((weights * (chi2.cdf(chi2.ppf(0.5, q) * (half / C) ** 2, q) - p) ** 2).sum())

    options = {"xatol": 1e-7, "fatol": 1e-13, "maxiter": 4000}
    return np.array(minimize(cost, start, method="Nelder-Mead", options=options).x)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_weighted_fit_is_least_squares_reweighted_twice(seed: int) -> None:
    k = answers(seed, 0.0).k_base
    at, weights = np.log([Q, HALF]), N.astype(float)
    for _ in range(3):
        at = least_squares(k / N, weights, at)
        f = curve_of(*np.exp(at))
        last, weights = weights, N / (f * (1 - f) + 0.05)
    q, r, used = fit_weighted(C, k, N)
    found = gamma_accuracy(C, q, r)
    assert found == pytest.approx(curve_of(*np.exp(at)), abs=2e-4)
    assert used == pytest.approx(last, rel=2e-3)


def test_pairs_are_drawn_as_much_alike_as_they_are() -> None:
    for phi in (0.0, 0.6):
        pairs = answers(0, phi)
        en, other = paired_draws(pairs, draws=2000, stream=Stream("alike"))
        together = np.corrcoef(np.log(en.curves[1]), np.log(other.curves[1]))[0, 1]
        # The correlation of answers at one half, and a little less elsewhere.
        assert together == pytest.approx(phi, abs=0.15)


def test_an_interval_near_one_reaches_below_what_the_draws_all_but_repeat() -> None:
    # Every question on one side is right in English and wrong in the other: the gap is near 1.
    pairs = answers(4, 0.0, (180.0, 60.0))
    en, other = paired_draws(pairs, stream=Stream("near one"))
    found = draws_interval(en, other, 2, 2090, pairs=int(N.sum()))
    assert 0.8 < found.low < found.high <= 1.0
