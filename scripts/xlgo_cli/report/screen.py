"""The end of a run on a terminal, within one screen: sentences, gaps, costs, signature."""

from __future__ import annotations

import shutil
import textwrap

import pandas as pd

from xlgo_metric.comparison.section import mark
from xlgo_metric.family import Section
from xlgo_metric.table import Column, Table, listed

from ..display import labels
from ..display.formats import DASH, count, points
from .findings import every_finding
from .grid import OVER_TASKS, Grid, of_score, with_gaps

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


_SOURCES = {
    "server": "Tokens as the server counted them, thinking among those out.",
    "tokenizer": "Tokens counted with the model's own tokenizer.",
    "server+tokenizer": "Tokens counted by the server and by the model's tokenizer.",
}


def _spent(cost: Section) -> pd.DataFrame:
    """A row for each task and language."""
    return pd.DataFrame(
        {"family": family, "task": task, "language": code, **entry}
        for family, tasks in cost["tasks"].items()
        for task in sorted(tasks, key=labels.task_order)
        for code, entry in tasks[task].items()
    )


def cost_line(score: Section) -> str:
    """What the whole run took; empty where nothing is known."""
    cost = score.get("cost")
    if not cost or not cost["tasks"]:
        return ""
    spent, unit = _spent(cost), cost["unit"]
    requests = spent["requests"].sum()
    chains = f"{count(requests)} requests, " * bool(requests > spent["answers"].sum())
    note = " (counted with the model's tokenizer)" * ("tokenizer" in cost["counted_by"])
    note = " (token counts unavailable)" if unit == "characters" else note
    sent, received = (count(spent[f"{unit}_{side}"].sum()) for side in ("in", "out"))
    return f"{chains}{sent} {unit} in, {received} out{note}"


def cost_table(cost: Section) -> Table:
    """What every task and language took."""
    spent, unit = _spent(cost), cost["unit"]
    frame = spent.assign(
        task=[labels.task(name).short for name in spent["task"]],
        language=[labels.language(code).name for code in spent["language"]],
        seconds=spent["seconds"].where(spent["timed"] == spent["answers"]),
    )
    columns = {
        "task": Column("Task"),
        "language": Column("Language"),
        "answers": Column("Answers", "count"),
        f"{unit}_in": Column(f"{unit.capitalize()} in", "count"),
        f"{unit}_out": Column(f"{unit.capitalize()} out", "count"),
        "seconds": Column("Seconds", "number", 1),
    }
    counted = _SOURCES.get(cost["counted_by"], "")
    source = counted if unit == "tokens" else "Characters: some tokens are not known."
    caption = (
        f"{source} A chain of requests is one answer; its tokens are those of all its requests. "
        "Seconds: of the requests, added up (they may run beside each other), where each was timed."
    )
    return listed("cost", "What it took", frame, columns, caption)
