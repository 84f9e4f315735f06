"""The sections of the report: a task with its curves and tables, a family with its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from ..display import labels
from ..display.formats import points, spread
from ..logs.graded_run import Example, GradedRun
from .cells import anchor, baseline, colours, has_number, in_order, is_supported, mark, ordered
from .experiments import faults, why
from .pictures import where
from .pictures.charts import Gap, Series, chart
from .view import kinds_table, language_table, sortable, status_shares


def series(
    code: str, cell: Mapping[str, Any], colour: int, name: str | None = None, key: str | None = None
) -> Series:
    """The curve of one language."""
    levels = sorted((level["complexity"], level["correct"], level["n"]) for level in cell["levels"])
    return Series(
        name or labels.language(code).name, colour, tuple(levels), cell.get("band"), key or code
    )


def task_views(family: str, section: Mapping[str, Any], scored: GradedRun) -> list[dict[str, Any]]:
    """The sections of a family that has gaps, one a task: curves, tables and examples."""
    return [
        {
            "id": anchor(family, name),
            "words": labels.task(name),
            "table_of": name,
            "table": sortable(language_table(task), languages=True),
            "kinds": _kinds(task),
            "why": why.task_views(section, name),
            "faults": faults.task_view(section, name),
            "examples": [_example_view(e) for e in scored.examples.of(family, name)],
            **_charts(name, task),
            "asked": _asked(family, name, task, scored),
        }
        for name, task in in_order(section["tasks"])
    ]


def _kinds(task: Mapping[str, Any]) -> dict[str, Any]:
    """The kinds of answers, with a bar for each language."""
    view = sortable(kinds_table(task), languages=True)
    for row in view["rows"]:
        shares = status_shares(task["languages"][row["words"].code])
        row["shares"] = [
            (status, round(100 * share, 2)) for status, share in shares.items() if share
        ]
    return view


def _charts(name: str, task: Mapping[str, Any]) -> dict[str, Any]:
    codes = ordered(task["languages"])
    colour, unit = colours(codes), labels.task(name).unit
    curves = {code: series(code, task["languages"][code], colour[code]) for code in codes}
    floor = [(point["complexity"], point["accuracy"]) for point in task.get("floor", ())]
    base = baseline(task)
    english = curves.get(base)
    panels = []
    for code in codes:
        cell = task["languages"][code]
        pair = [curves[code]]
        if english is not None and code != base:
            pair.insert(0, english)
        alone = len(pair) == 1
        panels.append(
            {
                "words": labels.language(code),
                "alone": alone,
                "note": "" if alone or cell.get("smd") is None else _note(cell),
                "chart": chart(pair, unit=unit, width=340, height=230, gap=gap(cell), floor=floor),
            }
        )
    drawn = list(reversed(curves.values()))
    return {
        "languages": [{"words": labels.language(c), "colour": colour[c]} for c in codes],
        "wide": chart(
            drawn, unit=unit, width=1040, height=380, bands=False, points=False, floor=floor
        ),
        "narrow": chart(
            drawn, unit=unit, width=360, height=280, bands=False, points=False, floor=floor
        ),
        "panels": panels,
    }


def _asked(family: str, name: str, task: Mapping[str, Any], scored: GradedRun) -> Markup | None:
    """Where questions were asked, for a design that chose them."""
    if "design" not in task:
        return None
    codes = ordered(task["languages"])
    colour = colours(codes)
    ends = task["c_min"], task["c_max"]
    curves = {}
    for code in codes:
        cell = task["languages"][code]
        curves[code] = where.on_log_scale(series(code, cell, colour[code]), cell["fit"], ends)
    found = where.rows(curves, where.second_stages(scored, family, name))
    return where.picture(found, labels.task(name).unit, ends)


def _note(cell: Mapping[str, Any]) -> str:
    if not has_number(cell):
        return f"no gap can be given {mark(cell)}".strip()
    signs = mark(cell) + ("" if is_supported(cell) else " not supported")
    return f"SMD {points(cell['smd'])} {spread(cell.get('smd_sd'))} {signs}".strip()


def gap(cell: Mapping[str, Any]) -> Gap | None:
    """The bracket at c*, where the gap is marked as significant."""
    c_star, f_en, f_l = (cell.get(key) for key in ("c_star", "f_en", "f_l"))
    if not mark(cell) or c_star is None or f_en is None or f_l is None:
        return None
    if not has_number(cell) or not is_supported(cell):
        return None
    label = f"{points(abs(cell['smd'])).lstrip('+')} points"
    return Gap(c_star, max(f_en, f_l), min(f_en, f_l), label)


def family_view(name: str, section: Mapping[str, Any], scored: GradedRun) -> dict[str, Any]:
    """The section of another family: its tables and examples."""
    from xlgo_metric.family import family

    exhibits = family(name).exhibits(section)
    examples = [] if exhibits else scored.examples.of(name)
    return {
        "id": anchor(name),
        "title": labels.family(name),
        "tables": table_views(name, section),
        "examples": [_example_view(example) for example in examples],
        "exhibits": exhibits,
    }


def table_views(name: str, section: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tables of a family, as the page shows them."""
    from xlgo_metric.scoring import tables_of

    return [sortable(table) for table in tables_of(name, section)]


def _example_view(example: Example) -> dict[str, Any]:
    unit = labels.task(example.task).unit
    return {
        "status": example.status,
        "status_words": labels.STATUSES[example.status][0],
        "language": labels.language(example.language),
        "complexity": "" if example.complexity is None else f"{example.complexity:g} {unit}",
        "identity": example.identity,
        "prompt": example.prompt,
        "prompt_cut": example.shortened,
        "response": example.response,
        "answer": example.answer,
        "details": example.details,
    }
