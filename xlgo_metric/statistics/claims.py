"""What may be said of two languages over the tasks of a family, and how many questions it takes."""

import math

import numpy as np
from scipy.special import ndtri

from xlgo_metric.statistics.differences import CONFIDENCE, paired_limits

ALPHA = 0.05
"""The chance of even one false claim among the tests that are corrected together."""


MARGIN = 0.05
POWER = 0.8
_MOST_QUESTIONS = 10_000_000


def questions_needed(
    discordant: float,
    *,
    margin: float = MARGIN,
    power: float = POWER,
    difference: float = 0.0,
    languages: int = 1,
) -> int:
    """Questions in each of two languages until no gap is claimed with some chance.

    By the normal approximation of the paired limits, then upwards until the exact power, over all
    numbers of discordant pairs, is reached. Limits are those of the sentence that is printed: they
    hold for all languages together (here by Bonferroni, which is a little wider).

    Args:
        discordant: the share of questions that only one of the two answers correctly, above 0.
        margin: a fraction above the absolute value of ``difference``.
        power: the chance of the claim, above 0 and below 1.
        difference: the true one.
        languages: how many are compared with the baseline together.

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
    far = float(ndtri(1.0 - 0.5 * ALPHA / languages))
    near = float(ndtri(power if difference else 0.5 + 0.5 * power))
    variance = discordant - difference**2
    n = max(math.ceil(variance * ((far + near) / room) ** 2), 10)
    while (
        claim_power(n, discordant, margin=margin, difference=difference, languages=languages)
        < power
    ):
        n = math.ceil(1.02 * n) + 1
        if n > _MOST_QUESTIONS:
            raise ValueError(f"more than {_MOST_QUESTIONS} questions would be needed")
    return n


def claim_power(
    n: int,
    discordant: float,
    *,
    margin: float = MARGIN,
    difference: float = 0.0,
    languages: int = 1,
) -> float:
    """The chance that n question pairs claim no gap, to about 1%.

    Over 41 quantiles of the number of discordant pairs; given it, over all their directions, by the
    limits of :func:`paired_limits` at the edge.
    """
    from scipy.stats import binom

    total = 0.0
    quantiles = (np.arange(41) + 0.5) / 41
    share = 0.5 + 0.5 * difference / discordant
    for differ in binom.ppf(quantiles, n, discordant).astype(int).tolist():
        edge = _edge(differ, n, margin, 1.0 - ALPHA / languages)
        if edge is not None:
            total += binom.cdf(edge, differ, share) - binom.cdf(differ - edge - 1, differ, share)
    return float(total / len(quantiles))


def _edge(differ: int, n: int, margin: float, confidence: float = CONFIDENCE) -> int | None:
    """The most of the discordant pairs that one side may have for the claim; ``None`` for none."""

    def claims(first: int) -> bool:
        return max(paired_limits(first, differ - first, n, confidence)[1],
                   -paired_limits(differ - first, first, n, confidence)[0]) < margin  # fmt: skip

    low, high = (differ + 1) // 2, differ
    if not claims(low):
        return None
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if claims(middle) else (low, middle - 1)
    return low
