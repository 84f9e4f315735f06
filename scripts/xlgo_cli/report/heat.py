"""The heat map of gaps, and a line for each language over all tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from xlgo_dataset import TaskLabels
from xlgo_metric.core import grouped
from xlgo_metric.statistics.claims import is_significant
from xlgo_metric.table import Column, Table, interval

from ..display import labels
from ..display.formats import DASH, ends, points, sortable
from ..display.labels import LanguageLabels
from .findings import gap_sentence, language_gap, silent
from .gap_marks import (
    CellScores,
    GapSection,
    anchor,
    base_name,
    baseline,
    by_gap,
    compared_cells,
    crosses,
    in_order,
    is_behind,
    mark,
    verdicts_of,
    whole_difference,
)

if TYPE_CHECKING:
    from xlgo_metric.comparison.gaps import ByLanguage, LanguageCell
    from xlgo_metric.statistics.claims import OverTasks

_STRONGEST_PALE = 22
STRONGEST = 62  # percent of the full colour; more would make the text hard to read
_BEND = 0.7  # below 1: small gaps differ in colour, and 20 points differ from 50
_FULL = 0.6  # over all questions, few languages differ by more
_WORDS = {
    "●": "significant", "○": "published rule only", "?": "too few questions", "": "",
}  # fmt: skip
_ALL_TASKS = TaskLabels("All tasks", "All tasks", "", "")
_CROSSES, _WORDING, _REACHES = "⇄", "†", "‡"
MARKS = {
    "●": "significant (paired test, Holm, 5%)",
    "○": "published rule only",
    _CROSSES: "behind at some sizes, ahead at others",
    _WORDING: "the wording may cause the gap (xlgo language list)",
    _REACHES: "significant although the interval reaches 0: it is of the mean over sizes, under "
    "All tasks for all languages at once; the test looks at single sizes and goes from one "
    "language to the next",
}
"""What the signs beside a difference mean."""

_FAMILY_MARKS = {"●": MARKS["●"], "?": "too few discordant questions for a test"}


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
    cells = compared_cells(section)
    if not any(whole_difference(cell) or cell.get("extreme") for *_, cell in cells):
        return None
    verdicts = verdicts_of(section) if len(tasks) > 1 else {}
    rows = [
        HeatRow(
            labels.language(code),
            [all_tasks_cell(verdicts.get(code), len(tasks))] * bool(verdicts)
            + [
                heat_cell(name, code, task["languages"].get(code), f"#{anchor(prefix, name)}")
                for name, task in tasks
            ],
        )
        for code in by_gap(section)
    ]
    base = base_name(section)
    used = "".join(cell.mark for row in rows for cell in row.cells)
    marks = [f"{sign} {words}" for sign, words in MARKS.items() if sign in used]
    columns = [_ALL_TASKS] * bool(verdicts) + [labels.task(name) for name, _ in tasks]
    return Heat(
        tasks=columns,
        rows=rows,
        **to_baseline(base),
        caption=f"Accuracy in {base} minus accuracy in the language over all questions, in "
        "percentage points, with its 95% interval. Negative: the language is better. Cells without "
        "a mark are not significant. The language with the largest gap is first."
        + (
            " All tasks: the mean, without tasks marked †. Its intervals hold for all languages "
            "together, those of single tasks for their cell alone."
            if verdicts
            else ""
        ),
        marks=tuple(marks),
    )


def family_heats(found: ByLanguage, href: str = "") -> list[Heat]:
    """The heat maps of a family without curves, or of a benchmark: one for each way of asking.

    Args:
        found: how its languages compare with the baseline.
        href: where more of it stands; by default the part of each task.
    """
    base = labels.language(found["baseline"]).name
    return [
        _family_heat([one for one in found["cells"] if one["asked_as"] == way], way, base, href)
        for way in dict.fromkeys(one["asked_as"] for one in found["cells"])
    ]


def _family_heat(cells: Sequence[LanguageCell], way: str, base: str, href: str) -> Heat:
    shown = {(cell["language"], cell["task"]): _family_cell(cell, base, href) for cell in cells}
    used = {cell.mark for cell in shown.values()}
    note = f" ({way})" if way else ""
    return Heat.of(
        by_mean((cell["language"], cell["difference"]) for cell in cells),
        {cell["task"]: labels.task(cell["task"]) for cell in cells},
        shown,
        **to_baseline(base, note),
        caption=f"Accuracy in {base} minus accuracy in the language on the same questions{note}, "
        "in percentage points, with its 95% interval. Negative: the language is better. Cells "
        "without a mark are not significant. The language with the largest gap is first.",
        marks=tuple(f"{sign} {words}" for sign, words in _FAMILY_MARKS.items() if sign in used),
    )


def _family_cell(cell: LanguageCell, base: str, href: str) -> HeatCell:
    sign = "?" if silent(cell) else "●" if is_significant(cell["p_holm"]) else ""
    return HeatCell.of(
        cell["difference"],
        ends(cell["low"], cell["high"]),
        clear=sign == "●",
        mark=sign,
        mark_words=_WORDS[sign],
        sentence=language_gap(cell, base),
        href=href or f"#{anchor(cell['task'])}",
    )


def all_tasks_cell(verdict: OverTasks | None, tasks: int) -> HeatCell:
    """The cell of a language over all tasks, each with the same weight.

    Args:
        verdict: on the language, over the tasks that count.
        tasks: of the run, of which some may not count.
    """
    if verdict is None:
        return HeatCell(sentence="no task counts")
    low, high = verdict["low_all"], verdict["high_all"]
    sign = "●" + _REACHES * (low <= 0 <= high) if is_significant(verdict["p_holm"]) else ""
    of = f"{verdict['tasks']} of {tasks} tasks"
    return HeatCell.of(
        float(verdict["difference"]),
        ends(low, high),
        clear=bool(sign),
        mark=sign,
        mark_words=f"{_WORDS[sign[:1]]}, {of}" if sign else of,
        sentence=f"{of}, {verdict['n']} questions",
        href="#more",
    )


def heat_cell(task: str, code: str, cell: CellScores | None, href: str) -> HeatCell:
    """One cell of the heat map; grey where nothing can be found or where the gap changes sides."""
    if cell is None:
        return HeatCell()
    whole = whole_difference(cell)
    if whole is None and not cell.get("extreme"):
        return HeatCell(sentence="no gap can be given")
    if whole is None or cell.get("extreme"):
        return HeatCell(sentence=gap_sentence(task, code, cell), href=href)
    sign = mark(cell)
    words = [_WORDS[sign]] if sign else []
    if crosses(cell):
        words.append("behind at some sizes, ahead at others")
    if cell.get("wording"):
        words.append("the wording may cause the gap")
    reaches = sign == "●" and whole["low"] <= 0 <= whole["high"] and not crosses(cell)
    shown = HeatCell.of(
        float(whole["difference"]),
        ends(whole["low"], whole["high"]),
        clear=sign == "●",
        mark=signs(cell) + _REACHES * reaches,
        mark_words=", ".join(words),
        sentence=gap_sentence(task, code, cell),
        href=href,
    )
    return replace(shown, kind="none", strength=0) if crosses(cell) else shown


def signs(cell: CellScores) -> str:
    """The marks of a difference; see ``MARKS``."""
    return mark(cell) + _CROSSES * crosses(cell) + _WORDING * bool(cell.get("wording"))


def strength(difference: float, pale: bool) -> int:
    """How strongly a cell of a heat map is coloured, in percent of the full colour.

    What may well be chance is ``pale``, so that it does not catch the eye.
    """
    strongest = _STRONGEST_PALE if pale else STRONGEST
    return round(strongest * min(abs(difference) / _FULL, 1.0) ** _BEND)


def language_lines(section: GapSection) -> dict[str, Any] | None:
    """A row for each language over all tasks, for a table that sorts; ``None`` without English."""
    verdicts = verdicts_of(section)
    rows = []
    for code in by_gap(section):
        cells = [
            (task, cell)
            for task in section["tasks"].values()
            if (cell := task["languages"].get(code))
            and whole_difference(cell)
            and not cell.get("extreme")
        ]
        if not cells:
            continue
        k, n = (sum(cell[key] for _, cell in cells) for key in ("correct", "n"))
        bases = [task["languages"][baseline(task)] for task, _ in cells]
        k_en, n_en = (sum(cell[key] for cell in bases) for key in ("correct", "n"))
        holds = [cell for _, cell in cells if mark(cell) == "●"]
        behind = sum(is_behind(cell) and not crosses(cell) for cell in holds)
        ahead = sum(not is_behind(cell) and not crosses(cell) for cell in holds)
        found = verdicts.get(code)
        size: tuple[float, float | None, float | None] = (k_en / n_en - k / n, None, None)
        if found:
            size = found["difference"], found["low_all"], found["high_all"]
        rows.append((code, k / n, k, n, k_en / n_en, k_en, n_en, *size,
                     behind, len(cells), ahead, len(cells)))  # fmt: skip
    if not rows:
        return None
    columns = (
        Column("Language"),
        *_right("Correct"),
        *_right(f"In {base_name(section)}"),
        Column("Difference", "difference"),
        *interval("95%, all languages", "difference"),
        *_of("Behind in"),
        *_of("Ahead in"),
    )
    table = Table("all_tasks", "Each language over all tasks", columns, tuple(rows))
    return sortable(table, languages=True)


def _right(name: str) -> tuple[Column, ...]:
    share = Column(name, "share", 0, unit="%")
    counts = (("correct answers", " "), ("answers", " of "))
    return share, *(Column(f"{name}, {of}", "count", after=after) for of, after in counts)


def _of(name: str) -> tuple[Column, Column]:
    return Column(name, "count"), Column(f"{name}, of", "count", after=" of ")
