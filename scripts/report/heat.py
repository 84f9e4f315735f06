"""The heat map of gaps, and a line for each language over all tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xlgo_metric.table import Column, Table

from ..display import labels
from ..display.formats import DASH, points, spread
from .cells import (
    Cells,
    anchor,
    base_name,
    by_gap,
    crosses,
    doubt,
    has_number,
    in_order,
    is_behind,
    is_supported,
    mark,
    others,
)
from .findings import gap_sentence
from .view import sortable

_STRONGEST_PALE = 22
STRONGEST = 62  # percent of the full colour; more would make the text hard to read
_BEND = 0.7  # below 1: small gaps differ in colour, and 35 points differ from 90
_WORDS = {"●": "holds in the paired test", "○": "published rule only", "": ""}


def heatmap(section: Mapping[str, Any], prefix: str = "") -> dict[str, Any] | None:
    """The SMD of every task and language; ``None`` if the baseline was not asked.

    The language that is furthest behind stands first.

    Args:
        section: see ``with_gaps``.
        prefix: what the anchors of the tasks begin with.
    """
    tasks = in_order(section["tasks"])
    codes = by_gap(section)
    cells = [cell for _, task in tasks for _, cell in others(task)]
    if not any(cell.get("smd") is not None or cell.get("extreme") for cell in cells):
        return None
    rows = [
        {
            "language": labels.language(code),
            "cells": [
                heat_cell(name, code, task["languages"].get(code), f"#{anchor(prefix, name)}")
                for name, task in tasks
            ],
        }
        for code in codes
    ]
    base = base_name(section)
    marks = ["● holds in the paired test (Holm, 5%)", "○ marked by the published rule only"]
    doubts = {doubt(cell) for cell in cells if cell.get("smd") is not None}
    if "?" in doubts:
        marks.append("– the answers fix no gap")
    if "!" in doubts:
        marks.append("! not supported: more than any level shows")
    return {
        "tasks": [labels.task(name) for name, _ in tasks],
        "rows": rows,
        "title": f"Gaps to {base}",
        "caption": "SMD in percentage points, ± one standard deviation: how much less accurate the "
        f"model is than in {base}, at the puzzle size where the two lie furthest apart. Negative "
        f"numbers: it is better than in {base}. Pale cells without a mark may be chance, grey ones "
        "say nothing of the size. The language that is furthest behind stands first.",
        "behind": f"behind {base}",
        "ahead": f"ahead of {base}",
        "marks": tuple(marks),
    }


def heat_cell(task: str, code: str, cell: Cells | None, href: str) -> dict[str, Any]:
    """One cell of the heat map; grey where the size of the gap is not to be relied on."""
    if cell is None or (cell.get("smd") is None and not cell.get("extreme")):
        reason = "not asked" if cell is None else "no gap can be given"
        return {"kind": "none", "value": DASH, "sentence": reason, "strength": 0, "href": ""}
    shown = has_number(cell)
    coloured = shown and is_supported(cell)
    sign = "" if cell.get("extreme") else mark(cell)
    words = _WORDS[sign]
    return {
        "kind": ("behind" if cell["smd"] > 0 else "ahead") if coloured else "none",
        "value": points(cell["smd"]) if shown else DASH,
        "sd": spread(cell.get("smd_sd")) if shown else "",
        "mark": sign + (doubt(cell) if shown else ""),
        "mark_words": words if coloured or not shown else f"{words} not supported".strip(),
        "strength": strength(cell["smd"], pale=not sign) if coloured else 0,
        "sentence": gap_sentence(task, code, cell),
        "href": href,
    }


def strength(difference: float, pale: bool) -> int:
    """How strongly a cell of a heat map is coloured, in percent of the full colour.

    What may well be chance is ``pale``, so that it does not catch the eye.
    """
    strongest = _STRONGEST_PALE if pale else STRONGEST
    return round(strongest * min(abs(difference), 1.0) ** _BEND)


def language_lines(section: Mapping[str, Any]) -> dict[str, Any] | None:
    """A row for each language over all tasks, for a table that sorts; ``None`` without English."""
    rows = []
    for code in by_gap(section):
        cells = {
            name: task["languages"][code]
            for name, task in section["tasks"].items()
            if (cell := task["languages"].get(code) or {}).get("pooled") and not cell.get("extreme")
        }
        if not cells:
            continue
        k, n, k_en, n_en = (
            sum(cell["pooled"][key] for cell in cells.values())
            for key in ("k_l", "n_l", "k_en", "n_en")
        )
        holds = [cell for cell in cells.values() if mark(cell) == "●" and not cell.get("extreme")]
        behind = sum(is_behind(cell) and not crosses(cell) for cell in holds)
        ahead = sum(not is_behind(cell) and not crosses(cell) for cell in holds)
        sized = {
            name: cell["smd"]
            for name, cell in cells.items()
            if has_number(cell) and is_supported(cell)
        }
        widest = max(sized, key=lambda name: abs(sized[name]), default="")
        rows.append(
            (code, k / n, k, n, k_en / n_en, k_en, n_en, k_en / n_en - k / n, behind, len(cells),
             ahead, len(cells), sized.get(widest), labels.task(widest).short if widest else None)
        )  # fmt: skip
    if not rows:
        return None
    columns = (
        Column("Language"),
        *_right("Right"),
        *_right(f"In {base_name(section)}"),
        Column("Apart", "difference"),
        *_of("Behind in"),
        *_of("Ahead in"),
        Column("Largest gap", "difference"),
        Column("Largest gap, task", after=" "),
    )
    table = Table("all_tasks", "Each language over all tasks", columns, tuple(rows))
    return sortable(table, languages=True)


def _right(name: str) -> tuple[Column, ...]:
    share = Column(name, "share", 0, unit="%")
    counts = (("right answers", " "), ("answers", " of "))
    return share, *(Column(f"{name}, {of}", "count", after=after) for of, after in counts)


def _of(name: str) -> tuple[Column, Column]:
    return Column(name, "count"), Column(f"{name}, of", "count", after=" of ")
