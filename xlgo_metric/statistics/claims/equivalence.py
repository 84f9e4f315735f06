"""No gap as a claim: a difference that lies within a margin, and how many questions that takes."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from xlgo_metric.statistics.differences import paired_limits

MARGIN = 0.05
POWER = 0.8
_MOST_QUESTIONS = 10_000_000

Standing = Literal["equal", "behind", "ahead", "not known"]


def standing(low: float, high: float, margin: float = MARGIN) -> Standing:
    """What the 95% interval of a difference (baseline minus the other) allows to claim.

    ``equal`` where the whole interval lies within the margin (two one-sided tests at 2.5%;
    Schuirmann 1987), ``behind`` or ``ahead`` where it lies on one side of 0, else ``not known``. A
    difference that is significant and surely within the margin is ``equal``.

    Raises:
        ValueError: limits in the wrong order, or a margin not above 0.
    """
    if not low <= high or not margin > 0:
        raise ValueError(f"limits {low}, {high} or margin {margin} cannot be")
    if -margin < low and high < margin:
        return "equal"
    return "behind" if low > 0 else "ahead" if high < 0 else "not known"


def within_everywhere(low: npt.ArrayLike, high: npt.ArrayLike, margin: float = MARGIN) -> bool:
    """Whether a band lies within the margin at every complexity; ``False`` for no complexities.

    Args:
        low, high: simultaneous 95% limits per level.
        margin: a fraction above 0.
    """
    below, above = np.atleast_1d(low), np.atleast_1d(high)
    return bool(len(below) and (below > -margin).all() and (above < margin).all())


def questions_needed(
    discordant: float, *, margin: float = MARGIN, power: float = POWER, difference: float = 0.0
) -> int:
    """Questions in each of two languages until ``equal`` is claimed with some chance.

    By the normal approximation of the paired limits, then upwards until the exact power, over all
    numbers of discordant pairs, is reached.

    Args:
        discordant: the share of questions that only one of the two answers correctly, above 0.
        margin: a fraction above the absolute value of ``difference``.
        power: the chance of the claim, above 0 and below 1.
        difference: the true one.

    Raises:
        ValueError: a value out of range.
    """
    room = margin - abs(difference)
    if not (0 < discordant <= 1 and room > 0 and 0 < power < 1 and abs(difference) <= discordant):
        raise ValueError(
            f"a plan needs a share of discordant pairs in (0, 1] (given: {discordant}), a true "
            f"difference within it and within the margin ({difference}, {margin}), and a power in "
            f"(0, 1) ({power})"
        )
    far = float(ndtri(0.975))
    near = float(ndtri(power if difference else 0.5 + 0.5 * power))
    variance = discordant - difference**2
    n = max(math.ceil(variance * ((far + near) / room) ** 2), 10)
    while claim_power(n, discordant, margin=margin, difference=difference) < power:
        n = math.ceil(1.02 * n) + 1
        if n > _MOST_QUESTIONS:
            raise ValueError(f"more than {_MOST_QUESTIONS} questions would be needed")
    return n


def claim_power(
    n: int, discordant: float, *, margin: float = MARGIN, difference: float = 0.0
) -> float:
    """The chance that n question pairs claim ``equal``, to about 1%.

    Over 41 quantiles of the number of discordant pairs; given it, over all their directions, by the
    limits of :func:`paired_limits` at the edge.
    """
    from scipy.stats import binom

    total = 0.0
    at = (np.arange(41) + 0.5) / 41
    share = 0.5 + 0.5 * difference / discordant
    for differ in binom.ppf(at, n, discordant).astype(int).tolist():
        edge = _edge(differ, n, margin)
        if edge is not None:
            total += binom.cdf(edge, differ, share) - binom.cdf(differ - edge - 1, differ, share)
    return float(total / len(at))


def _edge(differ: int, n: int, margin: float) -> int | None:
    """The most of the discordant pairs that one side may have for the claim; ``None`` for none."""

    def claims(first: int) -> bool:
        return max(paired_limits(first, differ - first, n)[1],
                   -paired_limits(differ - first, first, n)[0]) < margin  # fmt: skip

    low, high = (differ + 1) // 2, differ
    if not claims(low):
        return None
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if claims(middle) else (low, middle - 1)
    return low
