"""The tasks, a line each: the grading of a response, and what shortcuts without reasoning score.

``always_a`` and ``longest`` choose by position and length; ``medoid`` takes the option that differs
least from all others, ``outlier`` the one that differs most (in logic evaluation the three false
assignments resemble each other); ``greedy`` always travels to the nearest new city. A tie counts
as the share of the tied options that is right, the hit rate of choosing among them by chance.
Each scores between 0 and 1 on a question; a task names those that it has.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...core import COMMON_MEASURES, Grade, Measure, Reference, UnusableReferenceError
from . import grading, itinerary

SHORTCUTS = ("always_a", "longest", "medoid", "outlier", "greedy")


_LETTERS = "ABCD"


def of_choices(reference: Mapping[str, Any]) -> dict[str, float]:
    """The shortcuts of options A to D, as far as the covariates of a reference know them."""
    key = reference["answer"]["choice"]
    result = {"always_a": float(key == "A")}
    sizes = reference.get("covariates", {})
    if "option_lengths" in sizes:
        result["longest"] = _share(key, [-length for length in sizes["option_lengths"]])
    if "option_distances" in sizes:
        totals = [sum(row) for row in sizes["option_distances"]]
        result["medoid"] = _share(key, totals)
        result["outlier"] = _share(key, [-total for total in totals])
    return result


def of_itineraries(reference: Mapping[str, object]) -> dict[str, float]:
    """The greedy traveller."""
    legs = itinerary.greedy(reference)
    return {"greedy": float(itinerary.check(legs, reference)["violation"] is None)}


def _share(key: str, scores: Sequence[float]) -> float:
    """The chance to hit the key by choosing among the options with the least score."""
    least = [letter for letter, score in zip(_LETTERS, scores) if score == min(scores)]
    return 1 / len(least) if key in least else 0.0


def part_of(reference: Reference, name: str) -> Mapping[str, object]:
    """The entry of a reference that holds names and values; empty without any."""
    result = reference.get(name)
    return result if isinstance(result, dict) else {}


@dataclass(frozen=True)
class Task:
    """One task.

    Attributes:
        name: as in references.
        title: in tables.
        grade: a response against its reference, by the kind of answer (see ``grading``).
        shortcuts: what shortcuts score on a question, by their names (see above).
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
    "logic_eval", "Logic evaluation", grading.graded_choice, of_choices,
    ("always_a", "longest", "medoid", "outlier"), options=True, averaged=("vocabulary",),
)  # fmt: skip
_TASKS = (
    Task("word_count", "Word counting", grading.word_counts),
    Task("char_count", "Character counting", grading.single_count),
    _LOGIC,
    replace(_LOGIC, name="logic_negation", title="Logic negation", averaged=("size",)),
    Task("proof_tree", "Proof trees", grading.graded_final_number),
    Task(
        "irrelevant", "Proof trees with irrelevant information", grading.graded_final_number,
    ),
    Task(
        "travel", "Travel planning", grading.graded_itinerary, of_itineraries,
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


_WAITS = Measure(
    "needs_judge", lambda g, _: float(g.status == "needs_judge"), higher_is_better=False
)


def measures(task: str, languages: Sequence[str] = ()) -> tuple[Measure, ...]:
    """The common measures, what guesses get, and which free answers wait for a judge."""
    names = TASKS[task].shortcut_names if task in TASKS else ()
    waits = (_WAITS,) if task == "unpuzzles" else ()
    return (*COMMON_MEASURES, *map(_floor, names), *waits)


def _floor(name: str) -> Measure:
    def value(_: Grade, reference: Reference) -> float | None:
        if part_of(reference, "params").get("released"):  # all tasks are in one there
            return None
        return shortcuts(reference).get(name)

    return Measure(f"floor_{name}", value, higher_is_better=False)
