"""The sections of the report: a task with its curves and numbers, a family with its, and costs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_metric.comparison.gaps import GapCell, GapTask
from xlgo_metric.comparison.section import mark
from xlgo_metric.table import Column, Table, interval, spread

from ..display import labels
from ..display.formats import View, percent, sortable
from . import pictures
from .gap_marks import (
    GapSection,
    anchor,
    baseline,
    gap_of,
    gaps_of,
    in_order,
    language_with_note,
    ordered,
)

_MOST_NAMED = 3


def task_views(family: str, section: GapSection) -> list[View]:
    """The sections of a family that has gaps, one a task: curves, numbers and outcomes."""
    base = baseline(section)
    return [
        {
            "id": anchor(family, name),
            "words": labels.task(name),
            "note": _note(section, name),
            "name": name,
            "curves": _curves(anchor(family, name), name, task, base),
            "table": sortable(without_empty(language_table(task)), languages=True),
            "outcomes": _outcomes(task),
        }
        for name, task in in_order(section["tasks"])
    ]


def _note(section: GapSection, task: str) -> str:
    """The languages that are significantly behind, for the heading under which a task is folded."""
    gaps = [gap for (name, _), gap in gaps_of(section).items() if name == task]
    sure = sorted(
        (gap for gap in gaps if gap.is_significant and gap.difference > 0),
        key=lambda gap: -gap.difference,
    )
    if not gaps:
        return ""
    few = ", ".join(map(language_with_note, sure[:_MOST_NAMED]))
    more = f" and {len(sure) - _MOST_NAMED} more" if len(sure) > _MOST_NAMED else ""
    return f"behind (●): {few}{more}" if sure else "no language significantly behind"


def _curves(ident: str, name: str, task: GapTask, base: str) -> str:
    """The curves of every language beside those of the baseline."""
    panels = pictures.task_panels(task, base)
    floor = [(point["complexity"], point["accuracy"]) for point in task.get("floor", ())]
    unit = labels.task(name).unit
    figure = pictures.curves(panels, unit, floor=floor, asked="design" in task)
    drawn = {curve.name: curve.words for panel in panels for curve in panel}
    words = " ".join([f"Accuracy by the number of {unit}.", *drawn.values()])
    return pictures.svg(figure, ident, words)


def _outcomes(task: GapTask) -> list[View]:
    """The share of answers of each status in every language, for bars and in words."""
    shares = {
        code: [(status, share) for status, share in status_shares(cell).items() if share]
        for code, cell in task["languages"].items()
    }
    return [
        {
            "words": labels.language(code),
            "shares": [(status, round(100 * x, 2)) for status, x in shares[code]],
            "told": ", ".join(f"{labels.STATUSES[s][0]} {percent(x, 1)}" for s, x in shares[code]),
        }
        for code in ordered(shares)
    ]


def without_empty(table: Table) -> Table:
    """A table without the cells that hold nothing in any row."""
    indices = [
        index
        for number, group in enumerate(table.groups)
        if not number or any(row[group[0]] not in (None, "") for row in table.rows)
        for index in group
    ]
    columns = tuple(table.columns[index] for index in indices)
    rows = tuple(tuple(row[index] for index in indices) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


_COLUMNS = (
    Column("Language"),
    Column("Wording"),
    Column("Answers", "count"),
    Column("Accuracy", "share", unit="%"),
    Column("Parsed", "share", unit="%"),
    Column("Exact form", "share", unit="%"),
    Column("Gap", "difference"),
    Column("Gap, mark", after=" "),
    *interval("95% interval"),
    Column("p", "p"),
    *spread("AvgAcc", unit="%"),
    *spread("SMD", "difference"),
    Column("SMD, published rule", after=" "),
    Column("c*", "number", 0),
    *spread("RD", "difference"),
)


def language_table(task: GapTask) -> Table:
    """Counts, fitted curves and the published measures of every language of a task."""
    rows = tuple((code, *_numbers(task["languages"][code])) for code in ordered(task["languages"]))
    return Table("languages", "Languages", _COLUMNS, rows)


def _numbers(cell: GapCell) -> tuple[Any, ...]:
    """A row of ``language_table``."""
    gap = gap_of(cell)
    of_gap = (
        (None,) * 5
        if gap is None
        else (gap.difference, mark(gap) or None, gap.ci_low, gap.ci_high, gap.p_value)
    )
    smd = ("avg_acc", "avg_acc_sd", "smd", "smd_sd")
    return (
        gap and labels.WORDINGS.get(gap.wording_status), cell["n"], cell["accuracy"],
        cell["parsed"], cell["strict"], *of_gap, *map(cell.get, smd),
        "○" if cell.get("published_rule") else None, *map(cell.get, ("c_star", "rd", "rd_sd")),
    )  # fmt: skip


def all_languages(sections: Mapping[str, GapSection]) -> Table:
    """The numbers of every task and language, for a file: ``language_table`` and outcomes."""
    rows = tuple(
        (family, name, code, *_numbers(cells[code]), *status_shares(cells[code]).values())
        for family, section in sections.items()
        for name, task in in_order(section["tasks"])
        for cells in [task["languages"]]
        for code in ordered(cells)
    )
    statuses = (Column(name, "share") for name in labels.STATUSES)
    columns = (Column("Family"), Column("Task"), *_COLUMNS, *statuses)
    return Table("languages", "Every task and language", columns, rows)


def status_shares(cell: GapCell) -> dict[str, float]:
    """The share of the answers that has each status."""
    counts = {status: cell["statuses"].get(status, 0) for status in labels.STATUSES}
    total = sum(counts.values()) or 1
    return {status: n / total for status, n in counts.items()}


_TOOLS = Path(__file__).with_name("tools.bib")


def bibtex(families: Iterable[str]) -> str:
    """The entries to cite for a score of these families of tasks, with the tools it stands on."""
    texts = [xd.family(name).citation for name in families if name in xd.FAMILIES]
    entries = {
        key: entry
        for text in [*texts, _TOOLS.read_text("utf-8")]
        for entry in text.strip().split("\n\n")
        for key in re.findall(r"@\w+\{(\w+),", entry)
    }
    return "\n\n".join(entries.values()) + "\n"
