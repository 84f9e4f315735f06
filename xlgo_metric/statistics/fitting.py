"""A curve fitted to the level accuracies of one language, and what is known about the fit.

``fit_gamma`` fits equation 1 and says in plain sentences what is wrong with the accuracies or with
the curve.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from xlgo_metric.statistics.draws import Floats
from xlgo_metric.statistics.gamma import (
    analytic_start,
    checked_levels,
    curve_and_slopes,
    fit_curves,
    fit_weighted,
    gamma_accuracy,
    minimise,
    parameter_bounds,
    within,
)

TRANSITION = (0.03, 0.97)
_FEWEST_IN_TRANSITION = 3
_FEW_QUESTIONS = 5
_HELD_WITHIN = (0.001, 0.999)
_TREND_Z = 1.645  # one-sided 5%


def describe_fit(
    c: Floats, p: Floats, n: Floats, curve: Floats
) -> tuple[float | None, float, bool, tuple[str, ...]]:
    """Goodness of fit and warnings of one curve.

    Args:
        c, p, n: complexity, observed accuracy and answers per level, shape (levels,).
        curve: the fitted accuracy of each level, shape (levels,).

    Returns:
        R^2 (``None`` where the accuracies do not vary), the binomial deviance, whether the data
        identify a curve, and warnings.
    """
    spread = float((n * (p - np.average(p, weights=n)) ** 2).sum())
    r2 = 1.0 - float((n * (p - curve) ** 2).sum()) / spread if spread > 0 else None
    bounded = np.clip(curve, *_HELD_WITHIN)
    lost = xlogy(p, p / bounded) + xlogy(1.0 - p, (1.0 - p) / (1.0 - bounded))
    identified, warnings = diagnose(c, p, n)
    return r2, float(2.0 * (n * lost).sum()), identified, warnings


def diagnose(c: Floats, p: Floats, n: Floats) -> tuple[bool, tuple[str, ...]]:
    """Whether level accuracies identify a curve, and warnings. Arguments as in describe_fit."""
    if np.all(p == 1):
        return False, ("every answer is right: no curve is identified; use higher complexities",)
    if np.all(p == 0):
        return False, ("every answer is wrong: no curve is identified; use lower complexities",)
    if len(np.unique(c)) < 2:
        return False, ("there is one level of complexity: no curve is identified; use more levels",)
    warnings = []
    falls = trend(c, p, n) < -_TREND_Z
    if not falls:
        warnings.append(
            "accuracy does not fall with complexity (flat or rising data): no curve is identified"
        )
    inside = int(((p > TRANSITION[0]) & (p < TRANSITION[1])).sum())
    if inside < _FEWEST_IN_TRANSITION:
        few = n.mean() < _FEW_QUESTIONS  # with one of each level there is only right and wrong
        advice = "ask more questions of each level" if few else "use levels closer to each other"
        warnings.append(
            f"only {inside} of {len(c)} levels have an accuracy between {TRANSITION[0]} and "
            f"{TRANSITION[1]}: the steepness is poorly known; {advice}"
        )
    return falls and inside > 0, tuple(warnings)


def trend(c: Floats, p: Floats, n: Floats) -> float:
    """The Cochran-Armitage statistic of accuracy against log complexity; negative if it falls."""
    x = np.log(c)
    off = x - np.average(x, weights=n)
    pooled = float(np.average(p, weights=n))
    variance = pooled * (1.0 - pooled) * float((n * off**2).sum())
    return float((n * p * off).sum() / np.sqrt(variance)) if variance > 0 else 0.0


# The prior log q ~ N(log 15, 2^2) is weak; it keeps data with one level in transition finite.
_PRIOR_CENTRE = np.log(15.0)
_PRIOR_SD = 2.0
_NATS_TOLERANCE = 1e-9
_LEAST_PROBABILITY = 1e-9


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

    def evaluate(theta: Floats, rows: npt.NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        ends = (floors[rows], widths[rows])
        return _loss(c, k[rows], n[rows], theta, ends=ends, prior_sd=prior_sd)

    if start is None:
        share = np.divide(k, n, out=np.zeros(k.shape), where=n > 0)
        # Accuracies are stretched to the range between floor and ceiling, where the curve goes from
        # 0 to 1.
        start = analytic_start(c, np.clip((share - floors) / widths, 0.0, 1.0), n)
    return minimise(evaluate, start, parameter_bounds(c), _NATS_TOLERANCE)


def _loss(
    c: Floats, k: Floats, n: Floats, theta: Floats, *, ends: tuple[Floats, Floats], prior_sd: float
) -> tuple[Floats, Floats, Floats]:
    """Negative log posterior, its gradient and its expected curvature (Fisher information)."""
    floor, width = ends
    base, slope_q, slope_r = curve_and_slopes(c, theta)
    f = within(floor + width * base, _LEAST_PROBABILITY, 1.0 - _LEAST_PROBABILITY)
    slope_q, slope_r = width * slope_q, width * slope_r
    off_centre = (theta[:, 0] - _PRIOR_CENTRE) / prior_sd
    cost = -(k * np.log(f) + (n - k) * np.log1p(-f)).sum(axis=1) + 0.5 * off_centre**2
    inverse = 1.0 / (f * (1.0 - f))
    score = (n * f - k) * inverse
    gradient, curvature = np.empty((len(theta), 2)), np.empty((len(theta), 3))
    gradient[:, 0] = (score * slope_q).sum(axis=1) + off_centre / prior_sd
    gradient[:, 1] = (score * slope_r).sum(axis=1)
    # The expected information, not the observed one: it is never negative, so every step descends.
    information = n * inverse
    curvature[:, 0] = (information * slope_q**2).sum(axis=1) + 1.0 / prior_sd**2
    curvature[:, 1] = (information * slope_q * slope_r).sum(axis=1)
    curvature[:, 2] = (information * slope_r**2).sum(axis=1)
    return cost, gradient, curvature


class GammaFit(tuple[float, float]):
    """A fitted curve: the tuple (q, r) with what is known about the fit.

    Attributes:
        q, r: the parameters of :func:`gamma_accuracy`.
        r2: share of the variance of the level accuracies that the curve explains; ``None`` where
            they do not vary.
        deviance: twice the log-likelihood lost against level accuracies of one's own (about
            levels - 2 for a good fit), accuracies of the curve held within [.001, .999].
        identified: the data hold a fall of accuracy that fixes the curve.
        warnings: sentences on what is wrong with the data or the fit; empty if nothing is.
    """

    r2: float | None
    deviance: float
    identified: bool
    warnings: tuple[str, ...]

    def __new__(
        cls,
        q: float,
        r: float,
        *,
        r2: float | None,
        deviance: float,
        identified: bool,
        warnings: tuple[str, ...] = (),
    ) -> GammaFit:
        self = super().__new__(cls, (q, r))
        self.r2, self.deviance = r2, deviance
        self.identified, self.warnings = identified, warnings
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[float, float], dict[str, object]]:
        return (self[0], self[1]), vars(self)

    @property
    def q(self) -> float:
        return self[0]

    @property
    def r(self) -> float:
        return self[1]

    def accuracy(self, c: npt.ArrayLike) -> Any:
        """Accuracy of the fitted curve at complexity ``c``."""
        return gamma_accuracy(c, self.q, self.r)


def fit_gamma(
    c: npt.ArrayLike,
    k: npt.ArrayLike,
    n: npt.ArrayLike,
    *,
    method: Literal["ls", "wls"] = "ls",
) -> GammaFit:
    """Fit one accuracy curve to the correct answers of each level.

    Args:
        c: complexities, shape (levels,), above 0.
        k: correct answers, shape (levels,).
        n: answers, a number or shape (levels,).
        method: "ls", the paper's least squares on k/n; "wls", least squares in which a level counts
            by what its answers tell (:func:`xlgo_metric.statistics.gamma.fit_weighted`).

    Raises:
        ValueError: shapes that do not match, counts out of range, or an unknown method.
    """
    n = np.asarray(n, dtype=np.float64)
    if not np.all(n > 0):
        raise ValueError("every level needs at least one answer: leave out those that have none")
    k = np.asarray(k, dtype=np.float64)
    c, p, n = checked_levels(c, k / n, n)
    if method == "ls":
        fitted_q, fitted_r = fit_curves(c, p, n=n)
    elif method == "wls":
        fitted_q, fitted_r, _ = fit_weighted(c, p * n, n)
    else:
        raise ValueError(f"unknown method {method!r}: allowed are 'ls' and 'wls'")
    q, r = float(fitted_q), float(fitted_r)
    curve = np.asarray(gamma_accuracy(c, q, r))
    r2, deviance, identified, warnings = describe_fit(c, p, n, curve)
    return GammaFit(
        q,
        r,
        r2=r2,
        deviance=deviance,
        identified=identified,
        warnings=warnings,
    )
