"""The section of a score that simple reasoning has, in plain JSON types; see ``summary``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from ...comparison.gaps import Gaps

if TYPE_CHECKING:
    from typing_extensions import NotRequired  # from Python 3.11 on in typing


class Rate(TypedDict):
    """A mean over questions, the paper's half width and Wilson's interval; ``None`` without any."""

    accuracy: float | None
    half_width: float | None
    low: float | None
    high: float | None


class Block(Rate):
    """The numbers of a set of questions."""

    questions: int
    responses: int
    needs_judge: int
    strict: float | None
    parsed: float
    statuses: dict[str, int]
    pass_at: dict[str, Rate]
    floors: dict[str, float]


class Setting(Block):
    """The questions of one setting."""

    params: dict[str, object]


class Mcnemar(TypedDict):
    """Two variants of the same items."""

    first: str
    second: str
    items: int
    accuracy_first: float
    accuracy_second: float
    first_only: int | None
    second_only: int | None
    p: float | None


class Part(Block):
    """A task in one language."""

    cells: list[Setting]
    curves: dict[str, list[dict[str, float]]]
    violations: NotRequired[dict[str, int]]
    mcnemar: NotRequired[list[Mcnemar]]


class Task(TypedDict):
    """A task by language."""

    languages: dict[str, Part]


class SimpleSection(TypedDict):
    """See ``summary.summarize``."""

    signature: str
    k: int
    tasks: dict[str, Task]
    gaps: Gaps | None
    warnings: list[str]


def parts_of(tasks: Mapping[str, Task]) -> list[tuple[str, str, Part]]:
    """Task, language and numbers of every task in every language."""
    return [
        (name, language, part)
        for name, task in tasks.items()
        for language, part in task["languages"].items()
    ]


class PublishedCell(TypedDict):
    """A cell of the paper: values and half widths by model."""

    params: dict[str, object]
    value: dict[str, float]
    half_width: dict[str, float]


class PublishedTask(TypedDict):
    """A table of the paper."""

    n: int
    source: str
    metric: str
    cells: list[PublishedCell]


class Published(TypedDict):
    """The tables of the paper, and the full names of its models."""

    models: dict[str, str]
    tasks: dict[str, PublishedTask]
