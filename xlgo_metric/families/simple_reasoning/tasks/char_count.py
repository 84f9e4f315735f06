"""How often a character occurs in a text."""

from __future__ import annotations

from .. import grading
from .base import Task

TASK = Task(name="char_count", title="Character counting", grade=grading.single_count)
