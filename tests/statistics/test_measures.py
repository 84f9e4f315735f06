"""Measures by hand, against SciPy and against numbers that the papers print."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from xlgo_metric.statistics.measures import (
    average_at_k,
    back_translation_delta,
    dw_acc,
    pearson,
    spearman,
)
from xlgo_metric.views import MEAN, RANGE, SD


def test_dw_acc_by_hand() -> None:
    assert dw_acc([1, 0, 0, 0]) == pytest.approx(1 / 15)
    assert dw_acc([0, 0, 0, 1]) == pytest.approx(8 / 15)
    assert dw_acc([0.9, 0.6, 0.4, 0.2]) == pytest.approx((0.9 + 1.2 + 1.6 + 1.6) / 15)
    assert dw_acc([1, 1, 1, 1]) == 1
    assert isinstance(dw_acc([1, 1, 1, 1]), float)
    assert dw_acc(np.ones((3, 2, 4))).shape == (3, 2)


def test_average_at_16_rounds_to_whole_questions() -> None:
    counts = [90] * 8 + [91] * 8
    assert average_at_k(counts, 125)[0] == 91 / 125


def test_one_question_in_one_of_16_runs_is_a_deviation_of_020() -> None:
    """The smallest value that PolyMath's Tables 16 to 19 print, again and again."""
    _, sd = average_at_k([100] * 15 + [101], 125)
    assert f"{100 * sd:.2f}" == "0.20"
    assert math.isnan(average_at_k([100], 125)[1])


def test_spread_of_a_printed_row() -> None:
    """PolyMath, Table 5a, Qwen-2.5-72B-Instruct: average 7.6, std. 2.3, range 8.0."""
    row = "8.8 10.4 5.6 9.6 6.4 11.2 4.0 12.0 9.6 5.6 7.2 6.4 8.8 5.6 4.8 4.8 7.2 9.6"
    frame = pd.DataFrame([[float(x) for x in row.split()]])
    assert [f"{of(frame)[0]:.1f}" for of in (MEAN, SD, RANGE)] == ["7.6", "2.3", "8.0"]


def test_correlations_are_scipys() -> None:
    rng = np.random.default_rng(2)
    for size in (4, 6, 11, 30):
        x, y = rng.integers(0, 9, size), rng.normal(size=size)
        assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic)
        rho, p = spearman(x, y)
        assert rho == pytest.approx(stats.spearmanr(x, y).statistic)
        if size > 8:
            assert p == pytest.approx(stats.spearmanr(x, y).pvalue)


@pytest.mark.parametrize(("rho", "significant"), [(0.886, True), (0.657, False), (0.6, False)])
def test_the_marks_of_table_11(rho: float, significant: bool) -> None:
    """XLGoBench marks -0.886 over six languages as significant at .05, and nothing weaker."""
    for order in itertools.permutations(range(6)):
        found, p = spearman(range(6), order)
        if found == pytest.approx(-rho, abs=5e-4):
            assert (p < 0.05) == significant
            return
    pytest.fail("six ranks do not give such a coefficient")


def test_equation_8_by_hand() -> None:
    """c* = 220 between 200 and 300: (80 d1^2/s1^2 + 20 d2^2/s2^2) / 100."""
    found = back_translation_delta((200, 300), 220, (0.8, 0.5), (0.05, 0.1), (0.7, 0.6))
    assert found == pytest.approx((80 * 4 + 20 * 1) / 100)
