"""The conditions of a question, and the causes that they separate."""

from __future__ import annotations

from dataclasses import dataclass

from xlgo_metric.core import PLAIN

ENGLISH_RULES, ENGLISH_LINES = "english_rules", "english_lines"
ENGLISH_FORMAT, NATIVE_FORMAT = "english_format", "native_format"
LENGTH_MATCHED = "length_matched"

CONDITIONS = (
    PLAIN, ENGLISH_RULES, ENGLISH_LINES, "english_names", ENGLISH_FORMAT, NATIVE_FORMAT,
    LENGTH_MATCHED, "native_ids", "think_english", "think_language", "romanised",
)  # fmt: skip
"""In the order in which they are shown."""

OF_ENGLISH = (ENGLISH_RULES, ENGLISH_LINES, LENGTH_MATCHED)
"""Those on the way from English to a language; they say nothing of a gap to another baseline."""

ENGLISH = "english"
"""Stands for the plain questions in the baseline, English as a rule, among the answers of a
language."""

LINES, RULES, TEXT = "lines", "rules", "text"
LENGTH, FORMAT, IDENTIFIERS = "length", "format", "identifiers"


@dataclass(frozen=True)
class Single:
    """A cause measured by two conditions alone.

    Attributes:
        name: of the cause.
        without, with_: the condition in which it is absent, and the one in which it is there; the
            effect is the accuracy of the first minus that of the second.
        within: the causes of the text that it is also a part of.
    """

    name: str
    without: str
    with_: str
    within: tuple[str, ...]


SINGLES = (
    Single(LENGTH, ENGLISH, LENGTH_MATCHED, (RULES, LINES)),
    Single(FORMAT, NATIVE_FORMAT, PLAIN, (RULES,)),
    Single(IDENTIFIERS, "native_ids", PLAIN, (LINES,)),
    Single("names", "english_names", PLAIN, (RULES, LINES)),
    Single("reasoning", "think_english", PLAIN, (RULES, LINES)),
    Single("script", "romanised", PLAIN, (RULES, LINES)),
)
"""Causes whose effect is that of one contrast, in the order in which they are shown."""

TAKEN_OUT = (FORMAT, IDENTIFIERS)
"""Of those, the parts of the text that become steps of their own where they are found."""
