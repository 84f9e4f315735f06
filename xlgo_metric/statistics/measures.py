"""Measures over graded sets with levels, languages or repeats: PolyMath's, and two of XLGoBench's.

Accuracies are fractions in and out; multiply by 100 for the papers' percent.
"""

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.draws import Floats

BANDS = 4
_WEIGHTS = np.array([1.0, 2.0, 4.0, 8.0])
_FEWEST_PAIRS = 3
_EXACT_UP_TO = 8  # items whose orders are counted in full: 40,320
_TIES = 1e-12


def dw_acc(accuracies: npt.ArrayLike) -> Any:
    """Difficulty-weighted accuracy, levels weighing 1, 2, 4 and 8 (PolyMath, equation 1).

    Args:
        accuracies: the four accuracies in this order on the last axis, shape (..., 4).

    Returns:
        sum(2^i a_i) / 15 in the unit of the accuracies, unrounded: a float for four numbers, else
        an array of shape (...). (PolyMath's code rounds the levels to 0.1 percent before, and the
        result after.)

    Raises:
        ValueError: not four accuracies.
    """
    values = np.asarray(accuracies, dtype=np.float64)
    if values.ndim < 1 or values.shape[-1] != BANDS:
        raise ValueError(
            f"four accuracies are needed (low, medium, high, top), not the shape {values.shape}"
        )
    weighted = values @ _WEIGHTS / _WEIGHTS.sum()
    return weighted if weighted.ndim else float(weighted)


def average_at_k(correct: npt.ArrayLike, n: int) -> tuple[float, float]:
    """Average accuracy over k runs of one set, and its standard deviation (PolyMath, equation 3).

    The paper rounds the mean number of correct answers to a whole question. Its text says to the
    nearest one, its formula shows a floor; its tables of standard deviations hold 0.20 percent for
    one question once in 16 runs of 125, which is the sample standard deviation (k - 1).

    Args:
        correct: correct answers of each run, shape (k,).
        n: questions in a run.

    Returns:
        (accuracy, sd) as fractions, the mean rounded to whole questions, halves up; sd is NaN for a
        single run.

    Raises:
        ValueError: no runs, or counts outside 0..n.
    """
    counts = np.asarray(correct, dtype=np.float64)
    if counts.ndim != 1 or not len(counts) or n < 1:
        raise ValueError(
            "average@k needs the correct answers of one run or more, and n of 1 or more"
        )
    if not np.all((counts >= 0) & (counts <= n)):
        raise ValueError(f"correct answers must lie between 0 and n = {n}")
    sd = float(counts.std(ddof=1)) / n if len(counts) > 1 else math.nan
    return math.floor(float(counts.mean()) + 0.5) / n, sd


def pearson(x: npt.ArrayLike, y: npt.ArrayLike) -> float | None:
    """Pearson's correlation, for PolyMath's consistency against accuracy over languages (Table 6).

    Returns:
        The coefficient; ``None`` with fewer than two pairs or where one side does not vary.

    Raises:
        ValueError: sequences of different lengths.
    """
    first, second = _pairs(x, y)
    if len(first) < 2 or not (np.ptp(first) > 0 and np.ptp(second) > 0):
        return None
    return float(np.corrcoef(first, second)[0, 1])


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[float | None, float | None]:
    """Spearman's rank correlation and its two-sided p value (XLGoBench, appendix A.4).

    Up to eight pairs the p value counts all orders of the ranks, so that it is exact for the six
    languages of the paper; beyond that it is Student's approximation.

    Returns:
        (rho, p); both ``None`` with fewer than three pairs or where one side does not vary.

    Raises:
        ValueError: sequences of different lengths.
    """
    import pandas as pd
    from scipy.special import stdtr  # scipy.stats takes half a second to import

    first, second = (pd.Series(side).rank().to_numpy() for side in _pairs(x, y))
    rho = pearson(first, second)
    if rho is None or len(first) < _FEWEST_PAIRS:
        return None, None
    if len(first) > _EXACT_UP_TO:
        freedom = len(first) - 2
        t = math.sqrt(freedom) * abs(rho) / math.sqrt(max(1.0 - rho * rho, 1e-300))
        return rho, float(2.0 * stdtr(freedom, -t))
    off = second - second.mean()
    orders = np.array(list(itertools.permutations(first))) @ off
    return rho, float((np.abs(orders) >= abs(float(first @ off)) - _TIES).mean())


def _pairs(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        shapes = f"{first.shape} and {second.shape}"
        raise ValueError(f"a correlation needs two equally long lists, not {shapes}")
    return first, second


def back_translation_delta(
    c: tuple[float, float],
    c_star: float,
    original: tuple[float, float],
    sd: tuple[float, float],
    back: tuple[float, float],
) -> float:
    """The weighted chi-square of a back-translated prompt (XLGoBench, equations 7 and 8).

    Args:
        c: the two levels around ``c_star``, c[0] < c_star < c[1].
        c_star: the complexity of the largest gap.
        original, sd: English accuracy at the two levels, and its standard deviation, above 0: in
            the paper that of its posterior, Beta(k + 1, n - k + 1).
        back: accuracy with the back-translated prompt.

    Returns:
        (|c2 - c*| d1^2/s1^2 + |c1 - c*| d2^2/s2^2) / (c2 - c1); much above 1 says that the wording
        made a difference.

    Raises:
        ValueError: levels that do not enclose ``c_star``, or a standard deviation not above 0.
    """
    if not c[0] <= c_star <= c[1] or c[0] == c[1]:
        raise ValueError(f"the levels {c[0]} and {c[1]} do not enclose c* = {c_star}")
    if not (sd[0] > 0 and sd[1] > 0):
        raise ValueError("both standard deviations must be above 0")
    first, second = (((b - f) / s) ** 2 for b, f, s in zip(back, original, sd))
    return (abs(c[1] - c_star) * first + abs(c[0] - c_star) * second) / (c[1] - c[0])
