"""The tasks, a line each, and the grading of a response by its task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ...core import Grade, UnusableReferenceError
from . import baselines, grading


@dataclass(frozen=True)
class Task:
    """One task.

    Attributes:
        name: as in references.
        title: in tables.
        grade: a response against its reference, by the kind of answer (see ``grading``).
        shortcuts: what shortcuts score on a question, by their names (see ``baselines``).
        shortcut_names: those that may occur.
        options: answers are options A to D, of which a guess hits one in four: no curve that
            falls to zero fits them.
        averaged: parameters over which the paper averages.
    """

    name: str
    title: str
    grade: Callable[[str, Mapping[str, object]], Grade]
    shortcuts: Callable[[Mapping[str, object]], dict[str, float]] = lambda reference: {}
    shortcut_names: tuple[str, ...] = ()
    options: bool = False
    averaged: tuple[str, ...] = ()

    @property
    def title_within(self) -> str:
        """The title within a sentence."""
        return self.title if self.title.isupper() else self.title[0].lower() + self.title[1:]


_LOGIC = Task(
    "logic_eval", "Logic evaluation", grading.graded_choice, baselines.of_choices,
    ("always_a", "longest", "medoid", "outlier"), options=True, averaged=("vocabulary",),
)  # fmt: skip
_TASKS = (
    Task("word_count", "Word counting", grading.word_counts),
    Task("char_count", "Character counting", grading.single_count),
    _LOGIC,
    replace(_LOGIC, name="logic_negation", title="Logic negation", averaged=("size",)),
    Task("proof_tree", "Proof trees", grading.graded_number),
    Task(
        "irrelevant", "Proof trees with irrelevant information", grading.graded_number,
    ),
    Task(
        "travel", "Travel planning", grading.graded_itinerary, baselines.of_itineraries,
        ("greedy",),
    ),
    Task("unpuzzles", "UNPUZZLES", grading.free_answer),
)  # fmt: skip
TASKS: Mapping[str, Task] = {task.name: task for task in _TASKS}


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
