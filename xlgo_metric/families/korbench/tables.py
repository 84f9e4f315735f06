"""Layouts of the frame, as the paper prints them, and the main results in sentences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from ...comparison.compare import Cell
from ...comparison.section import rows_of_cells
from ...core import ACCURACY, STRICT
from ...family import Section, Told
from ...table import Column, Table, columns, interval, listed, percent, points
from ...views import Row
from . import (
    CATEGORIES,
    CORRECTION,
    FORMAT_FAILURES,
    FRESH,
    HARD,
    MIXED_TASKS,
    PASS_RATES,
    REAL_LIFE,
    SCORES,
    STEPS,
    TRICK,
)
from .summary import ALL, CATEGORY_TASKS, KINDS, NO_RULE, OVERALL

_QUESTIONS = Column("questions", "count")
_BETWEEN = dict(zip(("low", "high"), interval("95% interval", "share")))
_SHARES = {
    one.name: replace(one.shown, digits=2)
    for one in (ACCURACY, *SCORES, FORMAT_FAILURES, STRICT, REAL_LIFE, *PASS_RATES)
}
_ACCURACY = {"acc": _SHARES["acc"], **_BETWEEN}
_CONTRAST = {
    "n": _QUESTIONS,
    **dict(zip(("accuracy", "baseline_accuracy"), columns("share", "without", "with", digits=2))),
    **dict(zip(("only_other", "only_baseline"), columns("count", "only without", "only with"))),
    "difference": Column("difference", "difference", 2),
    **dict(zip(("ci_low", "ci_high"), interval("95% interval", "difference"))),
    "p_value": Column("p", "p"),
}
_KINDS = dict(zip(KINDS, ("rule", "kind of rule", "format of the answer")))


def tables(section: Section) -> list[Table]:
    """The tables of a section, only those for which it has numbers."""
    result = pd.DataFrame(section["measured"])
    every = () if result.empty else _tables(section, result)
    return [table for table in every if table.rows]


def _tables(section: Section, result: pd.DataFrame) -> Iterator[Table]:
    tasks = result[result["by"] == "task"]
    yield listed(
        "korbench", "KOR-Bench", tasks[~tasks["task"].isin(["mean", OVERALL + NO_RULE])],
        {"task": Column("task"), "questions": _QUESTIONS, "responses": Column("responses", "count"),
         **_ACCURACY,
         **{x.name: _SHARES[x.name] for x in (*SCORES, FORMAT_FAILURES, STRICT)},
         "truncated": Column("truncated", "count")},
        "Percent, with exact intervals over questions. The columns default and paper are the "
        "accuracies under this package's and the published grading. Overall is the accuracy over "
        "all questions, as in the paper.",
    )  # fmt: skip
    for suffix in ("", NO_RULE):
        if tasks["task"].isin([task + suffix for task in CATEGORY_TASKS]).any():
            yield _categories(tasks.set_index("task"), suffix)
    yield listed(
        "korbench_mixed", "KOR-Bench, several rules and questions at once",
        _in_order(tasks, "task", (*MIXED_TASKS, HARD, "mean")),
        {"task": Column("setting"), "questions": Column("rows", "count"), **_ACCURACY,
         "pass_rate": _SHARES["pass_rate"],
         "score_paper": Column("accuracy, paper", "share", 2),
         "pass_rate_paper": _SHARES["pass_rate_paper"],
         "format_failure": Column("unreadable", "share", 2)},
        "A row is right if all of its questions are; the pass rate is the mean share of right "
        "questions in a row. The mean is that of the paper's three settings.",
    )  # fmt: skip
    steps = result[result["by"] == "type"]
    wrong = steps.assign(error=1 - steps["acc"], low=1 - steps["high"], high=1 - steps["low"])
    yield listed(
        "korbench_steps", "KOR-Bench, cipher steps: error rate by type",
        wrong.sort_values(["questions", "type"], ascending=[False, True]),
        {"type": Column("type"), "questions": Column("steps", "count"),
         "error": Column("error rate", "share", 2), **_BETWEEN},
        "Published grading cannot accept a grid of cells, so its error rates of grids are "
        "higher.",
    )  # fmt: skip
    for name, layout in (("round", _rounds), ("fresh", _fresh)):
        if len(rows := result[result["by"] == name]):
            yield layout(rows)
    for kind in KINDS:
        name = kind.removesuffix("_id")
        yield listed(
            f"korbench_by_{name}", f"KOR-Bench by {_KINDS[kind]}",
            _in_order(result[result["by"] == kind], "category", CATEGORIES),
            {"category": Column("category"), kind: Column(name), "questions": _QUESTIONS,
             **_ACCURACY},
            "Exact intervals over questions; ten questions say little about one rule.",
        )  # fmt: skip
    contrasts = rows_of_cells(map(Cell.of_json, section["contrasts"]))
    yield listed(
        "korbench_trick", "KOR-Bench puzzles without and with their hint",
        [row for row in contrasts if row["about"] == "trick"], _CONTRAST,
        "The same puzzles; exact interval of the difference and exact sign test.",
    )  # fmt: skip
    yield listed(
        "korbench_rules", "KOR-Bench without and with the rules",
        [row for row in contrasts if row["about"] != "trick"],
        {"about": Column("category"), **_CONTRAST},
        "The same questions. Without its rule a question is answered from knowledge alone: "
        "where the difference is small, the rule was known or did not help.",
    )  # fmt: skip


def _in_order(rows: pd.DataFrame, key: str, names: Sequence[str]) -> pd.DataFrame:
    """The rows of these names, in their order."""
    of_names = rows[rows[key].isin(names)] if key in rows else rows.head(0)
    return of_names.sort_values(key, key=lambda x: x.map(names.index), kind="stable")


def _categories(tasks: pd.DataFrame, suffix: str) -> Table:
    """One line as in the paper's main table: overall, the categories, the real-life rate.

    With the suffix of questions without rules it is that of the paper's tables 14 and 15.
    """
    names = [OVERALL + suffix, *(task + suffix for task in CATEGORY_TASKS)]
    accuracy = tasks["acc"].reindex(names).set_axis([OVERALL, *CATEGORIES])
    real = tasks["real_life"].reindex([f"kor_counterfactual{suffix}"])
    heads = dict(zip((OVERALL, *CATEGORIES), columns("share", OVERALL, *CATEGORIES, digits=2)))
    return listed(
        f"korbench_categories{suffix}",
        "KOR-Bench by category" + (", without the rules" if suffix else ""),
        [{**accuracy, "real": real.iloc[0]}],
        {**heads, "real": REAL_LIFE.shown},
        "Real-life answers: the share of counterfactual questions that were answered as in real "
        "life and not by the rule; lower is better.",
    )


def _columns_by(rows: pd.DataFrame, index: str, key: str, names: Sequence[str]) -> pd.DataFrame:
    """The columns ``names`` for each value of a key, by index, as ``<value> <name>``."""
    result = rows.pivot(index=index, columns=key, values=list(names))
    return result.set_axis([f"{value} {name}" for name, value in result.columns], axis=1)


def _rounds(rounds: pd.DataFrame) -> Table:
    names = [name for name in CATEGORIES if name in set(rounds["category"])]
    by_category = _columns_by(rounds, "round", "category", ("acc", "corrected"))
    share = {f"{name} acc": Column(name, "share", 2) for name in names}
    share |= {f"{name} corrected": Column(f"{name} corrected", "share", 2) for name in names}
    return listed(
        "korbench_rounds", "KOR-Bench, self-correction with oracle feedback",
        rounds[rounds["category"] == ALL].join(by_category, on="round"),
        {"round": Column("after round", "count"), **_ACCURACY,
         "unresolved": Column("unresolved before", "count"),
         "corrected": Column("corrected", "share", 2), **share},
        "The model is told when an answer is wrong, by the reference. Corrected: the share of the "
        "questions unresolved before a round that it put right.",
    )  # fmt: skip


def _fresh(fresh: pd.DataFrame) -> Table:
    """Released beside fresh cipher questions, in all and for each rule that both have."""
    numbers = ("questions", "acc", "low", "high")
    result = _columns_by(fresh, "rule_id", "side", numbers).dropna()
    order = sorted(result.index, key=lambda rule: (rule != ALL, len(rule), rule))
    heads = {"rule_id": Column("rule")}
    for name in ("released", "fresh"):
        ends = interval(f"{name} 95%", "share")
        heads_of_side = (Column(name, "count"), Column(f"{name} accuracy", "share", 2), *ends)
        heads |= {f"{name} {key}": column for key, column in zip(numbers, heads_of_side)}
    apart = result["fresh acc"] - result["released acc"]
    return listed(
        "korbench_fresh",
        "KOR-Bench ciphers: released against fresh questions",
        result.assign(apart=apart).loc[order].reset_index(),
        {**heads, "apart": Column("difference", "difference", 2)},
        "The same rules with new text. A model that does better on the released questions may know "
        "them.",
    )


_MANY = 0.5  # share of unparsable responses
_NAMES = {
    **CATEGORY_TASKS,
    TRICK: "puzzle with its hint",
    "kor_multi_q": "several questions of one rule",
    "kor_multi_r": "one question among several rules",
    "kor_multi_rq": "several rules and questions",
    HARD: "many rules and questions",
    STEPS: "cipher steps",
    CORRECTION: "self-correction",
    FRESH: "fresh ciphers",
}


def by_task(section: Section) -> dict[str, Row]:
    """The rows of tasks; questions without their rules are tasks of their own."""
    rows = {row["task"]: row for row in section["measured"] if row["by"] == "task"}
    return {task: row for task, row in rows.items() if task != "mean"}


def headline(section: Section) -> dict[str, float]:
    """The overall accuracy, if there is one, and the accuracy of each task."""
    rows = by_task(section)
    result = {"kor_accuracy": rows[OVERALL]["acc"]} if OVERALL in rows else {}
    return result | {f"{task}_accuracy": rows[task]["acc"] for task in _task_names(rows)}


def findings(section: Section) -> list[Told]:
    """One sentence for each group of tasks."""
    tasks = by_task(section)
    overall = f"Overall {_percent(tasks[OVERALL])}: " if OVERALL in tasks else "Correct: "
    groups: tuple[tuple[str, Iterable[str]], ...] = (
        (overall, CATEGORY_TASKS),
        ("Without the rules: ", [task + NO_RULE for task in CATEGORY_TASKS]),
        ("Several rules or questions at once: ", (*MIXED_TASKS, HARD)),
        ("", (STEPS, FRESH)),
    )
    texts = [f"{start}{text}." for start, names in groups if (text := _listed(tasks, names))]
    if CORRECTION in tasks:
        first = [_percent(row) for row in section["measured"] if row.get("round") == 1][:1]
        rounds = [_percent(tasks[CORRECTION]), *(f"{share} in the first round" for share in first)]
        texts.append(f"Self-correction (with feedback from the reference): {', '.join(rounds)}.")
    if TRICK in tasks:
        texts.append(_hinted(tasks[TRICK], section["contrasts"]))
    sentences = [("", text[0].upper() + text[1:]) for text in texts]
    unread = [name for name in _task_names(tasks) if tasks[name]["format_failure"] > _MANY]
    if unread:
        warning = f"More than half of the responses are unparsable: {', '.join(unread)}."
        sentences.append(("warn", warning))
    return sentences


def _task_names(tasks: Iterable[str]) -> list[str]:
    """The names without those of all categories together."""
    return [name for name in tasks if not name.startswith(OVERALL)]


def _percent(row: Row) -> str:
    return percent(row["acc"], 1)


def _listed(tasks: Mapping[str, Row], names: Iterable[str]) -> str:
    return ", ".join(
        f"{_NAMES[name.removesuffix(NO_RULE)]} {_percent(tasks[name])}"
        for name in names
        if name in tasks
    )


def _hinted(row: Row, contrasts: Iterable[Row]) -> str:
    cells = [
        Cell.of_json(contrast) for contrast in contrasts if contrast["where"]["about"] == "trick"
    ]
    if not cells:
        return f"Puzzles with their hint: {_percent(row)}."
    word = "significant" if cells[0].is_significant else "not significant"
    return (
        f"Puzzles with their hint: {_percent(row)}, {points(cells[0].difference)} points "
        f"on the {cells[0].n} puzzles asked both ways ({word}, sign test)."
    )
