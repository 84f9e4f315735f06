"""What a condition is: which blocks of a prompt come from which language, and what is done to it.

A prompt is made of four blocks: the ``lines`` that hold the data of the puzzle, the ``names`` of
rooms and keys that stand in them, the ``rules`` around them and the ``format`` of the answer. The
condition ``plain`` is the prompt as it always was: lines, names and rules in the language, the
format in English.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from xlgo_metric.core import PLAIN

Source = Literal["own", "english"]
"""Where a block comes from: the language of the row, or English."""

ENGLISH = "en"


@dataclass(frozen=True)
class Condition:
    """One way to ask a puzzle.

    Attributes:
        name: as options, ids and references have it.
        about: what it changes, in a sentence.
        lines, names, rules, format: where each block comes from.
        asks: the key of the sentence on the language of reasoning that ends the prompt, among
            ``[conditions.thinking]`` of the language file; empty without one.
        native_ids: identifiers are written in the letters and digits of the language.
        filled: neutral sentences among the lines make the prompt as long as that of the language.
        romanised: the language is written in Latin letters.
    """

    name: str
    about: str
    lines: Source = "own"
    names: Source = "own"
    rules: Source = "own"
    format: Source = "english"
    asks: str = ""
    native_ids: bool = False
    filled: bool = False
    romanised: bool = False

    @property
    def in_english(self) -> bool:
        """English can be asked under it, in another prompt than the plain one."""
        return bool(self.asks)


CONDITIONS: dict[str, Condition] = {
    found.name: found
    for found in (
        Condition(PLAIN, "the prompt as it is without any condition"),
        Condition(
            "english_rules",
            "the lines of the puzzle in the language, all else in English",
            rules="english",
        ),
        Condition(
            "english_lines",
            "the lines of the puzzle in English, all else in the language",
            lines="english",
            names="english",
        ),
        Condition("english_names", "the words for rooms and keys in English", names="english"),
        Condition("english_format", "the answer's format explained in English, as in plain"),
        Condition("native_format", "the answer's format explained in the language", format="own"),
        Condition(
            "length_matched",
            "English with neutral sentences, until it is as long as the prompt of the language",
            lines="english",
            names="english",
            rules="english",
            filled=True,
        ),
        Condition(
            "native_ids", "identifiers in the language's own letters and digits", native_ids=True
        ),
        Condition("think_english", "a sentence asks to reason in English", asks="english"),
        Condition("think_language", "a sentence asks to reason in the language", asks="language"),
        Condition("romanised", "the language written in Latin letters", romanised=True),
    )
}
"""Every condition by name, in display order."""


def condition(name: str) -> Condition:
    """The condition ``name``.

    Raises:
        ValueError: there is no such condition.
    """
    if name not in CONDITIONS:
        raise ValueError(f"unknown condition {name!r}: allowed are {', '.join(CONDITIONS)}")
    return CONDITIONS[name]


def named(given: Any) -> tuple[str, ...]:
    """Names of conditions, each once, from a list or a text that joins them by commas.

    Raises:
        ValueError: none is given, or one is unknown.
    """
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, Iterable):
        raise ValueError(f"conditions must be names joined by commas, or a list, got {given!r}")
    names = tuple(dict.fromkeys(str(part).strip() for part in parts))
    if not any(names):
        raise ValueError(f"give at least one condition: allowed are {', '.join(CONDITIONS)}")
    return tuple(condition(name).name for name in names)
