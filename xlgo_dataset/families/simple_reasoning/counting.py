"""Counting in languages: a file for each, with its strings and a text of its own.

The prompts have one wording (``counting/frame.toml``), the texts differ: what is counted in two
languages is not the same question. A character is what readers take for one, an extended grapheme
cluster (Unicode Standard Annex #29). Indic conjuncts are one cluster by the present rules and were
several before, so only characters are asked for of which both find the same number: the answer
does not hang on the version of the rules.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from ...core.rng import Stream
from ...core.version import DRAW_VERSION
from . import prompts, text
from .prompts import Words

FOLDER = prompts.FOLDER / "counting"
PREFIX = "own:"
"""Before the code of a language: the text of its file, as a ``source``."""

UNSPACED_SIZE = 2
"""Characters that count as one word of a text in a script without spaces, for its length."""

_MARKS = re.compile(r"\s*([.,;:!?¿¡،؛؟।])\s*")
_CONJUNCT = "\u0915\u094d\u0937"


class OwnText(NamedTuple):
    """The text of a language: for each article its sentences, and a digest of all of them."""

    articles: tuple[tuple[str, ...], ...]
    digest: str
    spaced: bool


def languages(task: str) -> tuple[str, ...]:
    """The languages that have the prompts of a task, English first."""
    form = "words" if task == "word_count" else "characters"
    return tuple(code for code in prompts.codes(FOLDER) if form in prompts.table(FOLDER, code))


def words(language: str) -> Words:
    """The frame filled with the strings of a language.

    Raises:
        ValueError: there is no file for it.
    """
    own = prompts.table(FOLDER, language)
    strings = {f"t_{name}": value for name, value in own.items() if isinstance(value, str)}
    filled: Words = prompts.put(prompts.frame(FOLDER), strings)
    return {**filled, "about": own["about"]}


@cache
def load(language: str) -> OwnText:
    """The text of a language, sentence by sentence, marks parted from words by spaces.

    Raises:
        ValueError: there is no file for it.
    """
    own = prompts.table(FOLDER, language)
    spaced = bool(own.get("spaces", True))
    articles = []
    for article in own["articles"]:
        lines = unicodedata.normalize("NFC", article).lower().strip().split("\n")
        articles.append(tuple(_parted(line) if spaced else line.strip() for line in lines))
    whole = "\n\n".join("\n".join(article) for article in articles)
    return OwnText(tuple(articles), hashlib.sha256(whole.encode()).hexdigest()[:16], spaced)


def _parted(line: str) -> str:
    return " ".join(_MARKS.sub(r" \1 ", line).split())


def size(passage: str) -> int:
    """The length of a passage in words and marks; without spaces, in pairs of characters."""
    if " " in passage:
        return passage.count(" ") + 1
    return len(clusters(passage)) // UNSPACED_SIZE


@lru_cache(maxsize=64)
def passages(source: str, low: int, high: int) -> tuple[tuple[str, ...], str]:
    """The shortest run of sentences from each on that has ``low`` words, and the text's digest.

    Raises:
        ValueError: an unknown language, or no run has at most ``high`` words.
    """
    own = load(source.removeprefix(PREFIX))
    joint = " " if own.spaced else ""
    result = []
    for article in own.articles:
        for first in range(len(article)):
            for last in range(first + 1, len(article) + 1):
                passage = joint.join(article[first:last])
                if (length := size(passage)) >= low:
                    result += [passage] if length <= high else []
                    break
    if not result:
        raise ValueError(f"the text {source!r} has no passage of {low} to {high} words")
    return tuple(result), own.digest


def drawn_passage(task: str, stream: Stream, params: Mapping[str, Any]) -> tuple[str, str]:
    """The passage of an instance and the digest of its text.

    Of the text of a language, no passage comes twice before all have come.

    Args:
        task: its name.
        stream: of the instance, for other texts.
        params: of the instance, with ``split``, ``seed`` and ``index``.
    """
    source, low, high = params["source"], params["m"], text.upper_bound(params["m"])
    if not source.startswith(PREFIX):
        result, digest = text.passages(source, params["split"], low, high)
        return result[stream.integer(len(result))], digest
    result, digest = passages(source, low, high)
    key = (source, low, params["split"], params["seed"])
    order = Stream(DRAW_VERSION, "easy-counting", task, *key).permutation(len(result))
    return result[int(order[params["index"] % len(result)])], digest


def clusters(written: str) -> list[str]:
    """The extended grapheme clusters of a text.

    Raises:
        ValueError: the installed ``regex`` does not know Indic conjuncts.
    """
    import regex

    if regex.findall(r"\X", _CONJUNCT) != [_CONJUNCT]:
        raise ValueError("counting characters needs regex 2024.11.6 or later: update it")
    result: list[str] = regex.findall(r"\X", written)
    return result


def common_letters(passage: str, older: Counter[str], most: int) -> list[str]:
    """The most frequent letters, ties to the earlier one, that any rule counts alike.

    Args:
        passage: the text that is counted in.
        older: the counts by the rule without conjuncts.
        most: how many of the most frequent are looked at.
    """
    counts = Counter(clusters(passage))
    letters = [c for c, _ in counts.most_common() if unicodedata.category(c[0])[0] == "L"]
    return [c for c in letters[:most] if counts[c] == older[c]]
