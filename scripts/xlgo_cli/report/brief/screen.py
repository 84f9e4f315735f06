"""The end of a run on a terminal, within one screen: sentences, gaps, costs, what to do next."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from ...display import labels
from ...display.formats import DASH, points
from ..findings import family_findings, findings, worst_sentence
from ..gap_marks import (
    CellScores,
    GapSection,
    base_name,
    by_gap,
    chosen_tasks,
    gap_of,
    in_order,
    mark,
    with_gaps,
)
from ..heat import MARKS
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
        if table := list(_gap_table(section, columns)):
            lines += ["", *table]
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

    compared = with_gaps(score)
    found: list[str] = []
    for name, section in score["families"].items():
        if name in compared:
            told = [*worst_sentence(compared[name]), *findings(compared[name], gaps=_GAPS)]
        else:
            found += [sentence for _, sentence in family_findings(name, section)]
            continue
        found += [sentence for _, sentence in told]
    return [*found, *(sentence for _, sentence in cost_sentences(score))]


def _gap_table(section: GapSection, columns: int) -> Iterator[str]:
    """Differences by language and task, the language with the largest gap first."""
    tasks = in_order(section["tasks"])
    codes = by_gap(section)
    rows = [
        [labels.language(code).name, *(_gap(task["languages"].get(code)) for _, task in tasks)]
        for code in codes
    ]
    if not any(cell.strip(DASH + " ") for row in rows for cell in row[1:]):
        return
    heads = ["", *(f"{labels.task(name).short}{_MARKS}" for name, _ in tasks)]
    shown = rows[:_ROWS]
    widths = [max(len(row[i]) for row in [heads, *shown]) for i in range(len(heads))]
    told = f"{base_name(section)} minus the language, percentage points, sizes alike"
    told += ", or the questions that answers chose" if chosen_tasks(section) else ""
    yield from textwrap.wrap(told, columns)
    for row in [heads, *shown]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(size) for cell, size in zip(row[1:], widths[1:])]
        yield "  ".join(cells).rstrip()
    if len(rows) > _ROWS:
        yield f"... and {len(rows) - _ROWS} more languages (xlgo score --table shows all)"
    used = "".join(cell for row in shown for cell in row[1:])
    legend = "  ".join(f"{sign} {words}" for sign, words in MARKS.items() if sign in used)
    yield from textwrap.wrap(legend, columns)


def _gap(cell: CellScores | None) -> str:
    """A difference with its marks; marks have one column, so that numbers align."""
    found = gap_of(cell) if cell and not cell.get("extreme") else None
    if cell is None or found is None:
        return f"{DASH}{_MARKS}"
    return f"{points(found.difference, 0)} {mark(cell).ljust(2)}"


def _wrapped(label: str, text: str, columns: int) -> list[str]:
    indent = " " * (len(label) + 2)
    return textwrap.wrap(
        text, columns, initial_indent=f"{label}: ", subsequent_indent=indent,
        break_on_hyphens=False,
    )  # fmt: skip


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
