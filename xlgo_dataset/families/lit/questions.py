"""The questions: a text and a chain of languages each, with their options.

The texts are our own sample, a JSONL file, or a dataset on the Hub. A row there has ``text_id``,
``text`` and ``subcategory``; ``split`` (``main`` unless said), ``source`` and ``licence`` may be
left out, and so may ``category``, which follows from the subcategory.

The rows hold the first prompt of a chain and, in the reference, the chain and the original.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from xlgo_metric.core import allowed_name, grouped, refuse
from xlgo_metric.option import Option

from ...core import Json, Options, row_of
from ...sources import folder_of, read_rows
from . import prompts
from .chains import CHAIN_LANGUAGES, ENGLISH, PAIRS, SEQUENCES, LanguageChain, custom

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


NAME = "lit"
VERSION = 2
"""Of the data of this family; rises whenever a text, a chain or a prompt changes."""

PAIRWISE, CUSTOM, ROBUST = "lit_pairwise", "lit_custom", "lit_robustness"
SPLIT = "test"

_OPTIONS = (
    Option(
        "source", "text", "JSONL file or dataset on the Hub with texts of one's own", is_path=True
    ),
)
_CHAIN = Option(
    "chain",
    "other",
    "languages from en to en, joined by commas",
    needed="codes from en to en, as 'en,te,hi,en'",
    check=lambda value: ",".join(custom(value).codes),
)


def task_options(task: str) -> tuple[Option, ...]:
    """The options of a task."""
    return (*_OPTIONS, _CHAIN) if task == CUSTOM else _OPTIONS


def chains(task: str, chain: str | None = None) -> tuple[LanguageChain, ...]:
    """The chains of languages that a task goes through; ``chain`` is that of one's own."""
    if task == CUSTOM:
        return (custom(str(chain)),)
    if task == PAIRWISE:
        return PAIRS
    return tuple(
        sequence for sequence in SEQUENCES if task in (ROBUST, f"{NAME}_{sequence.sequence}")
    )


def rows(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Options,
) -> Iterator[dict[str, object]]:
    """The shared columns; ``index`` is that of the text, ``level`` that of the chain.

    Texts take turns by subcategory, and each comes with its first chain, the next with its second
    and so on before any comes again, so that the first few rows are of different subcategories and
    of different chains.

    ``complexity`` is the number of translations, ``prompt`` the first of them.

    Raises:
        ValueError: as ``texts`` does.
    """
    every = texts(ROBUSTNESS if task == ROBUST else MAIN, options["source"])
    rounds = itertools.zip_longest(*grouped(every, lambda text: text.subcategory).values())
    originals = [text for texts_of_round in rounds for text in texts_of_round if text is not None]
    about: dict[str, object] = {"data_origin": SAMPLE if options["source"] is None else USER}
    through = chains(task, options.get("chain"))
    for turn in range(len(through)):
        for index, text in enumerate(originals):
            level = (turn + index) % len(through)
            yield _row(task, text, through[level], about, (index, level))


def _row(
    task: str,
    text: Text,
    chain: LanguageChain,
    more: Mapping[str, object],
    numbers: tuple[int, int],
) -> dict[str, object]:
    index, level = numbers
    names = [CHAIN_LANGUAGES[code].asked for code in chain.codes]
    reference = {
        "family": NAME,
        "task": task,
        "language": ENGLISH,
        "instance_id": f"lit-{chain.sequence}-{text.text_id}",
        "text_id": text.text_id,
        "text_split": text.split,
        "category": text.category,
        "subcategory": text.subcategory,
        "sequence": chain.sequence,
        "tier": chain.tier,
        "chain": {
            "codes": list(chain.codes),
            "names": names,
            "scripts": [CHAIN_LANGUAGES[code].script for code in chain.codes],
        },
        "original": text.text,
        "data_origin": more["data_origin"],
        "source": text.source,
        "licence": text.licence,
        "prompt_id": prompts.PROMPT_ID,
        "prompt_sha": prompts.PROMPT_SHA,
        "data": VERSION,
        "complexity": len(chain.codes) - 1,
        "level": level,
        "index": index,
        "split": SPLIT,
        "answer": text.text,
        **more,
    }
    return row_of(reference, prompts.translation(text.text, names[0], names[1]))
