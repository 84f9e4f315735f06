"""PolyMath's tables, in the layout of Tables 5 to 9 and 16 to 19 of its paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...core import Table
from .harness import LEVELS
from .summary import PARTS

_CONTROLS = {
    "none": "no language control",
    "query": "+ forcing the query language",
    "english": "+ forcing English",
    "preferred": "+ forcing the preferred language",
}


def tables(section: Mapping[str, Any]) -> list[Table]:
    """The tables of a section of a score; numbers are percent with one decimal.

    Those that would be empty are left out: standard deviations without repeats, languages of
    thinking without thinking, DW-ACC without all four levels.
    """
    languages, results = section["languages"], section["results"]
    found = [
        *(_accuracy(results, languages, level) for level in LEVELS),
        _weighted(results, languages),
        _averages(results),
        *(_by_language(results, languages, key) for key in ("consistency", "english")),
        *(_deviations(results, languages, level) for level in LEVELS),
        _lengths(results, languages),
    ]
    return [table for table in found if table.rows]


def _label(result: Mapping[str, Any]) -> str:
    control = _CONTROLS.get(result["control"], result["control"])
    return f"{result['model']} {control}".strip() if result["model"] else control


def _percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}"


def _across(values: Mapping[str, float | None], languages: Iterable[str]) -> list[str]:
    return [_percent(values.get(language)) for language in languages]


def _accuracy(results: Sequence[Mapping[str, Any]], languages: Sequence[str], level: str) -> Table:
    rows = []
    for result in results:
        if level in result["spread"]:
            spread = result["spread"][level]
            cells = {name: cell["score"] for name, cell in result["accuracy"][level].items()}
            rows.append(
                (_label(result), _percent(spread["mean"]), *_across(cells, languages),
                 _percent(spread["sd"]), _percent(spread["range"]))
            )  # fmt: skip
    return Table(
        f"polymath_accuracy_{level}", f"PolyMath-{level.capitalize()}: accuracy (%)",
        ("", "avg.", *languages, "std.", "range"), tuple(rows),
        "Layout of the paper's Table 5. std. and range are over languages.",
    )  # fmt: skip


def _weighted(results: Sequence[Mapping[str, Any]], languages: Sequence[str]) -> Table:
    rows = tuple(
        (_label(result), _percent(result["dw_spread"]["mean"]),
         *_across(result["dw_acc"], languages),
         _percent(result["dw_spread"]["sd"]), _percent(result["dw_spread"]["range"]))
        for result in results
        if result["dw_spread"]
    )  # fmt: skip
    return Table(
        "polymath_dw_acc", "PolyMath: difficulty-weighted accuracy, DW-ACC (%)",
        ("", "avg.", *languages, "std.", "range"), rows, "Layout of the paper's Table 7.",
    )  # fmt: skip


def _averages(results: Sequence[Mapping[str, Any]]) -> Table:
    rows = []
    for result in results:
        for part in PARTS:
            rates = result["consistency"][part]["by_level"]
            if result["consistency"][part]["mean"] is None:
                continue
            correlation = result["correlation"][part]
            rows.append(
                (_label(result), part, *(_mean_and_sd(rates.get(level, {})) for level in LEVELS),
                 *(_coefficient(correlation.get(level)) for level in LEVELS))
            )  # fmt: skip
    return Table(
        "polymath_consistency_levels",
        "Language consistency over languages (mean ± std., %), and its correlation with accuracy",
        ("", "part", *LEVELS, *(f"r {level}" for level in LEVELS)), tuple(rows),
        "Layout of the paper's Table 6; r is Pearson's coefficient over languages.",
    )  # fmt: skip


def _mean_and_sd(rates: Mapping[str, float | None]) -> str:
    values = [rate for rate in rates.values() if rate is not None]
    if not values:
        return "–"
    mean = sum(values) / len(values)
    sd = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5
    return f"{100 * mean:.1f} ± {100 * sd:.1f}"


def _coefficient(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _by_language(results: Sequence[Mapping[str, Any]], languages: Sequence[str], key: str) -> Table:
    rows = tuple(
        (_label(result), part, _percent(result[key][part]["mean"]),
         *_across(result[key][part]["by_language"], languages))
        for part in PARTS
        for result in results
        if result[key][part]["mean"] is not None
    )  # fmt: skip
    titles = {
        "consistency": ("Responses in the language of the question (%)", "8"),
        "english": ("Responses in English (%)", "9"),
    }
    title, number = titles[key]
    return Table(
        f"polymath_{key}", title, ("", "part", "avg.", *languages), rows,
        f"Layout of the paper's Table {number}; plain mean of the levels.",
    )  # fmt: skip


def _deviations(
    results: Sequence[Mapping[str, Any]], languages: Sequence[str], level: str
) -> Table:
    rows = []
    for result in results:
        cells = result["accuracy"].get(level, {})
        known = {name: cell["sd"] for name, cell in cells.items() if cell["sd"] is not None}
        if known:
            values = [_percent(known.get(language), 2) for language in languages]
            rows.append((_label(result), _percent(sum(known.values()) / len(known), 2), *values))
    return Table(
        f"polymath_sd_{level}",
        f"PolyMath-{level.capitalize()}: standard deviation over repeats (%)",
        ("", "avg.", *languages), tuple(rows), "Layout of the paper's Tables 16 to 19.",
    )  # fmt: skip


def _lengths(results: Sequence[Mapping[str, Any]], languages: Sequence[str]) -> Table:
    rows = tuple(
        (_label(result), level, *(f"{row[name]:.0f}" if name in row else "–" for name in languages),
         _coefficient(result["length_correlation"][level]))
        for result in results
        for level, row in result["length"].items()
    )  # fmt: skip
    return Table(
        "polymath_length", "Mean length of thinking (characters; of the answer without thinking)",
        ("", "level", *languages, "r"), rows,
        "The paper's Figures 5 and 6 count tokens; r is Pearson's correlation with accuracy.",
    )  # fmt: skip
