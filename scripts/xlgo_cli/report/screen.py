"""The end of a run on a terminal, within one screen: sentences, gaps, costs, signature."""

from __future__ import annotations

import shutil
import textwrap

import pandas as pd

from xlgo_metric.comparison.section import mark
from xlgo_metric.family import Section

from ..display.formats import DASH, points
from .costs import cost_line
from .findings import every_finding
from .gap_marks import with_gaps
from .grid import OVER_TASKS, Grid, of_score

_WIDEST = 100
_NARROWEST = 40
_ROWS = 12
"""Most languages that a table shows; the report has all."""
_GAPS = 1
"""Gaps that get a sentence of their own; the table has the others."""


def brief(score: Section, *, width: int | None = None) -> str:
    """A score in one screen of text.

    Args:
        score: as ``GradedRun.score`` has it.
        width: columns; those of the terminal by default, at most 100.
    """
    columns = shutil.get_terminal_size((_WIDEST, 0)).columns if width is None else width
    wrapper = textwrap.TextWrapper(
        max(_NARROWEST, min(columns, _WIDEST)), subsequent_indent="  ", break_on_hyphens=False
    )
    lines = ["Summary"]
    for sentence in [*score.get("warnings", []), *sentences(score)]:
        lines += wrapper.wrap(f"- {sentence}")
    for grid in of_score(score, with_gaps(score)):
        if grid.cells:
            about = f"{grid.caption.partition(',')[0]}, percentage points"
            lines += ["", *wrapper.wrap(about), _gap_table(grid)]
            lines += wrapper.wrap("  ".join(grid.legend))
    if cost := cost_line(score):
        lines += ["", *wrapper.wrap(f"Cost: {cost}")]
    return "\n".join([*lines, "", score["signature"]])


def sentences(score: Section) -> list[str]:
    """The main results of all families."""
    return [sentence for _, sentence in every_finding(score, with_gaps(score), _GAPS)]


def _gap_table(grid: Grid) -> str:
    """Differences by language and task; a mark has two columns, so that numbers align."""
    tasks = {name: label.short for name, label in grid.columns.items() if name != OVER_TASKS}
    rows = {
        ", ".join(filter(None, (label.name, label.note))): [
            f"{points(cell.difference)} {mark(cell):<2}" if cell else f"{DASH}   "
            for cell in (grid.cells.get((row, task)) for task in tasks)
        ]
        for row, label in [*grid.rows.items()][:_ROWS]
    }
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=[*tasks.values()])
    more = len(grid.rows) - len(frame)
    note = f"\n... and {more} more languages (xlgo score --table shows all)" * (more > 0)
    return "\n".join(line.rstrip() for line in frame.to_string().splitlines()) + note
