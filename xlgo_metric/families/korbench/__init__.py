"""Grading and statistics of KOR-Bench (arXiv 2410.06526)."""

from __future__ import annotations

import importlib
from typing import Any

from .harness import HARNESS, harness_values
from .names import CATEGORIES, MODES
from .summary import summarize
from .tables import tables

NAME = "korbench"
# Loaded when first used: they read mathematics.
_LATER = {
    "grade": "grading",
    "verdict": "grading",
    "grade_rounds": "corrections",
    "extracted": "corrections",
    "read_results": "results",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)


__all__ = [
    "CATEGORIES", "HARNESS", "MODES", "NAME", "extracted", "grade", "grade_rounds",
    "harness_values", "read_results", "summarize", "tables", "verdict",
]  # fmt: skip
