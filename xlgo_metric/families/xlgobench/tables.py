"""Tables for people of an XLGoBench section (see ``summarize``)."""

from collections.abc import Callable, Sequence
from typing import Any

from xlgo_metric.comparison.compare import Cell
from xlgo_metric.comparison.section import GapCell, Gaps, cells_of, mark
from xlgo_metric.core import STATUSES
from xlgo_metric.families.xlgobench.conditions import condition_tables
from xlgo_metric.table import Column, Table, interval, listed, spread
from xlgo_metric.views import Row

_WHERE = {"task": Column("task"), "language": Column("language")}


def tables(section: Gaps) -> list[Table]:
    """The tables of one section, those without content left out.

    ``difference``, ``smd`` (with marks), ``accuracy``, ``avg_acc``, ``rd``, ``c_star`` (with the
    two accuracies there), ``pooled`` (correct answers at informative levels), ``paired``,
    ``status``, ``details``, ``thinking`` and ``warnings``; where questions
    were asked under conditions, ``conditions`` and ``contrasts``.
    """
    languages = _languages(section)
    compared = [name for name in languages if name != section["baseline"]]
    candidates = [
        _difference(section, compared),
        _smd(section, compared),
        _grid(
            section,
            "accuracy",
            "Accuracy (%)",
            [(Column(name, "share"),) for name in languages],
            lambda cell: (cell["accuracy"],),
        ),
        _grid(
            section,
            "avg_acc",
            "Average accuracy of the fitted curve (%)",
            [spread(name) for name in languages],
            lambda cell: (cell["avg_acc"], cell["avg_acc_sd"]),
            caption="Mean of the curve over the range of complexity (XLGoBench, equation 4).",
        ),
        _grid(
            section,
            "rd",
            "Reciprocal divergence (%)",
            [spread(name, "difference") for name in compared],
            lambda cell: (cell["rd"], cell["rd_sd"]),
            caption="The best that the weaker of the two languages does against the other anywhere "
            "on the range; far below 0 where the curves cross (XLGoBench, equation 5).",
        ),
        _c_star(section, compared),
        _pooled(section, compared),
        _paired(section, compared),
        _status(section),
        _details(section),
        _thinking(section),
        *(condition_tables(section["why"]) if "why" in section else []),
        _warnings(section),
    ]
    return [table for table in candidates if table.rows]


def _languages(section: Gaps) -> list[str]:
    """All languages of the section, the baseline first, then in order of code."""
    names = {name for task in section["tasks"].values() for name in task["languages"]}
    return sorted(names, key=lambda name: (name != section["baseline"], name))


def _grid(
    section: Gaps,
    name: str,
    title: str,
    columns: Sequence[tuple[Column, ...]],
    values: Callable[[GapCell], tuple[Any, ...]],
    *,
    caption: str = "",
) -> Table:
    """A row per task and a group of columns per language, called like the language."""
    rows = []
    for task, content in section["tasks"].items():
        row: list[Any] = []
        for group in columns:
            cell = content["languages"].get(group[0].name)
            row += [None] * len(group) if cell is None else values(cell)
        if any(value is not None for value in row):
            rows.append((task, *row))
    every = (Column("task"), *(column for group in columns for column in group))
    return Table(name, title, every, tuple(rows), caption)


def _difference(section: Gaps, languages: list[str]) -> Table:
    baseline = section["baseline"]

    def values(cell: GapCell) -> tuple[float | None, float | None, float | None, str | None]:
        if (cell_json := cell["difference"]) is None:
            return None, None, None, None
        gap = Cell.of_json(cell_json)
        return gap.difference, gap.ci_low, gap.ci_high, mark(gap) or None

    return _grid(
        section,
        "difference",
        f"Accuracy in {baseline} minus accuracy in the language (points)",
        [
            (
                Column(name, "difference"),
                *interval(f"{name}, 95% interval"),
                Column(f"{name}, mark", after=" "),
            )
            for name in languages
        ],
        values,
        caption="The mean over sizes, each alike (where answers chose the questions: over these), "
        "on the questions answered in both; positive where the language is behind. ● significant "
        "at 5%: 0 is outside the 95% interval; † the wording may cause it; ? no test. Intervals "
        "and marks hold for all cells together.",
    )


def _smd(section: Gaps, languages: list[str]) -> Table:
    return _grid(
        section,
        "smd",
        f"Signed max divergence from {section['baseline']} (%)",
        [(*spread(name, "difference"), Column(f"{name}, mark", after=" ")) for name in languages],
        lambda cell: (cell["smd"], cell["smd_sd"], "○" if cell["published_rule"] else None),
        caption="The largest gap between the two fitted curves at any whole complexity; positive "
        "where the language is behind. ○ published rule: beyond 1.96 sd of the Beta draws, without "
        "correction. There is no number where the answers do not fix one: a curve is not "
        "identified, almost nothing or almost everything is solved, there are fewer than 30 "
        "questions a size, or no size allows so large a gap.",
    )


def _c_star(section: Gaps, languages: list[str]) -> Table:
    heads = (
        *spread("c*", "number", 0),
        *spread(f"accuracy of {section['baseline']} there", unit="%"),
        *spread("of the language", unit="%"),
    )
    names = ("c_star", "c_star_sd", "f_en", "f_en_sd", "f_l", "f_l_sd")
    rows = (row for row in _rows(section, languages) if row["c_star"] is not None)
    return listed(
        "c_star", "Where the largest gap lies", rows, {**_WHERE, **dict(zip(names, heads))}
    )


def _rows(section: Gaps, languages: list[str], part: str = "") -> list[Row]:
    """A row for each cell, or for what it has as a part of it; those without are left out."""
    return [
        {**(cell[part] if part else cell), "task": task, "language": language}
        for task, language, cell in cells_of(section["tasks"])
        if language in languages and (not part or cell[part] is not None)
    ]


def _pooled(section: Gaps, languages: list[str]) -> Table:
    rows = (
        {**row, "apart": row["k_en"] / row["n_en"] - row["k_l"] / row["n_l"],
         "first": row["levels"][0], "last": row["levels"][-1] if row["levels"][1:] else None}
        for row in _rows(section, languages, "pooled")
    )  # fmt: skip
    return listed(
        "pooled",
        "Correct answers at informative levels",
        rows,
        {
            **_WHERE,
            "first": Column("first level", "number", heading="levels"),
            "last": Column("last level", "number", after=" to "),
            **dict(zip(("k_en", "n_en"), _right(f"right in {section['baseline']}"))),
            **dict(zip(("k_l", "n_l"), _right("right in the language"))),
            "apart": Column("apart", "difference", unit="points"),
            **dict(zip(("low", "high"), interval("95% interval"))),
        },
        "The levels at which the two languages together are right in 10 to 90%, or, where there "
        "are none, those next to the drop. The interval needs no curve; it is exact "
        "unless questions share a structure.",
    )


def _right(name: str) -> tuple[Column, Column]:
    return Column(name, "count"), Column(f"{name}, of", "count", after=" of ")


def _paired(section: Gaps, languages: list[str]) -> Table:
    return listed(
        "paired",
        "Do the languages differ at some size, and by how much at most?",
        _rows(section, languages, "paired"),
        {
            **_WHERE,
            "n": Column("pairs", "count"),
            "p": Column("p", "p"),
            "p_holm": Column("p (Holm)", "p"),
            "estimate": Column("gap, bias-corrected", "difference", unit="points"),
            **dict(zip(("low", "high"), interval("95% interval"))),
        },
        "p: exchange test over sizes, a claim of its own beside that of the mean difference. The "
        "interval is that of the largest gap over whole complexities; it may pass 0.",
    )


def _status(section: Gaps) -> Table:
    rows = (
        {**row, **{status: row["statuses"][status] / row["n"] for status in STATUSES}}
        for row in _rows(section, _languages(section))
    )
    shares = {name: Column(name, "share") for name in (*STATUSES, "parsed")}
    return listed(
        "status",
        "What became of the answers (%)",
        rows,
        {
            **_WHERE,
            "n": Column("answers", "count"),
            **shares,
            "strict": Column("exact form", "share"),
        },
    )


def _details(section: Gaps) -> Table:
    return listed(
        "details",
        "Diagnostics of the answers",
        (
            {**row, "key": key, "value": value}
            for row in _rows(section, _languages(section))
            for key, value in row["details"].items()
        ),
        {**_WHERE, "key": Column("diagnostic"), "value": Column("average", "number", 3)},
        "Truth values are shares of all answers, numbers are averaged where they are known.",
    )


def _thinking(section: Gaps) -> Table:
    rows = [{**row, "task": task} for task, row in section["thinking"].items() if row is not None]
    languages = dict.fromkeys(name for row in rows for name in row["mean_characters"])
    return listed(
        "thinking",
        "Rank correlation of SMD and length of thinking",
        ({**row["mean_characters"], **row} for row in rows),
        {
            "task": Column("task"),
            "rho": Column("Spearman's rho", "number", 3, signed=True),
            "p": Column("p", "p", 3),
            **{name: Column(f"characters in {name}", "number", 0) for name in languages},
        },
        "Below 0: languages with a smaller gap think longer. Mean characters; those of different "
        "scripts do not compare well.",
    )


def _warnings(section: Gaps) -> Table:
    of_fits = (
        f"{row['task']}/{row['language']}: {text}"
        for row in _rows(section, _languages(section))
        for text in (row["fit"] or {}).get("warnings", ())
    )
    rows = tuple((text,) for text in (*section["warnings"], *of_fits))
    return Table("warnings", "Warnings", (Column("warning"),), rows)
