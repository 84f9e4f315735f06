"""The names that grading, statistics and result files share."""

from __future__ import annotations

MODES: tuple[str, ...] = ("default", "paper", "stored")
CATEGORIES: tuple[str, ...] = ("operation", "logic", "cipher", "puzzle", "counterfactual")
