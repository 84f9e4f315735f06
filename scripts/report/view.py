"""What the HTML report shows of a task: its tables, and how a page is made from a template."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..display import labels
from ..display.formats import DASH, count, fixed, number, percent, points, rounded, spread
from .cells import Cells, doubt, has_number, mark, ordered

if TYPE_CHECKING:
    from jinja2 import Environment

_LONG = 10_000
"""From here on, whole numbers have their thousands apart."""
FOLDER = Path(__file__).parent / "html"
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def render(template: str, more_scripts: Sequence[str] = (), **context: Any) -> str:
    """A page from one of the templates, complete and free of any network address.

    Args:
        template: its file name.
        more_scripts: file names of scripts that this page needs besides the common one.
        context: what the template shows.
    """
    import xlgo_metric

    style = (FOLDER / "style.css").read_text("utf-8")
    scripts = ("page.js", *more_scripts)
    script = "\n".join((FOLDER / name).read_text("utf-8") for name in scripts)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    from markupsafe import Markup

    found = environment().get_template(template)
    page = found.render(
        style=Markup(style),
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        version=getattr(xlgo_metric, "__version__", ""),
        statuses=list(labels.STATUSES.items()),
        glossary=labels.GLOSSARY,
        **context,
    )
    return clean(page)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates; everything put into them is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    found.filters["show"] = show
    return found


def clean(text: str) -> str:
    """Replace what may not stand in a page: control characters and halves of surrogate pairs."""
    return _UNSAFE.sub("\ufffd", text)


def show(value: Any) -> str:
    """A cell of a table as text."""
    if value is None:
        return DASH
    if isinstance(value, int) and abs(value) >= _LONG:
        return f"{value:,}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−") if isinstance(value, float) else str(value)


def language_table(task: Mapping[str, Any]) -> dict[str, Any]:
    """The accuracies and gaps of every language of a task, for a table that sorts."""
    heads = [
        ("Language", False), ("Answers", True), ("Accuracy", True), ("AvgAcc", True), ("SMD", True),
        ("p (Holm)", True), ("95% interval", True), ("c*", True), ("There / in English", True),
        ("RD", True),
    ]  # fmt: skip
    rows = [
        {"words": labels.language(code), "cells": _numbers(task["languages"][code])}
        for code in ordered(task["languages"])
    ]
    return {"heads": heads, "rows": rows}


def _numbers(cell: Cells) -> list[dict[str, Any]]:
    paired = cell.get("paired") or {}
    low, high = paired.get("low"), paired.get("high")
    interval = DASH if low is None or high is None else f"{points(low)} to {points(high)}"
    there, sized = DASH, has_number(cell)
    if cell.get("c_star") is not None and sized:
        there = f"{percent(cell.get('f_l'))} / {percent(cell.get('f_en'))}"
    average, gap = cell.get("avg_acc"), cell.get("smd") if sized else None
    doubted = f"{mark(cell)}{doubt(cell)}" if cell.get("smd") is not None else ""
    return [
        number(cell["n"], count(cell["n"])),
        number(cell["accuracy"], percent(cell["accuracy"], 1)),
        number(average, percent(average, 1), spread(cell.get("avg_acc_sd"))),
        number(gap, points(gap), f"{spread(cell.get('smd_sd'))} {doubted}")
        if sized
        else number(None, f"{DASH} {doubted}".strip()),
        number(paired.get("p_holm"), fixed(paired.get("p_holm"), 4)),
        number(paired.get("estimate"), interval),
        number(cell["c_star"], fixed(cell["c_star"], 0)) if sized else number(None, DASH),
        number(cell.get("f_l"), there),
        number(cell["rd"], points(cell["rd"]), spread(cell.get("rd_sd")))
        if sized
        else number(None, DASH),
    ]


def kinds_table(task: Mapping[str, Any]) -> dict[str, Any]:
    """The share of answers of each status in every language, and what the grader found in them."""
    cells = task["languages"].values()
    details = sorted({key for cell in cells for key in cell.get("details") or {}})
    heads = [name.capitalize() for name, _ in labels.STATUSES.values()]
    heads += ["Parsed", "Strict", *(key.replace("_", " ").capitalize() for key in details)]
    rows = []
    for code in ordered(task["languages"]):
        cell = task["languages"][code]
        counts = {status: cell["statuses"].get(status, 0) for status in labels.STATUSES}
        total = sum(counts.values()) or 1
        found = [number(n, percent(n / total, 1) if n else "0%") for n in counts.values()]
        found += [number(cell[key], percent(cell[key], 1)) for key in ("parsed", "strict")]
        found += [_detail((cell.get("details") or {}).get(key)) for key in details]
        shares = [(status, round(100 * n / total, 2)) for status, n in counts.items() if n]
        rows.append({"words": labels.language(code), "cells": found, "shares": shares})
    return {"heads": heads, "rows": rows}


def _detail(value: Any) -> dict[str, Any]:
    if not isinstance(value, int | float):
        return number(None, show(value))
    return number(value, rounded(value).replace("-", "−"))
