"""The audit spreadsheet: its columns, written and read as xlsx or csv.

Columns A to H are those of XLGoBench, appendix C.2: five for the annotator and three for the
separate auditor. Four columns after them tell where a row belongs and give its context.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..display.formats import escape_formula, unescape_formula
from .workbook import add_text, lay_out, offer, opened

FULL_EXAMPLE = "full example"
FORMATS = (".xlsx", ".csv")
_COLUMNS = (
    "english", "translation", "ok", "edit", "comment", "audit_done", "issues", "audit_comment",
    "row", "context", "origin", "proposal",
)  # fmt: skip
_WIDTHS = (48, 48, 14, 48, 40, 12, 14, 40, 22, 60, 40, 60)
_CHOICES = {"ok": ("Yes", "No"), "audit_done": ("Yes", "No"), "issues": ("True", "False")}
_GUIDE = (
    "Task: translation verification.",
    "Check each translation for semantic equivalence with the English ground truth and for the "
    "naturalness of its words.",
    "Look at the rows marked as full example first: they show the whole task and settle "
    "ambiguities.",
    "If the translation is equivalent and natural: Translation OK = Yes.",
    "If it needs an edit: Translation OK = No, the new text under Edited Translation, and under "
    "Comments what the issue was and what was changed.",
    "Text in braces, such as {room}, is filled in later: keep every one, spelt as it is.",
    "Full examples are not edited: edit the row of the string that is wrong.",
    "Proposed revision is a correction suggested earlier; copy it to Edited Translation to take it "
    "over.",
    "Audit, by another person: Audit Done? = Yes. Issues Found? = True or False; if True, justify "
    "it under the last Comments.",
)


@dataclass(frozen=True)
class Row:
    """One row of the spreadsheet.

    Attributes:
        place: where it stands, for messages; empty for a row not yet written.
        english: the ground truth.
        translation: the text to check.
        ok: ``Yes``, ``No`` or empty.
        edit: the corrected text.
        comment: the annotator's remark.
        audit_done: ``Yes``, ``No`` or empty.
        issues: ``True``, ``False`` or empty.
        audit_comment: the auditor's remark.
        row: ``task.key``, or the task and ``full example``.
        context: the line of a prompt in which the string stands.
        origin: where the translation came from.
        proposal: a suggested correction and its reason.
    """

    english: str
    translation: str
    row: str
    context: str = ""
    origin: str = ""
    proposal: str = ""
    ok: str = ""
    edit: str = ""
    comment: str = ""
    audit_done: str = ""
    issues: str = ""
    audit_comment: str = ""
    place: str = ""

    @property
    def is_example(self) -> bool:
        """Whether the row shows a whole prompt, not a string."""
        return self.row.endswith(FULL_EXAMPLE)

    @property
    def is_filled_in(self) -> bool:
        """Whether a column for annotators is filled in."""
        entered = (
            self.ok, self.edit, self.comment, self.audit_done, self.issues, self.audit_comment,
        )  # fmt: skip
        return any(text.strip() for text in entered)


def headings(code: str) -> tuple[str, ...]:
    """The heading of each column for a language."""
    return (
        "ENGLISH_GROUNDTRUTH", f"{code.upper()}_TRANSLATION", "Translation OK",
        "Edited Translation", "Comments", "Audit Done?", "Issues Found?", "Comments",
        "Row", "In context", "Origin", "Proposed revision",
    )  # fmt: skip


def write(
    path: Path,
    code: str,
    rows: Sequence[Row],
    *,
    right_to_left: bool = False,
    doubts: Sequence[str] = (),
) -> None:
    """Write the spreadsheet in the format of the path's ending.

    ``doubts`` of the text's reader stand on a first sheet of their own, which CSV does not have.

    Raises:
        ValueError: the ending is not ``.xlsx`` or ``.csv``, or there is no such folder.
    """
    if not path.parent.is_dir():
        raise ValueError(f"{path.parent}: there is no such folder")
    table = [[getattr(row, column) for column in _COLUMNS] for row in rows]
    if _format(path) == ".csv":
        # The byte order mark makes Excel read UTF-8.
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows(
                [escape_formula(cell) for cell in cells] for cells in [headings(code), *table]
            )
    else:
        _write_xlsx(path, code, table, right_to_left, doubts)


def read(path: Path, code: str) -> list[Row]:
    """The filled-in rows of a spreadsheet; ``place`` says where each was found.

    Raises:
        ValueError: the file cannot be read, is for another language or lacks columns; with the
            file, the sheet and the row.
    """
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    lines = _csv_lines(path) if _format(path) == ".csv" else _xlsx_lines(path, code.upper())
    place, first = next(lines, (f"{path.name}, row 1", []))
    wanted = list(headings(code))[: _COLUMNS.index("row") + 1]
    if first[: len(wanted)] != wanted:
        raise ValueError(f"{place}: the headings must be {', '.join(wanted)}")
    rows = []
    for place, cells in lines:
        if not any(cells):
            continue
        full = [*cells, *[""] * len(_COLUMNS)]
        row = Row(**dict(zip(_COLUMNS, full)), place=place)
        rows.append(_with_choices(row))
    return rows


def _format(path: Path) -> str:
    if path.suffix not in FORMATS:
        raise ValueError(f"{path}: the name must end in {' or '.join(FORMATS)}")
    return path.suffix


def _with_choices(row: Row) -> Row:
    """Spell yes, no, true and false as the lists offer them; people and programs vary."""
    found = {}
    for column, allowed in _CHOICES.items():
        value = getattr(row, column).strip()
        spelt = {choice.lower(): choice for choice in allowed}
        if value and value.lower() not in spelt:
            heading = headings("")[_COLUMNS.index(column)]
            raise ValueError(
                f"{row.place}: {heading!r} must be {' or '.join(allowed)}, not {value!r}"
            )
        found[column] = spelt.get(value.lower(), "")
    return replace(row, **found)


def _csv_lines(path: Path) -> Iterator[tuple[str, list[str]]]:
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not in UTF-8; save it as 'CSV UTF-8'") from None
    heading = text.partition("\n")[0]
    # Excel writes semicolons where the comma is the decimal mark.
    delimiter = max(",;\t", key=heading.count)
    for number, cells in enumerate(csv.reader(text.splitlines(True), delimiter=delimiter), 1):
        yield f"{path.name}, row {number}", [unescape_formula(_text(cell)) for cell in cells]


def _xlsx_lines(path: Path, sheet: str) -> Iterator[tuple[str, list[str]]]:
    book = opened(path)
    if sheet not in book.sheetnames:
        raise ValueError(f"{path}: there is no sheet {sheet!r}, only {', '.join(book.sheetnames)}")
    for number, cells in enumerate(book[sheet].iter_rows(values_only=True), 1):
        yield f"{path.name}, sheet {sheet}, row {number}", [_text(cell) for cell in cells]


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).replace("\r\n", "\n").replace("_x000D_", "")


def _write_xlsx(
    path: Path, code: str, table: list[list[str]], right_to_left: bool, doubts: Sequence[str]
) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = code.upper()
    for cells in [list(headings(code)), *table]:
        sheet.append(cells)
    foreign = {_COLUMNS.index(name) for name in ("translation", "edit", "context", "proposal")}
    lay_out(sheet, _WIDTHS, "C2", foreign if right_to_left else ())
    _color(sheet)
    for name, allowed in _CHOICES.items():
        offer(sheet, _COLUMNS.index(name), allowed)
    if doubts:
        first = "What the reader of this text was unsure of: please look at this first."
        add_text(book, "Doubts", [first, *doubts], 0)
        book.active = 0
    add_text(book, "Instructions", _GUIDE)
    book.save(path)


def _color(sheet: Any) -> None:
    """Colored headings and grey examples."""
    from openpyxl.styles import PatternFill

    for row in sheet.iter_rows():
        example = str(row[_COLUMNS.index("row")].value).endswith(FULL_EXAMPLE)
        if example or row[0].row == 1:
            for cell in row:
                cell.fill = PatternFill("solid", fgColor="EEEEEE" if example else "DCE6F1")
