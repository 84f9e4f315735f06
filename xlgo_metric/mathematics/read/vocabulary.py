"""The words of many languages that mean something in an answer: "or", "no solution", "metres"."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, NamedTuple


def _load(name: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


_WORDS = _load("vocabulary.json")

OR: frozenset[str] = frozenset(_WORDS["or"])
AND: frozenset[str] = frozenset(_WORDS["and"])
CONNECTIVES: frozenset[str] = OR | AND
PERCENT: frozenset[str] = frozenset(_WORDS["percent"])
DROPPED: frozenset[str] = frozenset(_WORDS["drop"])
COPULAS: frozenset[str] = frozenset(_WORDS["copula"])
QUALIFIERS: frozenset[str] = frozenset(_WORDS["qualifier"])
# Words in front of a number that say more than what is counted, and counters that say nothing.
LIMITING: frozenset[str] = frozenset(_WORDS["limiting"])
# Words behind a number that make another number of it.
ALTERING: frozenset[str] = frozenset(_WORDS["altering"])
# Words of a sentence that tells the answer: there are 7 ways, the maximum is 5.
INTRODUCING: frozenset[str] = frozenset(_WORDS["introducing"])
# Parts of words in scripts without spaces that do the same: 至少, 以上.
INSIDE: tuple[str, ...] = tuple(_WORDS["inside"])
COUNTERS: frozenset[str] = frozenset(_WORDS["counter"])
# A phrase in lower case -> what it means.
PHRASES: dict[str, str] = {
    phrase: meaning
    for meaning in (
        "empty", "reals", "infinity", "undefined", "yes", "no", "true", "false", "even", "odd",
        "otherwise",
    )
    for phrase in _WORDS[meaning]
}  # fmt: skip
# Words that multiply the number in front of them: million, lakh, 万.
MAGNITUDES: dict[str, int] = {
    word: int(value) for value, words in _WORDS["magnitude"].items() for word in words
}
# Words of a condition that only say what it is about: all odd integers n.
FILLER: frozenset[str] = frozenset(_WORDS["filler"])
# What stands between the terms of a ratio: 3 to 4, 3比4.
BETWEEN: frozenset[str] = frozenset(_WORDS["between"])
# A function as written (sen, tg, arcctg) -> its name here.
FUNCTIONS: dict[str, str] = {
    written: name for name, spellings in _WORDS["functions"].items() for written in spellings
}


def without_filler(phrase: str) -> str:
    """A phrase in lower case without filler words: "there is no solution"."""
    return " ".join(word for word in phrase.split() if word not in FILLER | COPULAS)


class UnitWord(NamedTuple):
    """A unit as one word: its dimension and its size in the base unit of that dimension."""

    dimension: str
    factor: Fraction


@cache
def unit_words() -> dict[str, UnitWord]:
    """Every known spelling of a unit; those of one letter keep their case, the rest is folded."""
    found: dict[str, UnitWord] = {}
    for dimension, units in _load("units.json").items():
        for factor, spellings in units.values():
            word = UnitWord(dimension, Fraction(str(factor)))
            for spelling in spellings:
                found.setdefault(spelling, word)
                found.setdefault(spelling.replace(".", ""), word)
                if len(spelling) > 1:
                    found.setdefault(spelling.casefold(), word)
    return found


def unit_word(text: str) -> UnitWord | None:
    """The unit that ``text`` spells, if it does."""
    known = unit_words()
    stripped = text.strip().rstrip(".")
    if stripped in known:
        return known[stripped]
    return known.get(stripped.casefold()) if len(stripped) > 1 else None
