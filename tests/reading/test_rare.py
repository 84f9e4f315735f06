"""Patterns that are compiled only where one of their words stands never match without one."""

from __future__ import annotations

import re
import re._parser as parser  # type: ignore[import-not-found]
import sys
from dataclasses import replace
from functools import cached_property

import pytest

from xlgo_metric.reading import patterns, tables
from xlgo_metric.reading.grammar import Words

LANGUAGES = ("en", "ja")  # one that parts words by spaces and one that does not


def names() -> list[str]:
    """The properties that are such patterns."""
    words = Words(LANGUAGES)
    every = [name for name in dir(Words) if isinstance(getattr(Words, name), cached_property)]
    return [name for name in every if isinstance(getattr(words, name), patterns.Rare)]


def can_match(parsed: object) -> bool:
    """Whether a parsed pattern has a way through that does not pass ``(?!)``."""
    for op, value in parsed:  # type: ignore[attr-defined]
        kind = str(op)
        if kind == "FAILURE" or (kind == "ASSERT_NOT" and not len(value[1])):
            return False
        if kind == "BRANCH" and not any(map(can_match, value[1])):
            return False
        if kind == "SUBPATTERN" and not can_match(value[3]):
            return False
        if kind == "ASSERT" and not can_match(value[1]):
            return False
        if kind.endswith("REPEAT") and value[0] and not can_match(value[2]):
            return False
    return True


@pytest.mark.parametrize("name", names())
def test_no_way_through_without_a_word(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the words of its places a pattern matches nothing; with them it does."""
    rare = getattr(Words(LANGUAGES), name)
    assert can_match(parser.parse(rare.compiled.pattern))

    def without(code: str) -> tables.Table:
        found = tables.table(code)
        return replace(found, words={**found.words, **dict.fromkeys(rare.places, ())})

    monkeypatch.setattr(patterns, "table", without)
    assert not can_match(parser.parse(getattr(Words(LANGUAGES), name).compiled.pattern))


def test_letters_that_patterns_take_for_equal_fold_alike() -> None:
    words = "".join(w for c in tables.codes() for ws in tables.table(c).words.values() for w in ws)
    cased = {letter for letter in words if letter.lower() != letter.upper()}
    every = "".join(c for c in map(chr, range(sys.maxunicode)) if c.lower() != c.upper())
    assert len(cased) > 100
    for letter in cased:
        for other in re.findall(re.escape(letter), every, re.IGNORECASE):
            assert patterns._folded(other) == patterns._folded(letter)


def test_a_pattern_is_compiled_once_a_text_holds_a_whole_phrase() -> None:
    words = Words(("en",))
    assert words._decline.search("I  CANNOT\nanswer") is not None
    assert "compiled" in words._decline.__dict__
    assert words._admit.search("The answer is 24.") is None
    assert "compiled" not in words._admit.__dict__
