"""Workbooks of openpyxl: what the sheets for people share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any


def opened(path: Path) -> Any:
    """The workbook in a file.

    Raises:
        ValueError: it is none.
    """
    import openpyxl

    try:
        return openpyxl.load_workbook(path)
    except Exception as error:  # openpyxl lets zip, XML and key errors through
        raise ValueError(f"{path}: not a readable xlsx file ({error})") from error


def add_text(book: Any, title: str, lines: Iterable[str], place: int | None = None) -> None:
    """Add a sheet with a line of text in each row, at the end or at a place."""
    sheet = book.create_sheet(title, place)
    sheet.column_dimensions["A"].width = 120
    for line in lines:
        sheet.append([line])


def lay_out(
    sheet: Any, widths: Sequence[float], freeze: str, right_to_left: Collection[int] = ()
) -> None:
    """Bold headings, wrapped text in its own direction, and no formulas.

    Args:
        sheet: with all of its rows.
        widths: of the columns.
        freeze: the cell above and before which nothing moves.
        right_to_left: columns that are written so.
    """
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    for row in sheet.iter_rows():
        for column, cell in enumerate(row):
            if isinstance(cell.value, str):
                cell.data_type = "s"  # never a formula, whatever it begins with
            order = 2 if column in right_to_left else 0
            cell.alignment = Alignment(wrap_text=True, vertical="top", readingOrder=order)
            if cell.row == 1:
                cell.font = Font(bold=True)
    for number, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    sheet.freeze_panes = freeze


def offer(sheet: Any, column: int, allowed: Iterable[str]) -> None:
    """Have the cells of a column, below its heading, offer some values."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    rule = DataValidation("list", formula1=f'"{",".join(allowed)}"', allow_blank=True)
    letter = get_column_letter(column + 1)
    rule.add(f"{letter}2:{letter}{max(2, sheet.max_row)}")
    sheet.add_data_validation(rule)
