"""What lm-evaluation-harness shows in its own results table for PolyMath."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from ...core import Grade
from ...family import COMMON_METRICS, HarnessMetric, common_values
from ...statistics.measures import dw_acc

LEVELS = ("low", "medium", "high", "top")
UNKNOWN = "N/A"
"""What the harness prints where a number cannot be given."""


def weighted_accuracy(values: Sequence[tuple[str, bool]]) -> float | str:
    """DW-ACC (the paper's equation 1) of one language, from level and verdict of every question.

    ``UNKNOWN`` if a level is missing.
    """
    levels = [[correct for level, correct in values if level == name] for name in LEVELS]
    return dw_acc([fmean(level) for level in levels]) if all(levels) else UNKNOWN


def share(values: Sequence[bool | None]) -> float | str:
    """The share of texts in the language of their question; ``UNKNOWN`` without any verdict."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else UNKNOWN


METRICS: dict[str, HarnessMetric] = {
    **COMMON_METRICS,
    "dw_acc": HarnessMetric(True, mean=False),
    "lc_thinking": HarnessMetric(True, mean=False),
    "lc_answer": HarnessMetric(True, mean=False),
}
"""Metrics of the harness."""


def harness_values(grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
    """The metrics of one question."""
    return {
        **common_values(grade),
        "dw_acc": (reference.get("level", ""), grade.correct),
        "lc_thinking": grade.details.get("lc_thinking"),
        "lc_answer": grade.details.get("lc_answer"),
    }


def aggregate(metric: str, values: Sequence[Any]) -> float | str:
    """The value of a metric that is no mean.

    Raises:
        ValueError: an unknown metric.
    """
    if metric == "dw_acc":
        return weighted_accuracy(values)
    if metric in ("lc_thinking", "lc_answer"):
        return share(values)
    raise ValueError(f"unknown metric {metric!r}: allowed are dw_acc, lc_thinking, lc_answer")
