"""Sentences and clauses of any script, by their marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# A full stop breaks sentences before white space only, so that 3.5 stays whole, and "3. adım".
BREAK = re.compile(r"\.(?=[\s\"')\]*_$]|\Z)(?!(?<=\b\d\.)\s[a-zß-ÿğış])|[!?؟。।॥۔።။។⟹⇒\n]+|…")
CLAUSE = re.compile(r"[;؛،、—]|,(?!\d{3}(?!\d))|\((?!\d)|\s-\s")

# Where a sentence may end in a script that has no mark for it.
UNMARKED = re.compile(r"(?<=[\u0e01-\u0e4e])\s(?=[\u0e01-\u0e4e])")


def clause_of(sentence: str, start: int, end: int) -> str:
    """The clause around a part of a sentence."""
    begins = [m.end() for m in CLAUSE.finditer(sentence, 0, start)]
    stop = CLAUSE.search(sentence, end)
    return sentence[max(begins, default=0) : stop.start() if stop else len(sentence)]


def first_end(text: str) -> int:
    """Where the sentence ends that a text begins in; 0 if it begins with a break."""
    mark = BREAK.search(text)
    if mark is None:
        return len(text)
    return mark.end() if text[: mark.start()].strip(" $`*_)}]\"'") else 0


class Sentence(NamedTuple):
    """A sentence, whether it asks something, and where it ends in its text."""

    text: str
    asks: bool
    end: int


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text."""
    start = 0
    for mark in BREAK.finditer(text):
        if text[start : mark.start()].strip():
            yield Sentence(text[start : mark.start()], mark[0][0] in "?؟", mark.end())
        start = mark.end()
    if text[start:].strip():
        yield Sentence(text[start:], False, len(text))
