"""Conditions of experiments: the same instance asked with one thing changed."""

from .asking import PromptVariant, asked
from .blocks import corrected
from .condition import CONDITIONS, ENGLISH, PLAIN, Condition, condition, named

__all__ = [
    "CONDITIONS",
    "ENGLISH",
    "PLAIN",
    "Condition",
    "PromptVariant",
    "asked",
    "condition",
    "corrected",
    "named",
]
