"""The sheet of discordant pairs: two prompts side by side, both answers, and a verdict.

A CSV file, which spreadsheet programs open. It is read back by the columns ``PAIR``, which names
prompts and answers, and ``Language``; rows may be sorted or left out.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..report.verdicts import VERDICTS
from .sheet import csv_lines, write_csv

_CELL_LIMIT = 30_000  # a cell of a spreadsheet holds 32,767 characters
_CONTROL = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]")
_HEADINGS = (
    "PAIR", "Language", "Task", "Complexity", "English prompt", "Prompt in the language",
    "English answer", "Answer in the language", "Right answer", "How the answer was read",
    "Verdict", "Comment", "Question",
)  # fmt: skip
_VERDICT, _COMMENT = _HEADINGS.index("Verdict"), _HEADINGS.index("Comment")


@dataclass(frozen=True)
class Shown:
    """A pair as written in the sheet.

    Attributes:
        key: names the prompts and answers.
        task, question: the question, by its task's title and its instance id.
        complexity: of the question.
        prompts, answers: in English and in the language.
        reference: the right answer, as JSON.
        read: the status of the answer in the language, and what was read of it.
    """

    key: str
    task: str
    question: str
    complexity: float | None
    prompts: tuple[str, str]
    answers: tuple[str, str]
    reference: str
    read: str

    def cells(self, language: str) -> list[str]:
        """The values of its row."""
        complexity = "" if self.complexity is None else f"{self.complexity:g}"
        texts = [*self.prompts, *self.answers, self.reference, self.read]
        named = [self.key, language, self.task, complexity]
        return [*named, *map(_shortened, texts), "", "", self.question]


@dataclass(frozen=True)
class Judged:
    """A filled-in row: the key of the pair and the verdict, which may be empty."""

    key: str
    verdict: str
    comment: str


def write(path: Path, pairs: Mapping[str, Sequence[Shown]]) -> None:
    """Write the sheet in one step.

    Args:
        path: a file that ends in ``.csv``.
        pairs: by the code of the language.

    Raises:
        ValueError: another ending, or no such folder.
    """
    rows = [pair.cells(code) for code, shown in pairs.items() for pair in shown]
    write_csv(path, [_HEADINGS, *rows])


def read(path: Path, code: str) -> list[Judged]:
    """The rows of a language with at least one filled-in cell.

    Raises:
        ValueError: the file cannot be read or is no sheet of pairs, a verdict is neither ``model``
            nor ``wording``, or a pair stands there twice; each with its place.
    """
    lines = [(place, _row(cells)) for place, cells in csv_lines(path) if any(cells)]
    if not lines or lines[0][1] != list(_HEADINGS):
        raise ValueError(f"{path}: row 1 must be {', '.join(_HEADINGS)}")
    rows = [(place, cells) for place, cells in lines[1:] if cells[1] == code]
    if not rows:
        there = ", ".join(dict.fromkeys(cells[1] for _, cells in lines[1:]))
        raise ValueError(f"{path}: there are no rows of {code!r}, only of {there}")
    judged, problems = [], []
    times = Counter(cells[0] for _, cells in rows)
    for place, cells in rows:
        key, verdict, comment = cells[0], cells[_VERDICT].lower(), cells[_COMMENT]
        if times[key] > 1:
            problems.append(f"{place}: the pair {key!r} is there more than once")
        elif verdict and verdict not in VERDICTS:
            problems.append(
                f"{place}: 'Verdict' must be {' or '.join(VERDICTS)}, not {cells[_VERDICT]!r}"
            )
        elif verdict or comment:
            judged.append(Judged(key, verdict, comment))
    if problems:
        raise ValueError("nothing was imported: " + "; ".join(problems))
    return judged


def is_pair_sheet(path: Path) -> bool:
    """Whether a file is a sheet of pairs; ``False`` for whatever else it may be."""
    with contextlib.suppress(ValueError):
        return next(csv_lines(path), ("", [""]))[1][:1] == [_HEADINGS[0]]
    return False


def _row(cells: Sequence[str]) -> list[str]:
    return [*(cell.strip() for cell in cells), *[""] * len(_HEADINGS)][: len(_HEADINGS)]


def _shortened(text: str) -> str:
    """A text that a cell can hold: no control characters, and not too long."""
    from ..logs.graded_run import shorten

    half = _CELL_LIMIT // 2
    return shorten(_CONTROL.sub("\ufffd", text), half, half)
