"""Tables for people: each setting with the paper's numbers beside the measured ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import Table
from .baselines import NAMES
from .summary import published

_TITLES = {
    "word_count": "Word counting",
    "char_count": "Character counting",
    "logic_eval": "Logic evaluation",
    "logic_negation": "Logic negation",
    "proof_tree": "Proof trees",
    "irrelevant": "Proof trees with irrelevant information",
    "travel": "Travel planning",
    "unpuzzles": "UNPUZZLES",
}
_PLAIN_CELL = {"n": 20, "source": "", "metric": "accuracy", "cells": []}


def tables(section: Mapping[str, Any]) -> list[Table]:
    """The tables of a section: an overview, then one per task and language, then details."""
    found = [_overview(section)]
    if section["gaps"]:
        found += [table(section["gaps"]) for table in (_languages, _apart)]
        found = [table for table in found if table.rows]
    for task, entry in section["tasks"].items():
        for language, part in entry["languages"].items():
            found.append(_cells(task, language, part, str(section["k"])))
            if part.get("violations"):
                found.append(_violations(language, part))
            if part.get("mcnemar"):
                found.append(_mcnemar(part["mcnemar"]))
    return found


def _overview(section: Mapping[str, Any]) -> Table:
    k = str(section["k"])
    rows = []
    for task, entry in section["tasks"].items():
        for language, part in entry["languages"].items():
            rows.append(
                (
                    task,
                    language,
                    part["questions"],
                    part["responses"],
                    *_interval(part),
                    _number(part["pass_at"].get(k, {}).get("accuracy")),
                    _number(part["strict"]),
                    _number(part["parsed"]),
                    part["statuses"]["truncated"],
                    _floors(part),
                )
            )
    return Table(
        "overview",
        "Simple reasoning",
        ("task", "language", "questions", "responses", "accuracy", "± 2s/√n", "95% interval",
         f"pass@{k}", "strict", "parsed", "truncated", "floor"),
        tuple(rows),
        "Accuracy is the mean over questions of the share of right responses; the interval is "
        "Wilson's. The floor is what shortcuts without reasoning score on the same questions.",
    )  # fmt: skip


def _languages(gaps: Mapping[str, Any]) -> Table:
    """Each language against the baseline on the questions that both have."""
    rows = [
        (
            task,
            language,
            pair["n"],
            _number(cell["accuracy"]),
            f"{pair['estimate']:+.2f}",
            f"{pair['low']:+.2f} to {pair['high']:+.2f}",
            pair["first_only"],
            pair["second_only"],
            f"{pair['p']:.4f}",
            f"{pair['p_holm']:.4f}",
        )
        for task, entry in gaps["tasks"].items()
        for language, cell in entry["languages"].items()
        if (pair := cell["paired"]) is not None
    ]
    base = gaps["baseline"]
    return Table(
        "languages",
        f"Simple reasoning: languages against {base}",
        ("task", "language", "pairs", "accuracy", f"{base} ahead by", "95% interval",
         f"only {base} right", "only the language right", "p", "p (Holm)"),
        tuple(rows),
        "The same questions in two languages. McNemar's exact two-sided test, adjusted by Holm's "
        "method over all rows; the interval is the exact one of the paired difference.",
    )  # fmt: skip


def _apart(gaps: Mapping[str, Any]) -> Table:
    """Languages that were asked other questions than the baseline, such as counting."""
    rows = [
        (
            task,
            language,
            apart["n_l"],
            _number(apart["k_l"] / apart["n_l"]),
            apart["n_en"],
            _number(apart["k_en"] / apart["n_en"]),
            f"{apart['k_en'] / apart['n_en'] - apart['k_l'] / apart['n_l']:+.2f}",
            f"{apart['low']:+.2f} to {apart['high']:+.2f}",
        )
        for task, entry in gaps["tasks"].items()
        for language, cell in entry["languages"].items()
        if (apart := cell["pooled"]) is not None and cell["paired"] is None
    ]
    base = gaps["baseline"]
    return Table(
        "languages_unpaired",
        f"Simple reasoning: languages with other questions than {base}",
        ("task", "language", "questions", "accuracy", f"questions in {base}",
         f"accuracy in {base}", f"{base} ahead by", "95% interval"),
        tuple(rows),
        "Each language counts in a text of its own, so the questions are not parallel: a "
        "difference may be one of the texts. The interval is the exact one of two independent "
        "shares at the levels that both have; there is no test, and Holm's method leaves these "
        "rows out.",
    )  # fmt: skip


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _interval(part: Mapping[str, Any]) -> tuple[str, str, str]:
    if part["accuracy"] is None:
        return "", "", ""
    between = f"{part['low']:.2f}–{part['high']:.2f}"
    return _number(part["accuracy"]), _number(part["half_width"]), between


def _floors(part: Mapping[str, Any]) -> str:
    named = part["floors"]
    return ", ".join(f"{name} {named[name]:.2f}" for name in NAMES if name in named)


def _cells(task: str, language: str, part: Mapping[str, Any], k: str) -> Table:
    known = published()["tasks"].get(task, _PLAIN_CELL)
    if language != "en":  # the paper has English only
        known = _PLAIN_CELL
    models = list(dict.fromkeys(m for cell in known["cells"] for m in cell["value"]))
    names = _shown(part, known)
    rows = []
    for cell in part["cells"]:
        params = cell["params"]
        passed = cell["pass_at"].get(k)
        best = passed if known["metric"].startswith("pass@") and passed else cell
        paper = _published_cell(known, params)
        rows.append(
            (
                *(str(params.get(name, "")) for name in names),
                cell["questions"],
                f"pass@{k}" if best is passed else "accuracy",
                *_interval(best),
                _floors(cell),
                *(_paper(paper, model) for model in models),
            )
        )
    caption = ""
    if models:
        caption = (
            f"The columns after the floor are the paper's ({known['source']}; {known['metric']} "
            f"over {known['n']} questions a cell): {_legend(models)}."
        )
        settings = [cell["params"] for cell in part["cells"]]
        if any(params.get("compeq_style") == "explicit" for params in settings):
            caption += " They were measured with the paper's wording of comparisons."
        if any(params.get("source", "wikitext") != "wikitext" for params in settings):
            caption += " They were measured on WikiText-2, the values here on another text."
    return Table(
        f"{task}_{language}",
        f"{_TITLES.get(task, task)} ({language})",
        (*names, "questions", "measure", "value", "± 2s/√n", "95% interval", "floor", *models),
        tuple(rows),
        caption,
    )


def _shown(part: Mapping[str, Any], known: Mapping[str, Any]) -> list[str]:
    """The parameters of the paper's cells and all others that vary."""
    fixed = {name for cell in known["cells"] for name in cell["params"]}
    values: dict[str, set[str]] = {}
    for cell in part["cells"]:
        for name, value in cell["params"].items():
            values.setdefault(name, set()).add(str(value))
    return [name for name in values if name in fixed or len(values[name]) > 1]


def _published_cell(known: Mapping[str, Any], params: Mapping[str, Any]) -> Mapping[str, Any]:
    """The paper's cell for these parameters; empty if it has none."""
    for cell in known["cells"]:
        if all(params.get(name) == value for name, value in cell["params"].items()):
            found: Mapping[str, Any] = cell
            return found
    return {}


def _paper(cell: Mapping[str, Any], model: str) -> str:
    value = cell.get("value", {}).get(model)
    half = cell.get("half_width", {}).get(model)
    if value is None:
        return ""
    return f"{value:.2f}" if half is None else f"{value:.2f} ± {half:.2f}"


def _legend(models: list[str]) -> str:
    full = published()["models"]
    return ", ".join(f"{model} = {full.get(model, model)}" for model in models)


def _violations(language: str, part: Mapping[str, Any]) -> Table:
    total = part["responses"]
    ordered = sorted(part["violations"].items(), key=lambda item: -item[1])
    return Table(
        f"travel_{language}_violations",
        f"Travel planning ({language}): first violated condition",
        ("condition", "responses", "share"),
        tuple((name, count, f"{count / total:.2f}") for name, count in ordered),
    )


def _mcnemar(tests: list[Mapping[str, Any]]) -> Table:
    return Table(
        "unpuzzles_mcnemar",
        "UNPUZZLES: variants of the same items",
        ("first", "second", "items", "accuracy first", "accuracy second", "first only right",
         "second only right", "p"),
        tuple(
            (
                test["first"],
                test["second"],
                test["items"],
                _number(test["accuracy_first"]),
                _number(test["accuracy_second"]),
                test["first_only"],
                test["second_only"],
                f"{test['p']:.4f}",
            )
            for test in tests
        ),
        "McNemar's exact two-sided test. Context-shifted texts were kept only if the model that "
        "wrote them could solve them, which favours them.",
    )  # fmt: skip
