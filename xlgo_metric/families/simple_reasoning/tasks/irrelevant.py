"""A word problem among irrelevant people and sentences."""

from __future__ import annotations

from .. import grading
from .base import Task

TASK = Task(
    name="irrelevant",
    title="Proof trees with irrelevant information",
    grade=grading.graded_final_number,
)
