"""Cells by row and column: one grid for page, notebook, terminal and files.

A number is written by ``points``, a mark is that of ``comparison.section.mark``, and a colour
follows from the same cell, wherever it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias, TypeVar

import pandas as pd

from xlgo_dataset import TaskLabels
from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.compare import MACHINE_WRITTEN, UNEQUAL
from xlgo_metric.comparison.section import (
    KEY,
    ByLanguage,
    GapCell,
    asked_as,
    cells_of_section,
    mark,
    readings_by_cell,
)
from xlgo_metric.core import PLAIN, grouped
from xlgo_metric.family import Section, family
from xlgo_metric.statistics.differences import MARGIN
from xlgo_metric.table import Column, Kind, Table, listed

from ..display import labels
from ..display.formats import (
    DASH,
    Fields,
    Statement,
    View,
    count,
    ends,
    joined,
    percent,
    points,
    right_of,
    say,
    sizes,
)
from ..display.labels import ENGLISH, LanguageLabels

_CONDITIONS = {
    "english_rules": "English rules",
    "english_lines": "English lines",
    "english_names": "English names",
    "english_format": "Format explained in English",
    "native_format": "Format explained in the language",
    "romanised": "Latin letters",
    "length_matched": "English of this length",
}
"""What each changes."""

_STRONGEST_PALE = 22
STRONGEST = 62  # percent of the full colour; more would make the text hard to read
_BEND = 0.7  # below 1: small gaps differ in colour, and 20 points differ from 50
_FULL = 0.6  # over all questions, few languages differ by more
_ROWS = 12
"""Most rows that a terminal shows; the report has all."""
OVER_TASKS = ""
"""The column of the mean over tasks."""
MARKS = {
    "●": "significant (5%, all cells together)",
    "?": "no test could be significant",
    "†": "the wording may cause the gap",
}
"""What the signs beside a difference mean."""


class Heading(NamedTuple):
    """What a column is called in full, and in a table; as ``TaskLabels`` have it."""

    title: str
    short: str


@dataclass(frozen=True)
class Grid:
    """Differences, baseline minus the other, by row and column.

    Attributes:
        title, caption: what it shows.
        rows, columns: labels by key; of a column its ``title`` and ``short``.
        cells: by row and column.
        sentences: each cell in words, where there are more than the cell's own.
        links: where more of a column stands, by its key.
        behind, ahead: what the two colours mean.
        baseline: what the others are compared with, in words.
        name: of its table and its picture, in files.
    """

    title: str
    caption: str
    rows: Mapping[Any, LanguageLabels]
    columns: Mapping[Any, Any]
    cells: Mapping[tuple[Any, Any], Cell]
    sentences: Mapping[tuple[Any, Any], str] = field(default_factory=dict)
    links: Mapping[Any, str] = field(default_factory=dict)
    behind: str = ""
    ahead: str = ""
    baseline: str = ""
    name: str = "gaps"

    @property
    def legend(self) -> list[str]:
        """The marks that occur, with their meaning."""
        used = "".join(map(mark, self.cells.values()))
        return [f"{sign} {words}" for sign, words in MARKS.items() if sign in used]

    @property
    def table(self) -> Table:
        """The same as a table: number, mark and interval of each cell, side by side."""
        noted = any(label.note for label in self.rows.values())
        of_each = (
            (
                Column(label.short, "difference"),
                Column(f"{label.short}, mark", after=" "),
                Column(f"{label.short}, low", "difference", after=", "),
                Column(f"{label.short}, high", "difference", after=" to "),
            )
            for label in self.columns.values()
        )
        columns = (Column("Language"), *([Column("Wording")] if noted else []), *chain(*of_each))
        rows = [
            (label.name, *([label.note] if noted else []),
             *(value for column in self.columns for cell in [self.cells.get((row, column))]
               for value in ((None,) * 4 if cell is None else
                             (cell.difference, mark(cell) or None, cell.ci_low, cell.ci_high))))
            for row, label in self.rows.items()
        ]  # fmt: skip
        caption = " ".join([self.caption, *(f"{sign}." for sign in self.legend)])
        return Table(self.name, self.title, columns, tuple(rows), caption)

    def text(self) -> str:
        """The differences for a terminal; a mark has two columns, so that numbers align."""
        tasks = {name: label.short for name, label in self.columns.items() if name != OVER_TASKS}
        rows = {
            ", ".join(filter(None, (label.name, label.note))): [
                f"{points(cell.difference)} {mark(cell):<2}" if cell else f"{DASH}   "
                for cell in (self.cells.get((row, task)) for task in tasks)
            ]
            for row, label in [*self.rows.items()][:_ROWS]
        }
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=[*tasks.values()])
        more = len(self.rows) - len(frame)
        note = f"\n... and {more} more languages (xlgo score --table shows all)" * (more > 0)
        return "\n".join(line.rstrip() for line in frame.to_string().splitlines()) + note

    def view(self) -> list[View]:
        """The rows as templates show them: ``words``, and of each cell its colour and texts."""
        return [
            {"words": label, "cells": [self._cell(row, column) for column in self.columns]}
            for row, label in self.rows.items()
        ]

    def _cell(self, row: Any, column: Any) -> View:
        cell, sentence = self.cells.get((row, column)), self.sentences.get((row, column), "")
        if cell is None:
            sentence = sentence or "no comparison"
            return {"kind": "none", "value": DASH, "strength": 0, "sentence": sentence}
        signs = mark(cell)
        return {
            "kind": "behind" if cell.difference > 0 else "ahead" if cell.difference < 0 else "none",
            "strength": strength(cell.difference, pale=not cell.is_significant),
            "value": points(cell.difference),
            "limits": ends(*cell.interval) if cell.interval else "",
            "mark": signs,
            "mark_words": ", ".join(MARKS[sign] for sign in signs),
            "sentence": sentence or gap_sentence(cell),
            "href": self.links.get(column, ""),
        }


def strength(difference: float, pale: bool) -> int:
    """How strongly a cell is coloured, in percent of the full colour.

    What may well be chance is ``pale``, so that it does not catch the eye.
    """
    strongest = _STRONGEST_PALE if pale else STRONGEST
    return round(strongest * min(abs(difference) / _FULL, 1.0) ** _BEND)


def of_section(section: GapSection, family: str = "") -> Grid | None:
    """The gaps of a family with curves, the language with the largest first; ``None`` without."""
    compared, gaps = compared_cells(section), gaps_of(section)
    if not gaps and not any(cell.get("extreme") for *_, cell in compared):
        return None
    tasks, base = [name for name, _ in in_order(section["tasks"])], base_name(section)
    verdicts = verdicts_of(section) if len(tasks) > 1 else {}
    note = ""
    if verdicts:
        counted = ", ".join(labels.task(name).short for name in section["over_tasks"]["tasks"])
        note = f" All tasks: the mean over {counted}, whose intervals are for this column."
    if adaptive := chosen_tasks(section):
        note += f" {adaptive}: the questions that answers chose, each alike."
    columns: dict[str, Heading | TaskLabels] = (
        {OVER_TASKS: Heading("All tasks", "All tasks")} if verdicts else {}
    )
    cells = {(code, name): gap for (name, code), gap in gaps.items()}
    return _to_baseline(
        base,
        with_notes(by_gap(section), gaps.values()),
        columns | {name: labels.task(name) for name in tasks},
        cells | {(code, OVER_TASKS): gap for code, gap in verdicts.items()},
        note=note,
        sentences={
            (code, name): about_cell(name, code, cell, gaps.get((name, code)), base)
            for name, code, cell in compared
        },
        links={name: f"#{anchor(family, name)}" for name in tasks},
    )


def of_languages(section: ByLanguage, link: str = "") -> list[Grid]:
    """The gaps of a family without curves, or of a benchmark: one grid for each way of asking.

    Args:
        section: how its languages compare with the baseline.
        link: where more of it stands.
    """
    base, grids = labels.language(section["baseline"]).name, []
    for way, cells in grouped(cells_of_section(section), asked_as).items():
        sizes = grouped(cells, lambda cell: cell.other)
        means = {code: fmean(cell.difference for cell in gaps) for code, gaps in sizes.items()}
        tasks = {cell.task: labels.task(cell.task) for cell in cells}
        grids.append(
            _to_baseline(
                base,
                with_notes(sorted(means, key=lambda code: (-means[code], code)), cells),
                tasks,
                {(cell.other, cell.task): cell for cell in cells},
                way=f" ({way})" if way else "",
                links=dict.fromkeys(tasks, link),
            )
        )
    return grids


def of_score(score: Section, compared: Mapping[str, GapSection]) -> list[Grid]:
    """The gaps of all families, a grid for each way of asking.

    Args:
        score: of a run.
        compared: its families with gaps by complexity; see ``with_gaps``.
    """
    grids = [grid for name, part in compared.items() if (grid := of_section(part, name))]
    for name, section in score["families"].items():
        if name not in compared and section.get(KEY):
            grids += of_languages(section[KEY], f"#{anchor(name)}")
    return [*grids, *(grid for part in compared.values() for grid in of_conditions(part))]


def of_conditions(section: GapSection) -> list[Grid]:
    """What conditions change: a grid for each task that was asked under some."""
    cells = map(Cell.of_json, section.get("why", {"contrasts": ()})["contrasts"])
    contrasts = [cell.turned for cell in cells if cell.other != PLAIN]
    return [
        Grid(
            f"Sources of the gap in {labels.task(task).short}",
            f"{labels.task(task).short}: accuracy with one thing changed minus without, percentage "
            "points on the same questions, with the 95% interval for all conditions together.",
            with_notes(ordered(cell.language for cell in gains), gains),
            {
                name: Heading(words, words)
                for name in dict.fromkeys(cell.baseline for cell in gains)
                for words in [_CONDITIONS.get(name, name)]  # a log may name any
            },
            {(cell.language, cell.baseline): cell for cell in gains},
            sentences={
                (cell.language, cell.baseline): f"{percent(cell.baseline_accuracy)}, without "
                f"{percent(cell.accuracy)}, {count(cell.n)} questions"
                for cell in gains
            },
            behind="accuracy rises",
            ahead="accuracy falls",
        )
        for task, gains in grouped(contrasts, lambda cell: cell.task).items()
    ]


def _to_baseline(
    base: str,
    rows: Mapping[Any, LanguageLabels],
    columns: Mapping[Any, Any],
    cells: Mapping[tuple[Any, Any], Cell],
    *,
    note: str = "",
    way: str = "",
    **more: Any,
) -> Grid:
    caption = (
        f"{base} minus the language, percentage points on the same questions, with the 95% "
        f"interval for all cells together.{note}"
    )
    return Grid(
        f"Gaps to {base}{way}",
        caption,
        rows,
        columns,
        cells,
        baseline=base,
        behind=f"behind {base}",
        ahead=f"ahead of {base}",
        **more,
    )


_COLUMNS: Mapping[str, Kind] = {
    **dict.fromkeys(
        ("family", "task", "language", "condition", "model", "wording_status", "baseline", "other"),
        "text",
    ),
    **dict.fromkeys(("n", "clusters"), "count"),
    **dict.fromkeys(("baseline_accuracy", "accuracy"), "share"),
    **dict.fromkeys(("difference", "ci_low", "ci_high"), "difference"),
    "p_value": "p",
    **dict.fromkeys(("is_significant", "flagged", "refused", "mark"), "text"),
}


def cells_table(cells: Iterable[Cell], name: str = "gaps", title: str = "All gaps") -> Table:
    """A row a cell with all its numbers, as files and other programs take them."""
    rows = [
        {
            **cell.where,
            **asdict(cell),
            "refused": cell.refused or None,
            "mark": mark(cell) or None,
        }
        for cell in cells
    ]
    columns = {column: Column(column, kind) for column, kind in _COLUMNS.items()}
    return listed(name, title, pd.DataFrame(rows, dtype=object), columns)


GapSection: TypeAlias = "dict[str, Any]"
"""The part of a family that has gaps (``comparison.section.Gaps``), as ``with_gaps`` gives it."""

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


def unequal_cells(section: GapSection) -> dict[tuple[str, str], Cell]:
    """The gaps of languages that lack other shares of answers than the baseline, by task too."""
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
        f"{listed_names([label.name for label in by_note[note]], ' and ')} ({note})"
        for note in sorted(by_note)
    )


def listed_names(names: Sequence[str], last: str = ", ") -> str:
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


def gap_sentence(cell: Cell) -> Statement:
    """A gap in words; its interval holds for all cells together."""
    return say(
        "gap.chosen" if cell.is_chosen else "gap.difference",
        name=language_with_note(cell),
        where=(cell.task, cell.other),
        task=labels.task(cell.task).short if cell.task else "the mean over tasks",
        base=labels.language(cell.baseline).name,
        side="ahead of" if cell.difference < 0 else "behind",
        **size_of(cell),
    )


def size_of(cell: Cell) -> Fields:
    """A difference without its sign, and its interval, as sentences have them."""
    turned = cell.turned if cell.difference < 0 else cell
    limits = (
        f"95% interval {ends(*turned.interval)}"
        if turned.interval
        else (f"no interval: {cell.refused or 'not tested'}")
    )
    return {
        "points": points(turned.difference, signed=False),
        "ends": limits,
        "limits": cell.interval,
    }


def about_cell(task: str, code: str, cell: GapCell, gap: Cell | None, base: str) -> Statement | str:
    """Everything that a reader of one cell should know."""
    if gap is None:
        extreme = cell.get("extreme")
        return say("gap.extreme", extreme=extreme) if extreme else ""
    parts = [gap_sentence(gap)]
    if crossing := cell.get("crossing"):
        parts.append(say(
            "gap.reverses", sizes=sizes(crossing["levels"], labels.task(task).unit),
            right=right_of(crossing["k_l"], crossing["n_l"]),
            right_en=right_of(crossing["k_en"], crossing["n_en"]),
            language=labels.language(code).name, base=base, task=task, code=code,
        ))  # fmt: skip
    if gap.flagged:
        parts.append(say("gap.wording", language=labels.language(code).name))
    return joined(parts)
