"""Which tables of words an answer is read by: the prompt's language, English, one that it tells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from xlgo_metric.reading.grammar import Words
from xlgo_metric.reading.tables import LETTER, PLACES, codes, seen, table


@lru_cache(maxsize=512)
def _words(languages: tuple[str, ...]) -> Words:
    return Words(languages)


def words_for(language: str | None, text: str) -> Words:
    """The words to read a text by, which answers a prompt in a language.

    These are the tables of the prompt's language, of English, and of the language whose words the
    text holds most of, if it holds more of them than of those two. Without a prompt's language all
    that share the first place count.

    Args:
        language: of the prompt; ``None`` if it is not known.
        text: of the answer, or the part of it around what is read.
    """
    known = [code for code in dict.fromkeys(("en", language)) if code in codes()]
    scores = _scores(seen(text[-1_500:]))
    least = max((scores.get(code, 0) for code in known), default=0)
    if language is None:
        least = max(1, scores.get("en", 0)) - 1
    best = max(scores.values(), default=0)
    told = [code for code in scores if scores[code] == best > least and code not in known]
    return _words(tuple(known + sorted(told)))


@dataclass
class Context:
    """A text that answers a prompt, with the words to read it by, made when they are asked for.

    Attributes:
        language: of the prompt; ``None`` if it is not known.
        text: the answer, or what stands around the part that is read.
    """

    language: str | None = None
    text: str = ""

    @cached_property
    def words(self) -> Words:
        """See `words_for`."""
        return words_for(self.language, self.text)


_TOKEN = re.compile(f"{LETTER}+")
_WORD = re.compile(f"{LETTER}+(?![0-9]|{LETTER})")  # no letter of an identifier


def _scores(text: str) -> dict[str, int]:
    """How many different words of each table a text holds."""
    exact, beginnings, patterns = _telling()
    found: dict[str, int] = {}
    for token in set(_WORD.findall(text.lower())):
        hit = set(exact.get(token, ()))
        for length in range(2, min(len(token), 7) + 1):
            hit.update(beginnings.get(token[:length], ()))
        for code in hit:
            found[code] = found.get(code, 0) + 1
    for code, script, pattern in patterns:
        if script.search(text) and (words := set(pattern.findall(text))):
            found[code] = len(words)
    return found


_SCRIPTS = {"ja": "[\u3040-\u30ff]", "zh": "[\u3400-\u9fff]"}
Telling = tuple[
    dict[str, tuple[str, ...]],
    dict[str, tuple[str, ...]],
    list[tuple[str, re.Pattern[str], re.Pattern[str]]],
]


@lru_cache(maxsize=1)
def _telling() -> Telling:
    """Every word of every table with the languages that have it."""
    exact: dict[str, set[str]] = {}
    beginnings: dict[str, set[str]] = {}
    patterns = []
    for code in codes():
        found = table(code)
        every = [word for place in PLACES for word in found.words[place]]
        if not found.spaced:
            script = _SCRIPTS.get(code) or f"[{_range(every)}]"
            words = sorted({w for w in every if _TOKEN.fullmatch(w)}, key=len, reverse=True)
            pattern = re.compile("|".join(map(re.escape, words)))
            patterns.append((code, re.compile(script), pattern))
            continue
        for word in every:
            for part in _parts(word):
                kind = beginnings if part.endswith("*") and 2 <= len(part) - 1 < 8 else exact
                kind.setdefault(part.strip("*").lower(), set()).add(code)
    return (
        {word: tuple(found) for word, found in exact.items()},
        {word: tuple(found) for word, found in beginnings.items()},
        patterns,
    )


def _parts(word: str) -> Iterable[str]:
    """The words of a phrase, as tokens."""
    return [part for part in word.split() if _TOKEN.fullmatch(part.strip("*"))]


def _range(words: list[str]) -> str:
    """The letters of a script, from the first to the last that its words hold."""
    letters = [mark for word in words for mark in word if ord(mark) > 0x370]
    return f"{min(letters)}-{max(letters)}"
