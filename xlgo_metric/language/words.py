"""Frequent words: which language of a script a sentence is in, from the words all texts have."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources

from .scripts import group


@cache
def _data() -> dict[str, dict[str, list[str]]]:
    text = resources.files(__package__).joinpath("language_words.json").read_text(encoding="utf-8")
    return {
        part: {name: words.split() for name, words in lists.items()}
        for part, lists in json.loads(text).items()
    }


@cache
def _malay_indonesian() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Words that only Malay has, that only Indonesian has, and that rather Malay has.

    Those that are good in both, such as "dari", "harus" and "setelah", are in none. The third are
    frequent in Malay and good Indonesian, so they only speak for Malay.
    """
    lists = _data()["malay_indonesian"]
    return frozenset(lists["ms"]), frozenset(lists["id"]), frozenset(lists["rather_ms"])


def is_indonesian(words: Iterable[str]) -> bool:
    """Whether words that only Indonesian has outnumber Malay ones; two at least."""
    malay, indonesian, rather_malay = _malay_indonesian()
    words = list(words)
    result = sum(word in indonesian for word in words)
    return result >= 2 and result > sum(word in malay or word in rather_malay for word in words)


def is_malay(words: Iterable[str]) -> bool:
    """Whether words that only Malay has outnumber Indonesian ones; two at least."""
    malay, indonesian, _ = _malay_indonesian()
    words = list(words)
    result = sum(word in malay for word in words)
    return result >= 2 and result > sum(word in indonesian for word in words)


@cache
def frequent() -> dict[str, tuple[tuple[str, float], ...]]:
    """Each frequent word -> the languages that have it, with its weight: less for shared words."""
    owners: dict[str, list[str]] = {}
    for code, words in _data()["frequent"].items():
        for word in dict.fromkeys(words):
            owners.setdefault(word, []).append(code)
    weights: dict[str, tuple[tuple[str, float], ...]] = {}
    for word, codes in owners.items():
        groups = {group(code) for code in codes}
        weight = (
            (1.0 if len(word) > 1 else 0.4)
            / len(groups)
            * (1.5 if len(groups) == 1 and len(word) > 2 else 1)
        )
        weights[word] = tuple((code, weight) for code in groups)
    return weights


def has_list(language: str) -> bool:
    """Whether there is a list of frequent words of ``language``."""
    return language in _data()["frequent"]


def scores(words: Iterable[str]) -> dict[str, float]:
    """The weight of the frequent words of each language in ``words``, which are lower-case."""
    result: dict[str, float] = {}
    table = frequent()
    for word in words:
        for code, weight in table.get(word, ()):
            result[code] = result.get(code, 0.0) + weight
    return result


def casefolded(found: Iterable[tuple[str, list[str]]]) -> list[str]:
    """The Latin words among runs of words, in lower case, without apostrophes around them."""
    return [
        word.casefold().strip("'’")
        for script, words in found
        if script == "latin"
        for word in words
    ]
