r"""Curves of two languages: how well each fits, and the gaps between two.

``fit_gamma`` fits equation 1 to the level accuracies of one language and says in plain sentences
what is wrong with the accuracies or with the curve.

The gaps are signed max divergence, reciprocal divergence and average accuracy. All of them have
closed forms or exact bracketed roots for the curve of equation 1, so that nothing here depends on
the fineness of a grid. With w = c^-2, a = q/2 and b = a/r, the slopes of two curves are equal where
K + (a1 - a2) log w - (b1 - b2) w = 0, which has at most two roots, one on each side of w0 = (a1 -
a2)/(b1 - b2).

Their uncertainty comes from the paper's Beta draws (XLGoBench, section 3 and appendix B): for every
level an accuracy is drawn from Beta(k+1, n-k+1), the curve is refitted to the draws, and this is
repeated 300 times. The published numbers are those of the curves fitted to the observed accuracies;
the draws give their standard deviations. (That the printed values are not means over the draws can
be seen in the paper: cells with the same <c*> print the same <f_EN> whatever their spread, one
curve per model and task passes through all six <f_EN>, and reciprocal divergences of 0.00 have a
spread of 2 although they are never far above 0. See docs/statistics.md.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import gammainc, gammaln, xlogy

from xlgo_metric.statistics.draws import Floats, Stream
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


Curve = tuple[npt.ArrayLike, npt.ArrayLike]

_HALVINGS = 54  # of a bracket in log w: down to the last bits
_CLOSED_FORM_FROM = 0.75
_NODES = 96


@dataclass(frozen=True)
class Divergence:
    """The largest gap between two curves on a range; every array has the curves' broadcast shape.

    Attributes:
        smd: f_en(c*) - f_l(c*), a fraction in [-1, 1] (XLGoBench, equation 2).
        c_star: the complexity of the largest absolute gap (equation 3).
        f_en, f_l: the two accuracies there.
        rd: the reciprocal divergence, min over c of sign(smd) (f_en - f_l) (equation 5).
    """

    smd: Floats
    c_star: Floats
    f_en: Floats
    f_l: Floats
    rd: Floats


def divergence(base: Curve, other: Curve, c_min: float, c_max: float) -> Divergence:
    """The largest gap between two curves on [c_min, c_max], over any shape of curves.

    Args:
        base, other: (q, r) of the two curves, arrays that broadcast against each other.
        c_min, c_max: the range of complexities, 0 < c_min <= c_max.

    Raises:
        ValueError: an empty range, or q or r not above 0.
    """
    first, second = _curves(base, other, c_min, c_max)
    return _largest(first, second, _candidates(first, second, c_min, c_max))


def whole_divergence(base: Curve, other: Curve, c_min: float, c_max: float) -> Divergence:
    """The largest gap that a question can have: between two curves, over whole complexities.

    A puzzle has an integer of rooms or matches. Two steep curves may differ most between two
    integers, where nothing was asked and nothing can be; this gap is sought at both ends of
    the range and at the integers between them. The gap is monotonic between its stationary
    points, so only the integers on either side of each can hold the largest.

    Args:
        base, other: (q, r) of the two curves, arrays that broadcast against each other.
        c_min, c_max: the lowest and the highest complexity asked, 0 < c_min <= c_max.

    Raises:
        ValueError: an empty range, or q or r not above 0.
    """
    first, second = _curves(base, other, c_min, c_max)
    low, high, *inner = _candidates(first, second, c_min, c_max)
    neighbors = [np.clip(turn(c), c_min, c_max) for c in inner for turn in (np.floor, np.ceil)]
    return _largest(first, second, [low, high, *neighbors])


def _curves(
    base: Curve, other: Curve, c_min: float, c_max: float
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """The two curves as arrays of one shape; the range is checked."""
    if not 0 < c_min <= c_max < np.inf:
        raise ValueError(f"the range needs 0 < c_min <= c_max, not {c_min} and {c_max}")
    q1, r1, q2, r2 = np.broadcast_arrays(
        *(np.asarray(x, dtype=np.float64) for x in (*base, *other))
    )
    return (q1, r1), (q2, r2)


def _candidates(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], c_min: float, c_max: float
) -> list[Floats]:
    """Both ends of the range, then its stationary points: the largest gap is at one of them."""
    ends = [np.full(first[0].shape, float(c)) for c in (c_min, c_max)]
    return [*ends, *_equal_slopes(first, second, c_min, c_max)]


def _largest(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], candidates: list[Floats]
) -> Divergence:
    """The largest gap at any of the candidates."""
    c = np.stack(candidates)
    f_en, f_l = np.asarray(gamma_accuracy(c, *first)), np.asarray(gamma_accuracy(c, *second))
    gap = f_en - f_l
    where = np.abs(gap).argmax(axis=0)[None]
    smd, c_star, f_en, f_l = (np.take_along_axis(x, where, axis=0)[0] for x in (gap, c, f_en, f_l))
    rd = (np.sign(smd) * gap).min(axis=0)
    return Divergence(smd, c_star, f_en, f_l, rd)


def _equal_slopes(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], c_min: float, c_max: float
) -> list[Floats]:
    """Two complexities of the range where the slopes are equal; an end of it where there is none.

    Each lies in one of the two parts of the range in which the equation is monotonic.
    """
    a1, a2 = 0.5 * first[0], 0.5 * second[0]
    b1, b2 = a1 / first[1], a2 / second[1]
    d_a, d_b = a1 - a2, b1 - b2
    constant = a1 * np.log(b1) - a2 * np.log(b2) - gammaln(a1) + gammaln(a2)

    def excess(v: Floats) -> Floats:
        value: Floats = constant + d_a * v - d_b * np.exp(v)
        return value

    left = np.full(a1.shape, -2.0 * np.log(c_max))
    right = np.full(a1.shape, -2.0 * np.log(c_min))
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = np.log(d_a / d_b)
    turn = np.clip(np.where(np.isfinite(turn), turn, left), left, right)
    roots = (_bisect(excess, low, high) for low, high in ((left, turn), (turn, right)))
    return [np.clip(np.exp(-0.5 * v), c_min, c_max) for v in roots]


def _bisect(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Where a monotonic function changes sign between low and high; an end if it does not."""
    rising = function(high) > function(low)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        right = (function(middle) < 0) == rising
        low, high = np.where(right, middle, low), np.where(right, high, middle)
    return 0.5 * (low + high)


def smd(english: Curve, other: Curve, c_min: float, c_max: float) -> tuple[Any, Any]:
    """Signed max divergence and the complexity where it lies (XLGoBench, equations 2 and 3).

    Args:
        english, other: (q, r) of the two curves; numbers, or arrays that broadcast.
        c_min, c_max: the range of complexities, 0 < c_min <= c_max.

    Returns:
        (smd, c_star): smd is a fraction, positive where English is ahead. Floats for numbers, else
        arrays.

    Raises:
        ValueError: an empty range, or q or r not above 0.
    """
    result = divergence(english, other, c_min, c_max)
    if result.smd.ndim:
        return result.smd, result.c_star
    return float(result.smd), float(result.c_star)


_quadrature = cache(np.polynomial.legendre.leggauss)


def average_accuracy(q: npt.ArrayLike, r: npt.ArrayLike, c_min: float, c_max: float) -> Any:
    """Mean of the curve over [c_min, c_max], a fraction (XLGoBench, equation 4).

    In closed form: the integral of P(a, b/c^2) dc is c P(a, b/c^2) less
    sqrt(b) Gamma(a - 1/2) / Gamma(a) P(a - 1/2, b/c^2). Where a - 1/2 is too near 0 for it, the
    curve is smooth and Gauss-Legendre quadrature takes over.

    Args:
        q, r: numbers, or arrays that broadcast.
        c_min, c_max: the range of complexities, 0 < c_min < c_max.

    Returns:
        A float for numbers, else an array.

    Raises:
        ValueError: an empty range, or q or r not above 0.
    """
    if not 0 < c_min < c_max < np.inf:
        raise ValueError(f"the range needs 0 < c_min < c_max, not {c_min} and {c_max}")
    q, r = np.broadcast_arrays(np.asarray(q, dtype=np.float64), np.asarray(r, dtype=np.float64))
    closed = 0.5 * q > _CLOSED_FORM_FROM
    a = np.where(closed, 0.5 * q, 1.0)
    b = a / r
    scale = np.sqrt(b) * np.exp(gammaln(a - 0.5) - gammaln(a))

    def integral(c: float) -> Any:
        return c * gamma_accuracy(c, 2.0 * a, r) - scale * gammainc(a - 0.5, b / (c * c))

    mean = np.asarray((integral(c_max) - integral(c_min)) / (c_max - c_min))
    if not closed.all():
        nodes, weights = _quadrature(_NODES)
        c = c_min + 0.5 * (c_max - c_min) * (nodes + 1.0)
        values = np.asarray(gamma_accuracy(c, q[..., None], r[..., None]))
        mean = np.where(closed, mean, 0.5 * values @ weights)
    return mean if mean.ndim else float(mean)


REACH = 1.96
"""Standard deviations on either side of an estimate: of the published rule, and of intervals."""

DRAWS = 300


@dataclass(frozen=True)
class Draws:
    """A fitted curve and its refits.

    Attributes:
        curve: q and r of the curve of the observed accuracies.
        curves: those of the Beta draws, each of shape (draws,).
    """

    curve: tuple[float, float]
    curves: tuple[Floats, Floats]


@dataclass(frozen=True)
class Estimate:
    """A number with the standard deviation of its draws."""

    value: float
    sd: float


@dataclass(frozen=True)
class Gap:
    """What XLGoBench reports of one language against English, each with its standard deviation."""

    smd: Estimate
    c_star: Estimate
    f_en: Estimate
    f_l: Estimate
    rd: Estimate

    @property
    def published_rule(self) -> bool:
        """The paper's mark, without correction: |SMD| above 1.96 standard deviations."""
        return abs(self.smd.value) > REACH * self.smd.sd


BASE, OTHER = "baseline", "language"
"""The sides of a gap, which key their draws: languages with equal answers get equal numbers."""


def cell_stream(task: str, side: str, seed: int = 0) -> Stream:
    """The stream of the Beta draws of a side of a gap: the same wherever they are drawn."""
    return Stream("beta draws", seed, task, side)


def curve_draws(
    c: npt.ArrayLike, k: npt.ArrayLike, n: npt.ArrayLike, *, draws: int = DRAWS, stream: Stream
) -> Draws:
    """Fit a curve to the correct answers of each level, and refit it to Beta(k+1, n-k+1) draws.

    The refits start from the curve of the draws' mean, (k+1)/(n+2). That of the observed accuracies
    can be flat or a step, where nothing leads a fit away from it.

    Args:
        c: complexities, shape (levels,), above 0.
        k, n: correct answers and answers per level, shape (levels,), n above 0.
        draws: number of refits.
        stream: where the draws come from, see :func:`cell_stream`.

    Raises:
        ValueError: fewer than two draws, or what :func:`fit_curves` raises.
    """
    (result,) = all_curve_draws([(c, k, n, stream)], draws=draws)
    return result


Counted = tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike, Stream]
"""Complexities, correct answers and answers of a curve, and the stream of its draws."""


def counts_of(curves: Sequence[Counted]) -> tuple[Floats, Floats, Floats, list[Stream]]:
    """Complexities (levels,), correct answers and answers (curves, levels), and streams."""
    c = np.asarray(curves[0][0], dtype=np.float64)
    k, n = (
        np.stack([np.broadcast_to(np.asarray(x, dtype=np.float64), c.shape) for x in column])
        for column in list(zip(*curves))[1:3]
    )
    return c, k, n, [stream for *_, stream in curves]


def all_curve_draws(curves: Sequence[Counted], *, draws: int = DRAWS) -> list[Draws]:
    """:func:`curve_draws` of one or more curves of the same complexities, fitted together."""
    if draws < 2:
        raise ValueError(f"a standard deviation needs at least 2 draws, not {draws}")
    c, k, n, streams = counts_of(curves)
    q, r = fit_curves(c, np.stack([k / n, (k + 1.0) / (n + 2.0)]), n=n)
    accuracies = np.stack(
        [one.betas(right, total, draws) for right, total, one in zip(k, n, streams)]
    )
    middle = q[1][:, None], r[1][:, None]
    refits = fit_curves(c, accuracies, n=n[:, None], start=middle)
    fits = zip(q[0].tolist(), r[0].tolist())
    return [Draws(curve, redrawn) for curve, redrawn in zip(fits, zip(*refits))]


def spread(values: Floats) -> float:
    """The sample standard deviation."""
    return float(np.std(values, ddof=1))


def gap(
    base: Draws, other: Draws, c_min: float, c_max: float, *,
    integers: bool = False, sd: Callable[[Floats], float] = spread,
) -> Gap:  # fmt: skip
    """Signed max divergence and its companions, with standard deviations over the draws.

    Args:
        base, other: curves with as many draws each; draw i of one meets draw i of the other.
        c_min, c_max: the range of complexities.
        integers: seek the gap over whole complexities, which alone can be asked.
        sd: the standard deviation of draws.
    """
    search = whole_divergence if integers else divergence
    observed = search(base.curve, other.curve, c_min, c_max)
    drawn = search(base.curves, other.curves, c_min, c_max)
    return Gap(
        *(
            Estimate(float(getattr(observed, name)), sd(getattr(drawn, name)))
            for name in ("smd", "c_star", "f_en", "f_l", "rd")
        )
    )
