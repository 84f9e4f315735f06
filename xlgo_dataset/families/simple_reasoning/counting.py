"""The texts of the counting tasks: reading them and cutting passages of a length.

The layout is that of WikiText-2: tokens separated by spaces, a paragraph a line, ``= Heading =``
lines between articles. Text is lower-cased (the paper says it is; WikiText-2 is not), white space
collapsed to single spaces, and Unicode brought to NFC.

The parallel prompts have one wording (``counting/frame.toml``) and a text for each language: what
is counted in two languages is not the same question. A character is there what readers take for
one, an extended grapheme cluster (Unicode Standard Annex #29). Indic conjuncts are one cluster by
the present rules and were several before, so only characters are asked for of which both find the
same number: the answer does not hang on the version of the rules.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ...core import DRAW_VERSION, Json
from ...core.rng import Stream
from ...sources import read_rows
from . import base
from .base import Words

FOLDER = base.FOLDER / "counting"
OWN = "own"
WIKITEXT = "wikitext"
PREFIX = "own:"
"""Before the code of a language: the text of its file, as a ``source``."""
FEW = 100
"""With fewer fitting paragraphs than this, runs of paragraphs of one article are used as well."""
UNSPACED_SIZE = 2
"""Characters that count as one word of a text in a script without spaces, for its length."""

_HEADING = re.compile(r"=+ .* =+")
_PARTS = {"test": "test", "validation": "valid", "train": "train"}
_MARKS = re.compile(r"\s*([.,;:!?¿¡،؛؟।])\s*")
_CONJUNCT = "\u0915\u094d\u0937"


class Corpus(NamedTuple):
    """A text: for each article its paragraphs, or its sentences in the text of a language; a digest
    of all of them; and what stands between two of them."""

    articles: tuple[tuple[str, ...], ...]
    digest: str
    joint: str


def languages(task: str) -> tuple[str, ...]:
    """The languages that have the prompts of a task, English first."""
    form = "words" if task == "word_count" else "characters"
    return tuple(code for code in base.codes(FOLDER) if form in base.table(FOLDER, code))


def words(language: str) -> Words:
    """The frame filled with the strings of a language.

    Raises:
        ValueError: there is no file for it.
    """
    table = base.table(FOLDER, language)
    strings = {f"t_{name}": value for name, value in table.items() if isinstance(value, str)}
    filled: Words = base.put(base.frame(FOLDER), strings)
    return {**filled, "about": table["about"]}


@lru_cache(maxsize=64)
def load(source: str, split: str = "test") -> Corpus:
    """The text named ``source``.

    Args:
        source: ``own`` for the project's small text; ``own:`` and the code of a language for its
            text, marks parted from words by spaces; ``wikitext`` for WikiText-2 from the Hub; else
            the path of a text file, or of a folder that holds a copy of WikiText-2
            (``wiki.test.tokens`` and so on, or the Parquet files of the Hub).
        split: WikiText-2 has a part of its own for each split; other texts serve all of them.

    Raises:
        ValueError: there is no such text, or it has no paragraph.
    """
    articles: list[list[str]] = [[]]
    joint = " "
    if source.startswith(PREFIX):
        table = base.table(FOLDER, source.removeprefix(PREFIX))
        joint = " " if table.get("spaces", True) else ""
        marks = r" \1 " if joint else r"\1"
        articles = [
            [_MARKS.sub(marks, x) for x in y.strip().split("\n")] for y in table["articles"]
        ]
    else:
        for line in _lines(source, split):
            if _HEADING.fullmatch(_normal(line)):
                articles.append([])
            else:
                articles[-1].append(line)
    paragraphs = [tuple(filter(None, map(_normal, article))) for article in articles]
    text = "\n\n".join("\n".join(article) for article in paragraphs if article)
    if not text:
        raise ValueError(f"the text {source!r} has no paragraph")
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Corpus(tuple(filter(None, paragraphs)), digest, joint)


def _normal(line: str) -> str:
    return " ".join(unicodedata.normalize("NFC", line).lower().split())


def _lines(source: str, split: str) -> Sequence[str]:
    """The lines of a text that is no text of a language."""
    if source == WIKITEXT:
        return _from_hub(split)
    path = base.FOLDER / "data" / "text.txt" if source == OWN else Path(source)
    tokens = path / f"wiki.{_PARTS[split]}.tokens"
    for file in (path, tokens):
        if file.is_file():
            return file.read_text(encoding="utf-8").split("\n")
    if not (tables := sorted(path.glob(f"**/{split}-*.parquet"))):
        raise ValueError(
            f"no text at {str(path)!r}: give {OWN!r}, {WIKITEXT!r}, a text file, or a folder with "
            f"{tokens.name} or {split}-*.parquet"
        )
    return [str(row["text"]) for table in tables for row in read_rows(table, ("text",))]


def _from_hub(split: str) -> list[str]:
    try:
        import datasets

        loaded = datasets.load_dataset("Salesforce/wikitext", "wikitext-2-v1", split=split)
    except (ImportError, OSError, ValueError) as error:
        raise ValueError(
            f"WikiText-2 could not be loaded from the Hub ({error}); "
            f"give source={OWN!r} or the path of a local copy"
        ) from error
    return list(loaded["text"])


def size(passage: str) -> int:
    """The length of a passage in words and marks; without spaces, in pairs of characters."""
    if " " in passage:
        return passage.count(" ") + 1
    return len(clusters(passage)) // UNSPACED_SIZE


@lru_cache(maxsize=64)
def passages(source: str, split: str, low: int, high: int) -> tuple[tuple[str, ...], str]:
    """All passages of ``low`` to ``high`` words, and the digest of their text.

    A passage is the shortest run of paragraphs of an article, from each on, that has ``low`` words.
    In other texts than those of languages it is a single paragraph, or a run where fewer than
    ``FEW`` paragraphs fit.

    Raises:
        ValueError: an unknown language, or there is none.
    """
    corpus = load(source, split)
    runs: list[tuple[str, bool]] = []
    for article in corpus.articles:
        for first in range(len(article)):
            for last in range(first + 1, len(article) + 1):
                passage = corpus.joint.join(article[first:last])
                if (length := size(passage)) >= low:
                    runs += [(passage, last > first + 1)] if length <= high else []
                    break
    if not source.startswith(PREFIX):
        runs.sort(key=lambda run: run[1])
        singles = sum(not is_joined for _, is_joined in runs)
        runs = runs if singles < FEW else runs[:singles]
    if not runs:
        raise ValueError(f"the text {source!r} has no passage of {low} to {high} words")
    return tuple(passage for passage, _ in runs), corpus.digest


def drawn_passage(task: str, stream: Stream, params: Json) -> tuple[str, str]:
    """The passage of an instance and the digest of its text.

    Of the text of a language, no passage comes twice before all have come.

    Args:
        task: its name.
        stream: of the instance, for other texts.
        params: of the instance, with ``split``, ``seed`` and ``index``.
    """
    source, low = params["source"], params["m"]
    high = 150 if low == 50 else low * 8 // 3  # the paper's 150 and 400
    result, digest = passages(source, params["split"], low, high)
    if not source.startswith(PREFIX):
        return result[stream.integer(len(result))], digest
    key = (source, low, params["split"], params["seed"])
    order = Stream(DRAW_VERSION, "easy-counting", task, *key).permutation(len(result))
    return result[int(order[params["index"] % len(result)])], digest


def is_word(token: str) -> bool:
    """Whether a token has letters, with their marks, and nothing else."""
    kinds = {unicodedata.category(character)[0] for character in token}
    return "L" in kinds and kinds <= {"L", "M"}


def characters(text: str) -> list[str]:
    """The text as its readers count it: a letter together with the marks that belong to it."""
    result: list[str] = []
    for character in text:
        if result and unicodedata.category(character)[0] == "M":
            result[-1] += character
        else:
            result.append(character)
    return result


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
