"""Uncertainty with few answers at each of many complexities."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.stats import chi2, norm

from xlgo_metric.statistics.adaptive.sparse import (
    central_spread,
    draws_interval,
    paired_draws,
)
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import fit_weighted, gamma_accuracy
from xlgo_metric.statistics.gaps import divergence, gap
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


def test_one_slip_at_a_very_easy_level_moves_the_weighted_fit_little() -> None:
    c = np.concatenate([[2.0], C])
    n = np.concatenate([[5], N])
    k = np.concatenate([[5], np.round(N * curve(C))])
    slipped = k - np.concatenate([[1], np.zeros(len(C))])
    fits = [fit_weighted(c, right, n)[:2] for right in (k, slipped)]
    moved = np.abs(np.subtract(*(gamma_accuracy(C, *fit) for fit in fits)))
    assert moved.max() < 0.03


def test_pairs_are_drawn_as_much_alike_as_they_are() -> None:
    for phi in (0.0, 0.6):
        pairs = answers(0, phi)
        en, other = paired_draws(pairs, draws=2000, stream=Stream("alike"))
        together = np.corrcoef(np.log(en.r_draws), np.log(other.r_draws))[0, 1]
        # The correlation of answers at one half, and a little less elsewhere.
        assert together == pytest.approx(phi, abs=0.15)


@pytest.mark.parametrize("phi", [pytest.param(0.0, marks=pytest.mark.slow), 0.6])
def test_the_printed_sd_is_about_the_true_one(phi: float) -> None:
    found = []
    for seed in range(40):
        en, other = paired_draws(
            answers(seed, phi, (90.0, 75.0)), draws=60, stream=Stream("sd", seed)
        )
        found.append(gap(en, other, 2, 2090).smd)
    true = np.std([smd.value for smd in found])
    assert 0.8 < np.mean([smd.sd for smd in found]) / true < 1.3  # 40 runs: sd of the ratio .11


def test_the_central_spread_is_the_sd_of_normal_draws_and_deaf_to_a_few_that_jump() -> None:
    draws = norm.ppf((np.arange(1000) + 0.5) / 1000, 0.2, 0.03)
    assert central_spread(draws) == pytest.approx(0.03, rel=0.01)
    jumped = np.where(np.arange(1000) % 20 == 0, -draws, draws)
    assert central_spread(jumped) < 0.035
    assert np.std(jumped) > 0.08


def wilson_low(share: float, n: float) -> float:
    """The least chance of which the share is not more than 1.96 standard errors off."""
    return float(brentq(lambda p: p + 1.96 * math.sqrt(p * (1 - p) / n) - share, 0, share))


@pytest.mark.parametrize(
    ("seed", "halves"), [(1, (90.0, 70.0)), (2, (60.0, 90.0)), (3, (90.0, 88.0)), (4, (160, 60))]
)
def test_the_interval_spans_three(seed: int, halves: tuple[float, float]) -> None:
    en, other = paired_draws(answers(seed, 0.3, halves), stream=Stream("interval", seed))
    found = draws_interval(en, other, 2, 2090, pairs=int(N.sum()))
    smd = float(divergence(en.curve, other.curve, 2, 2090).smd)
    sign = math.copysign(1.0, smd)
    redrawn = [sign * x for x in divergence(en.curves, other.curves, 2, 2090).smd.tolist()]
    angles = [math.asin(x) for x in redrawn]
    middle = 2 * math.asin(abs(smd)) - sum(map(abs, angles)) / len(angles)
    reach = 1.96 * statistics.stdev(angles)
    held = [min(max(x, 0.0), math.pi / 2) for x in (middle - reach, middle, middle + reach)]
    formula = [math.sin(x) for x in held]
    cuts = statistics.quantiles(redrawn, n=40, method="inclusive")  # .025, .05, …
    sizes = [abs(x) for x in redrawn]
    m = statistics.mean(sizes)
    n = min(m * (1 - m) / statistics.variance(sizes), float(N.sum()))
    low = min(formula[0], cuts[0], wilson_low(abs(smd), n))
    ends = sorted([sign * low, sign * max(formula[2], cuts[-1])])
    assert [found.low, found.high] == pytest.approx(ends, abs=1e-9)
    assert found.estimate == pytest.approx(sign * formula[1])
    assert found.low <= found.estimate <= found.high


def test_an_interval_near_one_reaches_below_what_the_draws_all_but_repeat() -> None:
    # Every question on one side is right in English and wrong in the other: the gap is near 1.
    pairs = answers(4, 0.0, (180.0, 60.0))
    en, other = paired_draws(pairs, stream=Stream("near one"))
    found = draws_interval(en, other, 2, 2090, pairs=int(N.sum()))
    assert 0.8 < found.low < found.high <= 1.0
