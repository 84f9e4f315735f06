"""Grading and statistics of PolyMath (Wang et al. 2025)."""

from __future__ import annotations

import importlib
from typing import Any

from .harness import HARNESS, LEVELS, harness_values
from .summary import summarize
from .tables import tables

NAME = "polymath"
# Loaded when first used: they need the packages of the extra "math".
_LATER = {
    "grade": "grading",
    "grade_parts": "grading",
    "read_outputs": "outputs",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)


__all__ = [
    "HARNESS", "LEVELS", "NAME", "grade", "grade_parts", "harness_values",
    "read_outputs", "summarize", "tables",
]  # fmt: skip
