"""Sentences that need no curve, on data of known truth: causes, families, models.

Each kind of data makes answers with known chances, asks the code that prints for its sentences and
says which of them are false. ``benchmarks/sentences.py`` counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.special import ndtri

from xlgo_cli.display.formats import Statement
from xlgo_cli.leaderboard import page as board_page
from xlgo_cli.page.comparison import findings as compare_findings
from xlgo_cli.page.findings import by_language
from xlgo_metric.comparison import AnswerTable, Cell, compare, draft, gap_drafts, settle
from xlgo_metric.comparison.table import Answer

ALIKE = 0.5
Chances = Mapping[str, float]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Judged = list[tuple[str, bool | None]]
"""Kinds of sentences, and whether each is true; ``None`` where it asserts nothing."""


def answers(rng: np.random.Generator, chances: Chances, n: int) -> dict[str, Bools]:
    """Correct answers to n questions, those to one question correlated at ``ALIKE``."""
    common = rng.standard_normal(n)
    return {
        name: np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * rng.standard_normal(n)
        < ndtri(np.clip(p, 1e-9, 1 - 1e-9))
        for name, p in chances.items()
    }


@dataclass(frozen=True)
class Scenario:
    """Known chances of correct answers, and the kind of sentences they are about."""

    kind: str
    chances: Mapping[str, Chances]
    questions: int = 300

    def judged(self, seed: int) -> Judged:
        """What one data set leads to."""
        rng = np.random.default_rng([seed, 281])
        return KINDS[self.kind](rng, self.chances, self.questions)


def _parts(told: list[tuple[str, Statement]]) -> list[tuple[str, dict[str, Any]]]:
    return [part for _, text in told if isinstance(text, Statement) for part in text.parts]


def _family(rng: np.random.Generator, chances: Mapping[str, Chances], n: int) -> Judged:
    """Languages of a family without curves, or of parallel benchmarks, by task."""
    drafts = []
    for task, by_code in chances.items():
        right = answers(rng, by_code, n)
        names = [f"{task} {i}" for i in range(n)]
        drafts += [
            draft({"en": right["en"], code: right[code]}, {"task": task}, cluster=names)
            for code in by_code
            if code != "en"
        ]
    gaps = settle(drafts)
    told = by_language({"baseline": "en", "cells": [gap.as_json() for gap in gaps]})
    claimed = [gap for gap in gaps if gap.is_significant]
    true = all(
        (gap.difference > 0) == (_true(chances, gap) > 0) and _true(chances, gap) for gap in claimed
    )
    found: Judged = []
    for kind, fields in _parts(told):
        if kind == "gap.difference":
            found.append((kind, _difference(chances, fields)))
        else:
            found.append((kind, bool(true) if kind == "pairs.behind" else None))
    return found


def _difference(chances: Mapping[str, Chances], fields: Mapping[str, Any]) -> bool:
    """Whether the true difference lies in the interval that was printed."""
    task, code = fields["where"]
    if fields["limits"] is None:
        return True
    low, high = fields["limits"]
    return bool(low <= chances[task]["en"] - chances[task][code] <= high)


def _true(chances: Mapping[str, Chances], gap: Cell) -> float:
    return chances[gap.task]["en"] - chances[gap.task][gap.other]


def _compare(rng: np.random.Generator, chances: Mapping[str, Chances], n: int) -> Judged:
    """Two models, by task and language; names of the chances are ``a`` and ``b``."""
    rows = []
    for task, by_model in chances.items():
        for name, right in answers(rng, by_model, n).items():
            rows += [_answer(task, name, i, bool(one)) for i, one in enumerate(right)]
    table = AnswerTable.of_answers(rows)
    pairs = compare(table, "model").cells
    (overall,) = compare(table, "model", within=()).cells
    gain = float(np.mean([of["b"] - of["a"] for of in chances.values()]))
    true = all(
        (-pair.difference) * (chances[pair.task]["b"] - chances[pair.task]["a"]) > 0
        for pair in pairs
        if pair.is_significant
    )
    run = SimpleNamespace(baseline="en")
    found = SimpleNamespace(
        names=("a", "b"), pairs=pairs, overall=overall, gaps=(), runs=(run, run)
    )
    told: Judged = []
    for kind, fields in _parts(compare_findings(found)):  # type: ignore[arg-type]
        held: bool | None = None
        if kind == "compare.better":
            held = true
        elif kind == "compare.overall":
            size = gain if fields["name"] == "b" else -gain
            held = bool(size > 1e-9 and fields["limits"][0] <= size <= fields["limits"][1])
        told.append((kind, held))
    return told


def _gaps(rng: np.random.Generator, chances: Mapping[str, Chances], n: int) -> Judged:
    """Whether gaps differ between two models, or runs; chances by model and language."""
    both = {(model, code): p for model, of in chances.items() for code, p in of.items()}
    made = answers(rng, {f"{m} {code}": p for (m, code), p in both.items()}, n)
    rows = [
        _answer("t", model, i, bool(one))._replace(language=code)
        for model, code in both
        for i, one in enumerate(made[f"{model} {code}"])
    ]
    table = AnswerTable.of_answers(rows)
    (overall,) = compare(table, "model", within=()).cells
    run = SimpleNamespace(baseline="en")
    cells = settle(gap_drafts(table, "model", "en"))
    found = SimpleNamespace(
        names=tuple(chances), pairs=(), overall=overall, gaps=cells, runs=(run, run)
    )
    parts = _parts(compare_findings(found))  # type: ignore[arg-type]
    told: Judged = []
    for kind, fields in parts:
        held: bool | None = None
        if kind == "compare.gap":
            a, b = (of["en"] - of[fields["code"]] for of in chances.values())
            low, high = fields["limits"]
            held = bool(
                (b - a if fields["more"] == "larger" else a - b) > 1e-9 and low <= b - a <= high
            )
        told.append((kind, held))
    return told


def _answer(task: str, model: str, index: int, right: bool) -> Answer:
    return Answer(
        family="xlgobench", task=task, language="en", condition="plain", level=None,
        complexity=None, question=str(index), cluster=f"{task} {index}", repeat=0, run="",
        model=model, design="fixed", split="test", seed=0, wording="paper", status="correct",
        strict=right, in_form=right, correct=right, measures={}, record=None,
    )  # fmt: skip


def _board(rng: np.random.Generator, chances: Mapping[str, Chances], n: int) -> Judged:
    """Several models, each in English and other languages; chances by model and language."""
    codes = list(next(iter(chances.values())))
    both = {f"{model} {code}": p for model, of in chances.items() for code, p in of.items()}
    made = answers(rng, both, n)
    names = list(chances)
    right = {m: np.concatenate([made[f"{m} {code}"] for code in codes]) for m in names}
    names = sorted(names, key=lambda m: (-int(right[m].sum()), m))
    rows = [
        _answer(code, name, i, bool(one))._replace(cluster=str(i))
        for name in names
        for code in codes
        for i, one in enumerate(made[f"{name} {code}"])
    ]
    table = AnswerTable.of_answers(rows)
    ranks = compare(table, "model", within=(), ranked=True).ranks()
    asked = AnswerTable(table.frame.assign(language=table.frame["task"], task="t"))
    cells = compare(asked, "language", "en", within=("model",)).cells
    differences = {(names.index(cell.where["model"]), cell.other): cell for cell in cells}
    gaps = {(place, "toy", "t", code): cell for (place, code), cell in differences.items()}
    board = SimpleNamespace(
        entries=[SimpleNamespace(name=name) for name in names],
        ranks=tuple(ranks.values()),
        accuracy=tuple(right[name].mean() for name in names),
        field=SimpleNamespace(common=range(n), left_out=()),
        differences=differences,
        gaps=gaps,
        languages=dict.fromkeys(codes),
        base="English",
        baseline="en",
    )
    mean = {name: float(np.mean(list(chances[name].values()))) for name in names}
    found: Judged = []
    for kind, fields in _parts(board_page.findings(board)):  # type: ignore[arg-type]
        held: bool | None = None
        if kind == "board.best":
            held = mean[names[0]] > max(mean[name] for name in names[1:]) + 1e-9
        elif kind == "board.behind":
            truly = sum(chances[m]["en"] > chances[m][fields["codes"][0]] + 1e-9 for m in names)
            held = fields["number"] <= truly
        elif kind == "board.standings":
            true = {
                key: chances[names[key[0]]]["en"] - chances[names[key[0]]][key[1]]
                for key in fields["stands"]
            }
            held = all(_stands(said, true[key]) for key, said in fields["stands"].items())
        found.append((kind, held))
    return found


def _stands(said: str, true: float) -> bool:
    signs = {"behind": true > 1e-9, "ahead": true < -1e-9, "equal": abs(true) <= 0.05}
    return signs.get(said, True)


KINDS: dict[str, Callable[[np.random.Generator, Mapping[str, Chances], int], Judged]] = {
    "family": _family,
    "compare": _compare,
    "board": _board,
    "gaps": _gaps,
}

_EVEN = {"en": 0.6, "hi": 0.6, "ar": 0.6, "zh": 0.6}
_ONE = {"en": 0.6, "hi": 0.4, "ar": 0.6, "zh": 0.6}
SCENARIOS = {
    "family, no gap": Scenario("family", {"t1": _EVEN, "t2": _EVEN}),
    "family, one behind": Scenario("family", {"t1": _ONE, "t2": _EVEN}),
    "two models alike": Scenario("compare", {f"t{i}": {"a": 0.6, "b": 0.6} for i in range(6)}),
    "two models": Scenario("compare", {"t0": {"a": 0.4, "b": 0.6},
                                       **{f"t{i}": {"a": 0.6, "b": 0.6} for i in range(1, 6)}}),
    "models alike": Scenario("board", {f"m{i}": _EVEN for i in range(4)}),
    "models near the margin": Scenario("board", {f"m{i}": {"en": 0.6, "hi": 0.549, "ar": 0.6}
                                                 for i in range(4)}, questions=3000),
    "one model best": Scenario("board", {"m0": dict.fromkeys(_EVEN, 0.75), "m1": _ONE,
                                         "m2": _EVEN, "m3": _EVEN}),
    "gaps alike, models unlike": Scenario("gaps", {
        "a": {"en": 0.95, "hi": 0.75, "ar": 0.75, "zh": 0.75},
        "b": {"en": 0.5, "hi": 0.3, "ar": 0.3, "zh": 0.3},
    }),
    "gaps apart": Scenario("gaps", {
        "a": {"en": 0.8, "hi": 0.4, "ar": 0.8, "zh": 0.8},
        "b": dict.fromkeys(_EVEN, 0.8),
    }),
}  # fmt: skip
MUST = {
    ("family, one behind", "pairs.behind"): 0.9,
    ("family, one behind", "gap.difference"): 0.9,
    ("two models", "compare.better"): 0.9,
    ("one model best", "board.best"): 0.9,
    ("models near the margin", "board.standings"): 0.9,
    ("gaps apart", "compare.gap"): 0.9,
}
