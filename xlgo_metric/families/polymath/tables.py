"""PolyMath's tables, in the layout of Tables 5 to 9 and 16 to 19 of its paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from ...table import Column, Table, columns, spread
from .measures import LEVELS, PARTS
from .section import PolyMathSection, Result

_CONTROLS = {
    "none": "no language control",
    "query": "+ forcing the query language",
    "english": "+ forcing English",
    "preferred": "+ forcing the preferred language",
}


def tables(section: PolyMathSection) -> list[Table]:
    """The tables of a section of a score.

    Those that would be empty are left out: standard deviations without repeats, languages of
    thinking without thinking, DW-ACC without all four levels.
    """
    languages, results = section["languages"], section["results"]
    found = [
        *(_accuracy(results, languages, level) for level in LEVELS),
        _weighted(results, languages),
        _averages(results),
        _by_language(results, languages, "consistency"),
        _by_language(results, languages, "english"),
        *(_deviations(results, languages, level) for level in LEVELS),
        _lengths(results, languages),
    ]
    return [table for table in found if table.rows]


def _label(result: Result) -> str:
    control = _CONTROLS.get(result["control"], result["control"])
    return f"{result['model']} {control}".strip() if result["model"] else control


def _across(values: Mapping[str, float | None], languages: Sequence[str]) -> list[float | None]:
    return [values.get(language) for language in languages]


def _accuracy(results: Sequence[Result], languages: Sequence[str], level: str) -> Table:
    rows = []
    for result in results:
        if level in result["spread"]:
            over = result["spread"][level]
            cells = {name: cell["score"] for name, cell in result["accuracy"][level].items()}
            rows.append(
                (_label(result), over["mean"], *_across(cells, languages), over["sd"],
                 over["range"])
            )  # fmt: skip
    return Table(
        f"polymath_accuracy_{level}",
        f"PolyMath-{level.capitalize()}: accuracy (%)",
        (Column(""), *columns("share", "avg.", *languages, "std.", "range")),
        tuple(rows),
        "Layout of the paper's Table 5. std. and range are over languages.",
    )


def _weighted(results: Sequence[Result], languages: Sequence[str]) -> Table:
    rows = tuple(
        (_label(result), over["mean"], *_across(result["dw_acc"], languages), over["sd"],
         over["range"])
        for result in results
        if (over := result["dw_spread"])
    )  # fmt: skip
    return Table(
        "polymath_dw_acc",
        "PolyMath: difficulty-weighted accuracy, DW-ACC (%)",
        (Column(""), *columns("share", "avg.", *languages, "std.", "range")),
        rows,
        "Layout of the paper's Table 7.",
    )


def _averages(results: Sequence[Result]) -> Table:
    rows = []
    for result in results:
        for part in PARTS:
            rates = result["consistency"][part]["by_level"]
            if result["consistency"][part]["mean"] is None:
                continue
            correlation = result["correlation"][part]
            means = [_mean_and_sd(rates.get(level, {})) for level in LEVELS]
            rows.append(
                (_label(result), part, *(value for pair in means for value in pair),
                 *(correlation.get(level) for level in LEVELS))
            )  # fmt: skip
    return Table(
        "polymath_consistency_levels",
        "Language consistency over languages (mean ± std., %), and its correlation with accuracy",
        (
            Column(""),
            Column("part"),
            *(column for level in LEVELS for column in spread(level, sd="std.")),
            *columns("number", *(f"r {level}" for level in LEVELS), digits=2),
        ),
        tuple(rows),
        "Layout of the paper's Table 6; r is Pearson's coefficient over languages.",
    )


def _mean_and_sd(rates: Mapping[str, float | None]) -> tuple[float, float] | tuple[None, None]:
    values = [rate for rate in rates.values() if rate is not None]
    if not values:
        return None, None
    mean = sum(values) / len(values)
    return mean, (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5


def _by_language(
    results: Sequence[Result], languages: Sequence[str], key: Literal["consistency", "english"]
) -> Table:
    rows = tuple(
        (_label(result), part, accuracy["mean"], *_across(accuracy["by_language"], languages))
        for part in PARTS
        for result in results
        if (accuracy := result[key][part])["mean"] is not None
    )
    titles = {
        "consistency": ("Responses in the language of the question (%)", "8"),
        "english": ("Responses in English (%)", "9"),
    }
    title, number = titles[key]
    return Table(
        f"polymath_{key}",
        title,
        (Column(""), Column("part"), *columns("share", "avg.", *languages)),
        rows,
        f"Layout of the paper's Table {number}; plain mean of the levels.",
    )


def _deviations(results: Sequence[Result], languages: Sequence[str], level: str) -> Table:
    rows = []
    for result in results:
        cells = result["accuracy"].get(level, {})
        known = {name: cell["sd"] for name, cell in cells.items() if cell["sd"] is not None}
        if known:
            mean = sum(known.values()) / len(known)
            rows.append((_label(result), mean, *_across(known, languages)))
    return Table(
        f"polymath_sd_{level}",
        f"PolyMath-{level.capitalize()}: standard deviation over repeats (%)",
        (Column(""), *columns("share", "avg.", *languages, digits=2)),
        tuple(rows),
        "Layout of the paper's Tables 16 to 19.",
    )


def _lengths(results: Sequence[Result], languages: Sequence[str]) -> Table:
    rows = tuple(
        (_label(result), level, *_across(row, languages), result["length_correlation"][level])
        for result in results
        for level, row in result["length"].items()
    )
    return Table(
        "polymath_length",
        "Mean length of thinking (characters; of the answer without thinking)",
        (
            Column(""),
            Column("level"),
            *columns("number", *languages, digits=0),
            Column("r", "number", 2),
        ),
        rows,
        "The paper's Figures 5 and 6 count tokens; r is Pearson's correlation with accuracy.",
    )
