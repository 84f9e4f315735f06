"""The heat map of gaps, and a line for each language over all tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from xlgo_dataset import TaskLabels
from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.section import asked_as, cells_of_section
from xlgo_metric.comparison.section import mark as gap_mark
from xlgo_metric.core import grouped
from xlgo_metric.table import Column, Table, interval

from ..display import labels
from ..display.formats import DASH, count, ends, points, sortable
from ..display.labels import LanguageLabels
from .findings import gap_sentence, language_gap
from .gap_marks import (
    CellScores,
    GapSection,
    anchor,
    base_name,
    by_gap,
    chosen_tasks,
    compared_cells,
    gap_of,
    in_order,
    is_behind,
    is_chosen,
    is_significant,
    verdicts_of,
)

if TYPE_CHECKING:
    from xlgo_metric.comparison.gaps import ByLanguage

_STRONGEST_PALE = 22
STRONGEST = 62  # percent of the full colour; more would make the text hard to read
_BEND = 0.7  # below 1: small gaps differ in colour, and 20 points differ from 50
_FULL = 0.6  # over all questions, few languages differ by more
_ALL_TASKS = TaskLabels("All tasks", "All tasks", "", "")
MARKS = {
    "●": "significant (paired test, 5%)",
    "?": "too few discordant questions for a test",
    "†": "the wording may cause the gap (xlgo language list)",
}
"""What the signs beside a difference mean."""

_CAPTION = (
    "Accuracy in {base} minus accuracy in the language on the same questions{note}, in percentage "
    "points, with its 95% interval: the mean over sizes, each alike. Negative: the language is "
    "better. ● stands exactly where the interval leaves out 0; marks and intervals hold for all "
    "cells together."
)


Row = TypeVar("Row")
Place = TypeVar("Place")


@dataclass(frozen=True)
class HeatCell:
    """One cell of a heat map.

    Attributes:
        kind: ``behind``, ``ahead`` or ``none`` (grey).
        value: what stands large: the difference of accuracies, percentage points.
        sd: what stands small beside it: its 95% interval.
        mark, mark_words: of what is significant, as a sign and in words.
        strength: of the colour, percent.
        sentence: all of it in words.
        href: where more of it stands.
    """

    kind: str = "none"
    value: str = DASH
    sentence: str = "not asked"
    sd: str = ""
    mark: str = ""
    mark_words: str = ""
    strength: int = 0
    href: str = ""

    @classmethod
    def of(cls, difference: float, sd: str = "", *, clear: bool, **shown: Any) -> HeatCell:
        """The cell of a difference, baseline minus the other.

        Args:
            difference: a fraction.
            sd: see the attributes.
            clear: it is significant; else it is pale.
            shown: the other attributes.
        """
        kind = "behind" if difference > 0 else "ahead" if difference < 0 else "none"
        size = strength(difference, pale=not clear)
        return cls(
            **{"kind": kind, "value": points(difference), "sd": sd, "strength": size, **shown}
        )

    @classmethod
    def of_gap(cls, gap: Cell, sentence: str, href: str) -> HeatCell:
        """The cell of a gap: its difference, interval and marks."""
        signs = gap_mark(gap)
        return cls.of(
            gap.difference,
            ends(*gap.interval) if gap.interval else "",
            clear=gap.is_significant,
            mark=signs,
            mark_words=", ".join(MARKS[sign] for sign in signs),
            sentence=sentence,
            href=href,
        )


@dataclass(frozen=True)
class HeatRow:
    """A language, or a model, and its cells."""

    language: LanguageLabels
    cells: Sequence[HeatCell]


@dataclass(frozen=True)
class Heat:
    """A heat map.

    Attributes:
        tasks: labels of the columns, with ``title`` and ``short``.
        rows: by language or model.
        title, caption: what it shows.
        behind, ahead: what the two colours mean.
        marks: what the signs mean.
        id: its place in a page.
    """

    title: str
    caption: str
    tasks: Sequence[Any] = ()
    rows: Sequence[HeatRow] = ()
    behind: str = ""
    ahead: str = ""
    marks: tuple[str, ...] = ()
    id: str = ""

    @classmethod
    def of(
        cls,
        rows: Mapping[Row, LanguageLabels],
        columns: Mapping[Place, Any],
        cells: Mapping[tuple[Row, Place], HeatCell],
        **shown: Any,
    ) -> Heat:
        """A map of these cells, grey where there is none.

        Args:
            rows, columns: labels by name; see ``tasks`` for those of the columns.
            cells: by row and column.
            shown: title, caption and what else the map has.
        """
        found = [
            HeatRow(label, [cells.get((row, column), HeatCell()) for column in columns])
            for row, label in rows.items()
        ]
        return cls(tasks=list(columns.values()), rows=found, **shown)


def to_baseline(base: str, note: str = "") -> dict[str, str]:
    """Title and colours of a map of gaps to a baseline."""
    return {
        "title": f"Gaps to {base}{note}",
        "behind": f"behind {base}",
        "ahead": f"ahead of {base}",
    }


def by_mean(gaps: Iterable[tuple[str, float]]) -> dict[str, LanguageLabels]:
    """The languages of some gaps, that with the largest mean first."""
    sizes = grouped(gaps, itemgetter(0))
    means = {code: sum(size for _, size in own) / len(own) for code, own in sizes.items()}
    return {code: labels.language(code) for code in sorted(means, key=lambda c: (-means[c], c))}


def heatmap(section: GapSection, prefix: str = "") -> Heat | None:
    """The difference over all questions, of every task and language; ``None`` without baseline.

    The language with the largest gap stands first.

    Args:
        section: see ``with_gaps``.
        prefix: what the anchors of the tasks begin with.
    """
    tasks = in_order(section["tasks"])
    compared = compared_cells(section)
    if not any(gap_of(cell) or cell.get("extreme") for *_, cell in compared):
        return None
    verdicts = verdicts_of(section) if len(tasks) > 1 else {}
    cells = {
        (code, name): heat_cell(name, code, cell, f"#{anchor(prefix, name)}")
        for name, code, cell in compared
    }
    cells |= {(code, ""): _over_tasks(gap, len(tasks)) for code, gap in verdicts.items()}
    base, note = base_name(section), ""
    if verdicts:
        counted = len(section["over_tasks"]["tasks"])
        note = f" All tasks: the mean over {counted} of {len(tasks)} tasks, the same everywhere."
    if chosen := chosen_tasks(section):
        note += f" {chosen}: the questions that answers chose, each alike."
    columns = {"": _ALL_TASKS} if verdicts else {}
    columns |= {name: labels.task(name) for name, _ in tasks}
    return Heat.of(
        {code: labels.language(code) for code in by_gap(section)},
        columns,
        cells,
        **to_baseline(base),
        caption=_CAPTION.format(base=base, note="") + note,
        marks=marks_of(cells.values()),
    )


def marks_of(cells: Iterable[HeatCell]) -> tuple[str, ...]:
    """The legend of the marks that some cells have."""
    used = "".join(cell.mark for cell in cells)
    return tuple(f"{sign} {words}" for sign, words in MARKS.items() if sign in used)


def family_heats(found: ByLanguage, href: str = "") -> list[Heat]:
    """The heat maps of a family without curves, or of a benchmark: one for each way of asking.

    Args:
        found: how its languages compare with the baseline.
        href: where more of it stands; by default the part of each task.
    """
    base = labels.language(found["baseline"]).name
    ways = grouped(cells_of_section(found), asked_as)
    return [_family_heat(cells, way, base, href) for way, cells in ways.items()]


def _family_heat(gaps: Sequence[Cell], way: str, base: str, href: str) -> Heat:
    cells = {
        (gap.other, gap.task): HeatCell.of_gap(
            gap, language_gap(gap, base), href or f"#{anchor(gap.task)}"
        )
        for gap in gaps
    }
    note = f" ({way})" if way else ""
    return Heat.of(
        by_mean((gap.other, gap.difference) for gap in gaps),
        {gap.task: labels.task(gap.task) for gap in gaps},
        cells,
        **to_baseline(base, note),
        caption=_CAPTION.format(base=base, note=note),
        marks=marks_of(cells.values()),
    )


def _over_tasks(gap: Cell, tasks: int) -> HeatCell:
    """The cell of a language over the tasks that count, each with the same weight."""
    return HeatCell.of_gap(gap, f"{count(gap.n)} questions of {tasks} tasks", "#more")


def heat_cell(task: str, code: str, cell: CellScores | None, href: str) -> HeatCell:
    """One cell of the heat map; grey where nothing can be found."""
    if cell is None:
        return HeatCell()
    gap = gap_of(cell)
    if gap is None and not cell.get("extreme"):
        return HeatCell(sentence="no gap can be given")
    if gap is None or cell.get("extreme"):
        return HeatCell(sentence=gap_sentence(task, code, cell), href=href)
    return HeatCell.of_gap(gap, gap_sentence(task, code, cell), href)


def strength(difference: float, pale: bool) -> int:
    """How strongly a cell of a heat map is coloured, in percent of the full colour.

    What may well be chance is ``pale``, so that it does not catch the eye.
    """
    strongest = _STRONGEST_PALE if pale else STRONGEST
    return round(strongest * min(abs(difference) / _FULL, 1.0) ** _BEND)


def language_lines(section: GapSection) -> dict[str, Any] | None:
    """A row for each language over the tasks that count for all, for a table that sorts.

    ``None`` where no task counts for all languages.
    """
    verdicts, base = verdicts_of(section), base_name(section)
    if not verdicts:
        return None
    rows = []
    for code in by_gap(section):
        if (gap := verdicts.get(code)) is None:
            continue
        found = [cell for _, other, cell in compared_cells(section)
                 if other == code and not is_chosen(cell)]  # fmt: skip
        clear = [is_behind(cell) for cell in found if is_significant(cell)]
        behind, ahead = sum(clear), len(clear) - sum(clear)
        rows.append(
            (code, gap.accuracy, gap.baseline_accuracy, gap.n, gap.difference,
             gap_mark(gap) or None, gap.ci_low, gap.ci_high, behind, len(found), ahead, len(found))
        )  # fmt: skip
    columns = (
        Column("Language"),
        Column("Accuracy", "share", unit="%"),
        Column(f"In {base}", "share", unit="%"),
        Column("Questions", "count"),
        Column("Difference", "difference"),
        Column("Difference, mark", after=" "),
        *interval("95%, all languages", "difference"),
        *_of("Behind in"),
        *_of("Ahead in"),
    )
    table = Table("all_tasks", "Each language over all tasks", columns, tuple(rows))
    return sortable(table, languages=True)


def _of(name: str) -> tuple[Column, Column]:
    return Column(name, "count"), Column(f"{name}, of", "count", after=" of ")
