"""Corrections for looking at many cells of a report at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.draws import Floats


def holm(p: npt.ArrayLike) -> Floats:
    """Holm's adjusted p values: they bound the chance of even one false claim.

    Use them for claims.

    Args:
        p: p values of any shape; NaN marks a cell that was not tested and stays NaN.

    Returns:
        Adjusted p values of the same shape: the running maximum, from the smallest p, of
        (m - rank) p, at most 1.

    Raises:
        ValueError: a p value outside [0, 1].
    """
    return _adjust(p, lambda ranked: np.maximum.accumulate(ranked * np.arange(len(ranked), 0, -1)))


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Benjamini-Hochberg adjusted p values: the expected share of false ones among the findings.

    Use them for screening only.

    Args:
        p: p values of any shape; NaN marks a cell that was not tested and stays NaN.

    Returns:
        Adjusted p values of the same shape: the running minimum, from the largest p, of
        m p / rank, at most 1.

    Raises:
        ValueError: a p value outside [0, 1].
    """

    def step_up(ranked: Floats) -> Floats:
        scaled = ranked * len(ranked) / np.arange(1, len(ranked) + 1)
        return np.minimum.accumulate(scaled[::-1])[::-1]

    return _adjust(p, step_up)


def _adjust(p: npt.ArrayLike, rule: Callable[[Floats], Floats]) -> Floats:
    p = np.asarray(p, dtype=np.float64)
    if not np.all(np.isnan(p) | ((p >= 0) & (p <= 1))):
        raise ValueError("p values must lie in [0, 1]; use NaN for a cell that was not tested")
    flat = p.ravel()
    tested = np.flatnonzero(~np.isnan(flat))
    order = tested[np.argsort(flat[tested], kind="stable")]
    result = np.full(flat.shape, np.nan)
    if len(order):
        result[order] = np.minimum(rule(flat[order]), 1.0)
    return result.reshape(p.shape)
