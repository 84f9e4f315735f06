"""What the HTML report shows of a task: its tables, and how a page is made from a template."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlgo_metric.table import Column, Table, interval, spread

from ..display import labels
from .gap_marks import CellScores, TaskScores, doubt, has_number, mark, ordered

if TYPE_CHECKING:
    from jinja2 import Environment

_MOST_KINDS = 6
_EQUAL = (" to ", " / ")
"""What parts two numbers of one cell of which neither is beside the other."""

Finding = tuple[str, str]
"""A kind (``behind``, ``ahead``, ``warn`` or "") and a sentence."""

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
        glossary=labels.glossary(str(context.get("baseline", ""))),
        **context,
    )
    return clean(page)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates; everything put into them is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


@lru_cache(maxsize=32)
def colour(name: str) -> str:
    """A colour of the pages on light ground, such as ``#d55e00``, for pictures outside them.

    Args:
        name: of the variable in the style sheet, without its dashes.
    """
    style = (FOLDER / "style.css").read_text("utf-8")
    found = re.search(rf"--{name}: light-dark\((#[0-9a-f]{{6}}),", style)
    if found is None:
        raise KeyError(f"the style sheet has no colour {name}")
    return found[1]


def leading(findings: Sequence[Finding]) -> tuple[Finding | None, list[Finding]]:
    """The sentence below the title of a page, and the others.

    Args:
        findings: kinds (``behind``, ``ahead``, ``warn`` or "") and sentences, the main one first.
    """
    rest = list(findings)
    first = next((place for place, (kind, _) in enumerate(rest) if kind != "warn"), 0)
    return (rest.pop(first) if rest else None), rest


def clean(text: str) -> str:
    """Replace characters not allowed in HTML: control characters and unpaired surrogates."""
    return _UNSAFE.sub("\ufffd", text)


def sortable(
    table: Table, *, languages: bool = False, words: Sequence[object] = ()
) -> dict[str, Any]:
    """A table as the pages show it: what each cell says, and by which number it sorts.

    Args:
        table: the numbers.
        languages: the first column holds codes of languages, and names stand in their place.
        words: what stands in the place of the first column, one of each row, as ``labels`` has it.
    """
    rows = []
    heads = [labels.language(str(raw[0])) for raw in table.rows] if languages else list(words)
    for place, (raw, texts) in enumerate(zip(table.rows, table.shown())):
        cells = [
            _cell(table, raw, group, text, is_number)
            for group, text, is_number in zip(table.groups, texts, table.numeric)
        ]
        rows.append(
            {"words": heads[place], "cells": cells[1:]}
            if heads
            else {"words": None, "cells": cells}
        )
    return {
        "title": table.title,
        "caption": table.caption,
        "heads": list(zip(table.headings(), table.numeric)),
        "rows": rows,
    }


def _cell(
    table: Table, raw: Sequence[Any], group: Sequence[int], text: str, is_number: bool
) -> dict[str, Any]:
    """One cell; text after a number is small, except the end of an interval."""
    small = next((n for n in group if table.columns[n].after not in (None, *_EQUAL)), None)
    if small is None or raw[group[0]] is None:
        main, rest = text, ""
    else:
        main = table.cell(raw, range(group[0], small))
        rest = text[len(main) :].strip(" ,")
    sort = raw[group[0]] if is_number else ""
    return {"sort": "" if sort is None else sort, "text": main, "sd": rest, "numeric": is_number}


def without_empty(table: Table, *, zeros: bool = False) -> Table:
    """A table without the cells that hold nothing in any row.

    Args:
        table: the numbers.
        zeros: leave out cells that are 0 throughout, too.
    """
    empty = (None, "", 0) if zeros else (None, "")
    kept = [
        place
        for number, group in enumerate(table.groups)
        if not number or any(row[group[0]] not in empty for row in table.rows)
        for place in group
    ]
    columns = tuple(table.columns[place] for place in kept)
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


def language_table(task: TaskScores) -> Table:
    """The accuracies and gaps of every language of a task."""
    columns = (
        Column("Language"),
        Column("Answers", "count"),
        Column("Accuracy", "share", unit="%"),
        *spread("AvgAcc", unit="%"),
        *spread("SMD", "difference"),
        Column("SMD, mark", after=" "),
        Column("p (Holm)", "p"),
        *interval("95% interval"),
        Column("c*", "number", 0),
        Column("There", "share", 0, heading="There / in the baseline", unit="%"),
        Column("in the baseline", "share", 0, after=" / "),
        *spread("RD", "difference"),
    )
    rows = tuple((code, *_numbers(task["languages"][code])) for code in ordered(task["languages"]))
    return Table("languages", "Languages", columns, rows)


def _numbers(cell: CellScores) -> tuple[Any, ...]:
    """A row of ``language_table``; the curve says nothing where it fixes no gap."""
    paired = cell.get("paired") or {}
    doubted = f"{mark(cell)}{doubt(cell)}" if cell.get("smd") is not None else ""
    names = ("c_star", "f_l", "f_en", "rd", "rd_sd")
    curve = [cell.get(name) for name in names] if has_number(cell) else [None] * len(names)
    if curve[0] is None:
        curve[1:3] = None, None
    gap = (cell["smd"], cell.get("smd_sd")) if has_number(cell) else (None, None)
    return (
        cell["n"], cell["accuracy"], cell.get("avg_acc"), cell.get("avg_acc_sd"), *gap,
        doubted or None, *map(paired.get, ("p_holm", "low", "high")), *curve,
    )  # fmt: skip


def kinds_table(task: TaskScores) -> Table:
    """The share of answers of each status in every language, and grader diagnostics."""
    cells = task["languages"].values()
    details = sorted({key for cell in cells for key in cell.get("details") or {}})
    columns = [Column("Language")]
    columns += [Column(n.capitalize(), "share", unit="%") for n, _ in labels.STATUSES.values()]
    columns += [Column(name, "share", unit="%") for name in ("Parsed", "Strict")]
    columns += [Column(key.replace("_", " ").capitalize(), "number") for key in details]
    rows = []
    for code in ordered(task["languages"]):
        cell = task["languages"][code]
        found = cell.get("details") or {}
        rows.append(
            (code, *status_shares(cell).values(), cell["parsed"], cell["strict"],
             *(found.get(key) for key in details))
        )  # fmt: skip
    return Table("kinds", "Kinds of answers", tuple(columns), tuple(rows))


def status_shares(cell: CellScores) -> dict[str, float]:
    """The share of the answers that has each status."""
    counts = {status: cell["statuses"].get(status, 0) for status in labels.STATUSES}
    total = sum(counts.values()) or 1
    return {status: n / total for status, n in counts.items()}


def faults_of(section: Mapping[str, Any], task: str) -> dict[str, Any] | None:
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
