"""What lm-evaluation-harness shows in its own results table for KOR-Bench."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import fmean
from typing import Any

from ...core import Grade

HARNESS: dict[str, tuple[Callable[..., Any], bool]] = {
    "acc": (fmean, True),
    "parsed": (fmean, True),
    "strict": (fmean, True),
    "truncated": (fmean, False),
    "score_default": (fmean, True),
    "score_paper": (fmean, True),
    "real_life": (fmean, False),
    "pass_rate": (fmean, True),
    "first_round": (fmean, True),
}
"""Metrics of the harness: how to aggregate them, and whether higher is better."""


def harness_values(grade: Grade, reference: Mapping[str, Any]) -> dict[str, float]:
    """The metrics of one question.

    ``real_life`` only for counterfactual questions, ``pass_rate`` for mixed ones, ``first_round``
    for self-correction.
    """
    details = grade.details
    values = {
        "acc": float(grade.correct),
        "parsed": float(grade.status in ("correct", "wrong")),
        "strict": float(grade.strict),
        "truncated": float(grade.status == "truncated"),
        "score_default": float(details.get("score_default", 0.0)),
        "score_paper": float(details.get("score_paper", 0.0)),
    }
    if "real_life" in details:
        values["real_life"] = float(details["real_life"])
    if "pass_rate" in details:
        values["pass_rate"] = float(details["pass_rate"])
    if "rounds" in details:
        values["first_round"] = float(details["rounds"][0])
    return values
