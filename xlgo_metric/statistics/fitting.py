"""A curve fitted to the level accuracies of one language, with what is known about the fit."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.diagnosis import describe_fit
from xlgo_metric.statistics.gamma import (
    checked_levels,
    fit_curves,
    fit_weighted,
    gamma_accuracy,
)
from xlgo_metric.statistics.likelihood import fit_penalised


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
        ceiling, floor: the curve runs from ceiling to floor; 1 and 0 unless fitted "penalised".
    """

    r2: float | None
    deviance: float
    identified: bool
    warnings: tuple[str, ...]
    ceiling: float
    floor: float

    def __new__(
        cls,
        q: float,
        r: float,
        *,
        r2: float | None,
        deviance: float,
        identified: bool,
        warnings: tuple[str, ...] = (),
        ceiling: float = 1.0,
        floor: float = 0.0,
    ) -> GammaFit:
        self = super().__new__(cls, (q, r))
        self.r2, self.deviance = r2, deviance
        self.identified, self.warnings = identified, warnings
        self.ceiling, self.floor = ceiling, floor
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
        """Accuracy of the fitted curve at complexity ``c``, with its ceiling and floor."""
        return self.floor + (self.ceiling - self.floor) * gamma_accuracy(c, self.q, self.r)


def fit_gamma(
    c: npt.ArrayLike,
    k: npt.ArrayLike,
    n: npt.ArrayLike,
    *,
    method: Literal["ls", "wls", "penalised"] = "ls",
) -> GammaFit:
    """Fit one accuracy curve to the correct answers of each level.

    Args:
        c: complexities, shape (levels,), above 0.
        k: correct answers, shape (levels,).
        n: answers, a number or shape (levels,).
        method: "ls", the paper's least squares on k/n; "wls", least squares in which a level counts
            by what its answers tell (:func:`xlgo_metric.statistics.gamma.fit_weighted`); or
            "penalised", maximum likelihood with a weak prior on q and with a profiled ceiling and
            floor (:func:`xlgo_metric.statistics.likelihood.fit_penalised`).

    Raises:
        ValueError: shapes that do not match, counts out of range, or an unknown method.
    """
    n = np.asarray(n, dtype=np.float64)
    if not np.all(n > 0):
        raise ValueError("every level needs at least one answer: leave out those that have none")
    k = np.asarray(k, dtype=np.float64)
    c, p, n = checked_levels(c, k / n, n)
    ceiling, floor = 1.0, 0.0
    if method == "ls":
        fitted_q, fitted_r = fit_curves(c, p, n=n)
        q, r = float(fitted_q), float(fitted_r)
    elif method == "wls":
        fitted_q, fitted_r, _ = fit_weighted(c, p * n, n)
        q, r = float(fitted_q), float(fitted_r)
    elif method == "penalised":
        fit = fit_penalised(c, (p * n)[None, :], n)
        q, r, ceiling, floor = float(fit.q[0]), float(fit.r[0]), fit.ceiling, fit.floor
    else:
        raise ValueError(f"unknown method {method!r}: allowed are 'ls', 'wls' and 'penalised'")
    curve = floor + (ceiling - floor) * np.asarray(gamma_accuracy(c, q, r))
    r2, deviance, identified, warnings = describe_fit(c, p, n, curve)
    return GammaFit(
        q,
        r,
        r2=r2,
        deviance=deviance,
        identified=identified,
        warnings=warnings,
        ceiling=ceiling,
        floor=floor,
    )
