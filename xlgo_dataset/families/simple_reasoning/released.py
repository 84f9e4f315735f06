"""The authors' fixed procedural questions: a loader for ``simple_reasoning.json``.

Each entry of the release (paper 002) has ``task, question, answer, custom_id`` and the settings it
was made with. The answers are brought into the form of this family's references, so that they are
graded like the project's own. Nothing of the release is part of this project.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from xlgo_metric.core import allowed_name

from ...core.schema import row_of
from ...declared import Json
from ...sources import read_records

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
