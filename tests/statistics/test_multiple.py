"""Corrections against their definitions."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlgo_metric.statistics.differences import holm, inflation, stretched

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=7)


def closed_bonferroni(p: list[float]) -> list[float]:
    """Holm is the closed test of Bonferroni tests: the worst set of hypotheses that holds i."""
    indexes = range(len(p))
    sets = [s for size in range(1, len(p) + 1) for s in itertools.combinations(indexes, size)]
    return [min(1.0, max(len(s) * min(p[j] for j in s) for s in sets if i in s)) for i in indexes]


@given(P_VALUES)
def test_holm_is_the_closed_bonferroni_test(p: list[float]) -> None:
    np.testing.assert_allclose(holm(p), closed_bonferroni(p), rtol=1e-12)


def test_an_interval_is_widened_by_the_spread_of_whole_clusters() -> None:
    """Two questions alone, a cluster of four that agree, and one of three against one."""
    discordant = np.array([10, 7])
    nets = np.array([[0, 4, 4], [0, 2, 4], [1, 1, 3]])  # level, sum of its differences, questions
    sums = [
        sum(sign * size for sign, size in zip(signs, (1, 1, 4, 2)))
        for signs in itertools.product((-1, 1), repeat=4)
    ]
    of_questions = 10  # the variance of as many tosses of a coin
    wider = float(np.sqrt(np.mean(np.square(sums)) / of_questions))
    assert inflation(discordant, nets, np.array([0])) == pytest.approx(wider)
    # Questions of a cluster that contradict each other do not make it narrower.
    assert inflation(discordant, nets, np.array([1])) == 1.0
    assert inflation(discordant, None, np.array([0])) == 1.0
    assert stretched(0.1, 0.3, 2.0) == pytest.approx((0.0, 0.4))
    assert stretched(0.1, 0.3, 2.0, 0.15) == pytest.approx((0.05, 0.45))
    assert stretched(-0.9, 0.9, 2.0) == (-1.0, 1.0)
