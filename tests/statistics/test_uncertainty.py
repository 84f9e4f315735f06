"""Beta draws and their spreads, against a loop of NumPy draws and SciPy fits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import curve_fit
from scipy.special import chdtr

from xlgo_metric.statistics.gamma import fit_curves
from xlgo_metric.statistics.gaps import Estimate, Gap, cell_stream, curve_draws, gap

C = np.linspace(100, 600, 20)


def accuracy(c: np.ndarray, q: float, r: float) -> np.ndarray:
    return chdtr(q, q / (r * c * c))


def data(q: float, half: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).binomial(50, accuracy(C, q, half**-2))


def _curve(k: Any) -> Any:
    return fit_curves(C, k / 50)


def test_the_spread_of_the_gap_is_that_of_a_plain_bootstrap() -> None:
    grid = np.linspace(100, 600, 401)
    k_en, k_l = data(8, 320, 1), data(8, 270, 2)
    rng = np.random.default_rng(0)
    plain = []
    for _ in range(200):
        f = []
        for k in (k_en, k_l):
            fit, _ = curve_fit(accuracy, C, rng.beta(k + 1, 51 - k), p0=(8, 300.0**-2))
            f.append(accuracy(grid, *fit))
        apart = f[0] - f[1]
        plain.append(apart[np.abs(apart).argmax()])
    fits: Any = [
        curve_draws(C, k, 50, stream=cell_stream("slt", x)) for k, x in ((k_en, "en"), (k_l, "te"))
    ]
    found = gap(fits[0], fits[1], 100, 600)
    assert found.smd.sd == pytest.approx(np.std(plain), rel=0.2)
    base = [accuracy(grid, *_curve(k)) for k in (k_en, k_l)]
    apart = base[0] - base[1]
    assert found.smd.value == pytest.approx(apart[np.abs(apart).argmax()], abs=1e-4)
    assert found.published_rule == (abs(found.smd.value) > 1.96 * found.smd.sd)


def test_a_cell_depends_on_its_own_task_language_and_seed() -> None:
    k = data(8, 300, 3)
    first = curve_draws(C, k, 50, stream=cell_stream("slt", "te"))
    curve_draws(C, k, 50, stream=cell_stream("dsa", "te"))
    again = curve_draws(C, k, 50, stream=cell_stream("slt", "te"))
    np.testing.assert_array_equal(first.q_draws, again.q_draws)
    for other in (cell_stream("dsa", "te"), cell_stream("slt", "ta"), cell_stream("slt", "te", 1)):
        assert not np.array_equal(first.q_draws, curve_draws(C, k, 50, stream=other).q_draws)


@pytest.mark.parametrize(
    ("smd", "marked"), [(0.195, False), (-0.195, False), (0.197, True), (-0.197, True)]
)
def test_the_published_mark_is_196_spreads(smd: float, marked: bool) -> None:
    rest = Estimate(0.0, 1.0)
    assert Gap(Estimate(smd, 0.1), rest, rest, rest, rest).published_rule == marked
