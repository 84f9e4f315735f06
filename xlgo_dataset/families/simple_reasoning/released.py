"""The authors' fixed procedural questions: a loader for ``simple_reasoning.json``.

Each entry of the release (paper 002) has ``task, question, answer, custom_id`` and the settings it
was made with. The answers are brought into the form of this family's references, so that they are
graded like the project's own. Nothing of the release is part of this project.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...core.schema import row_of
from ...sources import read_records

TASK = "released"
FILE = "simple_reasoning.json"
TASKS = {
    "word_count": "word_count",
    "character_count": "char_count",
    "logic_evaluation": "logic_eval",
    "logic_negation": "logic_negation",
    "mathgap_diverse": "proof_tree",
    "mathgap_irrelevant": "irrelevant",
    "travel": "travel",
}
"""The name that each task has here."""

MAIN = {
    "word_count": "k", "char_count": "m", "logic_eval": "depth", "logic_negation": "depth",
    "proof_tree": "depth", "irrelevant": "trees", "travel": "visit",
}  # fmt: skip


def rows(source: str, split: str) -> Iterator[dict[str, object]]:
    """The shared columns, in the order of the file; see ``sources.find_file`` for ``source``.

    Raises:
        ValueError: the file is missing or an entry cannot be understood.
    """
    for index, entry in enumerate(read_records(source, FILE)):
        reference = _reference(entry, index, split)
        reference["complexity"] = _complexity(reference)
        prompt = str(entry.get("question") or entry["input"])
        yield row_of(reference, prompt, level=0, index=index)


def _reference(entry: Mapping[str, object], index: int, split: str) -> dict[str, object]:
    name = entry.get("custom_id", index)
    task = TASKS.get(str(entry.get("task")))
    if task is None:
        allowed = ", ".join(TASKS)
        raise ValueError(f"released question {name}: unknown task {entry.get('task')!r}: {allowed}")
    if not (entry.get("question") or entry.get("input")) or "answer" not in entry:
        raise ValueError(f"released question {name} has no question or no answer")
    settings = {
        key: value
        for key, value in entry.items()
        if key not in ("task", "question", "input", "answer", "custom_id")
        and isinstance(value, (str, int, float))
    }
    try:
        answer = _answer(task, entry["answer"])
    except (KeyError, TypeError, ValueError) as error:
        text = f"released question {name}: cannot understand its answer ({error})"
        raise ValueError(text) from None
    return {
        "family": "easy",  # as in every reference of this family
        "task": task,
        "language": "en",
        "instance_id": f"{TASK}-{split}-{name}",
        "params": {"released": True, **settings},
        "split": split,
        **answer,
    }


def _answer(task: str, given: Any) -> dict[str, object]:
    """The answer, and for travel the conditions, as grading wants them."""
    if task in ("word_count", "char_count"):
        counts = list(given.values()) if isinstance(given, Mapping) else given
        counts = counts if isinstance(counts, list) else [counts]
        return {"answer": {"counts": [int(count) for count in counts]}}
    if task in ("logic_eval", "logic_negation"):
        return {"answer": {"choice": str(given).strip().upper()}}
    if task in ("proof_tree", "irrelevant"):
        return {"answer": {"number": int(given)}}
    costs = given["costs"]
    edges = [
        [u, v, {mode: costs[f"{u}{v}{mode}"] for mode in modes}]
        for u, onward in given["graph"].items()
        for v, modes in onward.items()
    ]
    return {
        "answer": {},
        "start": given["city_start"],
        "end": given["city_end"],
        "budget": given["total_budget"],
        "visit": int(given["steps"]),
        "edges": edges,
    }


def _complexity(reference: Mapping[str, Any]) -> int:
    """The main parameter: of the settings, or counted where the answer shows it.

    Returns:
        0 where none of them tells: grading does not need it, but no curve has such questions.
    """
    task = reference["task"]
    value = str(reference["params"].get(MAIN[task]))
    if value.isascii() and value.isdigit():
        return int(value)
    if task == "word_count":
        return len(reference["answer"]["counts"])
    return int(reference["visit"]) if task == "travel" else 0
