"""What an export consists of: blocks of questions, each of which becomes one shard a language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import xlgo_dataset as xd

TEXT_PER_BLOCK = 256 << 20
"""Bytes of prompts in a block, over all its languages: a second or so of work."""
MAX_BLOCKS = 512
"""Most shards of a split; very large splits get larger shards instead of more."""


@dataclass(frozen=True)
class Part:
    """One task of an export.

    Attributes:
        task: its name.
        languages: codes, in the order of the rows.
        given: the options asked for, those at their defaults left out.
    """

    task: str
    languages: tuple[str, ...]
    given: dict[str, Any]

    @property
    def options(self) -> dict[str, Any]:
        """All options of the task's family, defaults filled in."""
        return xd.family_of(self.task).options(self.task, **self.given)

    @property
    def configs(self) -> dict[str, list[str]]:
        """The folders of each configuration: ``<task>`` has those of all languages."""
        alone = {f"{self.task}_{code}": [f"{self.task}_{code}"] for code in self.languages}
        return {self.task: list(alone), **alone}

    @property
    def folders(self) -> dict[str, str]:
        """The language whose rows each folder holds."""
        return {f"{self.task}_{code}": code for code in self.languages}

    @property
    def levels(self) -> list[int] | None:
        """The complexity of each level; ``None`` for a task without such levels."""
        found = xd.family_of(self.task).levels(self.task, **self.given)
        return None if found is None else list(found)


@dataclass(frozen=True)
class Block:
    """The questions ``start <= index < stop`` of one split of a task, at every level.

    ``start`` and ``stop`` are ``None`` for a task whose rows cannot be made in parts.
    """

    part: Part
    split: str
    number: int
    count: int
    start: int | None = None
    stop: int | None = None

    @property
    def name(self) -> str:
        """Names the block within its export."""
        return f"{self.part.task}-{self.split}-{self.number:05d}"

    def file(self, folder: str) -> str:
        """The shard in one of the part's folders, relative to the exported folder."""
        return f"{folder}/{self.split}-{self.number:05d}-of-{self.count:05d}.parquet"


@dataclass(frozen=True)
class Request:
    """Everything that decides what an export holds.

    Attributes:
        tasks, languages: as asked for; ``None`` for the default ones.
        splits: of ``xd.SPLITS``.
        options: those given, such as ``preset`` and ``seed``.
    """

    tasks: Sequence[str] | None = None
    languages: Sequence[str] | None = None
    splits: Sequence[str] = ("test",)
    options: dict[str, Any] = field(default_factory=dict)

    def parts(self) -> list[Part]:
        """The tasks with their languages and options.

        Raises:
            ValueError: an unknown task, language or option, or a task that is not generated.
        """
        named = map(xd.task_named, self.tasks or xd.TASKS)
        return [self._part(task) for task in dict.fromkeys(named)]

    def _part(self, task: str) -> Part:
        family = xd.family_of(task)
        if not isinstance(family, xd.GeneratedFamily) or task not in family.generated:
            raise ValueError(f"{task} cannot be exported: its questions are not generated here")
        # To know all languages of a task, the files of all are read.
        chosen = family.default_languages(task)
        if self.languages:
            family.check_asked(task, self.languages)
            chosen = tuple(code for code in family.languages(task) if code in self.languages)
        given = {name: value for name, value in self.options.items() if value is not None}
        family.options(task, **given)
        return Part(task, chosen, given)

    def blocks(self) -> list[Block]:
        """All blocks. Tasks of few blocks come first: their work cannot be divided further.

        Raises:
            ValueError: as for ``parts``, or an unknown split.
        """
        if unknown := [split for split in self.splits if split not in xd.SPLITS]:
            raise ValueError(f"unknown split {unknown[0]!r}: allowed are {', '.join(xd.SPLITS)}")
        groups: list[list[Block]] = []
        for part in self.parts():
            for split in dict.fromkeys(self.splits):
                groups.append(_blocks(part, split))
        return [block for group in sorted(groups, key=len) for block in group]


def _blocks(part: Part, split: str) -> list[Block]:
    family = xd.family_of(part.task)
    shards = family.shards(part.task, **part.given)
    if shards == 1:
        return [Block(part, split, 0, 1)]
    _, size = family.prompt_size(part.task, part.languages, **part.given)
    count = max(1, min(-(-size // TEXT_PER_BLOCK), shards, MAX_BLOCKS))
    edges = [shards * number // count for number in range(count + 1)]
    return [
        Block(part, split, number, count, edges[number], edges[number + 1])
        for number in range(count)
    ]
