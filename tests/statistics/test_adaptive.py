"""The design that chooses complexities, and uncertainty with few answers at each of many."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2, norm

from xlgo_metric.statistics.adaptive import (
    Asked,
    Design,
    Step,
    draws_interval,
    next_step,
    paired_draws,
)
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import fit_weighted, gamma_accuracy
from xlgo_metric.statistics.paired import PairCounts

LANGUAGES = 5


def curve(c: Any, q: float, half: float) -> Any:
    """Accuracy, by the distribution function of chi squared: P(q/2, x/2) = chi2.cdf(x, q)."""
    return chi2.cdf(chi2.ppf(0.5, q) * (half / c) ** 2, q)


@cache
def right(size: int, index: int) -> int:
    """Languages that answer a question right."""
    own = np.random.default_rng([2, size, index])
    return int((own.random(LANGUAGES) < curve(size, 12.0, 90.0)).sum())


def test_the_pilot_goes_up_and_ends_after_two_empty_levels() -> None:
    design = Design(2, 2090, LANGUAGES, 300)
    ratio = (2090 / 2) ** (1 / 7)
    assert list(design.pilot) == [round(2 * ratio**step) for step in range(8)]
    assert set(design.pilot) <= set(design.grid)
    assert 50 <= len(design.grid) <= 100
    asked: list[Asked] = []
    for number, size in enumerate(design.pilot[:4]):
        assert next_step(design, asked).cells == {size: (0, 1, 2, 3, 4)}
        asked += [(size, index, 3 if number < 2 else 0) for index in range(5)]
    # Two levels without a right answer: the other four are left out.
    step = next_step(design, asked)
    assert sum(map(len, step.cells.values())) == 56  # 280 that are left, in 5 equal batches
    assert design.pilot[0] <= min(step.cells) <= max(step.cells) <= design.pilot[3]


def test_nothing_to_tell_stops_after_the_pilot() -> None:
    design = Design(2, 2090, LANGUAGES, 300)
    asked = [
        (size, index, 0)
        for place in (0, 1, 3, 5, 7)
        for size in [design.pilot[place]]
        for index in range(5)
    ]
    assert next_step(design, asked) == Step({}, "wrong everywhere")
    asked = [(size, index, LANGUAGES) for size in design.pilot for index in range(5)]
    assert next_step(design, asked) == Step({}, "right everywhere")


@pytest.mark.parametrize("budget", [40, 41, 130, 300, 333])
def test_the_budget_is_used_and_never_exceeded(budget: int) -> None:
    design, asked = Design(2, 2090, LANGUAGES, budget), list[Asked]()
    while (step := next_step(design, asked)).reason is None:
        asked += [
            (size, index, right(size, index))
            for size, indexes in step.cells.items()
            for index in indexes
        ]
    assert len(asked) == len({question[:2] for question in asked}) == budget
    assert step.reason == "budget"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ([(3000, 0, 1)], "not one that this design asks"),
        ([(2, 0, 1), (2, 0, 1)], "stands there twice"),
        ([(2, 0, 6)], "6 languages right of 5"),
    ],
)
def test_answers_that_cannot_be(asked, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        next_step(Design(2, 2090, LANGUAGES), asked)


def test_complexities_to_avoid_are_not_asked() -> None:
    plain = Design(1, 100, LANGUAGES)
    odd = Design(1, 100, LANGUAGES, avoided=lambda size: size % 2 == 0)
    assert not [size for size in odd.grid if size % 2 == 0]
    assert all(any(abs(size - other) <= 1 for other in odd.grid) for size in plain.grid)
    assert Design(1, 100, LANGUAGES, avoided=lambda size: True).grid == plain.grid


C = np.unique(np.round(np.exp(np.linspace(np.log(40), np.log(200), 40)))).astype(float)
N = 1 + np.arange(len(C)) % 12
Q, HALF = 20.0, 90.0


def answers(seed: int, phi: float, halves: tuple[float, float] = (HALF, HALF)) -> PairCounts:
    """Pairs from two latent normals."""
    rng = np.random.default_rng(seed)
    latent = np.sin(phi * np.pi / 2)
    counts = []
    for size, n in zip(C, N):
        z = rng.multivariate_normal([0, 0], [[1, latent], [latent, 1]], size=n)
        right = z < norm.ppf([curve(size, Q, half) for half in halves])
        counts.append([*right.sum(axis=0), (right[:, 0] != right[:, 1]).sum()])
    k_en, k_l, discordant = np.array(counts).T
    return PairCounts(C, N, k_en, k_l, discordant)


def least_squares(p: np.ndarray, weights: np.ndarray, start: np.ndarray) -> np.ndarray:
    """(log q, log half-accuracy) by a simplex search on a curve of SciPy's chi-squared."""

    def cost(at: np.ndarray) -> float:
        q, half = np.exp(at)
        return float((weights * (curve(C, q, half) - p) ** 2).sum())

    options = {"xatol": 1e-7, "fatol": 1e-13, "maxiter": 4000}
    return np.array(minimize(cost, start, method="Nelder-Mead", options=options).x)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_weighted_fit_is_least_squares_reweighted_twice(seed: int) -> None:
    k = answers(seed, 0.0).k_base
    at, weights = np.log([Q, HALF]), N.astype(float)
    for _ in range(3):
        at = least_squares(k / N, weights, at)
        f = curve(C, *np.exp(at))
        last, weights = weights, N / (f * (1 - f) + 0.05)
    q, r, used = fit_weighted(C, k, N)
    found = gamma_accuracy(C, q, r)
    assert found == pytest.approx(curve(C, *np.exp(at)), abs=2e-4)
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
