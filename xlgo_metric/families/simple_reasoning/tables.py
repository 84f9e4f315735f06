"""Tables for people: each setting with the paper's numbers beside the measured ones."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from ...comparison.compare import Cell
from ...comparison.section import Gaps, cells_of, rows_of_cells
from ...family import Section
from ...table import Column, Table, interval, listed, spread
from ...views import Row, ranked
from .summary import parts_of, published
from .tasks import SHORTCUTS, TASKS

_PLAIN_CELL: Row = {"n": 20, "source": "", "metric": "accuracy", "cells": []}
_WHERE = {"task": Column("task"), "language": Column("language")}
_ACCURACY = Column("accuracy", "share", unit="%")
_AHEAD = interval("95% interval")
_BETWEEN = dict(zip(("low", "high"), interval("95% interval", "number", 2)))
_MEASURED = {"half_width": Column("± 2s/√n", "number", 2), **_BETWEEN}
"""What stands beside a rate."""


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


def _rate(name: str) -> Column:
    """Rates are fractions, as in the paper."""
    return Column(name, "number", 2)


def _floors(parts: Iterable[Row]) -> dict[str, Column]:
    """The columns of the shortcuts that any of some cells has."""
    names = {name for part in parts for name in part["floors"]}
    return {name: _rate(f"floor {name}") for name in SHORTCUTS if name in names}


def _overview(section: Section) -> Table:
    attempts = str(section["k"])
    rows = [
        {**part["floors"], **part["statuses"], **part, "task": task, "language": language,
         "passed": part["pass_at"].get(attempts, {}).get("accuracy")}
        for task, language, part in parts_of(section["tasks"])
    ]  # fmt: skip
    return listed(
        "overview",
        "Simple reasoning",
        rows,
        {
            **_WHERE,
            "questions": Column("questions", "count"),
            "responses": Column("responses", "count"),
            "accuracy": _rate("accuracy"),
            **_MEASURED,
            "passed": _rate(f"pass@{attempts}"),
            "strict": _rate("exact form"),
            "parsed": _rate("parsed"),
            "truncated": Column("truncated", "count"),
            **_floors(rows),
        },
        "Accuracy is the mean over questions of the share of right responses; the interval is "
        "Wilson's. The floor is what shortcuts without reasoning score on the same questions.",
    )


def _languages(gaps: Gaps) -> Table:
    """Each language against the baseline on the questions that both have."""
    base = gaps["baseline"]
    differences = (gap["difference"] for *_, gap in cells_of(gaps["tasks"]))
    return listed(
        "languages",
        f"Simple reasoning: languages against {base}",
        rows_of_cells(map(Cell.of_json, filter(None, differences))),
        {
            "task": Column("task"),
            "other": Column("language"),
            "n": Column("pairs", "count"),
            "accuracy": _ACCURACY,
            "difference": Column(f"{base} ahead by", "difference"),
            "mark": Column("significant", after=" "),
            **dict(zip(("ci_low", "ci_high"), _AHEAD)),
            "only_baseline": Column(f"only {base} right", "count"),
            "only_other": Column("only the language right", "count"),
            "p_value": Column("p", "p"),
        },
        "The same questions in two languages. Sizes weigh alike; ● significant at 5%. Intervals "
        "and p hold for all rows together.",
    )


def _apart(gaps: Gaps) -> Table:
    """Languages that were asked other questions than the baseline, such as counting."""
    base = gaps["baseline"]
    rows = (
        {**pooled, "task": task, "language": language, "accuracy": pooled["k_l"] / pooled["n_l"],
         "baseline": pooled["k_en"] / pooled["n_en"],
         "ahead": pooled["k_en"] / pooled["n_en"] - pooled["k_l"] / pooled["n_l"]}
        for task, language, cell in cells_of(gaps["tasks"])
        if (pooled := cell["pooled"]) is not None and cell["paired"] is None
    )  # fmt: skip
    return listed(
        "languages_unpaired",
        f"Simple reasoning: languages with other questions than {base}",
        rows,
        {
            **_WHERE,
            "n_l": Column("questions", "count"),
            "accuracy": _ACCURACY,
            "n_en": Column(f"questions in {base}", "count"),
            "baseline": Column(f"accuracy in {base}", "share", unit="%"),
            "ahead": Column(f"{base} ahead by", "difference"),
            **dict(zip(("low", "high"), _AHEAD)),
        },
        "Each language has a text of its own, so the questions are not parallel: a "
        "difference may be one of the texts. The interval is the exact one of two independent "
        "shares at the levels that both have; there is no test.",
    )


def _cells(task: str, language: str, part: Row, k: str) -> Table:
    in_paper = published()["tasks"].get(task, _PLAIN_CELL)
    if language != "en":  # the paper has English only
        in_paper = _PLAIN_CELL
    models = list(dict.fromkeys(m for cell in in_paper["cells"] for m in cell["value"]))
    names = _varied(part, in_paper)
    rows = []
    for cell in part["cells"]:
        params = cell["params"]
        passed = cell["pass_at"].get(k)
        best = passed if in_paper["metric"].startswith("pass@") and passed else cell
        fitting = (x for x in in_paper["cells"] if x["params"].items() <= params.items())
        paper: Row = next(fitting, {"value": {}, "half_width": {}})
        rows.append(
            {
                **{name: str(params.get(name, "")) for name in names},
                **cell["floors"],
                "questions": cell["questions"],
                "measure": f"pass@{k}" if best is passed else "accuracy",
                **{name: best[name] for name in ("accuracy", *_MEASURED)},
                **{f"{x} value": paper["value"].get(x) for x in models},
                **{f"{x} half_width": paper["half_width"].get(x) for x in models},
            }
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
    heads = {
        **{name: Column(name) for name in names},
        "questions": Column("questions", "count"),
        "measure": Column("measure"),
        "accuracy": _rate("value"),
        **_MEASURED,
        **_floors(part["cells"]),
    }
    for x in models:
        heads |= dict(zip((f"{x} value", f"{x} half_width"), spread(x, "number", 2, sd="2s/√n")))
    title = f"{TASKS[task].title if task in TASKS else task} ({language})"
    return listed(f"{task}_{language}", title, rows, heads, caption if models else "")


def _varied(part: Row, in_paper: Row) -> list[str]:
    """The parameters of the paper's cells and all others that vary."""
    fixed = {name for cell in in_paper["cells"] for name in cell["params"]}
    settings = pd.DataFrame([cell["params"] for cell in part["cells"]])
    counts = {name: settings[name].dropna().astype(str).nunique() for name in settings}
    return [name for name, count in counts.items() if name in fixed or count > 1]


def _violations(language: str, part: Row) -> Table:
    counts = sorted(part["violations"].items(), key=lambda item: -item[1])
    return listed(
        f"travel_{language}_violations",
        f"Travel planning ({language}): first violated condition",
        ({"name": name, "n": n, "share": n / part["responses"]} for name, n in counts),
        {"name": Column("condition"), "n": Column("responses", "count"), "share": _rate("share")},
    )


def _memorized(rows: Sequence[Row]) -> Table:
    return listed(
        "unpuzzles_memorized",
        "UNPUZZLES: changed puzzles with the original's answer",
        rows,
        {
            "variant": Column("variant"),
            "items": Column("items", "count"),
            "answered": Column("answered so", "count"),
            "share": _rate("share"),
            **_BETWEEN,
        },
        "Of items whose answers differ; Wilson's interval. The paper's people also counted "
        "corrupted steps before a right answer: xlgo judge --errors context_corruption.",
    )


def _variants(cells: Iterable[Cell]) -> Table:
    return listed(
        "unpuzzles_mcnemar",
        "UNPUZZLES: variants of the same items",
        rows_of_cells(cells),
        {
            "baseline": Column("first"),
            "other": Column("second"),
            "n": Column("items", "count"),
            "baseline_accuracy": _rate("accuracy first"),
            "accuracy": _rate("accuracy second"),
            "only_baseline": Column("first only right", "count"),
            "only_other": Column("second only right", "count"),
            "p_value": Column("p", "p"),
        },
        "McNemar's exact two-sided test. Context-shifted texts were kept only if the model that "
        "wrote them could solve them, which favours them.",
    )
