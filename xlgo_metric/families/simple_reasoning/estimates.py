"""The numbers of this family: pass@k, intervals, McNemar's test, and curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean, stdev

from ...core import Reference, grouped

Z = 1.959963984540054
"""The 0.975 quantile of the normal distribution."""
MOST_POINTS = 8


def pass_at_k(n: int, c: int, k: int) -> float:
    """The chance that one of ``k`` responses drawn from ``n``, of which ``c`` are right, is right.

    1 - C(n-c, k) / C(n, k), the unbiased estimate of pass@k from n >= k responses.

    Raises:
        ValueError: not 1 <= k <= n and 0 <= c <= n.
    """
    if not (1 <= k <= n and 0 <= c <= n):
        raise ValueError(f"pass@{k} of {n} responses with {c} right: need 1 <= k <= n, 0 <= c <= n")
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def paper_half_width(values: Sequence[float]) -> float | None:
    """The paper's half width 2 s / sqrt(n), s with n - 1; ``None`` for fewer than two values.

    It is zero where all values are equal, which is why ``wilson`` stands beside it.
    """
    return 2 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None


def wilson(mean: float, n: int) -> tuple[float, float]:
    """Wilson's 95% score interval for a mean of ``n`` independent values in [0, 1].

    Exact shares are its usual case; for values between 0 and 1, whose spread is smaller, it is
    wider than it need be.

    Raises:
        ValueError: ``n`` is not positive or ``mean`` not in [0, 1].
    """
    if n < 1 or not 0 <= mean <= 1:
        raise ValueError(f"no interval for a mean of {mean} over {n} values")
    weight = Z * Z / n
    centre = (mean + weight / 2) / (1 + weight)
    half = Z * math.sqrt(mean * (1 - mean) / n + weight / (4 * n)) / (1 + weight)
    return max(0.0, centre - half), min(1.0, centre + half)


def curve(points: Sequence[tuple[float, float]]) -> list[dict[str, float]]:
    """Accuracy against a measured size, from pairs (size, value in [0, 1]).

    Each size is a point where there are at most ``MOST_POINTS``; else the pairs are put into as
    many groups of equal numbers, and a group is at the mean of its sizes.
    """
    ordered = sorted(points)
    if len({x for x, _ in ordered}) <= MOST_POINTS:
        by_size = grouped(ordered, lambda point: point[0])
        return [_point([x], [value for _, value in group]) for x, group in by_size.items()]
    edges = [round(i * len(ordered) / MOST_POINTS) for i in range(MOST_POINTS + 1)]
    groups = [ordered[a:b] for a, b in pairwise(edges)]
    return [_point([x for x, _ in group], [v for _, v in group]) for group in groups]


def _point(sizes: Sequence[float], values: Sequence[float]) -> dict[str, float]:
    mean = fmean(values)
    low, high = wilson(mean, len(values))
    return {"x": fmean(sizes), "n": len(values), "accuracy": mean, "low": low, "high": high}


def part_of(reference: Reference, name: str) -> Mapping[str, object]:
    """The entry of a reference that holds names and values; empty without any."""
    found = reference.get(name)
    return found if isinstance(found, dict) else {}


def sizes_of(reference: Reference) -> dict[str, float]:
    """All that an accuracy can be drawn against: numeric parameters and covariates."""
    found = {**part_of(reference, "params"), **part_of(reference, "covariates")}
    return {
        name: float(value)
        for name, value in found.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
