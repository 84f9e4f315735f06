"""How often each word of a list occurs in a text."""

from __future__ import annotations

from .. import grading
from .base import Task

TASK = Task(name="word_count", title="Word counting", grade=grading.word_counts)
