"""Grading and statistics of the family XLGoBench."""

from __future__ import annotations

from .grading import grade
from .harness import HARNESS, harness_values
from .summary import summarize
from .tables import tables

__all__ = ["HARNESS", "grade", "harness_values", "summarize", "tables"]
