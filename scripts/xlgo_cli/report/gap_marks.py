"""The gaps of a score as the report reads them: their marks, their words and their order.

The types are those of ``xlgo_metric.comparison.gaps``. Keys that only some scores have may be
absent, however the types say it; a number that the answers do not identify is ``None``. Shares and
differences are fractions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypedDict, TypeVar, cast

from xlgo_metric.comparison.gaps import GapCell, GapTask
from xlgo_metric.core import grouped
from xlgo_metric.statistics.claims import MARGIN, OverTasks, Verdicts, is_significant

from ..display import labels
from ..display.formats import points
from ..display.labels import ENGLISH

CellScores = GapCell
"""One language on one task."""
TaskScores = GapTask
"""One task in every language."""


class Limits(TypedDict):
    """A difference of accuracies, baseline minus language, and the ends of its interval."""

    difference: float
    low: float
    high: float


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


def baseline(entry: CellScores | TaskScores | GapSection) -> str:
    """The language that a section, a task or a cell is compared with."""
    return str(entry.get("baseline", ENGLISH))


def base_name(entry: CellScores | TaskScores | GapSection) -> str:
    """The name of the language that a section, a task or a cell is compared with."""
    return labels.language(baseline(entry)).name


def mark(cell: CellScores) -> str:
    """``●`` for a gap that is significant in the paired test, ``○`` for the published rule only."""
    p_value = (cell.get("paired") or {}).get("p_holm")
    if is_significant(p_value):
        return "●"
    return "○" if cell.get("significant") and has_number(cell) else ""


def doubt(cell: CellScores) -> str:
    """``?`` where the answers do not fix a gap, ``!`` where no level supports one so large."""
    if cell.get("extreme") or not is_identified(cell):
        return "?"
    return "!" if not is_supported(cell) else ""


def is_identified(cell: CellScores) -> bool:
    """Whether the accuracies of both languages fix a curve, so that the gap has a size."""
    return cell.get("identified") is not False


def is_supported(cell: CellScores) -> bool:
    """Whether a level that was asked allows a gap as large as the curves say."""
    return cell.get("supported") is not False


def has_number(cell: CellScores) -> bool:
    """Whether there is an SMD that is worth printing."""
    return cell.get("smd") is not None and doubt(cell) != "?"


def apart(cell: CellScores) -> float:
    """By how much the baseline is ahead at informative levels; by the curves without any."""
    found = cell.get("pooled")
    if not found:
        return float(cell.get("smd") or 0.0)
    return float(found["k_en"] / found["n_en"] - found["k_l"] / found["n_l"])


def over_all(cell: CellScores) -> float | None:
    """By how much the baseline is ahead over all common questions, without any as counted."""
    found = whole_difference(cell)
    return float(found["difference"]) if found else None


def whole_difference(cell: CellScores) -> Limits | None:
    """The difference over all common questions; without any, over informative levels."""
    found, pooled = cell.get("difference"), cell.get("pooled")
    if found or not pooled:
        return found or None
    return {"difference": apart(cell), "low": pooled["low"], "high": pooled["high"]}


def is_behind(cell: CellScores) -> bool:
    """Whether the baseline is ahead: as tested, or, where nothing is significant, as counted."""
    found = cell.get("direction")
    return found == "behind" if found in ("behind", "ahead") else apart(cell) > 0


def crosses(cell: CellScores) -> bool:
    """Whether each of the two languages is significantly ahead over some run of levels."""
    return cell.get("direction") == "crosses"


def verdicts_of(section: GapSection) -> dict[str, OverTasks]:
    """The verdict on each language over all tasks; empty where there are none."""
    return section["over_tasks"]["languages"] if section.get("over_tasks") else {}


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
    """The languages but the baseline, largest gap first, those without gaps last.

    A gap is the difference over all questions; tasks whose wording may cause it do not count where
    there are others.
    """
    means = {}
    for code, cells in grouped(compared_cells(section), itemgetter(1)).items():
        sizes = [
            (size, cell.get("wording"))
            for *_, cell in cells
            if not cell.get("extreme") and (size := over_all(cell)) is not None
        ]
        counted = [size for size, doubted in sizes if not doubted] or [size for size, _ in sizes]
        means[code] = sum(counted) / len(counted) if counted else float("-inf")
    return sorted(ordered(means), key=lambda code: -means[code])


@dataclass(frozen=True)
class Behind:
    """How a language does beside English, over the tasks that can tell.

    Attributes:
        language: its code.
        right, asked: correct answers and questions at informative levels.
        right_en, asked_en: the same in English.
        tasks: names of the tasks that were tested.
        holding: names of those in which it is behind in the paired test.
    """

    language: str
    right: int
    asked: int
    right_en: int
    asked_en: int
    tasks: tuple[str, ...]
    holding: tuple[str, ...]

    @property
    def apart(self) -> float:
        """By how much the baseline is ahead, a fraction."""
        return self.right_en / self.asked_en - self.right / self.asked


def most_behind(section: GapSection) -> Behind | None:
    """The language that the report puts first; ``None`` where no gap can be counted.

    Args:
        section: see ``with_gaps``.
    """
    found = [one for code in by_gap(section) if (one := _behind(section, code)) is not None]
    # A gap that holds counts more than a larger one that may be chance.
    held = [one for one in found if one.holding]
    return max(held or found, key=lambda one: one.apart, default=None)


def _behind(section: GapSection, code: str) -> Behind | None:
    cells = {
        name: cell
        for name, task in section["tasks"].items()
        if (cell := task["languages"].get(code)) is not None
        and cell.get("pooled")
        and not cell.get("extreme")
    }
    if not cells:
        return None
    pooled = [found for cell in cells.values() if (found := cell["pooled"])]
    right, asked = sum(one["k_l"] for one in pooled), sum(one["n_l"] for one in pooled)
    right_en, asked_en = sum(one["k_en"] for one in pooled), sum(one["n_en"] for one in pooled)
    holding = [
        name
        for name, cell in cells.items()
        if mark(cell) == "●" and is_behind(cell) and not crosses(cell)
    ]
    return Behind(code, right, asked, right_en, asked_en, tuple(cells), tuple(holding))


COLOURS = 7
"""Colours of the style sheet: 0 is for English (or for a lone curve), the others take turns."""


def colours(codes: Sequence[str]) -> dict[str, int]:
    """A colour for each language: 0 for English, the others take turns."""
    rest = [code for code in codes if code != ENGLISH]
    return {code: 1 + i % (COLOURS - 1) for i, code in enumerate(rest)} | {ENGLISH: 0}
