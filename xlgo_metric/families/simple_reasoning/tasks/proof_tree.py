"""A word problem made from a proof tree."""

from __future__ import annotations

from .. import grading
from .base import Task

TASK = Task(name="proof_tree", title="Proof trees", grade=grading.graded_final_number)
