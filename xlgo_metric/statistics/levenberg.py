"""Levenberg-Marquardt for many independent problems of two parameters at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.draws import Floats

Bounds = tuple[Floats, Floats]
Evaluate = Callable[[Floats, npt.NDArray[np.intp]], tuple[Floats, Floats, Floats]]

_FIRST_DAMPING = 1e-3
_LEAST_DAMPING = 1e-9
_GIVE_UP_DAMPING = 1e8
_LONGEST_STEP = 1.5
_TINY = 1e-300
_MOST_STEPS = 200


def minimise(
    evaluate: Evaluate, start: Floats, bounds: Bounds, tolerance: float
) -> tuple[Floats, Floats]:
    """Minimise each row's cost over its two parameters, within bounds.

    Args:
        evaluate: takes parameters, shape (m, 2), and the numbers of the rows that they belong to,
            shape (m,); returns cost (m,), gradient (m, 2) and curvature (m, 3), the last as the
            entries 00, 01, 11 of a matrix that is not negative.
        start: first parameters, shape (rows, 2).
        bounds: lowest and highest parameters, each of shape (2,).
        tolerance: a row is done when the quadratic form of its step with the curvature is below
            this.

    Returns:
        The best parameters, shape (rows, 2), and their cost but for the last step, shape (rows,).
    """
    lower, upper = bounds
    best = np.clip(start, lower, upper)
    rows = np.arange(len(best))
    theta = best.copy()
    cost, gradient, curvature = evaluate(theta, rows)
    least = cost.copy()
    damping = np.full(len(rows), _FIRST_DAMPING)
    for steps_left in reversed(range(_MOST_STEPS)):
        step = _step(theta, gradient, curvature, damping, bounds)
        trial = within(theta + step, lower, upper)
        step = trial - theta
        moves = (
            curvature[:, 0] * step[:, 0] ** 2
            + 2.0 * curvature[:, 1] * step[:, 0] * step[:, 1]
            + curvature[:, 2] * step[:, 1] ** 2
        )
        # A row whose damping has grown this far gains nothing by any step: it is at its optimum, or
        # in a corner of the bounds.
        open_ = (moves > tolerance) & (damping < _GIVE_UP_DAMPING) & bool(steps_left)
        if not open_.all():
            ended = ~open_
            # The last step is taken without being evaluated: it is too short to matter.
            last = np.where((moves <= tolerance)[:, None], trial, theta)
            best[rows[ended]], least[rows[ended]] = last[ended], cost[ended]
            rows, theta, trial = rows[open_], theta[open_], trial[open_]
            cost, damping = cost[open_], damping[open_]
            gradient, curvature = gradient[open_], curvature[open_]
        if not len(rows):
            break
        new_cost, new_gradient, new_curvature = evaluate(trial, rows)
        # Equal counts as better: on a plateau a row must still be able to reach the tolerance.
        better = new_cost <= cost
        damping = np.where(better, np.maximum(damping * 0.1, _LEAST_DAMPING), damping * 8.0)
        if better.all():
            theta, cost, gradient, curvature = trial, new_cost, new_gradient, new_curvature
            continue
        theta = np.where(better[:, None], trial, theta)
        gradient = np.where(better[:, None], new_gradient, gradient)
        curvature = np.where(better[:, None], new_curvature, curvature)
        cost = np.where(better, new_cost, cost)
    return best, least


def within(values: Floats, lower: Floats | float, upper: Floats | float) -> Floats:
    """As ``np.clip``, which takes several times as long for a few values."""
    held: Floats = np.minimum(np.maximum(values, lower), upper)
    return held


def _step(
    theta: Floats,
    gradient: Floats,
    curvature: Floats,
    damping: Floats,
    bounds: Bounds,
) -> Floats:
    """The damped Newton step; a parameter at a bound that it would cross stays where it is."""
    lower, upper = bounds
    blocked = ((theta <= lower) & (gradient > 0)) | ((theta >= upper) & (gradient < 0))
    g, b = gradient, curvature[:, 1]
    if blocked.any():
        g = np.where(blocked, 0.0, gradient)
        # With one parameter held at its bound the other takes the step of a problem of its own: the
        # mixed curvature would carry the held gradient over.
        b = np.where(blocked.any(axis=1), 0.0, b)
    # Scaled by the diagonal, so that tiny curvatures do not underflow in the determinant.
    a = np.sqrt(curvature[:, 0] * (1.0 + damping) + _TINY)
    d = np.sqrt(curvature[:, 2] * (1.0 + damping) + _TINY)
    correlation = within(b / (a * d), -1.0, 1.0)
    # Collinear slopes (two levels tell one number) leave no determinant; the least one keeps the
    # step finite, and clipping keeps it short.
    left = np.maximum(1.0 - correlation**2, 1e-14)
    u, v = g[:, 0] / a, g[:, 1] / d
    step = np.empty_like(theta)
    step[:, 0] = (correlation * v - u) / left / a
    step[:, 1] = (correlation * u - v) / left / d
    return within(step, -_LONGEST_STEP, _LONGEST_STEP)
