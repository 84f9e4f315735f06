"""The texts of the counting tasks: reading them and cutting passages of a wanted length.

The layout is that of WikiText-2: tokens separated by spaces, a paragraph a line, ``= Heading =``
lines between articles. Text is lower-cased (the paper says it is; WikiText-2 is not), white space
collapsed to single spaces, and Unicode brought to NFC.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ...sources import read_rows
from .prompts import FOLDER

OWN = "own"
WIKITEXT = "wikitext"
FEW = 100
"""With fewer fitting paragraphs than this, runs of paragraphs of one article are used as well."""

_HEADING = re.compile(r"=+ .* =+")
_PARTS = {"test": "test", "validation": "valid", "train": "train"}


class Corpus(NamedTuple):
    """A text: for each article its paragraphs, and a digest of all of them."""

    articles: tuple[tuple[str, ...], ...]
    digest: str


@lru_cache(maxsize=8)
def load(source: str, split: str) -> Corpus:
    """The text named ``source``.

    Args:
        source: ``own`` for the project's small text; ``wikitext`` for WikiText-2 from the Hub;
            else the path of a text file, or of a folder that holds a copy of WikiText-2
            (``wiki.test.tokens`` and so on, or the Parquet files of the Hub).
        split: WikiText-2 has a part of its own for each split; other texts serve all of them.

    Raises:
        ValueError: there is no such text, or it has no paragraph.
    """
    lines: Iterable[str]
    if source == OWN:
        lines = _lines(FOLDER / "data" / "text.txt")
    elif source == WIKITEXT:
        lines = _from_hub(split)
    else:
        lines = _from_path(Path(source), split)
    articles: list[list[str]] = [[]]
    for raw in lines:
        line = " ".join(unicodedata.normalize("NFC", raw).lower().split())
        if _HEADING.fullmatch(line):
            articles.append([])
        elif line:
            articles[-1].append(line)
    kept = tuple(tuple(article) for article in articles if article)
    if not kept:
        raise ValueError(f"the text {source!r} has no paragraph")
    joined = "\n\n".join("\n".join(article) for article in kept)
    return Corpus(kept, hashlib.sha256(joined.encode("utf-8")).hexdigest()[:16])


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


def _from_path(path: Path, split: str) -> Iterable[str]:
    if path.is_file():
        return _lines(path)
    tokens = path / f"wiki.{_PARTS[split]}.tokens"
    if tokens.is_file():
        return _lines(tokens)
    tables = sorted(path.glob(f"**/{split}-*.parquet")) if path.is_dir() else []
    if not tables:
        raise ValueError(
            f"no text at {str(path)!r}: give {OWN!r}, {WIKITEXT!r}, a text file, or a folder with "
            f"{tokens.name} or {split}-*.parquet"
        )
    return [str(row["text"]) for table in tables for row in read_rows(table, ("text",))]


def _from_hub(split: str) -> Iterable[str]:
    try:
        import datasets

        loaded = datasets.load_dataset("Salesforce/wikitext", "wikitext-2-v1", split=split)
    except (ImportError, OSError, ValueError) as error:
        raise ValueError(
            f"WikiText-2 could not be loaded from the Hub ({error}); "
            f"give source={OWN!r} or the path of a local copy"
        ) from error
    return list(loaded["text"])


@lru_cache(maxsize=32)
def passages(source: str, split: str, low: int, high: int) -> tuple[tuple[str, ...], str]:
    """All passages of ``low`` to ``high`` tokens, and the digest of their text.

    Passages are single paragraphs. Where fewer than ``FEW`` fit, also the shortest runs of
    consecutive paragraphs of one article that reach ``low`` count.

    Raises:
        ValueError: there is none.
    """
    corpus = load(source, split)
    paragraphs = [p for article in corpus.articles for p in article if low <= _tokens(p) <= high]
    if len(paragraphs) < FEW:
        for article in corpus.articles:
            lengths = [_tokens(paragraph) for paragraph in article]
            for first in range(len(article)):
                total, last = lengths[first], first
                while total < low and last + 1 < len(article):
                    last += 1
                    total += lengths[last]
                if last > first and low <= total <= high:
                    paragraphs.append(" ".join(article[first : last + 1]))
    if not paragraphs:
        raise ValueError(f"the text {source!r} has no passage of {low} to {high} tokens")
    return tuple(paragraphs), corpus.digest


def _tokens(paragraph: str) -> int:
    return paragraph.count(" ") + 1


def upper_bound(m: int) -> int:
    """The greatest length that goes with the least length ``m``: the paper's 150 and 400."""
    return 150 if m == 50 else m * 8 // 3


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
