"""The sheet of discordant pairs: two prompts side by side, both answers, and a verdict.

One sheet per language, so that a linguist sees nothing that is not theirs. It is read back by the
column ``Pair``, which names prompts and answers; the other columns may be sorted or hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..folders import replacing
from ..report.verdicts import VERDICTS
from .workbook import add_text, lay_out, offer, opened

GUIDE_SHEET = "Instructions"
_CELL_LIMIT = 30_000  # a cell of a spreadsheet holds 32,767 characters
_HEADINGS = (
    "PAIR", "Task", "Complexity", "English prompt", "Prompt in the language", "English answer",
    "Answer in the language", "Right answer", "How the answer was read", "Verdict", "Comment",
    "Question",
)  # fmt: skip
_WIDTHS = (16, 18, 12, 70, 70, 50, 50, 30, 30, 12, 50, 34)
_FOREIGN = (4, 6)
_VERDICT, _COMMENT = _HEADINGS.index("Verdict"), _HEADINGS.index("Comment")
_GUIDE = (
    "Each row is one question that the model solved in English and not in this language.",
    "Compare the two prompts. Would a careful reader of the language understand the question as "
    "the English reader does, and know which form the answer must have?",
    "Verdict = wording: the prompt of the language is wrong, ambiguous or misleading at a place "
    "that can explain the answer. Say under Comment which words, and what they should be.",
    "Verdict = model: the prompt says the same as the English one; the model got it wrong.",
    "Leave the verdict empty if you are unsure. A comment alone is kept, too.",
    "The rows are spread evenly over all such questions of a task by complexity, so that their "
    "shares hold for the others. The middle of a long text is left out.",
)


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

    def cells(self) -> list[Any]:
        """The values of its row."""
        texts = [*self.prompts, *self.answers, self.reference, self.read]
        return [self.key, self.task, self.complexity, *texts, None, None, self.question]


@dataclass(frozen=True)
class Judged:
    """A filled-in row: the key of the pair and the verdict, which may be empty."""

    key: str
    verdict: str
    comment: str


def write(path: Path, pairs: Mapping[str, Sequence[Shown]], rtl: frozenset[str]) -> None:
    """Write the workbook in one step: a sheet for each language, and the instructions.

    Args:
        path: a file that ends in ``.xlsx``.
        pairs: by the code of the language.
        rtl: the languages that are written from right to left.

    Raises:
        ValueError: another ending, or no such folder.
    """
    _check_ending(path)
    if not path.parent.is_dir():
        raise ValueError(f"{path.parent}: there is no such folder")
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    add_text(book, GUIDE_SHEET, _GUIDE)
    for code, shown in pairs.items():
        _fill(book.create_sheet(code.upper()), shown, code in rtl)
    with replacing(path) as temporary:
        book.save(temporary)


def read(path: Path, code: str) -> list[Judged]:
    """The rows of a language with at least one filled-in cell.

    Raises:
        ValueError: the file cannot be read or is no sheet of pairs, a verdict is neither ``model``
            nor ``wording``, or a pair stands there twice; each with its place.
    """
    book = _open(path)
    if code.upper() not in book.sheetnames:
        there = ", ".join(name for name in book.sheetnames if name != GUIDE_SHEET)
        raise ValueError(f"{path}: there is no sheet {code.upper()!r}, only {there}")
    lines = list(book[code.upper()].iter_rows(values_only=True))
    if not lines or _row(lines[0]) != list(_HEADINGS):
        raise ValueError(f"{path}, sheet {code.upper()}: row 1 must be {', '.join(_HEADINGS)}")
    judged, problems = [], []
    rows = [(n, _row(line)) for n, line in enumerate(lines[1:], 2) if any(_row(line))]
    times = Counter(cells[0] for _, cells in rows)
    for number, cells in rows:
        key, verdict, comment = cells[0], cells[_VERDICT].lower(), cells[_COMMENT]
        place = f"{path.name}, sheet {code.upper()}, row {number}"
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
    """Whether a file is a workbook of pairs; ``False`` for whatever else it may be."""
    if path.suffix != ".xlsx" or not path.is_file():
        return False
    book = _open(path)
    first = [next(sheet.iter_rows(values_only=True), ()) for sheet in book.worksheets]
    return any(_row(cells)[:1] == [_HEADINGS[0]] for cells in first)


def _check_ending(path: Path) -> None:
    if path.suffix != ".xlsx":
        raise ValueError(f"{path}: the name must end in .xlsx")


def _open(path: Path) -> Any:
    _check_ending(path)
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    return opened(path)


def _row(cells: Sequence[Any]) -> list[str]:
    found = ["" if cell is None else str(cell).strip() for cell in cells[: len(_HEADINGS)]]
    return [*found, *[""] * (len(_HEADINGS) - len(found))]


def _fill(sheet: Any, shown: Sequence[Shown], right_to_left: bool) -> None:
    sheet.append(list(_HEADINGS))
    for pair in shown:
        sheet.append([_allowed(value) for value in pair.cells()])
    lay_out(sheet, _WIDTHS, "D2", _FOREIGN if right_to_left else ())
    offer(sheet, _VERDICT, VERDICTS)


def _allowed(value: Any) -> Any:
    """A value that a cell can hold: no control characters, and not too long."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    from ..logs.graded_run import shorten

    if not isinstance(value, str):
        return value
    text = value.encode("utf-8", "replace").decode()
    half = _CELL_LIMIT // 2
    return shorten(ILLEGAL_CHARACTERS_RE.sub("\ufffd", text), half, half)
