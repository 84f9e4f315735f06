"""Penalised maximum likelihood for accuracy curves, with a ceiling and a floor.

Least squares, and plain likelihood even more, are biased when a model fails a few easy questions
for reasons that have nothing to do with complexity. Here a curve runs from a ceiling to a floor,
f(c) = floor + (ceiling - floor) P(q/2, q/(2 r c^2)), whose values are profiled over a short list;
each one that departs from 1 and 0 costs one nat, so that it is used only where the data ask.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.draws import Floats
from xlgo_metric.statistics.gamma import analytic_start, curve_and_slopes, parameter_bounds
from xlgo_metric.statistics.levenberg import minimise, within

CEILINGS = (1.0, 0.99, 0.98, 0.97, 0.95, 0.92)
FLOORS = (0.0, 0.01, 0.02, 0.04)
HIGHEST_FLOOR = 0.7
_PENALTY_NATS = 1.0
# The prior log q ~ N(log 15, 2^2) is weak; it keeps data with one level in transition finite.
_PRIOR_CENTRE = np.log(15.0)
_PRIOR_SD = 2.0
_NATS_TOLERANCE = 1e-9
_LEAST_PROBABILITY = 1e-9


@dataclass(frozen=True)
class PenalisedFit:
    """Curves of one or more languages that share a ceiling and a floor.

    Attributes:
        q, r: shape (rows,).
        ceiling, floor: the profiled values, common to all rows.
        loss: negative log-likelihood plus penalties, summed over the rows.
    """

    q: Floats
    r: Floats
    ceiling: float
    floor: float
    loss: float


def fit_likelihood(
    c: Floats,
    k: Floats,
    n: npt.ArrayLike,
    *,
    ceiling: npt.ArrayLike = 1.0,
    floor: npt.ArrayLike = 0.0,
    prior_sd: float = _PRIOR_SD,
    start: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Posterior modes of (log q, log r) under the weak prior, for many curves at once.

    Args:
        c: complexities, shape (levels,), above 0.
        k: correct answers, shape (rows, levels).
        n: answers, broadcast to the shape of k; 0 where a row has none.
        ceiling, floor: the ends of the curve, numbers or shape (rows,).
        prior_sd: of log q.
        start: parameters near the modes, shape (rows, 2); by default from the answers.

    Returns:
        The parameters, shape (rows, 2), and the negative log posterior of each row, shape (rows,).
    """
    n = np.broadcast_to(np.asarray(n, dtype=np.float64), k.shape)
    floors = np.broadcast_to(np.asarray(floor, dtype=np.float64), len(k))[:, None]
    widths = np.broadcast_to(np.asarray(ceiling, dtype=np.float64), len(k))[:, None] - floors

    def evaluate(at: Floats, rows: npt.NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        ends = (floors[rows], widths[rows])
        return _loss(c, k[rows], n[rows], at, ends=ends, prior_sd=prior_sd)

    if start is None:
        share = np.divide(k, n, out=np.zeros(k.shape), where=n > 0)
        # Accuracies are stretched to the range between floor and ceiling, where the curve goes from
        # 0 to 1.
        start = analytic_start(c, np.clip((share - floors) / widths, 0.0, 1.0), n)
    return minimise(evaluate, start, parameter_bounds(c), _NATS_TOLERANCE)


def _loss(
    c: Floats, k: Floats, n: Floats, at: Floats, *, ends: tuple[Floats, Floats], prior_sd: float
) -> tuple[Floats, Floats, Floats]:
    """Negative log posterior, its gradient and its expected curvature (Fisher information)."""
    floor, width = ends
    base, slope_q, slope_r = curve_and_slopes(c, at)
    f = within(floor + width * base, _LEAST_PROBABILITY, 1.0 - _LEAST_PROBABILITY)
    slope_q, slope_r = width * slope_q, width * slope_r
    off_centre = (at[:, 0] - _PRIOR_CENTRE) / prior_sd
    cost = -(k * np.log(f) + (n - k) * np.log1p(-f)).sum(axis=1) + 0.5 * off_centre**2
    inverse = 1.0 / (f * (1.0 - f))
    score = (n * f - k) * inverse
    gradient, curvature = np.empty((len(at), 2)), np.empty((len(at), 3))
    gradient[:, 0] = (score * slope_q).sum(axis=1) + off_centre / prior_sd
    gradient[:, 1] = (score * slope_r).sum(axis=1)
    # The expected information, not the observed one: it is never negative, so every step descends.
    information = n * inverse
    curvature[:, 0] = (information * slope_q**2).sum(axis=1) + 1.0 / prior_sd**2
    curvature[:, 1] = (information * slope_q * slope_r).sum(axis=1)
    curvature[:, 2] = (information * slope_r**2).sum(axis=1)
    return cost, gradient, curvature


def fit_penalised(
    c: npt.ArrayLike, k: npt.ArrayLike, n: npt.ArrayLike, *, known: float | None = None
) -> PenalisedFit:
    """Fit the curves of one or more languages with a ceiling and a floor that they share.

    Args:
        c: complexities, shape (levels,), above 0.
        k: correct answers, shape (rows, levels), a row per language.
        n: answers, broadcast to the shape of k.
        known: what the strongest known shortcut to the task gets (docs/floors.md), a fraction; it
            counts as at most ``HIGHEST_FLOOR`` and costs a nat like the others.

    Returns:
        The fit with the least loss over :data:`CEILINGS`, :data:`FLOORS` and the known floor.
    """
    c, k = np.asarray(c, dtype=np.float64), np.asarray(k, dtype=np.float64)
    n = np.broadcast_to(np.asarray(n, dtype=np.float64), k.shape)
    low = FLOORS if known is None else (*FLOORS, min(known, HIGHEST_FLOOR))
    ends = tuple((ceiling, floor) for ceiling in CEILINGS for floor in low)
    each = [
        _profile(c.tobytes(), *(x[row].tobytes() for x in (k, n)), ends) for row in range(len(k))
    ]
    used = (np.array(ends) != (1.0, 0.0)).sum(axis=1)
    total = np.stack([losses for _, losses in each]).sum(axis=0) + _PENALTY_NATS * used
    best = int(total.argmin())
    q, r = np.exp(np.stack([theta[best] for theta, _ in each])).T
    return PenalisedFit(q, r, *ends[best], float(total[best]))


@lru_cache(maxsize=1024)  # each language is compared with the same baseline
def _profile(
    c: bytes, k: bytes, n: bytes, ends: tuple[tuple[float, float], ...]
) -> tuple[Floats, Floats]:
    """What :func:`fit_likelihood` finds for one curve and each of some ceilings and floors."""
    levels, right, asked = (np.frombuffer(x) for x in (c, k, n))
    ceilings, floors = np.array(ends).T
    rows = np.tile(right, (len(ends), 1))
    return fit_likelihood(levels, rows, asked, ceiling=ceilings, floor=floors)
