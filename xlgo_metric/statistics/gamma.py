"""The accuracy curve of XLGoBench and its fit by least squares.

The model (XLGoBench, equation 1, after Raju and Netrapalli): at complexity c a question is
answered right with probability f(c) = P(q/2, q / (2 r c^2)), where P is the regularised lower
incomplete gamma function, r > 0 an elementary error rate and q > 0 the number of plausible wrong
tokens per step. The curve falls from 1 to 0; it is near one half at c = r**-0.5, and the larger q,
the steeper it falls.

``minimise`` solves many independent problems of these two parameters at once
(Levenberg-Marquardt); ``fit_curves`` calls it with all draws of a bootstrap.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.special import gammainc, gammaln, ndtri, psi

from xlgo_metric.statistics.draws import Floats

Bounds = tuple[Floats, Floats]
Item = TypeVar("Item")
Result = TypeVar("Result")
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
    clipped: Floats = np.minimum(np.maximum(values, lower), upper)
    return clipped


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
    determinant = np.maximum(1.0 - correlation**2, 1e-14)
    u, v = g[:, 0] / a, g[:, 1] / d
    step = np.empty_like(theta)
    step[:, 0] = (correlation * v - u) / determinant / a
    step[:, 1] = (correlation * u - v) / determinant / d
    return within(step, -_LONGEST_STEP, _LONGEST_STEP)


Q_BOUNDS = (0.5, 2000.0)
# The complexity of one-half accuracy may lie this many times outside the levels, not further.
_HALF_POINT_REACH = 100.0
_DIFFERENCE = 2.0**-20
_GROWTH = np.exp(_DIFFERENCE)
_DENSITY = (2.0 * np.pi) ** -0.5
_SATURATED = 0.5 - 1e-11
_BLOCK_ROWS = 4096
# A fit stops at a step that moves the curve by less than this (root of the summed squares); steps
# converge quadratically, so that what is left after it is some 1e-7.
_CURVE_TOLERANCE = 1e-4
SLIP_VARIANCE = 0.05
"""Added to the variance of an answer in the weights of a fit. Without it a level that the curve has
wholly right would weigh without limit, and one slip there would move the whole curve."""

_REWEIGHTINGS = 2


def gamma_accuracy(c: npt.ArrayLike, q: npt.ArrayLike, r: npt.ArrayLike) -> Any:
    """Accuracy at complexity ``c``: P(q/2, q / (2 r c^2)) (XLGoBench, equation 1).

    The three arguments are broadcast against each other.

    Args:
        c: complexity, at least 0 (at 0 the accuracy is 1).
        q: steepness, above 0.
        r: error rate, above 0; the curve is near one half at c = r**-0.5.

    Returns:
        Accuracy as a fraction: a float for three numbers, else an array.

    Raises:
        ValueError: a negative complexity, or q or r not above 0.
    """
    c, q, r = (np.asarray(x, dtype=np.float64) for x in (c, q, r))
    if not np.all(c >= 0):
        raise ValueError("complexity must be 0 or more in every entry of c")
    if not (np.all(q > 0) and np.all(r > 0)):
        raise ValueError("q and r must be above 0 in every entry")
    with np.errstate(divide="ignore", over="ignore"):
        accuracy = gammainc(q / 2.0, q / (2.0 * r * c * c))
    return accuracy if accuracy.ndim else float(accuracy)


def curve_and_slopes(c: Floats, theta: Floats) -> tuple[Floats, Floats, Floats]:
    """The curve and its derivatives with respect to log q and log r.

    Args:
        c: complexities, shape (levels,), above 0.
        theta: rows of (log q, log r), shape (rows, 2).

    Returns:
        Three arrays of shape (rows, levels). The derivative in log r is analytic, the one in
        log q a forward difference (relative error about 1e-6).
    """
    rows = len(theta)
    if rows > 1 and (theta == theta[0]).all():  # refits start from one curve: compute it once
        theta = theta[:1]
    a = 0.5 * np.exp(theta[:, :1])
    u = np.exp(-theta[:, 1:]) / (c * c)
    x = a * u
    f = gammainc(a, x)
    # The integrand of the incomplete gamma function at x, times dx/dlog r = -x. In logarithms:
    # x**a and gamma(a) overflow at q = 2000.
    slope_r = -np.exp(a * np.log(x) - x - gammaln(a))
    moving = np.abs(f - 0.5) < _SATURATED  # elsewhere the slope is 0 to within 1e-9
    # scipy has no derivative in the first argument. x = a u moves with a.
    grown = (a * _GROWTH + np.zeros_like(f))[moving]
    slope_q = np.zeros_like(f)
    slope_q[moving] = (gammainc(grown, grown * u[moving]) - f[moving]) / _DIFFERENCE
    if len(f) < rows:
        f, slope_q, slope_r = (np.repeat(x, rows, axis=0) for x in (f, slope_q, slope_r))
    return f, slope_q, slope_r


def _second_slopes(c: Floats, theta: Floats, slope_r: Floats) -> tuple[Floats, Floats, Floats]:
    """Second derivatives qq, qr, rr in (log q, log r), shape (rows, levels).

    They only steer the steps of a fit, so qq is taken from the Wilson-Hilferty approximation
    f = Phi(z), z = (u^(1/3) - 1)/s + s, s^2 = 2/(9q), u = 1/(r c^2).
    """
    q = np.exp(theta[:, :1])
    a = 0.5 * q
    u = np.exp(-theta[:, 1:]) / (c * c)
    s = np.sqrt(2.0 / (9.0 * q))
    far = (np.cbrt(u) - 1.0) / s
    z, z_q, z_qq = far + s, 0.5 * (far - s), 0.25 * (far + s)
    qq = np.exp(-0.5 * z * z) * _DENSITY * (z_qq - z * z_q * z_q)
    qr = slope_r * a * (np.log(a * u) + 1.0 - u - psi(a))
    rr = slope_r * (a * u - a)
    return qq, qr, rr


def parameter_bounds(c: Floats) -> Bounds:
    """Bounds of (log q, log r): q in [0.5, 2000], one-half accuracy within 100 times the levels."""
    lower = (np.log(Q_BOUNDS[0]), -2.0 * np.log(c.max() * _HALF_POINT_REACH))
    upper = (np.log(Q_BOUNDS[1]), -2.0 * np.log(c.min() / _HALF_POINT_REACH))
    return np.array(lower), np.array(upper)


def analytic_start(c: Floats, p: Floats, n: Floats) -> Floats:
    """Rows of (log q, log r) near the best fit, by the Wilson-Hilferty approximation.

    With it probit(f) = A c^(-2/3) - B, a straight line that weighted least squares finds. Rows that
    do not fall with the complexity get q = 3 and the middle of the levels.

    Args:
        c: complexities, shape (levels,).
        p: accuracies, shape (rows, levels).
        n: answers, shape (levels,) or (rows, levels).
    """
    # Half an answer more of each kind: probit(0) and probit(1) are infinite.
    smooth = (p * n + 0.5) / (n + 1.0)
    z = ndtri(smooth)
    # The inverse variance of probit(p) by the delta method; the factor 2 pi is common to all.
    weight = n * np.exp(-z * z) / (smooth * (1.0 - smooth))
    x = c ** (-2.0 / 3.0)
    total = weight.sum(axis=1)
    x_mean = (weight * x).sum(axis=1) / total
    z_mean = (weight * z).sum(axis=1) / total
    x_off = x - x_mean[:, None]
    spread = (weight * x_off**2).sum(axis=1)
    rise = (weight * x_off * z).sum(axis=1) / np.where(spread > 0, spread, 1.0)
    falls = rise > 0
    rise = np.where(falls, rise, 1.0)
    b = rise * x_mean - z_mean
    s = (b + np.sqrt(b * b + 4.0)) / 6.0
    middle = -2.0 * np.log(c).mean()
    log_q = np.where(falls, np.log(2.0) + 2.0 * np.log(s), np.log(3.0))
    log_r = np.where(falls, 3.0 * np.log(3.0 * s / rise), middle)
    return np.stack([log_q, log_r], axis=1)


def fit_curves(
    c: npt.ArrayLike,
    p: npt.ArrayLike,
    *,
    n: npt.ArrayLike = 50,
    start: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
) -> tuple[Floats, Floats]:
    """Least-squares fits of many curves at once, as the paper fits one.

    Minimises the sum over levels of n (f(c) - p)^2 in (log q, log r) within the bounds of
    :func:`parameter_bounds`; with as many answers on every level, n plays no part. Many curves in
    one call take a fraction of the time that they take one by one.

    Args:
        c: complexities, shape (levels,), above 0, at least one.
        p: observed accuracies as fractions, shape (..., levels).
        n: answers per level, a number, shape (levels,) or shape (..., levels).
        start: q and r to start from, each of shape (...) or a number; by default
            :func:`analytic_start`. With five answers per level or so there can be a second,
            steeper optimum that passes between two levels; this start does not lead there.

    Returns:
        q and r, each of shape (...).

    Raises:
        ValueError: shapes that do not match, a complexity not above 0, an accuracy outside [0, 1].
    """
    c, p, n = checked_levels(c, p, n)
    rows, weights = p.reshape(-1, len(c)), (n / n.mean(axis=-1, keepdims=True)).reshape(-1, len(c))
    if start is None:
        theta = analytic_start(c, rows, n.reshape(rows.shape))
    else:
        starts = [np.broadcast_to(np.asarray(x, dtype=np.float64), p.shape[:-1]) for x in start]
        theta = np.log(np.stack([x.ravel() for x in starts], axis=1))
    best, bounds = np.empty_like(theta), parameter_bounds(c)
    for begin in range(0, len(rows), _BLOCK_ROWS):  # blocks that stay in the cache
        part = slice(begin, begin + _BLOCK_ROWS)

        def evaluate(
            points: Floats, which: npt.NDArray[np.intp], begin: int = begin
        ) -> tuple[Floats, Floats, Floats]:
            return _squares(c, rows[begin + which], weights[begin + which], points)

        best[part], _ = minimise(evaluate, theta[part], bounds, _CURVE_TOLERANCE**2)
    q, r = np.exp(best).T
    return q.reshape(p.shape[:-1]), r.reshape(p.shape[:-1])


def together(
    function: Callable[[list[Item]], Iterable[Result]],
    items: Mapping[str, Item],
    complexities: Callable[[Item], Floats],
) -> dict[str, Result]:
    """A result for each item, of a function that takes all items of the same complexities.

    One fit of many curves takes a fraction of the time of as many fits.
    """
    groups: dict[bytes, list[str]] = {}
    for name, item in items.items():
        groups.setdefault(np.asarray(complexities(item), dtype=np.float64).tobytes(), []).append(
            name
        )
    return {
        name: result
        for names in groups.values()
        for name, result in zip(names, function([items[name] for name in names]))
    }


def fit_weighted(
    c: npt.ArrayLike, k: npt.ArrayLike, n: npt.ArrayLike
) -> tuple[Floats, Floats, Floats]:
    """The curve by least squares in which n answers of a level count n / (f (1 - f) + 0.05).

    f is the curve itself: the fit begins with plain least squares and is repeated twice with the
    weights that the last one gives. For designs whose levels lie where answers tell most; it is
    ours, not the paper's.

    Args:
        c, k, n: complexity, correct answers and answers, shape (levels,), n above 0.

    Returns:
        q and r, of shape (), and the last weights, shape (levels,).

    Raises:
        ValueError: what :func:`fit_curves` raises.
    """
    c, k, n = (np.asarray(x, dtype=np.float64) for x in (c, k, n))
    q, r = fit_curves(c, k / n, n=n)
    for _ in range(_REWEIGHTINGS):
        f = gamma_accuracy(c, q, r)
        weights = n / (f * (1.0 - f) + SLIP_VARIANCE)
        q, r = fit_curves(c, k / n, n=weights, start=(q, r))
    return q, r, weights


def _squares(c: Floats, p: Floats, weight: Floats, theta: Floats) -> tuple[Floats, Floats, Floats]:
    """Half the weighted sum of squares, its gradient and its curvature.

    The curvature is Newton's where that is safely positive, else Gauss and Newton's.
    """
    f, *slopes = curve_and_slopes(c, theta)
    off, (slope_q, slope_r) = f - p, slopes
    weighted_off, weighted_q = weight * off, weight * slope_q
    bends = _second_slopes(c, theta, slope_r)
    terms = (
        weighted_off * off,
        *(weighted_off * slope for slope in slopes),
        *(weighted_q * slope for slope in slopes),
        weight * slope_r * slope_r,
        *(weighted_off * bend for bend in bends),
    )
    # Sums of BLAS would depend on what is fitted in the same call.
    sums = np.concatenate(terms).sum(axis=1)
    cost, g_q, g_r, qq, qr, rr, *bent = sums.reshape(len(terms), -1)
    gauss = np.stack([qq, qr, rr], axis=1)
    newton = gauss + np.stack(bent, axis=1)
    # Far from the optimum Newton's matrix may be indefinite, and its step would climb.
    positive = (newton[:, ::2] > 0.1 * gauss[:, ::2]).all(axis=1)
    positive &= newton[:, 0] * newton[:, 2] - newton[:, 1] ** 2 > 0.1 * (qq * rr - qr**2)
    gradient = np.stack([g_q, g_r], axis=1)
    return 0.5 * cost, gradient, np.where(positive[:, None], newton, gauss)


def checked_levels(
    c: npt.ArrayLike, p: npt.ArrayLike, n: npt.ArrayLike
) -> tuple[Floats, Floats, Floats]:
    """Complexities, shares and weights as arrays of one shape, (levels,).

    Raises:
        ValueError: shapes that do not match, or values out of range.
    """
    c = np.asarray(c, dtype=np.float64)
    p = np.asarray(p, dtype=np.float64)
    if c.ndim != 1 or not len(c):
        raise ValueError(f"c must list at least one complexity, not have the shape {c.shape}")
    if p.ndim < 1 or p.shape[-1] != len(c):
        raise ValueError(f"one value per complexity is needed: {len(c)} levels, shape {p.shape}")
    if not np.all((c > 0) & np.isfinite(c)):
        raise ValueError("every complexity must be a finite number above 0")
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("accuracies must lie in [0, 1]: at most n correct answers, none negative")
    n = np.broadcast_to(np.asarray(n, dtype=np.float64), p.shape)
    if not np.all(n > 0):
        raise ValueError("every level needs at least one answer: leave out those that have none")
    return c, p, n
