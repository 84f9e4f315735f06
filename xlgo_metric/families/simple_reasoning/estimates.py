"""The numbers of this family: pass@k, intervals, and the parts of a reference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import stdev

from ...core import Reference

Z = 1.959963984540054
"""The 0.975 quantile of the normal distribution."""


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


def part_of(reference: Reference, name: str) -> Mapping[str, object]:
    """The entry of a reference that holds names and values; empty without any."""
    result = reference.get(name)
    return result if isinstance(result, dict) else {}
