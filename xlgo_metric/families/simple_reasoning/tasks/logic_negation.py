"""The negation of a first-order formula, among four."""

from __future__ import annotations

from .. import baselines, grading
from .base import Task

TASK = Task(
    name="logic_negation",
    title="Logic negation",
    grade=grading.graded_choice,
    shortcuts=baselines.of_choices,
    shortcut_names=("always_a", "longest", "medoid", "outlier"),
    options=True,
    averaged=("size",),
)
