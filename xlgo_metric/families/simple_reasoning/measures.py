"""What is measured of an answer to a task of simple reasoning."""

from __future__ import annotations

from collections.abc import Sequence

from ...core import COMMON_MEASURES, Grade, Measure, Reference
from .estimates import part_of
from .tasks import TASKS, shortcuts

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
