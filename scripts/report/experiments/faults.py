"""Where answers first go wrong, for the page: a table for each task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...display import labels
from ...display.formats import DASH, count, number, percent
from ..cells import ordered

_MOST_KINDS = 6


def task_table(section: Mapping[str, Any], task: str) -> dict[str, Any] | None:
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
    heads = [("Language", False), ("Wrong", True)]
    heads += [(kind.replace("_", " ").capitalize(), True) for kind in kinds]
    heads += [("In the first half", True), ("Earlier / later", True)]
    rows = [
        {"words": labels.language(code), "cells": _cells(cells[code], kinds)}
        for code in ordered(cells)
    ]
    return {"heads": heads, "rows": rows}


def _cells(cell: Mapping[str, Any], kinds: list[str]) -> list[dict[str, Any]]:
    found = [number(cell["wrong"], count(cell["wrong"]))]
    against = cell["against"] or {}
    for kind in kinds:
        one = cell["kinds"].get(kind, {"n": 0, "share": 0.0, "by_chance": None})
        mark = " ●" if against.get("kinds", {}).get(kind, {}).get("claimed") else ""
        chance = one["by_chance"]
        told = "" if chance is None else f"{chance:.0f} by chance"
        found.append(number(one["n"], f"{count(one['n'])}{mark}", told))
    quarters = cell["quarters"]
    known = sum(quarters)
    early = sum(quarters[:2]) / known if known else None
    found.append(number(early, percent(early), f"of {count(known)}" if known else ""))
    position = against.get("position")
    if not position or not position["both"]:
        return [*found, number(None, DASH)]
    mark = " ●" if position["claimed"] else ""
    told = f"{count(position['earlier'])} / {count(position['later'])}{mark}"
    return [*found, number(position["earlier"] - position["later"], told)]
