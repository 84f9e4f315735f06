"""Cells by row and column: one grid for page, notebook, terminal and files.

A number is written by ``points``, a mark is that of ``comparison.section.mark``, and a colour
follows from the same cell, wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain
from statistics import fmean
from typing import Any, NamedTuple

import pandas as pd

from xlgo_dataset import TaskLabels
from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.gaps import ByLanguage
from xlgo_metric.comparison.section import KEY, asked_as, cells_of_section, mark
from xlgo_metric.core import PLAIN, grouped
from xlgo_metric.family import Section
from xlgo_metric.table import Column, Kind, Table, listed

from ..display import labels
from ..display.formats import DASH, View, count, ends, percent, points
from ..display.labels import LanguageLabels
from .findings import about_cell, gap_sentence
from .gap_marks import (
    GapSection,
    anchor,
    base_name,
    by_gap,
    chosen_tasks,
    compared_cells,
    gaps_of,
    in_order,
    ordered,
    verdicts_of,
    with_notes,
)

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
             *(value for column in self.columns
               for value in _values(self.cells.get((row, column)))))
            for row, label in self.rows.items()
        ]  # fmt: skip
        caption = " ".join([self.caption, *(f"{sign}." for sign in self.legend)])
        return Table(self.name, self.title, columns, tuple(rows), caption)

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


def _values(cell: Cell | None) -> tuple[Any, ...]:
    return (
        (None,) * 4
        if cell is None
        else (cell.difference, mark(cell) or None, cell.ci_low, cell.ci_high)
    )


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
        note = f" All tasks: the mean over {counted}."
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
