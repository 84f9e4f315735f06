"""Loaders for the authors' release (paper 002): their fixed questions, and UNPUZZLES.

Each entry of ``simple_reasoning.json`` has ``task, question, answer, custom_id`` and the settings
it was made with. The answers are brought into the form of this family's references, so that they
are graded like the project's own. Nothing of the release is part of this project.

UNPUZZLES (section 5) are well-known puzzles, their trivialised versions and those in another
setting: ``unpuzzles.json``, a list of items with ``puzzle_name, original_puzzle, original_solution,
original_answer, unpuzzle, unpuzzle_solution, unpuzzle_answer, source``, and
``shifted_unpuzzles.json``, whose items also have ``shifted_unpuzzle, shifted_unpuzzle_answer`` and
a domain for each answer: ``int`` or a list of categories.

The release leaves some sources and answers blank. A blank answer goes to the judge, who knows the
solution. ``data/unpuzzles_corrections.toml`` has what is right where an answer or a domain of the
release is wrong; it is applied by default, and references say so.
"""

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from xlgo_metric.core import allowed_name

from ...core import Json, row_of
from ...sources import Record, read_records
from ...text.document import fill
from .base import FOLDER, Words, toml

TASK = "released"
FILE = "simple_reasoning.json"
TASKS = {
    "word_count": ("word_count", "k"),
    "character_count": ("char_count", "m"),
    "logic_evaluation": ("logic_eval", "depth"),
    "logic_negation": ("logic_negation", "depth"),
    "mathgap_diverse": ("proof_tree", "depth"),
    "mathgap_irrelevant": ("irrelevant", "trees"),
    "travel": ("travel", "visit"),
}
"""The name that each task has here, and its main parameter."""


def rows(source: str, split: str) -> Iterator[dict[str, object]]:
    """The shared columns, in the order of the file; see ``sources.read_records`` for ``source``.

    Raises:
        ValueError: the file is missing or an entry cannot be understood.
    """
    for index, entry in enumerate(read_records(source, FILE)):
        name, prompt = entry.get("custom_id", index), entry.get("question") or entry.get("input")
        where = f"released question {name}"
        task, parameter = TASKS[allowed_name(entry.get("task"), "task", TASKS, f"{where}: ")]
        if not prompt or "answer" not in entry:
            raise ValueError(f"{where} has no question or no answer")
        settings = {
            key: value
            for key, value in entry.items()
            if key not in ("task", "question", "input", "answer", "custom_id")
            and isinstance(value, (str, int, float))
        }
        try:
            answer = _answer(task, entry["answer"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{where}: cannot understand its answer ({error})") from None
        reference = {
            "family": "easy",  # as in every reference of this family
            "task": task,
            "language": "en",
            "instance_id": f"{TASK}-{split}-{name}",
            "params": {"released": True, **settings},
            "split": split,
            **answer,
            "complexity": _complexity(task, settings.get(parameter), answer),
        }
        yield row_of(reference, str(prompt), level=0, index=index)


def _answer(task: str, solution: Any) -> dict[str, object]:
    """The answer, and for travel the conditions, as grading wants them."""
    if task in ("word_count", "char_count"):
        counts = list(solution.values()) if isinstance(solution, Mapping) else solution
        counts = counts if isinstance(counts, list) else [counts]
        return {"answer": {"counts": [int(count) for count in counts]}}
    if task in ("logic_eval", "logic_negation"):
        return {"answer": {"choice": str(solution).strip().upper()}}
    if task in ("proof_tree", "irrelevant"):
        return {"answer": {"number": int(solution)}}
    costs = solution["costs"]
    edges = [
        [u, v, {mode: costs[f"{u}{v}{mode}"] for mode in modes}]
        for u, onward in solution["graph"].items()
        for v, modes in onward.items()
    ]
    return {
        "answer": {},
        "start": solution["city_start"],
        "end": solution["city_end"],
        "budget": solution["total_budget"],
        "visit": int(solution["steps"]),
        "edges": edges,
    }


def _complexity(task: str, setting: object, answer: Json) -> int:
    """The main parameter: of the settings, or counted where the answer shows it.

    Returns:
        0 where none of them tells: grading does not need it, but no curve has such questions.
    """
    if str(setting).isascii() and str(setting).isdigit():
        return int(str(setting))
    counted = answer["answer"]["counts"] if task == "word_count" else ()
    return int(answer.get("visit", len(counted)))


UNPUZZLES = "unpuzzles"
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


def unpuzzles(
    split: str,
    words: Words,
    *,
    source: str,
    variant: tuple[str, ...],
    items: str,
    corrections: str,
) -> Iterator[dict[str, object]]:
    """The shared columns, one variant after the other for each item.

    Args:
        split: that the ids name.
        words: the strings of the prompts.
        source: a JSON file, a folder that has the files of the release in it or below it, or the
            name of a dataset repository on the Hub.
        variant: of ``original``, ``unpuzzle`` and ``context_shifted``.
        items: ``shifted``, the subset that has all three variants and answers of known domain, or
            ``all``, which has no context-shifted variant and no domains.
        corrections: one of ``CORRECTIONS``.

    Raises:
        ValueError: the file is missing or an item is incomplete or named twice.
    """
    if "context_shifted" in variant and items == "all":
        raise ValueError("the items 'all' have no context-shifted variant: take items='shifted'")
    records = read_records(source, _FILES[items])
    names = [str(record.get("puzzle_name", "")).strip() for record in records]
    if repeated := sorted(name for name, count in Counter(names).items() if count > 1):
        raise ValueError(f"the release names {repeated[0]!r} twice")
    version = int(toml(_TABLE)["version"]) if corrections == "project" else "none"
    for index, (name, record) in enumerate(zip(names, records)):
        slug = re.sub(r"\W+", "-", name.casefold()).strip("-")
        for level, kind in enumerate(variant):
            table = _corrections(items, kind) if corrections == "project" else {}
            question, solution, answer, domain = _texts(record, name, kind)
            answer, domain = table.get((name, answer, domain), (answer, domain))
            if (
                kind == "unpuzzle"
                and answer
                and _plain(record["original_answer"]) == _plain(answer)
            ):
                warnings.warn(
                    f"{name}: the puzzle and the unpuzzle have the same answer, so a memorised "
                    "answer counts as correct",
                    stacklevel=2,
                )
            reference = {
                "family": "easy",
                "task": UNPUZZLES,
                "language": "en",
                "instance_id": f"{UNPUZZLES}-{split}-{kind}-{items}-{slug}",
                "params": {"variant": kind, "items": items},
                "corrections": version,
                "item": name,
                "question": question,
                "solution": solution,
                "domain": _domain(domain, answer, name),
                "licence": LICENCE,
                "source": str(record["source"]).strip(),
                "split": split,
                "answer": {"text": answer},
            }
            yield row_of(
                reference, unpuzzle_prompt(reference, words), complexity=0, level=level, index=index
            )


@cache
def _corrections(items: str, variant: str) -> dict[tuple[str, str, str], tuple[str, str]]:
    """By puzzle, answer and domain of the release: the right answer and domain."""
    result = {}
    for row in toml(_TABLE)["correction"]:
        if items in row["items"] and variant in row["variants"]:
            answer, domain = row["was"]
            was = (row["puzzle"], answer, domain if items == "shifted" else "")
            result[was] = (row["answer"], row["domain"])
    return result


def _texts(record: Record, name: str, variant: str) -> list[str]:
    """Question, solution, answer and domain; the last two may be blank."""
    *fields, domain = _FIELDS[variant]
    for field in ("puzzle_name", *fields, "source"):
        may_be_blank = field == "source" or field.endswith("answer")
        if record.get(field) is None or not (may_be_blank or str(record[field]).strip()):
            raise ValueError(f"the item {name or record!r} of the release has no {field!r}")
    return [str(record.get(field) or "").strip() for field in (*fields, domain)]


def _domain(text: str, answer: str, name: str) -> str | list[str] | None:
    if not text or not answer or text == "int":
        return "integer" if text and answer else None
    choices = [part.strip() for part in text.split(",") if part.strip()]
    if _plain(answer) in map(_plain, choices):
        return choices
    message = f"{name}: the answer is not in its domain {text!r}, which is ignored"
    warnings.warn(message, stacklevel=3)
    return None


def _plain(text: object) -> str:
    return " ".join(str(text).casefold().split())


def unpuzzle_prompt(item: Json, words: Words) -> str:
    """The question and how to state the answer."""
    table, domain = words[UNPUZZLES], item["domain"]
    if isinstance(domain, list):
        return fill(table["categories"], question=item["question"], choices=", ".join(domain))
    return fill(table[domain or "free"], question=item["question"])
