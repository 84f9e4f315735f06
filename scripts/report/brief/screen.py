"""The end of a run on a terminal, within one screen: sentences, gaps, costs, what to do next."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from ...display import labels
from ...display.formats import DASH, points
from ..cells import apart, base_name, by_gap, doubt, has_number, in_order, mark, with_gaps
from ..findings import family_findings, findings
from .costs import cost_line, cost_sentences
from .next_steps import next_steps
from .worst import worst_sentence

_WIDEST = 100
_NARROWEST = 40
_ROWS = 12
"""Languages of a table; the rest stand in the report."""
_GAPS = 1
"""Gaps that get a sentence of their own; the table has the others."""
_MARKS = " " * 3
"""The column of the marks, in which a heading has nothing."""
_LEGEND = (
    ("●", "holds in the paired test"),
    ("○", "published rule only, may be chance"),
    ("?", "the answers do not fix a size"),
    ("!", "larger than any level shows"),
)


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
    lines = ["In short"]
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
    """The main results of all families, and what is remarkable of their costs."""

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


def _gap_table(section: Mapping[str, Any], columns: int) -> Iterator[str]:
    """SMD by language and task, the language that is furthest behind first."""
    tasks = in_order(section["tasks"])
    codes = by_gap(section)
    rows = [
        [labels.language(code).name, *(_gap(task["languages"].get(code)) for _, task in tasks)]
        for code in codes
    ]
    if not any(cell.strip(DASH + " ?") for row in rows for cell in row[1:]):
        return
    heads = ["", *(f"{labels.task(name).short}{_MARKS}" for name, _ in tasks)]
    shown = rows[:_ROWS]
    widths = [max(len(row[i]) for row in [heads, *shown]) for i in range(len(heads))]
    if sum(widths) + 2 * len(widths) > columns:  # the spread is what can be spared
        shown = [[row[0], *(_without_spread(cell) for cell in row[1:])] for row in shown]
        widths = [max(len(row[i]) for row in [heads, *shown]) for i in range(len(heads))]
    cells_of = [cell for _, task in tasks for cell in task["languages"].values()]
    small = any(cell.get("small") for cell in cells_of)
    told = "SMD: largest fitted gap to {}, percentage points (± standard deviation)"
    if small:
        told = "Difference to {} over all questions, percentage points"
    yield from textwrap.wrap(told.format(base_name(section)), columns)
    for row in [heads, *shown]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(size) for cell, size in zip(row[1:], widths[1:])]
        yield "  ".join(cells).rstrip()
    if len(rows) > _ROWS:
        yield f"... and {len(rows) - _ROWS} more languages (xlgo score --table shows all)"
    signs = "".join(cell for row in shown for cell in row[1:])
    legend = "  ".join(f"{sign} {words}" for sign, words in _LEGEND if sign in signs)
    yield from textwrap.wrap(legend, columns)


def _gap(cell: Mapping[str, Any] | None) -> str:
    """A gap with its marks; one column for the marks, so that numbers stand below each other."""
    if not cell or (cell.get("smd") is None and not cell.get("extreme")):
        return f"{DASH}  "
    if not has_number(cell):
        # What was counted, where the curves say nothing.
        counted = points(apart(cell), 0) if mark(cell) == "●" and cell.get("pooled") else DASH
        return f"{counted} {mark(cell)}{doubt(cell)}".ljust(len(counted) + 3)
    if cell.get("small"):  # too few questions a level for an SMD: the difference over all of them
        return f"{points(cell['difference']['difference'], 0)} {mark(cell).ljust(2)}"
    sd = cell.get("smd_sd")
    spread = "" if sd is None else f" ±{100 * sd:.0f}"
    return f"{points(cell['smd'], 0)}{spread} {(mark(cell) + doubt(cell)).ljust(2)}"


def _without_spread(cell: str) -> str:
    head, sign, rest = cell.partition(" ±")
    return f"{head} {rest.partition(' ')[2]}" if sign else cell


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
