"""Gaps between two accuracy curves: signed max divergence, reciprocal divergence, average accuracy.

All of them have closed forms or exact bracketed roots for the curve of equation 1, so that nothing
here depends on the fineness of a grid. With w = c^-2, a = q/2 and b = a/r, the slopes of two
curves are equal where K + (a1 - a2) log w - (b1 - b2) w = 0, which has at most two roots, one on
each side of w0 = (a1 - a2)/(b1 - b2).

Their uncertainty comes from the paper's Beta draws (XLGoBench, section 3 and appendix B): for every
level an accuracy is drawn from Beta(k+1, n-k+1), the curve is refitted to the draws, and this is
repeated 300 times. The published numbers are those of the curves fitted to the observed accuracies;
the draws give their standard deviations. (That the printed values are not means over the draws can
be seen in the paper: cells with the same <c*> print the same <f_EN> whatever their spread, one
curve per model and task passes through all six <f_EN>, and reciprocal divergences of 0.00 have a
spread of 2 although they are never far above 0. See docs/statistics.md.)
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammainc, gammaln

from xlgo_metric.statistics.draws import Floats, Stream
from xlgo_metric.statistics.gamma import fit_curves, gamma_accuracy

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


@cache
def _quadrature() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights


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
        nodes, weights = _quadrature()
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
    if draws < 2:
        raise ValueError(f"a standard deviation needs at least 2 draws, not {draws}")
    c = np.asarray(c, dtype=np.float64)
    k, n = (np.broadcast_to(np.asarray(x, dtype=np.float64), c.shape) for x in (k, n))
    q, r = fit_curves(c, k / n, n=n)
    accuracies = stream.betas(k, n, draws)
    middle = fit_curves(c, (k + 1.0) / (n + 2.0), n=n)
    return Draws((float(q), float(r)), fit_curves(c, accuracies, n=n, start=middle))


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
