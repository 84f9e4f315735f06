"""The gaps of a score as the report reads them: typed cells by task and language, in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.compare import MACHINE_WRITTEN, UNEQUAL
from xlgo_metric.comparison.gaps import GapCell
from xlgo_metric.comparison.section import readings_by_cell
from xlgo_metric.core import grouped
from xlgo_metric.family import Section, family
from xlgo_metric.statistics.claims import MARGIN

from ..display import labels
from ..display.formats import points
from ..display.labels import ENGLISH, LanguageLabels

GapSection: TypeAlias = "dict[str, Any]"
"""The part of a family that has gaps (``comparison.gaps.Gaps``), as ``with_gaps`` gives it."""

T = TypeVar("T")

_MOST_NAMED = 6  # languages that a sentence names; a verdict has at most 25 words
MARGIN_POINTS = points(MARGIN, 0, signed=False)
"""The margin of equivalence in percentage points, as sentences have it."""


def anchor(*parts: str) -> str:
    """A name for a place in the page."""
    return "-".join(re.sub(r"[^A-Za-z0-9_]+", "-", part) for part in parts)


def with_gaps(score: Section) -> dict[str, GapSection]:
    """The parts of a score that have accuracy by complexity and gaps, by family.

    ``depends`` of a part holds the gaps that depend on how answers are read;
    ``unaudited`` says whether a language may be called the most affected that nobody audited.
    """
    parts = {
        name: (family(name).gaps(section), section) for name, section in score["families"].items()
    }
    return {
        name: {
            **part,
            "signature": whole["signature"],
            "unaudited": score.get("unaudited", False),
            "depends": depending_cells(whole),
        }
        for name, (part, whole) in parts.items()
        if part is not None
    }


def depending_cells(section: Section) -> list[Cell]:
    """The gaps of a family that depend on how answers are read, read leniently."""
    gaps = readings_by_cell(section).values()
    return [Cell.of_json(gap["by_reading"]["lenient"]) for gap in gaps]


def unequal(score: Section) -> list[tuple[str, str]]:
    """Task and language of the cells that lack other shares of answers than their baseline."""
    return [pair for part in with_gaps(score).values() for pair in unequal_cells(part)]


def unequal_cells(section: GapSection) -> dict[tuple[str, str], Cell]:
    """The same of one family, with the gaps."""
    base, cells = baseline(section), compared_cells(section)
    gaps = {(name, code): gap_of(cell, name, code, base) for name, code, cell in cells}
    return {pair: gap for pair, gap in gaps.items() if gap and gap.refused == UNEQUAL}


def baseline(section: Section) -> str:
    """The language that a section is compared with."""
    return str(section.get("baseline", ENGLISH))


def base_name(section: Section) -> str:
    """The name of the language that a section is compared with."""
    return labels.language(baseline(section)).name


def gap_of(cell: GapCell, task: str = "", code: str = "", base: str = ENGLISH) -> Cell | None:
    """The gap of a language: the typed cell, or, where its questions are others, the counts."""
    if (typed := cell.get("difference")) is not None:
        return Cell.of_json(typed)
    if not (pooled := cell.get("pooled")):
        return None
    accuracy, in_base = pooled["k_l"] / pooled["n_l"], pooled["k_en"] / pooled["n_en"]
    return Cell(
        {"task": task}, base, code, pooled["n_l"], pooled["n_l"], accuracy, in_base, (0, 0),
        in_base - accuracy, pooled["low"], pooled["high"],
        refused="other questions than the baseline's",
    )  # fmt: skip


def gaps_of(section: GapSection) -> dict[tuple[str, str], Cell]:
    """The gap of every task and language, but where almost nothing, or everything, is solved."""
    base = baseline(section)
    return {
        (name, code): gap
        for name, code, cell in compared_cells(section)
        if not cell.get("extreme") and (gap := gap_of(cell, name, code, base)) is not None
    }


def language_with_note(cell: Cell) -> str:
    """The language of a gap, with what a reader must know of its wording."""
    label = labels.language(cell.language or cell.other)
    return replace(label, note=labels.WORDINGS[MACHINE_WRITTEN] * cell.is_unaudited).named


def with_notes(codes: Iterable[str], cells: Iterable[Cell]) -> dict[str, LanguageLabels]:
    """The labels of languages, each with who wrote and read the wordings of its cells.

    The status of most tasks comes first; the others name theirs.
    """
    by_language = grouped(cells, lambda cell: cell.language or cell.other)
    return {
        code: replace(labels.language(code), note=_note(by_language.get(code, ())))
        for code in codes
    }


def _note(cells: Iterable[Cell]) -> str:
    statuses = grouped(cells, lambda cell: cell.wording_status)
    by_status = sorted(statuses.items(), key=lambda item: -len(item[1]))
    notes: list[str] = []
    for status, own in by_status:
        words = "; ".join(labels.WORDINGS[one] for one in status.split(", ") if one)
        tasks = ", ".join(dict.fromkeys(labels.task(cell.task).short for cell in own))
        notes += [f"{tasks}: {words}" if notes else words] if words else []
    return "; ".join(notes)


def wordings(cells: Iterable[Cell]) -> str:
    """Who wrote and read the wordings of the languages, those of one status together."""
    gaps = list(cells)
    noted = with_notes(dict.fromkeys(cell.language or cell.other for cell in gaps), gaps).values()
    by_note = grouped((label for label in noted if label.note), lambda label: label.note)
    return ", ".join(
        f"{listed([label.name for label in by_note[note]], ' and ')} ({note})"
        for note in sorted(by_note)
    )


def listed(names: Sequence[str], last: str = ", ") -> str:
    """Names in a sentence, at most ``_MOST_NAMED``."""
    if len(names) > _MOST_NAMED:
        names = [*names[: _MOST_NAMED - 1], f"{len(names) - _MOST_NAMED + 1} more"]
    return last.join(filter(None, (", ".join(names[:-1]), names[-1])))


def chosen_tasks(section: GapSection) -> str:
    """The tasks whose questions answers chose; empty where there are none."""
    tasks = [name for (name, _), gap in gaps_of(section).items() if gap.is_chosen]
    return ", ".join(labels.task(name).short for name in dict.fromkeys(tasks))


def verdicts_of(section: GapSection) -> dict[str, Cell]:
    """The gap of each language over the tasks that count for all; empty where there are none."""
    cells = section["over_tasks"]["languages"] if section.get("over_tasks") else {}
    return {code: Cell.of_json(cell) for code, cell in cells.items()}


def compared_cells(section: GapSection) -> list[tuple[str, str, GapCell]]:
    """Task, language and cell of every language of every task but its baseline, in order."""
    return [
        (name, code, cell)
        for name, task in in_order(section["tasks"])
        for code, cell in task["languages"].items()
        if code != baseline(section)
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
