"""Well-known puzzles made trivial, from the authors' release."""

from __future__ import annotations

from .. import grading
from .base import Task

TASK = Task(name="unpuzzles", title="UNPUZZLES", grade=grading.free_answer)
