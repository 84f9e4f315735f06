"""What lm-evaluation-harness shows in its own results table for PolyMath."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from ...core import Grade
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


HARNESS: dict[str, tuple[Callable[..., Any], bool]] = {
    "acc": (fmean, True),
    "parsed": (fmean, True),
    "strict": (fmean, True),
    "truncated": (fmean, False),
    "dw_acc": (weighted_accuracy, True),
    "lc_thinking": (share, True),
    "lc_answer": (share, True),
}
"""Metrics of the harness: how to aggregate them, and whether higher is better."""


def harness_values(grade: Grade, reference: dict[str, Any]) -> dict[str, Any]:
    """The metrics of one question."""
    return {
        "acc": float(grade.correct),
        "parsed": float(grade.status in ("correct", "wrong")),
        "strict": float(grade.strict),
        "truncated": float(grade.status == "truncated"),
        "dw_acc": (reference.get("level", ""), grade.correct),
        "lc_thinking": grade.details.get("lc_thinking"),
        "lc_answer": grade.details.get("lc_answer"),
    }
