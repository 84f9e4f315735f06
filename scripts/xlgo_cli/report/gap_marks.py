"""The gaps of a score as the report reads them: their marks, their words and their order.

The types are those of ``xlgo_metric.comparison.gaps``. Keys that only some scores have may be
absent, however the types say it; a number that the answers do not identify is ``None``. Shares and
differences are fractions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict, TypeVar, cast

from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.gaps import GapCell, GapTask
from xlgo_metric.statistics.claims import MARGIN, Verdicts

from ..display import labels
from ..display.formats import points
from ..display.labels import ENGLISH

CellScores = GapCell
"""One language on one task."""
TaskScores = GapTask
"""One task in every language."""


class ByTask(TypedDict):
    """Sources of gaps, or first wrong steps: entries by task and language."""

    tasks: dict[str, dict[str, Any]]


class GapSection(TypedDict, total=False):
    """The part of a family that has gaps."""

    tasks: dict[str, TaskScores]
    over_tasks: Verdicts
    baseline: str
    signature: str
    warnings: list[str]
    why: ByTask
    faults: ByTask


T = TypeVar("T")

MARGIN_POINTS = points(MARGIN, 0, signed=False)
"""The margin of equivalence in percentage points, as sentences have it."""


def anchor(*parts: str) -> str:
    """A name for a place in the page."""
    return "-".join(re.sub(r"[^A-Za-z0-9_]+", "-", part) for part in parts)


def with_gaps(score: Mapping[str, Any]) -> dict[str, GapSection]:
    """The parts of a score that have accuracy by complexity and gaps, by family."""
    from xlgo_metric.family import family

    sections = score["families"]
    # The contract of the families: what has gaps has this shape.
    found = {
        name: cast("GapSection | None", family(name).gaps(one)) for name, one in sections.items()
    }
    return {
        name: _stating(_with_readings(part, sections[name]))
        for name, part in found.items()
        if part is not None
    }


def _with_readings(part: GapSection, section: Mapping[str, Any]) -> GapSection:
    """A part with gaps whose cells have the readings of a gap that depends on them."""
    from xlgo_metric.comparison.section import readings_by_cell

    found = readings_by_cell(section)
    tasks = dict(part["tasks"])
    for (name, _, code), gap in found.items():
        task = tasks.get(name)
        if task is not None and code in task["languages"]:
            cell: CellScores = {**task["languages"][code], "reading": gap}
            tasks[name] = {**task, "languages": {**task["languages"], code: cell}}
    return {**part, "tasks": tasks}


def _stating(part: GapSection) -> GapSection:
    """A part with gaps whose tasks and cells name their baseline, where it is not English."""
    base = part.get("baseline", ENGLISH)
    if base == ENGLISH:
        return part
    tasks: dict[str, TaskScores] = {
        name: {
            **task,
            "baseline": base,
            "languages": {c: {**cell, "baseline": base} for c, cell in task["languages"].items()},
        }
        for name, task in part["tasks"].items()
    }
    return {**part, "tasks": tasks}


def unequal(score: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Task and language of the cells that lack other shares of answers than their baseline."""
    return [
        (task, code)
        for part in with_gaps(score).values()
        for task, code, cell in compared_cells(part)
        if cell.get("unequal")
    ]


def baseline(entry: CellScores | TaskScores | GapSection) -> str:
    """The language that a section, a task or a cell is compared with."""
    return str(entry.get("baseline", ENGLISH))


def base_name(entry: CellScores | TaskScores | GapSection) -> str:
    """The name of the language that a section, a task or a cell is compared with."""
    return labels.language(baseline(entry)).name


def gap_of(cell: CellScores) -> Cell | None:
    """The gap of a language: the typed cell, or, where its questions are others, the counts."""
    if (found := cell.get("difference")) is not None:
        return Cell.of_json(found)
    if not (pooled := cell.get("pooled")):
        return None
    accuracy, base = pooled["k_l"] / pooled["n_l"], pooled["k_en"] / pooled["n_en"]
    return Cell(
        {}, "", "", pooled["n_l"], pooled["n_l"], accuracy, base, (0, 0), base - accuracy,
        pooled["low"], pooled["high"], refused="other questions than the baseline's",
    )  # fmt: skip


def chosen_tasks(section: GapSection) -> str:
    """The tasks whose questions answers chose, by title; empty where there are none."""
    found = [name for name, _, cell in compared_cells(section) if is_chosen(cell)]
    return ", ".join(labels.task(name).title for name in dict.fromkeys(found))


def mark(cell: CellScores) -> str:
    """``●`` for a significant gap, then ``†`` where the wording may cause it."""
    gap = gap_of(cell)
    return "" if gap is None else "●" * gap.is_significant + "†" * gap.flagged


def smd_mark(cell: CellScores) -> str:
    """``○`` beside an SMD beyond 1.96 standard deviations, the published rule."""
    return "○" if cell.get("published_rule") else ""


def is_significant(cell: CellScores) -> bool:
    """Whether a gap is significant."""
    gap = gap_of(cell)
    return gap is not None and gap.is_significant


def is_chosen(cell: CellScores) -> bool:
    """Whether answers chose the questions of a gap."""
    gap = gap_of(cell)
    return gap is not None and gap.is_chosen


def is_identified(cell: CellScores) -> bool:
    """Whether the accuracies of both languages fix a curve, so that the gap has a size."""
    return cell.get("identified") is not False


def is_supported(cell: CellScores) -> bool:
    """Whether a level that was asked allows a gap as large as the curves say."""
    return cell.get("supported") is not False


def is_behind(cell: CellScores) -> bool:
    """Whether the baseline is ahead, as counted."""
    gap = gap_of(cell)
    return gap is not None and gap.difference > 0


def verdicts_of(section: GapSection) -> dict[str, Cell]:
    """The gap of each language over the tasks that count for all; empty where there are none."""
    found = section["over_tasks"]["languages"] if section.get("over_tasks") else {}
    return {code: Cell.of_json(cell) for code, cell in found.items()}


def others(task: TaskScores) -> list[tuple[str, CellScores]]:
    """The languages of a task but its baseline."""
    base = baseline(task)
    return [(code, cell) for code, cell in task["languages"].items() if code != base]


def compared_cells(section: GapSection) -> list[tuple[str, str, CellScores]]:
    """Task, language and cell of every language of every task but its baseline, in order."""
    return [
        (name, code, cell)
        for name, task in in_order(section["tasks"])
        for code, cell in others(task)
    ]


def in_order(tasks: Mapping[str, T]) -> list[tuple[str, T]]:
    """The tasks of a section in the order in which the paper has them."""
    return sorted(tasks.items(), key=lambda item: labels.task_order(item[0]))


def ordered(codes: Iterable[str]) -> list[str]:
    """English first, the others by name."""
    return sorted(set(codes), key=lambda code: (code != ENGLISH, labels.language(code).name))


def by_gap(section: GapSection) -> list[str]:
    """The languages but the baseline: largest gap over the common tasks first, others by name."""
    verdicts = verdicts_of(section)
    codes = ordered(code for _, code, _ in compared_cells(section))
    return sorted(codes, key=lambda code: -verdicts[code].difference if code in verdicts else 2.0)


COLOURS = 7
"""Colours of the style sheet: 0 is for English (or for a lone curve), the others take turns."""


def colours(codes: Sequence[str]) -> dict[str, int]:
    """A colour for each language: 0 for English, the others take turns."""
    rest = [code for code in codes if code != ENGLISH]
    return {code: 1 + i % (COLOURS - 1) for i, code in enumerate(rest)} | {ENGLISH: 0}
