"""The tasks, a file each, and the grading of a response by its task."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ....core import Grade, UnusableReferenceError
from . import (
    char_count,
    irrelevant,
    logic_eval,
    logic_negation,
    proof_tree,
    travel,
    unpuzzles,
    word_count,
)
from .base import Task

TASKS: Mapping[str, Task] = MappingProxyType(
    {
        module.TASK.name: module.TASK
        for module in (
            word_count, char_count, logic_eval, logic_negation, proof_tree, irrelevant, travel,
            unpuzzles,
        )
    }
)  # fmt: skip


def grade(prediction: str | None, reference: Mapping[str, object]) -> Grade:
    """Grade one response.

    Args:
        prediction: the model's whole output; anything is safe.
        reference: the column ``reference`` of the row.

    Raises:
        ValueError: the reference is of no task of this family or lacks what grading needs.
    """
    task = reference.get("task")
    if not isinstance(task, str) or task not in TASKS:
        raise UnusableReferenceError(f"unknown task {task!r}: allowed are {', '.join(TASKS)}")
    try:
        return TASKS[task].grade(prediction or "", reference)
    except KeyError as error:
        raise UnusableReferenceError(f"the reference of a {task} question has no {error}") from None


def shortcuts(reference: Mapping[str, object]) -> dict[str, float]:
    """What each shortcut scores on one question, between 0 and 1; empty where there is none."""
    task = TASKS.get(str(reference.get("task")))
    return {} if task is None else task.shortcuts(reference)
