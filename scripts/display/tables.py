"""Tables as Markdown, CSV and on a terminal."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from xlgo_metric.table import Table

if TYPE_CHECKING:
    from rich.console import Console


_WIDE = 200


def markdown(table: Table) -> str:
    """The table in GitHub's Markdown, with its title above and its caption below."""
    rule = [("---:" if numeric else "---") for numeric in table.numeric]
    rows = [table.headings(), rule, *table.shown()]
    lines = [f"## {_escaped(table.title)}", ""]
    lines += ["| " + " | ".join(map(_escaped, row)) + " |" for row in rows]
    return "\n".join([*lines, *(["", table.caption] if table.caption else [])]) + "\n"


def comma_separated(table: Table) -> str:
    """The table as CSV: a column for each, numbers in full precision, a gap as an empty cell.

    Shares and their differences are fractions, as in ``scores.json``.
    Texts that a spreadsheet would take for a formula are marked as text with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_plain(name) for name in table.names])
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
    for heading, numeric in zip(table.headings(), table.numeric):
        shown.add_column(Text(heading), justify="right" if numeric else "left")
    for row in table.shown():
        shown.add_row(*map(Text, row))
    # A title or caption of the table itself would be broken to its width.
    console.print(Text(table.title, style="table.title"))
    console.print(shown)
    if table.caption:
        console.print(Text(table.caption, style="table.caption"))
    console.print()


def _escaped(text: str) -> str:
    return " ".join(re.sub(r"([\\|<>`*_\[\]&#!~$])", r"\\\1", text).splitlines())


def _plain(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    # A carriage return would end the row: csv does not quote it on every Python.
    return escape_formula(value.replace("\r\n", "\n").replace("\r", "\n"))


_MARK = "'"
_FORMULA = re.compile("(?:[\\s\\0\ufeff\u200b]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\\t\\r\\n])")
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,eE%±*? −-]*(?:to [+-]?[0-9.]+)?")


def escape_formula(text: str) -> str:
    """``text`` with an apostrophe before it if a spreadsheet program would run it.

    That is what begins with ``= + - @``, blanks before them or not, or with a tab or a line's end.
    Numbers, such as ``-1.5`` and ``-10.1 ± 9.7``, stay as they are.
    """
    bare = text.lstrip(_MARK)
    if _FORMULA.match(bare) and not _NUMBER.fullmatch(text):
        return _MARK + text
    return text


def unescape_formula(text: str) -> str:
    """The text that ``escape_formula`` was given."""
    if text.startswith(_MARK) and escape_formula(text[1:]) == text:
        return text[1:]
    return text
