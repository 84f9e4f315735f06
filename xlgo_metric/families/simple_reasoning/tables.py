"""Tables for people: each setting with the paper's numbers beside the measured ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from ...comparison.compare import Cell
from ...comparison.gaps import Gaps
from ...comparison.section import cells_of, mark
from ...family import Section
from ...table import Column, Table, interval, spread
from ...views import Row, ranked
from .summary import parts_of, published
from .tasks import SHORTCUTS, TASKS

_PLAIN_CELL: Row = {"n": 20, "source": "", "metric": "accuracy", "cells": []}
_WHERE = (Column("task"), Column("language"))
_AHEAD = interval("95% interval", "number", 2, signed=True)
_MEASURED = (
    Column("± 2s/√n", "number", 2),
    *interval("95% interval", "number", 2),
)
"""What stands beside a rate."""
_BESIDE = ("half_width", "low", "high")


def tables(section: Section) -> list[Table]:
    """The tables of a section: an overview, then one per task and language, then details."""
    result = [_overview(section)]
    if (gaps := section["gaps"]) is not None:
        result += [table(gaps) for table in (_languages, _apart)]
        result = [table for table in result if table.rows]
    for task, language, part in parts_of(section["tasks"]):
        result.append(_cells(task, language, part, str(section["k"])))
        if part.get("violations"):
            result.append(_violations(language, part))
        if part.get("variants"):
            result.append(_variants(map(Cell.of_json, part["variants"])))
        if part.get("memorized"):
            result.append(_memorized(part["memorized"]))
    return result


def many(sections: Mapping[str, Section], _: Mapping[str, pd.DataFrame]) -> list[Table]:
    """Many models by task: pass@k where it is known, else accuracy, in English."""
    numbers: dict[str, Row] = {}
    for model, section in sections.items():
        rates = numbers[model] = {}
        for task, language, part in parts_of(section["tasks"]):
            passed = part["pass_at"].get(str(section["k"]), part)
            for cell in part["cells"] if task == "unpuzzles" else ():
                rates[str(cell["params"].get("variant"))] = cell["accuracy"]
            if language == "en" and task != "unpuzzles":
                rates[task] = passed["accuracy"]
        present = [value for value in rates.values() if value is not None]
        rates["mean"] = sum(present) / len(present) if present else None
    tasks = dict.fromkeys(task for rates in numbers.values() for task in rates if task != "mean")
    return ranked(
        "simple_reasoning_models", "Simple reasoning: models by task", numbers,
        {name: _rate(name) for name in ("mean", *tasks)},
        "pass@k where all questions have k responses, else accuracy; UNPUZZLES by variant, as in "
        "tables 1 and 3. The mean is over the columns that a model has.",
    )  # fmt: skip


def _rate(name: str, *, signed: bool = False) -> Column:
    """Rates are fractions, as in the paper."""
    return Column(name, "number", 2, signed=signed)


def _floor(name: str) -> Column:
    return _rate(f"floor {name}")


def _floor_names(parts: Iterable[Row]) -> list[str]:
    """The shortcuts that any of some cells has."""
    names = {name for part in parts for name in part["floors"]}
    return [name for name in SHORTCUTS if name in names]


def _overview(section: Section) -> Table:
    attempts = str(section["k"])
    parts = parts_of(section["tasks"])
    floors = _floor_names(part for _, _, part in parts)
    rows = tuple(
        (
            task,
            language,
            part["questions"],
            part["responses"],
            part["accuracy"],
            *(part[name] for name in _BESIDE),
            part["pass_at"][attempts]["accuracy"] if attempts in part["pass_at"] else None,
            part["strict"],
            part["parsed"],
            part["statuses"]["truncated"],
            *(part["floors"].get(name) for name in floors),
        )
        for task, language, part in parts
    )
    return Table(
        "overview",
        "Simple reasoning",
        (
            *_WHERE,
            Column("questions", "count"),
            Column("responses", "count"),
            _rate("accuracy"),
            *_MEASURED,
            *map(_rate, (f"pass@{attempts}", "exact form", "parsed")),
            Column("truncated", "count"),
            *map(_floor, floors),
        ),
        rows,
        "Accuracy is the mean over questions of the share of right responses; the interval is "
        "Wilson's. The floor is what shortcuts without reasoning score on the same questions.",
    )


def _languages(gaps: Gaps) -> Table:
    """Each language against the baseline on the questions that both have."""
    rows = tuple(
        (
            task, language, cell.n, cell.accuracy, cell.difference, mark(cell) or None,
            cell.ci_low, cell.ci_high, *cell.discordant, cell.p_value,
        )
        for task, language, gap in cells_of(gaps["tasks"])
        if (difference := gap["difference"]) is not None
        for cell in (Cell.of_json(difference),)
    )  # fmt: skip
    base = gaps["baseline"]
    return Table(
        "languages",
        f"Simple reasoning: languages against {base}",
        (
            *_WHERE,
            Column("pairs", "count"),
            _rate("accuracy"),
            _rate(f"{base} ahead by", signed=True),
            Column("significant", after=" "),
            *_AHEAD,
            Column(f"only {base} right", "count"),
            Column("only the language right", "count"),
            Column("p", "p"),
        ),
        rows,
        "The same questions in two languages. Sizes weigh alike; ● significant at 5%. Intervals "
        "and p hold for all rows together.",
    )


def _apart(gaps: Gaps) -> Table:
    """Languages that were asked other questions than the baseline, such as counting."""
    rows = []
    for task, language, cell in cells_of(gaps["tasks"]):
        pooled = cell["pooled"]
        if pooled is None or cell["paired"] is not None:
            continue
        group, baseline_accuracy = pooled["k_l"] / pooled["n_l"], pooled["k_en"] / pooled["n_en"]
        rows.append(
            (task, language, pooled["n_l"], group, pooled["n_en"], baseline_accuracy,
             baseline_accuracy - group, pooled["low"], pooled["high"])
        )  # fmt: skip
    base = gaps["baseline"]
    return Table(
        "languages_unpaired",
        f"Simple reasoning: languages with other questions than {base}",
        (
            *_WHERE,
            Column("questions", "count"),
            _rate("accuracy"),
            Column(f"questions in {base}", "count"),
            _rate(f"accuracy in {base}"),
            _rate(f"{base} ahead by", signed=True),
            *_AHEAD,
        ),
        tuple(rows),
        "Each language has a text of its own, so the questions are not parallel: a "
        "difference may be one of the texts. The interval is the exact one of two independent "
        "shares at the levels that both have; there is no test.",
    )


def _cells(task: str, language: str, part: Row, k: str) -> Table:
    in_paper = published()["tasks"].get(task, _PLAIN_CELL)
    if language != "en":  # the paper has English only
        in_paper = _PLAIN_CELL
    models = list(dict.fromkeys(m for cell in in_paper["cells"] for m in cell["value"]))
    names, floors = _varied(part, in_paper), _floor_names(part["cells"])
    rows = []
    for cell in part["cells"]:
        params = cell["params"]
        passed = cell["pass_at"].get(k)
        best = passed if in_paper["metric"].startswith("pass@") and passed else cell
        fitting = (x for x in in_paper["cells"] if x["params"].items() <= params.items())
        paper: Row = next(fitting, {"value": {}, "half_width": {}})
        rows.append(
            (
                *(str(params.get(name, "")) for name in names),
                cell["questions"],
                f"pass@{k}" if best is passed else "accuracy",
                best["accuracy"],
                *(best[name] for name in _BESIDE),
                *(cell["floors"].get(name) for name in floors),
                *(paper[key].get(model) for model in models for key in ("value", "half_width")),
            )
        )
    legend = ", ".join(f"{x} = {published()['models'].get(x, x)}" for x in models)
    caption = (
        f"The columns after the floor are the paper's ({in_paper['source']}; "
        f"{in_paper['metric']} over {in_paper['n']} questions a cell): {legend}."
    )
    settings = [cell["params"] for cell in part["cells"]]
    if any(params.get("compeq_style") == "explicit" for params in settings):
        caption += " They were measured with the paper's wording of comparisons."
    if any(params.get("source", "wikitext") != "wikitext" for params in settings):
        caption += " They were measured on WikiText-2, the values here on another text."
    columns = (
        *map(Column, names),
        Column("questions", "count"),
        Column("measure"),
        _rate("value"),
        *_MEASURED,
        *map(_floor, floors),
        *(c for model in models for c in spread(model, "number", 2, sd="2s/√n")),
    )
    title = f"{TASKS[task].title if task in TASKS else task} ({language})"
    return Table(f"{task}_{language}", title, columns, tuple(rows), caption if models else "")


def _varied(part: Row, in_paper: Row) -> list[str]:
    """The parameters of the paper's cells and all others that vary."""
    fixed = {name for cell in in_paper["cells"] for name in cell["params"]}
    settings = pd.DataFrame([cell["params"] for cell in part["cells"]])
    counts = {name: settings[name].dropna().astype(str).nunique() for name in settings}
    return [name for name, count in counts.items() if name in fixed or count > 1]


def _violations(language: str, part: Row) -> Table:
    total = part["responses"]
    ordered = sorted(part["violations"].items(), key=lambda item: -item[1])
    return Table(
        f"travel_{language}_violations",
        f"Travel planning ({language}): first violated condition",
        (Column("condition"), Column("responses", "count"), _rate("share")),
        tuple((name, count, count / total) for name, count in ordered),
    )


def _memorized(rows: Sequence[Row]) -> Table:
    return Table(
        "unpuzzles_memorized",
        "UNPUZZLES: changed puzzles with the original's answer",
        (
            Column("variant"),
            Column("items", "count"),
            Column("answered so", "count"),
            _rate("share"),
            *interval("95% interval", "number", 2),
        ),
        tuple(tuple(row.values()) for row in rows),
        "Of items whose answers differ; Wilson's interval. The paper's people also counted "
        "corrupted steps before a right answer: xlgo judge --errors context_corruption.",
    )


def _variants(cells: Iterable[Cell]) -> Table:
    return Table(
        "unpuzzles_mcnemar",
        "UNPUZZLES: variants of the same items",
        (
            Column("first"),
            Column("second"),
            Column("items", "count"),
            _rate("accuracy first"),
            _rate("accuracy second"),
            Column("first only right", "count"),
            Column("second only right", "count"),
            Column("p", "p"),
        ),
        tuple(
            (cell.baseline, cell.other, cell.n, cell.baseline_accuracy, cell.accuracy,
             *cell.discordant, cell.p_value)
            for cell in cells
        ),
        "McNemar's exact two-sided test. Context-shifted texts were kept only if the model that "
        "wrote them could solve them, which favours them.",
    )  # fmt: skip
