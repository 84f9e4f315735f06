"""Grading and statistics of the simple reasoning tasks (paper 002) and UNPUZZLES."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean
from typing import Any

from ...core import Grade
from ...judge import Verdict, ask_lm_eval, ask_openai, grade_with_critic, judge
from .baselines import NAMES, floors
from .estimates import curve, mcnemar, paper_half_width, pass_at_k, wilson
from .grading import grade
from .summary import published, summarize
from .tables import tables

NAME = "easy"

HARNESS: dict[str, tuple[Callable[..., Any], bool]] = {
    "acc": (fmean, True),
    "parsed": (fmean, True),
    "strict": (fmean, True),
    "truncated": (fmean, False),
    "needs_critic": (fmean, False),
    **{f"floor_{name}": (fmean, False) for name in NAMES},
}
"""Metrics of the harness: how to aggregate them, and whether higher is better."""


def harness_values(grade: Grade, reference: dict[str, Any]) -> dict[str, Any]:
    """The metrics of one question: accuracy, statuses, and the floors of its task.

    A free answer of UNPUZZLES that comparing words cannot judge has no ``acc``.
    """
    values: dict[str, Any] = {
        "acc": float(grade.correct),
        "parsed": float(grade.status in ("correct", "wrong")),
        "strict": float(grade.strict),
        "truncated": float(grade.status == "truncated"),
    }
    if reference["task"] == "unpuzzles":
        open_question = bool(grade.details.get("needs_critic"))
        values["needs_critic"] = float(open_question)
        if open_question:
            del values["acc"]
    values.update({f"floor_{name}": value for name, value in floors(reference).items()})
    return values


__all__ = [
    "HARNESS", "NAME", "Verdict", "ask_lm_eval", "ask_openai", "curve", "floors", "grade",
    "grade_with_critic", "harness_values", "judge", "mcnemar", "paper_half_width", "pass_at_k",
    "published", "summarize", "tables", "wilson",
]  # fmt: skip
