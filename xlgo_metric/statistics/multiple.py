"""Corrections for looking at many cells of a report at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

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


def exchange_holm(
    p: npt.ArrayLike, group: Sequence[Hashable], attainable: Sequence[Floats | None]
) -> Floats:
    """Step-down adjusted p values that use what each exact p can be; never above Holm's.

    A test with few discordant pairs cannot have a small p, and should cost the others nothing.
    With x the p of a cell, F_j(x) = P(p_j <= x) under the null hypothesis is the largest p not
    above x that cell j can have. Within a group (the tasks of one language, which share no
    question) the exchanges are independent, so that P(min p <= x) = 1 - prod (1 - F_j(x)) exactly;
    groups share the baseline's answers, and their chances are added up (Bonferroni). So with
    cells in order of p, the adjusted p of the i-th is the running maximum of the sum over groups
    of 1 - prod over the cells from i on. Strong control: the sum is the p of a valid test of every
    intersection of cells, does not shrink when cells are added, and rejects by its smallest p, so
    that going down the order is the closed test (Marcus, Peritz and Gabriel 1976; Goeman and
    Solari 2010). Exchanging all languages of a question at once has no such proof: it tests that
    all are alike, and where one is behind it claims others.

    Args:
        p: p values, shape (cells,).
        group: of each cell; cells of one group must share no question.
        attainable: of each cell, the p values that it can have, rising (those above a bound may be
            left out); ``None`` where they are not known, and F(x) = x is taken.

    Returns:
        Adjusted p values, shape (cells,).

    Raises:
        ValueError: a p value outside [0, 1], or lists of different lengths.
    """
    given = np.asarray(p, dtype=np.float64)
    if not np.all((given >= 0) & (given <= 1)):
        raise ValueError("p values must lie in [0, 1]")
    if not given.ndim == 1 or not len(given) == len(group) == len(attainable):
        raise ValueError("one p value, group and list of attainable p values per cell is needed")
    adjusted, highest = np.ones(len(given)), 0.0
    order = np.argsort(given, kind="stable").tolist()
    for place, cell in enumerate(order):
        left: dict[Hashable, float] = {}
        for other in order[place:]:
            reached = _reached(attainable[other], float(given[cell]), float(given[other]))
            left[group[other]] = left.get(group[other], 1.0) * (1.0 - reached)
        highest = max(highest, sum(1.0 - kept for kept in left.values()))
        adjusted[cell] = min(highest, 1.0)
    return adjusted


def _reached(attainable: Floats | None, x: float, own: float) -> float:
    """P(p <= x) of a cell: the largest p not above x that it can have."""
    if attainable is None or not len(attainable) or x > attainable[-1]:
        return x
    place = int(np.searchsorted(attainable, x * (1.0 + 1e-12), side="right"))
    found = float(attainable[place - 1]) if place else 0.0
    return max(found, own) if own <= x else found


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
