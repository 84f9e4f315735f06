"""What is wrong with level accuracies or with a curve fitted to them, in plain sentences."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from xlgo_metric.statistics.draws import Floats

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
    held = np.clip(curve, *_HELD_WITHIN)
    lost = xlogy(p, p / held) + xlogy(1.0 - p, (1.0 - p) / (1.0 - held))
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
