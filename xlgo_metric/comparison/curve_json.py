"""A fitted curve and its band in plain JSON types."""

from __future__ import annotations

import numpy as np

from xlgo_metric.comparison.gaps import Fit
from xlgo_metric.statistics.fitting import GammaFit
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.statistics.gaps import Draws, spread
from xlgo_metric.statistics.levels import Misfit

_BAND_POINTS = 61
_BAND_QUANTILES = (0.025, 0.975)


def fit_json(fit: GammaFit, curves: Draws, misfit: Misfit | None = None) -> Fit:
    """The parameters of a fit with the standard deviations of its draws, and whether it fits."""
    found: Fit = {
        "q": fit.q,
        "r": fit.r,
        "q_sd": spread(curves.q_draws),
        "r_sd": spread(curves.r_draws),
        "r2": fit.r2,
        "deviance": fit.deviance,
        "identified": fit.identified,
        "warnings": list(fit.warnings),
    }
    if misfit is not None:
        found["misfit"], found["misfit_p"] = misfit.found, misfit.p
        found["misfit_size"] = misfit.size
    return found


def band(curves: Draws, c_min: float, c_max: float) -> dict[str, list[float]]:
    """The fitted curve with the pointwise 95% band of its draws (XLGoBench, appendix B)."""
    c = np.linspace(c_min, c_max, _BAND_POINTS)
    q, r = curves.curves
    low, high = np.quantile(gamma_accuracy(c, q[:, None], r[:, None]), _BAND_QUANTILES, axis=0)
    mean = gamma_accuracy(c, *curves.curve)
    return {
        "complexity": c.tolist(),
        "mean": mean.tolist(),
        "low": np.minimum(low, mean).tolist(),
        "high": np.maximum(high, mean).tolist(),
    }
