"""Uncertainty of fitted curves and of the gaps between them, by the paper's Beta draws.

XLGoBench, section 3 and appendix B: for every level an accuracy is drawn from Beta(k+1, n-k+1),
the curve is refitted to the draws, and this is repeated 300 times. The published numbers are those
of the curves fitted to the observed accuracies; the draws give their standard deviations. (That
the printed values are not means over the draws can be seen in the paper: cells with the same
<c*> print the same <f_EN> whatever their spread, one curve per model and task passes through all
six <f_EN>, and reciprocal divergences of 0.00 have a spread of 2 although they are never far above
0. See docs/statistics.md.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.draws import Floats, Stream
from xlgo_metric.statistics.gamma import fit_curves
from xlgo_metric.statistics.gaps import divergence, whole_divergence

SIGNIFICANT = 1.96
DRAWS = 300


@dataclass(frozen=True)
class Draws:
    """A fitted curve and its refits.

    Attributes:
        q, r: the curve of the observed accuracies.
        q_draws, r_draws: the curves of the Beta draws, shape (draws,).
    """

    q: float
    r: float
    q_draws: Floats
    r_draws: Floats

    @property
    def curve(self) -> tuple[float, float]:
        return self.q, self.r

    @property
    def curves(self) -> tuple[Floats, Floats]:
        return self.q_draws, self.r_draws


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
    def significant(self) -> bool:
        """The paper's mark: |SMD| above 1.96 standard deviations."""
        return abs(self.smd.value) > SIGNIFICANT * self.smd.sd


def cell_stream(task: str, language: str, seed: int = 0) -> Stream:
    """The stream of the Beta draws of a task and language: the same wherever they are drawn."""
    return Stream("beta draws", seed, task, language)


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
    q_draws, r_draws = fit_curves(c, accuracies, n=n, start=middle)
    return Draws(float(q), float(r), q_draws, r_draws)


def spread(values: Floats) -> float:
    """The sample standard deviation."""
    return float(np.std(values, ddof=1))


def gap(
    english: Draws, other: Draws, c_min: float, c_max: float, *,
    whole: bool = False, sd: Callable[[Floats], float] = spread,
) -> Gap:  # fmt: skip
    """Signed max divergence and its companions, with standard deviations over the draws.

    Args:
        english, other: curves with as many draws each; draw i of one meets draw i of the other.
        c_min, c_max: the range of complexities.
        whole: seek the gap over whole complexities, which alone can be asked.
        sd: the standard deviation of draws.
    """
    search = whole_divergence if whole else divergence
    base = search(english.curve, other.curve, c_min, c_max)
    drawn = search(english.curves, other.curves, c_min, c_max)
    return Gap(
        *(
            Estimate(float(getattr(base, name)), sd(getattr(drawn, name)))
            for name in ("smd", "c_star", "f_en", "f_l", "rd")
        )
    )
