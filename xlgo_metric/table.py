"""Tables as data: rows of plain numbers, and columns that say how a number is written.

A table holds numbers in full precision; ``Table.headings`` and ``Table.shown`` write them for
people, the same way on a terminal, in Markdown, on a page and in a notebook. CSV takes the numbers
as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd

DASH = "–"
"""Placeholder for a missing number."""

Kind = Literal["text", "count", "number", "share", "difference", "p"]
"""What a column holds:

``text``
    words, or ``True`` and ``False``, which are written as yes and no;
``count``
    integers;
``number``
    any other numbers, in the unit of the column;
``share``
    fractions, written in percent;
``difference``
    differences of fractions, written with their sign in percentage points;
``p``
    p values.
"""

_DIGITS = {"count": 0, "share": 1, "difference": 1, "p": 4}
_THOUSANDS = 10_000
_LEAST_P = 0.0001


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: its own in the table; the heading in CSV.
        kind: what it holds.
        digits: decimals that are written; ``None`` for those of its kind, and of a plain number
            for four significant digits.
        unit: ``%`` is written behind each number, any other behind the heading, in brackets.
        after: where this is set, its cells are written in the cell of the column before, after
            these characters, such as " ± "; without a number they are left out.
        heading: of a cell in which several columns are written; the name by default.
        signed: numbers are written with their sign; differences always are.
    """

    name: str
    kind: Kind = "text"
    digits: int | None = None
    unit: str = ""
    after: str | None = None
    heading: str | None = None
    signed: bool = False

    @property
    def is_numeric(self) -> bool:
        """It holds numbers."""
        return self.kind != "text"

    def written(self, value: Any) -> str:
        """A value as people read it; an empty text for none."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.kind == "text" and not isinstance(value, float):
            return str(value)
        signed = self.signed or self.kind == "difference"
        percent = "%" if self.unit == "%" else ""
        return written(value, self.digits, kind=self.kind, signed=signed) + percent


def written(
    value: float, digits: int | None = None, *, kind: Kind = "number", signed: bool = False
) -> str:
    """A number as people read it: the minus sign of mathematics, none before zero.

    Halves are rounded away from zero, as people round: 32.5 is "33", −0.25 is "−0.3". A p value
    below ``_LEAST_P`` is never written as zero.

    Args:
        value: the number.
        digits: decimals; ``None`` for those of its kind, and of a plain number for four
            significant digits.
        kind: fractions are written in percent, their differences in percentage points.
        signed: write a plus sign too, but before zero.
    """
    value = 100 * value if kind in ("share", "difference") else value
    digits = _DIGITS.get(kind) if digits is None else digits
    if digits is None:
        return f"{value:{'+' if signed and value else ''}.4g}".replace("-", "−")
    if kind == "p" and 0 <= value < _LEAST_P:
        return f"<{_LEAST_P}"
    value = half_up(value, digits) + 0.0
    comma = "," if abs(value) >= _THOUSANDS else ""
    return f"{value:{'+' if signed and value else ''}{comma}.{digits}f}".replace("-", "−")


def half_up(value: float, digits: int) -> float:
    """A number rounded to so many decimals, halves away from zero.

    A number that is a half but for the error of its last binary digits is one: 100 × 0.145 is.
    """
    if not math.isfinite(value):
        return value
    exact = Decimal(repr(float(f"{value:.12g}")))
    return float(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def percent(fraction: float | None, digits: int = 1) -> str:
    """A fraction as a percentage: 0.431 is "43.1%"."""
    return DASH if fraction is None else f"{written(fraction, digits, kind='share')}%"


def points(fraction: float | None, digits: int = 1, *, signed: bool = True) -> str:
    """A difference of fractions in percentage points, with its sign: 0.186 is "+18.6"."""
    if fraction is None:
        return DASH
    return written(fraction, digits, kind="difference", signed=signed)


def ends(
    low: float | None,
    high: float | None,
    digits: int = 1,
    *,
    kind: Kind = "difference",
    between: str = "to",
) -> str:
    """The ends of an interval: "+2.0 to +14.5" points, or "2.0% to 14.5%" of a ``share``."""
    write = percent if kind == "share" else points
    return f"{write(low, digits)} {between} {write(high, digits)}"


def p_value(p: float | None) -> str:
    """A p value in a sentence, written as in tables, such as "0.0310"."""
    return "not tested" if p is None else written(p, kind="p")


def count(value: int) -> str:
    """An integer in a sentence, with its thousands apart."""
    return f"{value:,}"


def right_of(right: int, n: int) -> str:
    """Correct answers of some, such as "23 of 40 (57.5%)"."""
    return f"{count(right)} of {count(n)} ({percent(right / n)})"


@dataclass(frozen=True)
class Table:
    """A table for people, as data.

    Attributes:
        name: unique in its family; files are called so.
        title: its heading.
        columns: one for each cell of a row. A text stands for a column of texts with that name.
        rows: numbers and texts, ``None`` where there is nothing.
        caption: what a reader should know.

    Raises:
        ValueError: a row has more or fewer cells than there are columns.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str = ""

    def __post_init__(self) -> None:
        named = (Column(column) if isinstance(column, str) else column for column in self.columns)
        object.__setattr__(self, "columns", tuple(named))
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"table {self.name!r}: a row has {len(row)} cells for {len(self.columns)} "
                    f"columns: {row!r}"
                )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, as ``pandas.DataFrame(table.rows, columns=table.names)``."""
        return tuple(column.name for column in self.columns)

    @property
    def groups(self) -> tuple[range, ...]:
        """The places of the columns that are written in one cell, for every cell of a row."""
        starts = [index for index, column in enumerate(self.columns) if column.after is None]
        return tuple(range(a, b) for a, b in zip(starts, [*starts[1:], len(self.columns)]))

    @property
    def numeric(self) -> list[bool]:
        """For each cell that is written, whether it holds a number."""
        return [self.columns[group[0]].is_numeric for group in self.groups]

    def headings(self) -> list[str]:
        """The heading of each cell that is written."""
        heads = [self.columns[group[0]] for group in self.groups]
        names = [head.name if head.heading is None else head.heading for head in heads]
        units = ["" if head.unit in ("", "%") else f" ({head.unit})" for head in heads]
        return [name + unit for name, unit in zip(names, units)]

    def shown(self) -> list[list[str]]:
        """The rows as people read them, columns that belong together in one cell."""
        return [[self.cell(row, group) for group in self.groups] for row in self.rows]

    def cell(self, row: Sequence[Any], group: range) -> str:
        """What is written in one cell.

        Args:
            row: one of ``rows``.
            group: one of ``groups``, or the beginning of one.
        """
        text = ""
        for index in group:
            column = self.columns[index]
            part = column.written(row[index])
            text += f"{column.after}{part}" if text and part else part
        return text or (DASH if self.columns[group[0]].is_numeric else "")


def columns(
    kind: Kind, *names: str, digits: int | None = None, unit: str = ""
) -> tuple[Column, ...]:
    """Columns of one kind, a name each."""
    return tuple(Column(name, kind, digits, unit) for name in names)


def interval(
    name: str,
    kind: Kind = "difference",
    digits: int | None = None,
    unit: str = "",
    *,
    signed: bool = False,
) -> tuple[Column, Column]:
    """Two columns for the ends of an interval, written as "−1.2 to +3.4" under one heading."""
    low = Column(f"{name}, low", kind, digits, unit, heading=name, signed=signed)
    return low, Column(f"{name}, high", kind, digits, unit, after=" to ", signed=signed)


def spread(
    name: str, kind: Kind = "share", digits: int | None = None, unit: str = "", *, sd: str = "sd"
) -> tuple[Column, Column]:
    """Two columns for a number and its spread, written as "12.3 ± 4.5".

    Args:
        name, kind, digits, unit: of the number.
        sd: what the spread is, in the heading in CSV.
    """
    plain: Kind = "share" if kind == "difference" else kind
    return Column(name, kind, digits, unit), Column(f"{name}, {sd}", plain, digits, after=" ± ")


def listed(
    name: str,
    title: str,
    rows: pd.DataFrame | Iterable[Mapping[str, Any]],
    columns: Mapping[str, Column],
    caption: str = "",
) -> Table:
    """A table with a row for each of anything that was measured.

    Args:
        name, title, caption: of the table.
        rows: a frame, or the numbers of each row by name.
        columns: how these are written, by their names; those that a row lacks are empty.
    """
    import pandas as pd

    frame = pd.DataFrame(rows, dtype=object).reindex(columns=list(columns)).astype(object)
    cells = frame.where(frame.notna(), None).itertuples(index=False, name=None)
    return Table(name, title, tuple(columns.values()), tuple(cells), caption)
