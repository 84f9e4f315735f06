"""What a prompt asks: by the reference of its question, or found from its text alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.family import known_texts

_ENGLISH = frozenset({"length_matched"})
"""Conditions under which a prompt is in English, whatever its language."""


@dataclass(frozen=True)
class Identified:
    """What a prompt asks.

    Attributes:
        task: of the dataset.
        language: in which it is asked.
        complexity: of the question; 0 where it shows none.
        answer: the correct one, as in references.
    """

    task: str
    language: str
    complexity: int
    answer: Any


def identify(prompt: str) -> Identified | None:
    """Read a plain prompt of any task that is simulated, in any language, if it is one."""
    for task, language, text in _candidates():
        try:
            instance = xd.read(task, prompt, language, text)
        except ValueError:
            continue
        return Identified(task, language, instance.complexity, xd.solve(instance))
    return None


def from_reference(reference: Mapping[str, Any]) -> Identified | None:
    """The question of a reference, if its task is simulated."""
    task, language = reference.get("task"), reference["language"]
    if task not in simulated():
        return None
    if reference.get("condition") in _ENGLISH:
        language = xd.LANGUAGES[0]
    return Identified(task, language, int(reference.get("complexity", 1)), reference["answer"])


@lru_cache(maxsize=1)
def simulated() -> dict[str, float]:
    """The tasks that are simulated, as their families say (``Family.half_right``)."""
    return {
        task: half
        for family in xd.FAMILIES.values()
        for task in family.TASKS
        if (half := family.half_right(task)) is not None
    }


@lru_cache(maxsize=1)
def _candidates() -> list[tuple[str, str, str]]:
    """Task, language and wording of what a prompt may be; tasks without complexities come last."""
    candidates = [
        (task, language, text)
        for task in simulated()
        for text in known_texts()
        if (family := xd.family_of(task)).reads_prompts and text in family.texts
        for language in family.languages(task)
    ]
    return sorted(candidates, key=lambda c: xd.family_of(c[0]).complexity_range(c[0]) is None)
