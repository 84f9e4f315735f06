"""The end of a run on a terminal, within one screen: sentences, gaps, costs, what to do next."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.section import mark

from ...display.formats import DASH, points
from ..findings import family_findings, findings, verdict
from ..gap_marks import with_gaps
from ..grid import OVER_TASKS, Grid, of_section
from ..sections import cost_line, cost_sentences
from .next_steps import next_steps

_WIDEST = 100
_NARROWEST = 40
_ROWS = 12
"""Most languages that a table shows; the report has all."""
_GAPS = 1
"""Gaps that get a sentence of their own; the table has the others."""
_MARKS = " " * 3
"""The column of the marks, in which a heading has nothing."""


def brief(score: Mapping[str, Any], *, width: int | None = None) -> str:
    """A score in one screen of text.

    Args:
        score: as ``GradedRun.score`` has it.
        width: columns; those of the terminal by default, at most 100.
    """
    columns = shutil.get_terminal_size((_WIDEST, 0)).columns if width is None else width
    columns = max(_NARROWEST, min(columns, _WIDEST))
    parts = list(score.get("warnings", []))
    parts += sentences(score)
    lines = ["Summary"]
    for sentence in parts:
        lines += textwrap.wrap(
            sentence, columns, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False
        )
    for section in with_gaps(score).values():
        if (grid := of_section(section)) is not None:
            lines += ["", *_gap_table(grid, columns)]
    if told := cost_line(score):
        lines += ["", *_wrapped("Cost", told, columns)]
    steps = next_steps(score)
    lines += [""] if steps and not told else []
    for step in steps:
        lines += _wrapped("Next", step, columns)
    lines += ["", *_broken(score["signature"], columns)]
    return "\n".join(lines)


def sentences(score: Mapping[str, Any]) -> list[str]:
    """The main results of all families, and notable costs."""
    compared, found = with_gaps(score), list[tuple[str, str]]()
    for name, section in score["families"].items():
        if name in compared:
            found += [*verdict(compared[name]), *findings(compared[name], gaps=_GAPS)]
        else:
            found += family_findings(name, section)
    return [sentence for _, sentence in [*found, *cost_sentences(score)]]


def _gap_table(grid: Grid, columns: int) -> Iterator[str]:
    """Differences by language and task, the language with the largest gap first."""
    if not grid.cells:
        return
    names = [name for name in grid.columns if name != OVER_TASKS]
    rows = [
        [
            ", ".join(filter(None, (label.name, label.note))),
            *(_gap(grid.cells.get((code, name))) for name in names),
        ]
        for code, label in list(grid.rows.items())[:_ROWS]
    ]
    heads = ["", *(f"{grid.columns[name].short}{_MARKS}" for name in names)]
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    yield from textwrap.wrap(grid.caption.partition(",")[0] + ", percentage points", columns)
    for row in [heads, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(size) for cell, size in zip(row[1:], widths[1:])]
        yield " ".join(cells).rstrip()
    if len(grid.rows) > _ROWS:
        more = len(grid.rows) - _ROWS
        yield f"... and {more} more languages (xlgo score --table shows all)"
    yield from textwrap.wrap("  ".join(grid.legend), columns)


def _gap(cell: Cell | None) -> str:
    """A difference with its marks; marks have one column, so that numbers align."""
    return f"{DASH}{_MARKS}" if cell is None else f"{points(cell.difference)} {mark(cell):<2}"


def _wrapped(label: str, text: str, columns: int) -> list[str]:
    indent = " " * (len(label) + 2)
    return textwrap.wrap(
        text, columns, initial_indent=f"{label}: ", subsequent_indent=indent, break_on_hyphens=False
    )


def _broken(signature: str, columns: int) -> list[str]:
    """A signature on as few lines as it needs, broken between its fields only."""
    lines = [""]
    for field in signature.split("|"):
        joined = f"{lines[-1]}|{field}" if lines[-1] else field
        if len(joined) < columns or not lines[-1]:
            lines[-1] = joined
        else:
            lines[-1] += "|"
            lines.append(field)
    return lines
