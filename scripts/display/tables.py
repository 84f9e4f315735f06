"""Tables as Markdown, CSV and on a terminal."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from xlgo_metric.core import Table

from .csv_safety import disarmed
from .formats import DASH

if TYPE_CHECKING:
    from rich.console import Console

_LEADING_NUMBER = re.compile(r"[+\-−]?[0-9]")
_WIDE = 200


def is_numeric(table: Table) -> list[bool]:
    """For each column, whether it holds numbers (and gaps) only, be they written out or not."""
    columns = list(zip(*table.rows)) or [()] * len(table.columns)
    return [all(_is_number(value) for value in column) for column in columns]


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return value in ("", DASH, "-") or _LEADING_NUMBER.match(value) is not None
    return value is None or isinstance(value, int | float)


def text(value: Any) -> str:
    """A cell as people read it."""
    if value is None:
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def markdown(table: Table) -> str:
    """The table in GitHub's Markdown, with its title above and its caption below."""
    rule = [("---:" if numeric else "---") for numeric in is_numeric(table)]
    rows = [table.columns, rule, *table.rows]
    lines = [f"## {_escaped(table.title)}", ""]
    lines += ["| " + " | ".join(map(_escaped, row)) + " |" for row in rows]
    return "\n".join([*lines, *(["", table.caption] if table.caption else [])]) + "\n"


def comma_separated(table: Table) -> str:
    """The table as CSV, numbers in full precision, a gap as an empty cell.

    Texts that a spreadsheet would take for a formula are marked as text with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_plain(name) for name in table.columns])
    writer.writerows([_plain(value) for value in row] for row in table.rows)
    return out.getvalue()


def terminal() -> Console:
    """Where tables are printed; a file or pipe is wide enough for any of them."""
    from rich.console import Console

    console = Console()
    return console if console.is_terminal else Console(width=_WIDE)


def show(table: Table, console: Console) -> None:
    """Print the table on a terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column, numeric in zip(table.columns, is_numeric(table)):
        shown.add_column(Text(column), justify="right" if numeric else "left")
    for row in table.rows:
        shown.add_row(*(Text(text(value)) for value in row))
    # A title or caption of the table itself would be broken to its width.
    console.print(Text(table.title, style="table.title"))
    console.print(shown)
    if table.caption:
        console.print(Text(table.caption, style="table.caption"))
    console.print()


def _escaped(value: Any) -> str:
    return " ".join(re.sub(r"([\\|<>`*_\[\]&#!~$])", r"\\\1", text(value)).splitlines())


def _plain(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    # A carriage return would end the row: csv does not quote it on every Python.
    return disarmed(value.replace("\r\n", "\n").replace("\r", "\n"))
