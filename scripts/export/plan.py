"""What an export consists of: blocks of questions, each of which becomes one shard per config."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.families.xlgobench.rows import complexities

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
        options: all options of the task's family, defaults filled in.
        configs: the languages in each configuration.
    """

    task: str
    languages: tuple[str, ...]
    options: dict[str, Any]
    configs: dict[str, tuple[str, ...]]

    def folder(self, config: str) -> str:
        """The folder of a configuration's files; with one language, both have the same."""
        return f"{self.task}_{self.languages[0]}" if len(self.languages) == 1 else config

    @property
    def folders(self) -> dict[str, tuple[str, ...]]:
        """The languages whose rows each folder holds."""
        return {self.folder(config): codes for config, codes in self.configs.items()}

    @property
    def levels(self) -> list[int] | None:
        """The complexity of each level; ``None`` for a task without evenly spaced levels."""
        if "levels" not in self.options or "c_min" not in self.options:
            return None
        o = self.options
        return complexities(o["c_min"], o["c_max"], o["levels"])


@dataclass(frozen=True)
class Block:
    """The questions ``start <= index < stop`` of one split of a task, at every level.

    ``start`` and ``stop`` are ``None`` for a task whose rows cannot be asked for by index.
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
        combined: also write one configuration per task that holds all its languages.
    """

    tasks: Sequence[str] | None = None
    languages: Sequence[str] | None = None
    splits: Sequence[str] = ("test",)
    options: dict[str, Any] = field(default_factory=dict)
    combined: bool = True

    def parts(self) -> list[Part]:
        """The tasks with their languages and options.

        Raises:
            ValueError: an unknown task, language or option, or a task that is not generated.
        """
        return [self._part(task) for task in dict.fromkeys(self.tasks or xd.TASKS)]

    def _part(self, task: str) -> Part:
        family = xd.family_of(task)
        if task not in generated_tasks(family):
            raise ValueError(f"{task} cannot be exported: its questions are not generated here")
        allowed = family.languages(task)
        wanted = self.languages or [code for code in xd.LANGUAGES if code in allowed]
        if unknown := [code for code in wanted if code not in allowed]:
            raise ValueError(
                f"{task}: unknown language {unknown[0]!r}: allowed are {', '.join(allowed)}"
            )
        chosen = tuple(code for code in allowed if code in wanted)
        configs: dict[str, tuple[str, ...]] = {task: chosen} if self.combined else {}
        configs |= {f"{task}_{code}": (code,) for code in chosen}
        return Part(task, chosen, family.options(task, **self.options), configs)

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


def generated_tasks(family: ModuleType) -> tuple[str, ...]:
    """The tasks of a family whose questions are made here and not loaded from elsewhere."""
    everything = family.TASKS if hasattr(family, "tables") else ()
    return tuple(getattr(family, "GENERATED", everything))


def _blocks(part: Part, split: str) -> list[Block]:
    if not hasattr(xd.family_of(part.task), "tables"):
        return [Block(part, split, 0, 1)]
    questions = part.options["per_level"]
    count = -(-_text_per_index(part, split) * questions // TEXT_PER_BLOCK)
    count = max(1, min(count, questions, MAX_BLOCKS))
    edges = [questions * number // count for number in range(count + 1)]
    return [
        Block(part, split, number, count, edges[number], edges[number + 1])
        for number in range(count)
    ]


def _text_per_index(part: Part, split: str) -> int:
    """About how many bytes of prompts one index has, over all levels and languages.

    The length of a prompt grows in proportion to complexity, so the middle one stands for all.
    """
    levels = part.levels or [part.options["c_min"]]
    instance = xd.generate(
        part.task, complexity=levels[len(levels) // 2], seed=part.options["seed"], split=split
    )
    text = part.options["text"]
    lengths = [len(xd.render(instance, code, text).encode()) for code in part.languages]
    return sum(lengths) * len(levels)
