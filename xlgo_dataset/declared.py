"""What a family says of its tasks: their labels, and their form in the harness."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
"""One question in one language: the columns of ``core.schema.COLUMNS``."""

Options = Mapping[str, Any]
"""The options of rows, checked and complete."""

Json = Mapping[str, Any]
"""A JSON object: the form of an instance, a structure, an answer, an entry of a file."""


@dataclass(frozen=True)
class TaskLabels:
    """How people speak of a task.

    Attributes:
        title: its name in full.
        short: its name in a table.
        about: what is asked, in a sentence or two.
        unit: what its complexity counts, in the plural.
        loaded: the splits that its questions are loaded in; empty where they are generated.
    """

    title: str
    short: str
    about: str
    unit: str
    loaded: tuple[str, ...] = ()


@dataclass(frozen=True)
class GalleryExample:
    """One question of a task for the gallery.

    Attributes:
        name: after that of the task in the heading; empty for the usual wording.
        languages: codes of those that it is shown in; ``None`` for the languages of the paper.
        options: of ``rows``, of which the first row of each language is shown.
    """

    name: str = ""
    languages: tuple[str, ...] | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class HarnessTask:
    """A task of lm-evaluation-harness.

    Attributes:
        name: as ``--tasks`` has it; not that of the group.
        task: the task of the family whose rows it takes.
        languages: codes; with several, one harness task holds all of them.
        options: options of ``rows`` that differ from their defaults, in plain JSON types.
        group: the group that it belongs to.
        in_group: whether the group runs it. A task that repeats the questions of another, or that
            needs an option to be given, is not run by the group.
        template: the name of the YAML file of settings that it includes, without ``_`` and
            ``.yaml``; tasks with the same metrics, step and generation share one.
        step: the kind of chain that a question is (see docs/lit.md), for prompts that depend on
            the answers before them; empty where one prompt is answered once.
        generation: settings of generation that differ from those of other tasks, in plain JSON
            types.
        stop: where the answer of a model without a chat template ends, besides the usual end: such
            a model goes on with the text, and a chat may use the same words within its answer.
    """

    name: str
    task: str
    languages: tuple[str, ...]
    group: str
    template: str
    options: Mapping[str, object] = field(default_factory=dict)
    in_group: bool = True
    step: str = ""
    generation: Mapping[str, object] = field(default_factory=dict)
    stop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.name == self.group:
            raise ValueError(
                f"the harness task {self.name!r} is called as its group: give it another name"
            )
