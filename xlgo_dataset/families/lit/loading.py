"""The texts: our own sample, a JSONL file, or a dataset on the Hub.

A row has ``text_id``, ``text`` and ``subcategory``; ``split`` (``main`` unless said), ``source``
and ``licence`` may be left out, and so may ``category``, which follows from the subcategory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

MAIN, ROBUSTNESS = "main", "robustness"

CATEGORIES: Mapping[str, str] = MappingProxyType({
    "humanities": "abstracts", "stem": "abstracts", "core_semantics": "pragmatics",
    "discourse": "pragmatics", "implicit": "pragmatics", "inference": "pragmatics",
    "social": "pragmatics", "informal": "informal",
})  # fmt: skip
"""Category by subcategory of the main split (paper 003, section 3)."""

CLASSES = ("conceptual_abstract", "idioms_metaphors", "polysemy", "register_tone",
           "syntactic_garden")  # fmt: skip
"""Subcategories of the robustness split; their category is ``robustness``."""

SAMPLE, USER = "sample", "user"
"""Origins of texts. Scores on the sample are no published LiT scores."""

_SAMPLE_FILE = Path(__file__).parent / "texts.jsonl"
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_LONGEST_ID = 100


class Text(NamedTuple):
    """A text that is translated.

    Attributes:
        text_id: its name, once in the data.
        text: in English.
        category, subcategory: see ``CATEGORIES`` and ``CLASSES``.
        split: ``main`` or ``robustness``.
        source, licence: where it comes from; empty if not said.
    """

    text_id: str
    text: str
    category: str
    subcategory: str
    split: str
    source: str
    licence: str


def texts(split: str = MAIN, source: str | None = None) -> tuple[Text, ...]:
    """The texts of a split, in the order of the data.

    Args:
        split: ``main`` or ``robustness``.
        source: a JSONL file, or the name of a dataset on the Hub (``owner/name``); ``None`` for
            the sample, which is our own writing (CC0).

    Raises:
        ValueError: there is no such file or dataset, a row is malformed, or a text is there
            twice.
    """
    if split not in (MAIN, ROBUSTNESS):
        raise ValueError(f"unknown split {split!r}: allowed are {MAIN}, {ROBUSTNESS}")
    name = str(_SAMPLE_FILE) if source is None else str(source)
    found = tuple(text for text in _all(name) if text.split == split)
    if not found:
        raise ValueError(f"{name} has no text of the split {split}: give a source that has some")
    return found


@lru_cache(maxsize=8)
def _all(source: str) -> tuple[Text, ...]:
    if Path(source).is_file():
        rows: Iterable[tuple[str, Any]] = _jsonl(Path(source))
    elif _HUB_NAME.fullmatch(source):
        rows = _hub(source)
    else:
        raise ValueError(
            f"source={source!r} is neither a file nor the name of a dataset on the Hub (owner/name)"
        )
    found = tuple(_text(row, where) for where, row in rows)
    seen: set[str] = set()
    for text in found:
        if text.text_id in seen:
            raise ValueError(f"{source}: text_id {text.text_id!r} is there twice: rename one")
        seen.add(text.text_id)
    return found


def _jsonl(file: Path) -> list[tuple[str, Any]]:
    try:
        lines = file.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} cannot be read as UTF-8 text ({error})") from None
    rows = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = f"{file}, line {number}"
            try:
                rows.append((where, json.loads(line)))
            except (ValueError, RecursionError) as error:
                reason = str(error).splitlines()[0]
                raise ValueError(f"{where}: not valid JSON ({reason})") from None
    return rows


def _hub(name: str) -> list[tuple[str, Any]]:
    import datasets

    try:
        loaded = datasets.load_dataset(name)
    except Exception as error:
        reason = str(error).strip().splitlines()
        raise ValueError(
            f"{name} could not be loaded from the Hub ({type(error).__name__}: "
            f"{reason[0] if reason else 'no reason given'}): where there is no network, give a "
            "JSONL file as source"
        ) from None
    return [
        (f"{name}, {part}, row {number}", row)
        for part, rows in loaded.items()
        for number, row in enumerate(rows)
    ]


def _text(row: Any, where: str) -> Text:
    if not isinstance(row, dict):
        raise ValueError(f"{where}: must be an object with text_id, text and subcategory")
    for column in ("text_id", "text", "subcategory"):
        if not isinstance(row.get(column), str) or not row[column].strip():
            raise ValueError(f"{where}: {column} must be a text that is not empty")
    if len(row["text_id"]) > _LONGEST_ID:
        raise ValueError(f"{where}: text_id must have at most {_LONGEST_ID} characters")
    if row.get("lang") not in (None, "en"):
        raise ValueError(f"{where}: lang must be 'en', got {row['lang']!r}")
    split, subcategory = row.get("split") or MAIN, row["subcategory"]
    if split not in (MAIN, ROBUSTNESS):
        raise ValueError(f"{where}: split must be {MAIN} or {ROBUSTNESS}, got {split!r}")
    allowed = tuple(CATEGORIES) if split == MAIN else CLASSES
    if subcategory not in allowed:
        raise ValueError(
            f"{where}: unknown subcategory {subcategory!r} of the split {split}: allowed are "
            f"{', '.join(allowed)}"
        )
    return Text(
        text_id=row["text_id"],
        text=row["text"],
        category=CATEGORIES.get(subcategory, ROBUSTNESS),
        subcategory=subcategory,
        split=split,
        source=str(row.get("source") or ""),
        licence=str(row.get("licence") or ""),
    )
