"""How long the prompts of each language are, against those of English."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import fmean

from xlgo_metric.table import Column, Table

from .lines import Sample

ENGLISH = "en"


@dataclass
class _Cell:
    prompts: int = 0
    characters: int = 0
    words: int = 0
    longest: int = 0


@dataclass
class PromptLengths:
    """Adds up characters and words of prompts by task and language; each prompt counts once."""

    _cells: dict[tuple[str, str], _Cell] = field(default_factory=lambda: defaultdict(_Cell))

    def count(self, sample: Sample) -> None:
        """Take note of one sample; the further answers to a question are passed over."""
        if sample.repeat or not sample.prompt:
            return
        reference = sample.reference
        cell = self._cells[str(reference["task"]), str(reference.get("language", ""))]
        cell.prompts += 1
        cell.characters += len(sample.prompt)
        cell.words += len(sample.prompt.split())
        cell.longest = max(cell.longest, len(sample.prompt))

    def table(self) -> Table | None:
        """The lengths of every language; ``None`` where no task has English and another one."""
        tasks = [
            task
            for task in dict.fromkeys(task for task, _ in self._cells)
            if len(codes := [code for name, code in self._cells if name == task]) > 1
            and ENGLISH in codes
        ]
        found = {code for task, code in self._cells if task in tasks}
        rows = [
            self._row(code, [task for task in tasks if (task, code) in self._cells])
            for code in sorted(found, key=lambda code: (code != ENGLISH, code))
        ]
        if not rows:
            return None
        return Table(
            "prompt_lengths",
            "Length of the prompts against English",
            (
                Column("language"),
                Column("tasks", "count"),
                Column("characters", "number", 2),
                Column("words", "number", 2),
                Column("longest prompt", "count", unit="characters"),
            ),
            tuple(rows),
            "Mean length of a prompt divided by that in English, averaged over the tasks that "
            "both have. Words are separated by spaces: they mean little where a script has none. "
            "Token counts differ more. Prompts beyond the model's context are in the warnings.",
        )

    def _row(self, code: str, tasks: list[str]) -> tuple[str, int, float, float, int]:
        mine = [self._cells[task, code] for task in tasks]
        english = [self._cells[task, ENGLISH] for task in tasks]
        ratios = [
            (
                own.characters / own.prompts / (base.characters / base.prompts),
                own.words / own.prompts / (base.words / base.prompts),
            )
            for own, base in zip(mine, english)
        ]
        characters, words = (fmean(column) for column in zip(*ratios))
        return code, len(tasks), characters, words, max(cell.longest for cell in mine)
