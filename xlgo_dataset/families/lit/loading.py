"""The texts: our own sample, a JSONL file, or a dataset on the Hub.

A row has ``text_id``, ``text`` and ``subcategory``; ``split`` (``main`` unless said), ``source``
and ``licence`` may be left out, and so may ``category``, which follows from the subcategory.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from xlgo_metric.core import allowed_name, refuse

from ...declared import Json
from ...sources import folder_of, read_rows

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
    allowed_name(split, "split", (MAIN, ROBUSTNESS))
    name = str(_SAMPLE_FILE) if source is None else str(source)
    result = tuple(text for text in _all(name) if text.split == split)
    if not result:
        raise ValueError(f"{name} has no text of the split {split}: give a source that has some")
    return result


def _all(source: str) -> tuple[Text, ...]:
    """The texts of a file, or of every data file of a dataset on the Hub."""
    is_file = Path(source).is_file()
    paths = [Path(source)] if is_file else folder_of(source).data_files().values()
    result = tuple(
        _text(row, f"{path}, row {number}")
        for path in paths
        for number, row in enumerate(read_rows(path), 1)
    )
    seen: set[str] = set()
    for text in result:
        if text.text_id in seen:
            raise ValueError(f"{source}: text_id {text.text_id!r} is there twice: rename one")
        seen.add(text.text_id)
    return result


def _text(row: Json, where: str) -> Text:
    for column in ("text_id", "text", "subcategory"):
        if not isinstance(row.get(column), str) or not row[column].strip():
            raise ValueError(f"{where}: {column} must be a text that is not empty")
    language = row.get("lang")
    refuse(
        f"{where}: ",
        (len(row["text_id"]) > _LONGEST_ID, f"text_id must have at most {_LONGEST_ID} characters"),
        (language not in (None, "en"), f"lang must be 'en', got {language!r}"),
    )
    split, subcategory = row.get("split") or MAIN, row["subcategory"]
    allowed_name(split, "split", (MAIN, ROBUSTNESS), f"{where}: ")
    allowed = CATEGORIES if split == MAIN else CLASSES
    allowed_name(subcategory, "subcategory", allowed, f"{where}: split {split}: ")
    return Text(
        text_id=row["text_id"],
        text=row["text"],
        category=CATEGORIES.get(subcategory, ROBUSTNESS),
        subcategory=subcategory,
        split=split,
        source=str(row.get("source") or ""),
        licence=str(row.get("licence") or ""),
    )
