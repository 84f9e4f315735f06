"""The audit spreadsheet: its columns, written and read as CSV, which spreadsheet programs open.

Columns A to H are those of XLGoBench, appendix C.2: five for the annotator and three for the
separate auditor. Three columns after them tell where a row belongs and where its text came from.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..display.formats import escape_formula, unescape_formula
from ..folders import replacing

FULL_EXAMPLE = "full example"
_COLUMNS = (
    "english", "translation", "ok", "edit", "comment", "audit_done", "issues", "audit_comment",
    "row", "origin", "proposal",
)  # fmt: skip
_CHOICES = {"ok": ("Yes", "No"), "audit_done": ("Yes", "No"), "issues": ("True", "False")}


@dataclass(frozen=True)
class Row:
    """One row of the spreadsheet.

    Attributes:
        where: its file and row, for messages; empty for a row not yet written.
        english: the ground truth.
        translation: the text to check.
        ok: ``Yes``, ``No`` or empty.
        edit: the corrected text.
        comment: the annotator's remark.
        audit_done: ``Yes``, ``No`` or empty.
        issues: ``True``, ``False`` or empty.
        audit_comment: the auditor's remark.
        row: ``task.key``, or the task and ``full example``.
        origin: where the translation came from.
        proposal: a suggested correction and its reason.
    """

    english: str
    translation: str
    row: str
    origin: str = ""
    proposal: str = ""
    ok: str = ""
    edit: str = ""
    comment: str = ""
    audit_done: str = ""
    issues: str = ""
    audit_comment: str = ""
    where: str = ""

    @property
    def is_example(self) -> bool:
        """Whether the row shows a whole prompt, not a string."""
        return self.row.endswith(FULL_EXAMPLE)

    @property
    def is_filled_in(self) -> bool:
        """Whether a column for annotators is filled in."""
        return any(getattr(self, column).strip() for column in _COLUMNS[2:8])


def headings(code: str) -> tuple[str, ...]:
    """The heading of each column for a language."""
    return (
        "ENGLISH_GROUNDTRUTH", f"{code.upper()}_TRANSLATION", "Translation OK",
        "Edited Translation", "Comments", "Audit Done?", "Issues Found?", "Comments",
        "Row", "Origin", "Proposed revision",
    )  # fmt: skip


def write(path: Path, code: str, rows: Sequence[Row]) -> None:
    """Write the spreadsheet.

    Raises:
        ValueError: the ending is not ``.csv``, or there is no such folder.
    """
    _check_ending(path)
    if not path.parent.is_dir():
        raise ValueError(f"{path.parent}: there is no such folder")
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8-sig", errors="replace", newline="") as file,
    ):  # the byte order mark makes Excel read UTF-8
        writer = csv.writer(file)
        writer.writerow(headings(code))
        for row in rows:
            writer.writerow([escape_formula(getattr(row, column)) for column in _COLUMNS])


def read(path: Path, code: str) -> list[Row]:
    """The filled-in rows of a spreadsheet; ``where`` says where each stands.

    Raises:
        ValueError: the file cannot be read, is for another language or lacks columns; with the
            file and the row.
    """
    _check_ending(path)
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not in UTF-8; save it as 'CSV UTF-8'") from None
    # Excel writes semicolons where the comma is the decimal mark.
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    lines = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    expected = list(headings(code))[: _COLUMNS.index("row") + 1]
    if next(lines, [])[: len(expected)] != expected:
        raise ValueError(f"{path.name}, row 1: the headings must be {', '.join(expected)}")
    rows = []
    for number, cells in enumerate(lines, 2):
        if any(cells):
            texts = [unescape_formula(cell.replace("\r\n", "\n")) for cell in cells]
            values = dict(zip(_COLUMNS, [*texts, *[""] * len(_COLUMNS)]))
            rows.append(_with_choices(Row(**values, where=f"{path.name}, row {number}")))
    return rows


def _check_ending(path: Path) -> None:
    if path.suffix != ".csv":
        raise ValueError(f"{path}: the name must end in .csv")


def _with_choices(row: Row) -> Row:
    """Spell yes, no, true and false as the lists offer them; people and programs vary."""
    choices = {}
    for column, allowed in _CHOICES.items():
        value = getattr(row, column).strip()
        spelt = {choice.lower(): choice for choice in allowed}
        if value and value.lower() not in spelt:
            raise ValueError(
                f"{row.where}: {headings('')[_COLUMNS.index(column)]!r} must be "
                f"{' or '.join(allowed)}, not {value!r}"
            )
        choices[column] = spelt.get(value.lower(), "")
    return replace(row, **choices)
