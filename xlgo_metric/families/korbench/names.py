"""The names that grading, statistics and result files share."""

from __future__ import annotations

MODES: tuple[str, ...] = ("default", "paper", "stored")
CATEGORIES: tuple[str, ...] = ("operation", "logic", "cipher", "puzzle", "counterfactual")
COMPLETION = "completion"
ASKED: tuple[str, ...] = ("chat", COMPLETION)
"""How a model is asked: a completion goes on behind its answer, a chat ends with it."""
