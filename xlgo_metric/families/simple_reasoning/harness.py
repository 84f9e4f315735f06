"""What lm-evaluation-harness shows in its own results table for simple reasoning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import Grade
from ...family import COMMON_METRICS, HarnessMetric, common_values
from .baselines import floors

_FLOORS: dict[str, tuple[str, ...]] = {
    "logic_eval": ("always_a", "longest", "medoid", "outlier"),
    "logic_negation": ("always_a", "longest", "medoid", "outlier"),
    "travel": ("greedy",),
}
"""What a guess gets, by task (see ``baselines``)."""


def harness_metrics(task: str) -> dict[str, HarnessMetric]:
    """The metrics of a task: the common ones, and what guesses get."""
    found = dict(COMMON_METRICS)
    found |= {
        f"floor_{name}": HarnessMetric(higher_is_better=False) for name in _FLOORS.get(task, ())
    }
    if task == "unpuzzles":
        found["needs_judge"] = HarnessMetric(higher_is_better=False)
    return found


def harness_values(grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
    """The metrics of one question."""
    values = common_values(grade)
    if reference["task"] == "unpuzzles":
        values["needs_judge"] = float(grade.status == "needs_judge")
    if not reference.get("params", {}).get("released"):  # all tasks are in one there
        values |= {f"floor_{name}": value for name, value in floors(reference).items()}
    return values
