"""Tables for people of an XLGoBench section (see ``summarize``), in percent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from xlgo_metric.core import STATUSES, Table
from xlgo_metric.families.xlgobench.comparison import CLAIM_LEVEL
from xlgo_metric.families.xlgobench.faults import tables as of_faults
from xlgo_metric.families.xlgobench.why import tables as of_causes

_NOTHING = ""

Cell = Mapping[str, Any]


def tables(section: Mapping[str, Any]) -> list[Table]:
    """The tables of one section, those without content left out.

    ``smd`` (with marks), ``accuracy``, ``avg_acc``, ``rd``, ``c_star`` (with the two accuracies
    there), ``pooled`` (right answers at the levels that tell),
    ``paired``, ``dw_acc``, ``status``, ``details``, ``thinking`` and ``warnings``; where answers
    say so, where gaps come from and where answers first go wrong.
    """
    languages = _languages(section)
    others = [name for name in languages if name != section["baseline"]]
    found = [
        _smd(section, others),
        _grid(
            section,
            languages,
            "accuracy",
            title="Accuracy (%)",
            show=lambda cell: _percent(cell["accuracy"]),
        ),
        _grid(
            section,
            languages,
            "avg_acc",
            title="Average accuracy of the fitted curve (%)",
            show=lambda cell: _with_sd(cell, "avg_acc"),
            caption="Mean of the curve over the range of complexity (XLGoBench, equation 4).",
        ),
        _grid(
            section,
            others,
            "rd",
            title="Reciprocal divergence (%)",
            show=lambda cell: _with_sd(cell, "rd"),
            caption="The best that the weaker of the two languages does against the other anywhere "
            "on the range; far below 0 where the curves cross (XLGoBench, equation 5).",
        ),
        _c_star(section, others),
        _pooled(section, others),
        _paired(section, others),
        _dw_acc(section, languages),
        _status(section),
        _details(section),
        _thinking(section),
        *of_causes.tables(section),
        *of_faults.tables(section),
        _warnings(section),
    ]
    return [table for table in found if table.rows]


def mark(cell: Cell) -> str:
    """Stars for what is found, then a sign of doubt.

    ``**``: Holm's p below .05; ``*``: only beyond 1.96 sd; ``?``: a curve is not identified, or
    the model solves almost nothing or almost everything; ``!``: no level supports so large a gap.
    """
    claims = (cell["paired"] or {}).get("p_holm")
    sure = claims is not None and claims < CLAIM_LEVEL
    if cell["extreme"]:
        return "?"
    if cell["identified"] is False:
        return "**?" if sure else "?"
    stars = "**" if sure else "*" if cell["significant"] else _NOTHING
    return stars + ("!" if cell["supported"] is False else _NOTHING)


def _gap(cell: Cell) -> str:
    """The SMD with its marks; without a number where the answers do not fix one."""
    if cell["smd"] is None:
        return _NOTHING
    if cell["extreme"] or cell["identified"] is False:
        return f"–{mark(cell)}"
    return f"{_with_sd(cell, 'smd')}{mark(cell)}"


def _languages(section: Mapping[str, Any]) -> list[str]:
    """All languages of the section, the baseline first, then in order of code."""
    names = {name for task in section["tasks"].values() for name in task["languages"]}
    return sorted(names, key=lambda name: (name != section["baseline"], name))


def _cells(section: Mapping[str, Any]) -> Iterable[tuple[str, str, Cell]]:
    for task, found in section["tasks"].items():
        for language, cell in found["languages"].items():
            yield task, language, cell


def _percent(value: float | None, digits: int = 1) -> str:
    """A fraction in percent, without a minus sign before zero."""
    if value is None:
        return _NOTHING
    return f"{round(100.0 * value, digits) + 0.0:.{digits}f}"


def _with_sd(cell: Cell, key: str, digits: int = 1) -> str:
    if cell[key] is None:
        return _NOTHING
    return f"{_percent(cell[key], digits)} ± {_percent(cell[f'{key}_sd'], digits)}"


def _grid(
    section: Mapping[str, Any],
    languages: list[str],
    name: str,
    *,
    title: str,
    show: Callable[[Cell], str],
    caption: str = "",
) -> Table:
    """A row per task and a column per language."""
    rows = []
    for task, found in section["tasks"].items():
        cells = [found["languages"].get(language) for language in languages]
        texts = [_NOTHING if cell is None else show(cell) for cell in cells]
        if any(texts):
            rows.append((task, *texts))
    return Table(name, title, ("task", *languages), tuple(rows), caption)


def _smd(section: Mapping[str, Any], others: list[str]) -> Table:
    return _grid(
        section,
        others,
        "smd",
        title=f"Signed max divergence from {section['baseline']} (%)",
        show=_gap,
        caption="The largest gap between the two fitted curves at any whole complexity; positive "
        "where the language is behind. ** Holm's p of the paired test is below .05, * only the "
        "published rule marks it, beyond 1.96 sd of the Beta draws; ? the answers do not fix a gap "
        "(a curve is not identified, or almost nothing or almost everything is solved), so there "
        "is no number; ! not supported: larger than the exact 95% limits of any level allow.",
    )


def _c_star(section: Mapping[str, Any], others: list[str]) -> Table:
    rows = tuple(
        (
            task,
            language,
            f"{cell['c_star']:.0f} ± {cell['c_star_sd']:.0f}",
            _with_sd(cell, "f_en"),
            _with_sd(cell, "f_l"),
        )
        for task, language, cell in _cells(section)
        if language in others and cell["c_star"] is not None and cell["identified"]
    )
    baseline = section["baseline"]
    return Table(
        "c_star",
        "Where the largest gap lies",
        ("task", "language", "c*", f"accuracy of {baseline} there (%)", "of the language (%)"),
        rows,
    )


def _pooled(section: Mapping[str, Any], others: list[str]) -> Table:
    rows = []
    for task, language, cell in _cells(section):
        found = cell["pooled"]
        if language not in others or found is None:
            continue
        apart = found["k_en"] / found["n_en"] - found["k_l"] / found["n_l"]
        first, last = found["levels"][0], found["levels"][-1]
        rows.append(
            (task, language, f"{first:g}" if first == last else f"{first:g} to {last:g}",
             f"{found['k_en']} of {found['n_en']}", f"{found['k_l']} of {found['n_l']}",
             _percent(apart), f"{_percent(found['low'])} to {_percent(found['high'])}")
        )  # fmt: skip
    baseline = section["baseline"]
    return Table(
        "pooled",
        "Right answers at the levels that tell",
        ("task", "language", "levels", f"right in {baseline}", "right in the language",
         "apart (%)", "95% interval"),
        tuple(rows),
        "The levels at which the two languages together are right in 10 to 90%, or, where there "
        "are none, those next to the drop. The interval is exact and needs no curve.",
    )  # fmt: skip


def _paired(section: Mapping[str, Any], others: list[str]) -> Table:
    rows = []
    for task, language, cell in _cells(section):
        found = cell["paired"]
        if language not in others or found is None:
            continue
        interval = _NOTHING
        if found["low"] is not None:
            interval = f"{_percent(found['low'])} to {_percent(found['high'])}"
        p_values = (f"{found[key]:.4f}" for key in ("p", "p_holm", "p_bh"))
        robust = (cell["penalised"] or {}).get("smd")
        rows.append(
            (task, language, found["n"], *p_values, _percent(found["estimate"]), interval,
             _percent(robust))
        )  # fmt: skip
    return Table(
        "paired",
        "Paired statistics over the questions asked in both languages",
        ("task", "language", "pairs", "p", "p (Holm)", "p (BH)", "gap, bias-corrected (%)",
         "95% interval", "gap with ceiling and floor (%)"),
        tuple(rows),
        "Claim a gap where Holm's p is small; use BH to choose what to look at. The interval is "
        "that of the largest gap over whole complexities; it may pass 0.",
    )  # fmt: skip


def _dw_acc(section: Mapping[str, Any], languages: list[str]) -> Table:
    found = section["dw_acc"]
    rows = tuple(
        (task, *(_percent(values.get(language)) for language in languages))
        for task, values in found.items()
        if any(value is not None for value in values.values())
    )
    return Table(
        "dw_acc",
        "Difficulty-weighted accuracy (%)",
        ("task", *languages),
        rows,
        "Four equal bands of complexity weigh 1, 2, 4 and 8 (PolyMath, equation 1).",
    )


def _status(section: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            task,
            language,
            cell["n"],
            *(_percent(cell["statuses"][status] / cell["n"]) for status in STATUSES),
            _percent(cell["parsed"]),
            _percent(cell["strict"]),
        )
        for task, language, cell in _cells(section)
    )
    columns = ("task", "language", "answers", *STATUSES, "parsed", "strict")
    return Table("status", "What became of the answers (%)", columns, rows)


def _details(section: Mapping[str, Any]) -> Table:
    rows = tuple(
        (task, language, key, f"{value:.3f}")
        for task, language, cell in _cells(section)
        for key, value in cell["details"].items()
    )
    return Table(
        "details",
        "Diagnostics of the answers",
        ("task", "language", "diagnostic", "average"),
        rows,
        "Truth values are shares of all answers, numbers are averaged where they are known.",
    )


def _thinking(section: Mapping[str, Any]) -> Table:
    rows = []
    for task, found in section["thinking"].items():
        if found is None:
            continue
        lengths = ", ".join(f"{name} {x:.0f}" for name, x in found["mean_characters"].items())
        known = found["rho"] is not None
        rows.append(
            (
                task,
                f"{found['rho']:+.3f}" if known else _NOTHING,
                f"{found['p']:.3f}" if known else _NOTHING,
                lengths,
            )
        )
    return Table(
        "thinking",
        "Rank correlation of SMD and length of thinking",
        ("task", "Spearman's rho", "p", "mean characters"),
        tuple(rows),
        "Below 0: languages with a smaller gap think longer. Characters of different scripts do "
        "not compare well.",
    )


def _warnings(section: Mapping[str, Any]) -> Table:
    rows = [(text,) for text in section["warnings"]]
    for task, language, cell in _cells(section):
        of_fit = (cell["fit"] or {}).get("warnings", [])
        rows += [(f"{task}/{language}: {text}",) for text in of_fit]
    return Table("warnings", "Warnings", ("warning",), tuple(rows))
