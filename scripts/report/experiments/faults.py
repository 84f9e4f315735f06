"""Where answers first go wrong, for the page: a table for each task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xlgo_metric.table import Column, Table

from ..gap_marks import ordered
from ..view import sortable, without_empty

_MOST_KINDS = 6


def task_view(section: Mapping[str, Any], task: str) -> dict[str, Any] | None:
    """Kinds and positions of first wrong steps, a row a language; ``None`` where none is known.

    Args:
        section: of a family that has gaps.
        task: the name of the task.
    """
    cells = (section.get("faults") or {}).get("tasks", {}).get(task, {})
    total: dict[str, int] = {}
    for cell in cells.values():
        for kind, one in cell["kinds"].items():
            total[kind] = total.get(kind, 0) + one["n"]
    kinds = sorted(total, key=lambda kind: (-total[kind], kind))[:_MOST_KINDS]
    if not kinds:
        return None
    columns = [Column("Language"), Column("Wrong", "count")]
    for kind in kinds:
        name = kind.replace("_", " ").capitalize()
        columns += [
            Column(name, "count"),
            Column(f"{name}, mark", after=" "),
            Column(f"{name}, by chance", "number", 0, after=", by chance "),
        ]
    columns += [
        Column("In the first half", "share", 0, unit="%"),
        Column("In the first half, of", "count", after=" of "),
        Column("Earlier", "count", heading="Earlier / later"),
        Column("Later", "count", after=" / "),
        Column("Earlier / later, mark", after=" "),
    ]
    rows = tuple((code, *_row(cells[code], kinds)) for code in ordered(cells))
    table = Table("faults", "Where answers first go wrong", tuple(columns), rows)
    return sortable(without_empty(table, zeros=True), languages=True)


def _row(cell: Mapping[str, Any], kinds: list[str]) -> list[Any]:
    found: list[Any] = [cell["wrong"]]
    against = cell["against"] or {}
    for kind in kinds:
        one = cell["kinds"].get(kind, {"n": 0, "by_chance": None})
        claimed = against.get("kinds", {}).get(kind, {}).get("claimed")
        found += [one["n"], "●" if claimed else None, one["by_chance"]]
    known = sum(cell["quarters"])
    found += [sum(cell["quarters"][:2]) / known, known] if known else [None, None]
    position = against.get("position")
    if not position or not position["both"]:
        return [*found, None, None, None]
    return [*found, position["earlier"], position["later"], "●" if position["claimed"] else None]
