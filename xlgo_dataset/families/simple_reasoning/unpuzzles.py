"""UNPUZZLES: well-known puzzles, their trivialised versions and those in another setting.

A loader for the authors' release (paper 002, section 5): ``unpuzzles.json``, a list of items with
``puzzle_name, original_puzzle, original_solution, original_answer, unpuzzle, unpuzzle_solution,
unpuzzle_answer, source``, and ``shifted_unpuzzles.json``, whose items also have
``shifted_unpuzzle, shifted_unpuzzle_answer`` and a domain for each answer: ``int`` or a list of
categories. Nothing of the release is part of this project.

The release leaves some sources and answers blank. A blank answer goes to the judge, who knows the
solution. ``data/unpuzzles_corrections.toml`` has what is right where an answer or a domain of the
release is wrong; it is applied by default, and references say so.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...core.schema import row_of
from ...sources import read_records
from ...text.document import fill
from .prompts import FOLDER, Words, toml

TASK = "unpuzzles"
VARIANTS = ("original", "unpuzzle", "context_shifted")
ITEMS = ("shifted", "all")
CORRECTIONS = ("project", "none")
"""Whose answers and domains count: the corrected ones, or those of the release as they are."""
LICENCE = "CC-BY-4.0"
"""Of the authors' release as a whole; ``source`` names where an item comes from."""

_TABLE = FOLDER / "data" / "unpuzzles_corrections.toml"
_FILES = {"shifted": "shifted_unpuzzles.json", "all": "unpuzzles.json"}
_FIELDS = {
    "original": ("original_puzzle", "original_solution", "original_answer", "original_domain"),
    "unpuzzle": ("unpuzzle", "unpuzzle_solution", "unpuzzle_answer", "unpuzzle_domain"),
    "context_shifted": (
        "shifted_unpuzzle",
        "unpuzzle_solution",
        "shifted_unpuzzle_answer",
        "shifted_unpuzzle_domain",
    ),
}


class Item(NamedTuple):
    """One question of the release.

    Attributes:
        name: of the puzzle, shared by its variants.
        variant: one of ``VARIANTS``.
        question: what is asked.
        solution: a correct solution.
        answer: the correct answer; empty where the release has none.
        domain: ``integer``, a list of categories, or ``None`` for any text.
        source: where the puzzle comes from; empty where the release does not say.
    """

    name: str
    variant: str
    question: str
    solution: str
    answer: str
    domain: str | list[str] | None
    source: str


def load(
    source: str, variant: str, items: str = "shifted", corrections: str = "project"
) -> list[Item]:
    """One variant of the items of a release.

    Args:
        source: a JSON file, a folder that has the files of the release in it or below it, or the
            name of a dataset repository on the Hub.
        variant: ``original``, ``unpuzzle`` or ``context_shifted``.
        items: ``shifted``, the subset that has all three variants and answers of known domain, or
            ``all``, which has no context-shifted variant and no domains.
        corrections: one of ``CORRECTIONS``.

    Raises:
        ValueError: the file is missing or an item is incomplete or named twice.
    """
    if (variant, items) == ("context_shifted", "all"):
        raise ValueError("the items 'all' have no context-shifted variant: take items='shifted'")
    table = _corrections(items, variant) if corrections == "project" else {}
    puzzles = [_item(row, variant, table) for row in read_records(source, _FILES[items])]
    names = [item.name for item in puzzles]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"the release names {twice[0]!r} twice")
    return puzzles


def _corrections(items: str, variant: str) -> dict[tuple[str, str, str], tuple[str, str]]:
    """By puzzle, answer and domain of the release: the right answer and domain."""
    result = {}
    for row in toml(_TABLE)["correction"]:
        if items in row["items"] and variant in row["variants"]:
            answer, domain = row["was"]
            was = (row["puzzle"], answer, domain if items == "shifted" else "")
            result[was] = (row["answer"], row["domain"])
    return result


def _item(
    row: Mapping[str, object], variant: str, table: Mapping[tuple[str, str, str], tuple[str, str]]
) -> Item:
    name = str(row.get("puzzle_name", "")).strip()
    texts = []
    for field in (*_FIELDS[variant][:3], "source"):
        value = row.get(field)
        blank_allowed = field == "source" or field.endswith("answer")
        if value is None or not (blank_allowed or str(value).strip()):
            raise ValueError(f"the item {name or row!r} of the release has no {field!r}")
        texts.append(str(value).strip())
    if not name:
        raise ValueError("an item of the release has no 'puzzle_name'")
    question, solution, answer, source = texts
    given = str(row.get(_FIELDS[variant][3]) or "").strip()
    answer, given = table.get((name, answer, given), (answer, given))
    if variant == "unpuzzle" and answer and _plain(row.get("original_answer")) == _plain(answer):
        warnings.warn(
            f"{name}: the puzzle and the unpuzzle have the same answer, so a memorised answer "
            "counts as correct",
            stacklevel=3,
        )
    domain = _domain(given, answer, name)
    return Item(name, variant, question, solution, answer, domain, source)


def _domain(text: str, answer: str, name: str) -> str | list[str] | None:
    if not text or not answer:
        return None
    if text == "int":
        return "integer"
    choices = [part.strip() for part in text.split(",") if part.strip()]
    if _plain(answer) in map(_plain, choices):
        return choices
    message = f"{name}: the answer is not in its domain {text!r}, which is ignored"
    warnings.warn(message, stacklevel=4)
    return None


def _plain(text: object) -> str:
    return " ".join(str(text).casefold().split())


def prompt(item: Item, words: Words) -> str:
    """The question and how to state the answer."""
    table = words[TASK]
    if isinstance(item.domain, list):
        choices = ", ".join(item.domain)
        return fill(table["categories"], question=item.question, choices=choices)
    return fill(table[item.domain or "free"], question=item.question)


def rows(
    split: str,
    words: Words,
    *,
    source: str,
    variant: tuple[str, ...],
    items: str,
    corrections: str,
) -> Iterator[dict[str, object]]:
    """The shared columns, one variant after the other for each item."""
    loaded = {one: load(source, one, items, corrections) for one in variant}
    table = int(toml(_TABLE)["version"]) if corrections == "project" else "none"
    for index, group in enumerate(zip(*loaded.values())):
        for level, item in enumerate(group):
            slug = re.sub(r"\W+", "-", item.name.casefold()).strip("-")
            reference = {
                "family": "easy",
                "task": TASK,
                "language": "en",
                "instance_id": f"{TASK}-{split}-{item.variant}-{items}-{slug}",
                "params": {"variant": item.variant, "items": items},
                "corrections": table,
                "item": item.name,
                "question": item.question,
                "solution": item.solution,
                "domain": item.domain,
                "licence": LICENCE,
                "source": item.source,
                "split": split,
                "answer": {"text": item.answer},
            }
            yield row_of(reference, prompt(item, words), complexity=0, level=level, index=index)
