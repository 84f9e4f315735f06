"""What lm-evaluation-harness shows in its own results table for KOR-Bench."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import Grade
from ...family import COMMON_METRICS, HarnessMetric, common_values
from .summary import CORRECTION, HARD, MIXED_TASKS

_SCORES = {"score_default": HarnessMetric(True), "score_paper": HarnessMetric(True)}
_MORE: dict[str, dict[str, HarnessMetric]] = {
    "kor_counterfactual": {"real_life": HarnessMetric(False)},
    CORRECTION: {"first_round": HarnessMetric(True)},
    **{task: {"pass_rate": HarnessMetric(True)} for task in (*MIXED_TASKS, HARD)},
}


def harness_metrics(task: str) -> dict[str, HarnessMetric]:
    """The metrics of a task: the common ones, both scores, and what the task has besides.

    ``real_life`` only for counterfactual questions, ``pass_rate`` for mixed ones, ``first_round``
    (the accuracy without any correction) for self-correction.
    """
    return {**COMMON_METRICS, **_SCORES, **_MORE.get(task, {})}


def harness_values(grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
    """The metrics of one question."""
    details = grade.details
    values = common_values(grade)
    values |= {name: float(details.get(name, 0.0)) for name in _SCORES}
    values |= {name: float(details[name]) for name in ("real_life", "pass_rate") if name in details}
    if "rounds" in details:
        values["first_round"] = float(details["rounds"][0])
    return values
