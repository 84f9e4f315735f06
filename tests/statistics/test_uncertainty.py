"""Beta draws and their spreads, against a loop of NumPy draws and SciPy fits."""

import numpy as np
import pytest
from scipy.special import chdtr

from xlgo_metric.statistics.gaps import Estimate, Gap, cell_stream, curve_draws

C = np.linspace(100, 600, 20)


def accuracy(c: np.ndarray, q: float, r: float) -> np.ndarray:
    return chdtr(q, q / (r * c * c))


def data(q: float, half: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).binomial(50, accuracy(C, q, half**-2))


def test_a_cell_depends_on_its_own_task_language_and_seed() -> None:
    k = data(8, 300, 3)
    first = curve_draws(C, k, 50, stream=cell_stream("slt", "te"))
    curve_draws(C, k, 50, stream=cell_stream("dsa", "te"))
    again = curve_draws(C, k, 50, stream=cell_stream("slt", "te"))
    np.testing.assert_array_equal(first.curves[0], again.curves[0])
    for other in (cell_stream("dsa", "te"), cell_stream("slt", "ta"), cell_stream("slt", "te", 1)):
        assert not np.array_equal(first.curves[0], curve_draws(C, k, 50, stream=other).curves[0])


@pytest.mark.parametrize(
    ("smd", "marked"), [(0.195, False), (-0.195, False), (0.197, True), (-0.197, True)]
)
def test_the_published_mark_is_196_spreads(smd: float, marked: bool) -> None:
    rest = Estimate(0.0, 1.0)
    assert Gap(Estimate(smd, 0.1), rest, rest, rest, rest).published_rule == marked
