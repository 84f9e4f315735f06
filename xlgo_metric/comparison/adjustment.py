"""The one place where p values are corrected for looking at many comparisons together."""

from __future__ import annotations

from collections.abc import Sequence

from xlgo_metric.statistics.multiple import benjamini_hochberg, holm

ALPHA = 0.05
"""The chance of even one false claim among the comparisons that are corrected together."""


def adjusted(p: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p values, for claims; ``None`` (not tested) stays and does not count."""
    found = iter(holm([value for value in p if value is not None]).tolist())
    return [None if value is None else next(found) for value in p]


def screened(p: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p values, for screening only."""
    found: list[float] = benjamini_hochberg(list(p)).tolist()
    return found
