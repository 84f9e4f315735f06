"""Conditions of experiments: the same instance asked with one thing changed."""

from .asking import PromptVariant, asked
from .blocks import corrected
from .condition import CONDITIONS, ENGLISH, Condition, condition, named

__all__ = [
    "CONDITIONS",
    "ENGLISH",
    "Condition",
    "PromptVariant",
    "asked",
    "condition",
    "corrected",
    "named",
]
