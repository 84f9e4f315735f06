"""What an export consists of: blocks of questions, each of which becomes one shard a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import xlgo_dataset as xd
from xlgo_dataset.declared import Options

TEXT_PER_BLOCK = 256 << 20
"""Bytes of prompts in a block, over all its languages: a second or so of work."""
MAX_BLOCKS = 512
"""Most shards of a split; very large splits get larger shards instead of more."""
_NAME = "{}-{:05d}-of-{:05d}.parquet"


@dataclass(frozen=True)
class Part:
    """One task of an export.

    Attributes:
        task: its name.
        languages: codes, in the order of the rows.
        given: the options asked for, those at their defaults left out.
        options: all of the task's family, defaults filled in.
        levels: the complexity of each level; ``None`` for a task without such levels.
    """

    task: str
    languages: tuple[str, ...]
    given: Options
    options: Options
    levels: list[int] | None

    @property
    def family(self) -> xd.Family:
        """The family of the task."""
        return xd.family_of(self.task)

    @property
    def folders(self) -> dict[str, str]:
        """The language whose rows each folder holds."""
        return {f"{self.task}_{code}": code for code in self.languages}


@dataclass(frozen=True)
class Block:
    """Questions of one split of a task, at every level.

    Attributes:
        part: the task.
        split: of ``xd.SPLITS``.
        name: of its files.
        indexes: of the questions; ``None`` for a task whose rows cannot be made in parts.
    """

    part: Part
    split: str
    name: str
    indexes: range | None = None

    @property
    def files(self) -> dict[str, str]:
        """The shard of each language, relative to the exported folder."""
        return {code: f"{folder}/{self.name}" for folder, code in self.part.folders.items()}


@dataclass(frozen=True)
class Request:
    """Everything that decides what an export holds.

    Attributes:
        tasks: names; ``None`` for the default ones.
        languages: codes, for all tasks or by task; ``None`` for the default ones.
        splits: of ``xd.SPLITS``.
        options: those given, such as ``preset`` and ``seed``.
    """

    tasks: Sequence[str] | None = None
    languages: Sequence[str] | Mapping[str, Sequence[str]] | None = None
    splits: Sequence[str] = ("test",)
    options: Options = field(default_factory=dict)

    def parts(self) -> list[Part]:
        """The tasks with their languages and options.

        Raises:
            ValueError: an unknown task, language or option, or a task that is not generated.
        """
        tasks = map(xd.task_named, self.tasks or xd.TASKS)
        return [self._part(task) for task in dict.fromkeys(tasks)]

    def _part(self, task: str) -> Part:
        family = xd.family_of(task)
        if task not in family.generated:
            raise ValueError(f"{task} cannot be exported: its questions are not generated here")
        languages_asked = self.languages
        if isinstance(languages_asked, Mapping):
            languages_asked = languages_asked[task]
        # To know all languages of a task, the files of all are read.
        languages = family.default_languages(task)
        if languages_asked:
            family.check_asked(task, languages_asked)
            languages = tuple(code for code in family.languages(task) if code in languages_asked)
        parameters = {name: value for name, value in self.options.items() if value is not None}
        options, levels = family.options(task, **parameters), family.levels(task, **parameters)
        of_levels = None if levels is None else list(levels)
        return Part(task, languages, parameters, options, of_levels)

    def blocks(self) -> list[Block]:
        """All blocks. Tasks of few blocks come first: their work cannot be divided further.

        Raises:
            ValueError: as for ``parts``, or an unknown split.
        """
        if unknown := [split for split in self.splits if split not in xd.SPLITS]:
            raise ValueError(f"unknown split {unknown[0]!r}: allowed are {', '.join(xd.SPLITS)}")
        groups = [
            _blocks(part, split) for part in self.parts() for split in dict.fromkeys(self.splits)
        ]
        return [block for group in sorted(groups, key=len) for block in group]


def _blocks(part: Part, split: str) -> list[Block]:
    indexes = part.family.shards(part.task, **part.given)
    if indexes == 1:
        return [Block(part, split, _NAME.format(split, 0, 1))]
    _, size = part.family.prompt_size(part.task, part.languages, **part.given)
    count = max(1, min(-(-size // TEXT_PER_BLOCK), indexes, MAX_BLOCKS))
    edges = [indexes * number // count for number in range(count + 1)]
    return [
        Block(part, split, _NAME.format(split, number, count), range(*edges[number : number + 2]))
        for number in range(count)
    ]
