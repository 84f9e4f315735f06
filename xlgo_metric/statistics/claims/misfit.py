"""Whether the incomplete gamma curve fits the answers, and by how much it misses them.

The deviance of a fitted curve is held against those of answers drawn from that curve and fitted in
the same way (parametric bootstrap; Efron and Tibshirani 1993, chapter 6). A tabulated chi-square
does not do: least squares does not minimise the deviance, and with few answers a level it has
another distribution.

A model that loses some easy questions to slips has a ceiling below 1, which hardly moves the
largest gap. The curve may therefore be scaled by one of ``CEILINGS``, the one with the least
deviance, in the answers and in every draw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from xlgo_metric.statistics.draws import Floats, Stream
from xlgo_metric.statistics.gamma import fit_curves, fit_weighted, gamma_accuracy

LEVEL = 0.025
"""Of each curve, so that the two of a gap are wrongly flagged in at most 5% together."""

DRAWS = 199
CEILINGS = (1.0, 0.99, 0.98, 0.97, 0.96, 0.95)
_HELD_WITHIN = (0.001, 0.999)


@dataclass(frozen=True)
class Misfit:
    """How badly a curve fits.

    Attributes:
        p: the chance of a deviance as large if the curve were right; a multiple of 1/(draws + 1).
        size: how far the accuracies of the levels lie from the curve, as a root mean square over
            the answers, less what chance adds; a fraction, 0 where chance explains all of it.
    """

    p: float
    size: float

    @property
    def found(self) -> bool:
        """Whether the curve does not fit, at ``LEVEL``."""
        return self.p <= LEVEL


def misfit(
    c: npt.ArrayLike,
    k: npt.ArrayLike,
    n: npt.ArrayLike,
    *,
    weighted: bool = False,
    draws: int = DRAWS,
    stream: Stream,
) -> Misfit:
    """Test the fit of a curve by a parametric bootstrap of its deviance.

    Args:
        c: complexities, shape (levels,), above 0.
        k, n: correct answers and answers per level, shape (levels,), n above 0. Where questions
            were asked several times, count each question once and give its mean number of correct
            answers: repeats of a question are not independent.
        weighted: fit as :func:`fit_weighted` does, as in designs with a plan of questions.
        draws: answers drawn from the curve and fitted again, at least 39.
        stream: where the draws come from.

    Raises:
        ValueError: too few draws for ``LEVEL``, or what :func:`fit_curves` raises.
    """
    if (draws + 1) * LEVEL < 1.0:
        raise ValueError(f"a test at {LEVEL:g} needs at least {round(1 / LEVEL) - 1} draws")
    c, k = np.asarray(c, dtype=np.float64), np.asarray(k, dtype=np.float64)
    n = np.broadcast_to(np.asarray(n, dtype=np.float64), c.shape)
    q, r, weights = fit_weighted(c, k, n) if weighted else (*fit_curves(c, k / n, n=n), n)
    curve = np.asarray(gamma_accuracy(c, q, r))
    observed, scale = _deviance(k[None], n, curve[None])
    true = np.clip(scale[0] * curve, *_HELD_WITHIN)
    drawn = stream.binomials(n.astype(np.int64), true, draws).astype(np.float64)
    again = fit_curves(c, drawn / n, n=weights, start=(q, r))
    refitted = np.asarray(gamma_accuracy(c, again[0][:, None], again[1][:, None]))
    redrawn, _ = _deviance(drawn, n, refitted)
    p = (1 + int((redrawn >= observed[0]).sum())) / (draws + 1)
    apart = float((n * (k / n - true) ** 2).sum() - (true * (1.0 - true)).sum()) / float(n.sum())
    return Misfit(p, float(np.sqrt(max(apart, 0.0))))


def _deviance(k: Floats, n: Floats, curve: Floats) -> tuple[Floats, Floats]:
    """The least deviance of each row over ``CEILINGS``, and the ceiling that has it."""
    p = k / n
    own = n * (xlogy(p, p) + xlogy(1.0 - p, 1.0 - p))
    each = []
    for ceiling in CEILINGS:
        held = np.clip(ceiling * curve, *_HELD_WITHIN)
        each.append(
            2.0 * (own - n * (p * np.log(held) + (1.0 - p) * np.log(1.0 - held))).sum(axis=1)
        )
    found = np.stack(each)
    best = found.argmin(axis=0)
    return found.min(axis=0), np.array(CEILINGS)[best]
