"""Causes of a gap that the simulated model can be given, to test their detection.

A profile may hold ``causes``: for a language, or for ``all`` of them, the share of answers that
each cause turns from right to wrong. They work one after the other, so a prompt with several of
them is answered correctly with the chance of its curve times what each of them leaves::

    {"tasks": {"slt": {"en": {"q": 4, "r": 0.0005}}},
     "causes": {"te": {"lines": 0.25}, "all": {"length": 0.01}}}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

ALL = "all"
"""Stands for every language, English among them."""

LENGTH_MATCHED = "length_matched"
"""A prompt in English, whatever the language whose length it has."""

_ENGLISH_LINES = frozenset({"english_lines", LENGTH_MATCHED})
_ENGLISH_RULES = frozenset({"english_rules", LENGTH_MATCHED})
_OWN_FORMAT = frozenset({"native_format"})
_THOUSAND = 1000.0


@dataclass(frozen=True)
class Causes:
    """What each cause turns from right to wrong, fractions below 1.

    Attributes:
        lines: the lines with the data are in the language.
        rules: everything around them is in the language.
        format: the answer's format is explained in English among rules in the language.
        length: every 1,000 bytes (UTF-8) that a prompt is longer than the plain English one.
    """

    lines: float = 0.0
    rules: float = 0.0
    format: float = 0.0
    length: float = 0.0

    def share(self, condition: str, prompt: str, english: Callable[[], str]) -> float:
        """The share of correct answers that is left under a condition.

        Args:
            condition: under which the question is asked.
            prompt: what is asked.
            english: gives the plain prompt of the same question in English.
        """
        left = 1.0
        if condition not in _ENGLISH_LINES:
            left *= 1.0 - self.lines
        if condition not in _ENGLISH_RULES:
            left *= 1.0 - self.rules
            left *= 1.0 if condition in _OWN_FORMAT else 1.0 - self.format
        if self.length:
            longer = len(prompt.encode()) - len(english().encode())
            left *= (1.0 - self.length) ** (max(longer, 0) / _THOUSAND)
        return left


def read_causes(profile: Mapping[str, object]) -> dict[str, Causes]:
    """The causes of a profile by language, and those of ``ALL``.

    Raises:
        ValueError: an unknown cause, or a share that is not below 1 and at least 0.
    """
    names = [field.name for field in fields(Causes)]
    given = profile.get("causes", {})
    if not isinstance(given, Mapping):
        raise ValueError(f"causes must be an object by language, got {json.dumps(given)}")
    causes = {}
    for language, costs in given.items():
        if not isinstance(costs, Mapping):
            raise ValueError(f"causes of {language} must be an object, got {json.dumps(costs)}")
        for name, cost in costs.items():
            if name not in names:
                raise ValueError(f"unknown cause {name!r}: allowed are {', '.join(names)}")
            if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost < 1:
                raise ValueError(f"{language}: {name} must be at least 0 and below 1, got {cost}")
        causes[language] = Causes(**costs)
    return causes
