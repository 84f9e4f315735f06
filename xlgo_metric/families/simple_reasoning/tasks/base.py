"""The interface of a task on the metric's side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ....core import Grade


def no_shortcuts(reference: Mapping[str, object]) -> dict[str, float]:
    """A task that no shortcut is measured of."""
    return {}


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
    shortcuts: Callable[[Mapping[str, object]], dict[str, float]] = no_shortcuts
    shortcut_names: tuple[str, ...] = ()
    options: bool = False
    averaged: tuple[str, ...] = ()

    @property
    def title_within(self) -> str:
        """The title within a sentence."""
        return self.title if self.title.isupper() else self.title[0].lower() + self.title[1:]
