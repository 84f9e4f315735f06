"""An itinerary within a budget."""

from __future__ import annotations

from .. import baselines, grading
from .base import Task

TASK = Task(
    name="travel",
    title="Travel planning",
    grade=grading.graded_itinerary,
    shortcuts=baselines.of_itineraries,
    shortcut_names=("greedy",),
)
