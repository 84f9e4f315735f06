"""The test of a curve's fit: its size by simulation, its eyes by curves that are none."""

import numpy as np
import pytest

from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.statistics.levels import misfit

C = np.round(np.linspace(100, 600, 20))


def flags(accuracy: np.ndarray, n: int, repeats: int, seed: int = 0) -> float:
    rng = np.random.default_rng(seed)
    found = [
        misfit(C, rng.binomial(n, accuracy), n, stream=Stream("test", seed, i)).found
        for i in range(repeats)
    ]
    return float(np.mean(found))


@pytest.mark.parametrize(
    ("n", "ceiling"),
    [
        pytest.param(10, 0.97, marks=pytest.mark.slow),
        (50, 1.0),
        pytest.param(10, 1.0, marks=pytest.mark.slow),
        pytest.param(50, 0.97, marks=pytest.mark.slow),
    ],
)
def test_a_right_curve_is_flagged_in_about_one_of_forty(n: int, ceiling: float) -> None:
    curve = ceiling * gamma_accuracy(C, 15.0, 300.0**-2)
    assert flags(curve, n, 60) <= 0.1  # 6 of 60: chance .001 at 2.5%


@pytest.mark.parametrize(
    "accuracy",
    [
        np.where(C < 300, 0.95, 0.05),
        0.6 * gamma_accuracy(C, 40, 450.0**-2) + 0.4 * gamma_accuracy(C, 40, 200.0**-2),
        0.3 + 0.7 * gamma_accuracy(C, 15, 250.0**-2),
    ],
)
def test_steps_stages_and_floors_are_seen(accuracy: np.ndarray) -> None:
    assert flags(accuracy, 50, 20) >= 0.9
