"""Many models: the paper's tables 2, 3, 14 and 15, and figures 3, 4, 5, 6 and 9 to 12."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from ...core import mean
from ...family import Section
from ...statistics.draws import Floats, Integers, Stream
from ...table import Column, Table, listed
from ...views import Row, ranked
from . import CATEGORIES, HARD, MIXED_TASKS, STEPS, TRICK
from .results import QUESTIONS_A_RULE
from .summary import ALL, CATEGORY_TASKS, NO_RULE, OVERALL
from .tables import by_task

SHARES: tuple[int, ...] = (10, 20, 30, 40, 50, 60, 70, 80, 90)
"""Per cent of the questions that a subset keeps."""
DRAWS = 20
"""Subsets that are drawn of each size."""
_TITLE = "KOR-Bench: models by "
_ASIDE = {STEPS: "cipher steps", "kor_puzzle": "puzzle", TRICK: "puzzle with its hint"}


def many(sections: Mapping[str, Section], answers: Mapping[str, pd.DataFrame]) -> list[Table]:
    """The tables of many models, ranked; models of two ways of asking are two models."""
    subset_table = listed(
        "korbench_models_subsets", "KOR-Bench: how far a part of the questions would do",
        subsets(answers) if len(answers) > 1 else (),
        {"drawn": Column("drawn by"), "share": Column("share of questions", "share", 0),
         "error": Column("mean error", "share", 2),
         "deviation": Column("standard deviation", "share", 2),
         "gini": Column("Gini", "number", 3)},
        f"Layout of figure 12: {DRAWS} drawn subsets of each size, over {len(answers)} models.",
    )  # fmt: skip
    every = (*_tables(sections), *_rounds(sections), subset_table)
    return [table for table in every if table.rows]


def _tables(sections: Mapping[str, Section]) -> Iterator[Table]:
    numbers = {model: _numbers(section) for model, section in sections.items()}
    for suffix in ("", NO_RULE):
        names = {OVERALL: OVERALL} | dict(CATEGORY_TASKS)
        heads = {f"{task}{suffix} acc": Column(name, "share", 2) for task, name in names.items()}
        real = {f"kor_counterfactual{suffix} real_life": Column("real-life answers", "share", 2)}
        yield from ranked(
            f"korbench_models{suffix}",
            f"{_TITLE}category{', without the rules' if suffix else ''}",
            numbers,
            heads | real,
            "Layout of the paper's tables 2, 14 and 15. Real-life answers, of counterfactual "
            "questions: lower is better; figures 5 and 6 plot them against the accuracy.",
        )
    heads = {"mean": Column("mean", "share", 2)}
    for task in (*MIXED_TASKS, HARD):
        heads[f"{task} acc"] = Column(task, "share", 2)
        heads[f"{task} pass_rate"] = Column(f"{task} pass rate", "share", 2)
    yield from ranked(
        "korbench_models_mixed", f"{_TITLE}mixed setting", numbers, heads,
        "Layout of the paper's table 3; the mean is over its three settings.",
    )  # fmt: skip
    further = (f"{STEPS} acc", f"{TRICK} acc")
    yield from ranked(
        "korbench_models_aside", f"{_TITLE}further task",
        {model: rates for model, rates in numbers.items() if {*further} & rates.keys()},
        {f"{task} acc": Column(name, "share", 2) for task, name in _ASIDE.items()},
        "Figures 3 (steps) and 9 (hints) of the paper.",
    )  # fmt: skip


def _numbers(section: Section) -> dict[str, float | None]:
    """The rates of each task, and the mean of the mixed ones."""
    names = ("acc", "pass_rate", "real_life")
    rows = by_task(section).items()
    rates = {f"{task} {name}": row.get(name) for task, row in rows for name in names}
    mixed = [rates.get(f"{task} acc") for task in MIXED_TASKS]
    present = [rate for rate in mixed if rate is not None]
    return rates | {"mean": mean(present) if len(present) == len(mixed) else None}


def _rounds(sections: Mapping[str, Section]) -> Iterator[Table]:
    """Accuracy after each round and the share corrected in it, by model."""
    rounds = {
        model: measured
        for model, section in sections.items()
        if (measured := [row for row in section["measured"] if row["by"] == "round"])
    }
    last = max((int(row["round"]) for measured in rounds.values() for row in measured), default=0)
    heads = {f"acc{n}": Column(f"after round {n}", "share", 2) for n in range(last, 0, -1)}
    heads |= {f"corrected{n}": Column(f"corrected in {n}", "share", 2) for n in range(2, last + 1)}
    numbers = {
        model: {
            f"{key}{int(row['round'])}": row[key]
            for row in measured
            if row["category"] == ALL
            for key in ("acc", "corrected")
        }
        for model, measured in rounds.items()
    }
    caption = "Figures 4 and 10 of the paper. Round 1 is the first answer, 2 its first correction."
    yield from ranked("korbench_models_rounds", f"{_TITLE}round", numbers, heads, caption)
    rows = [
        {**row, "model": model}
        for model, measured in rounds.items()
        for row in measured
        if row["unresolved"]
    ]
    if len(rounds) > 1:
        frame = pd.DataFrame(rows).astype({"round": int})
        frame["put_right"] = frame["corrected"] * frame["unresolved"]
        sums = frame.groupby(["category", "round"], sort=False)[["put_right", "unresolved"]].sum()
        shares = (
            (sums["put_right"] / sums["unresolved"]).unstack("round").reindex([*CATEGORIES, ALL])
        )
        yield listed(
            "korbench_corrections", "KOR-Bench: questions corrected in a round, over all models",
            shares.rename_axis("category").reset_index(),
            {"category": Column("category"),
             **{n: Column(f"round {n}", "share", 2) for n in shares.columns}},
            "Figure 11 of the paper: of the questions of all models unresolved before the round.",
        )  # fmt: skip


def subsets(answers: Mapping[str, pd.DataFrame]) -> list[Row]:
    """How far the overall accuracy of a part of the questions is from that of all.

    Args:
        answers: by model, those to the five categories with their rules among them; models that
            lack a category are left out.

    Returns:
        A row for each way of drawing (``rule``: the same share of the questions of each rule;
        ``category``: of each category) and each of ``SHARES``: ``error``, the mean over models and
        draws of the absolute difference; ``deviation``, the standard deviation of the difference;
        ``gini``, the mean over draws of the Gini coefficient of the models' accuracies (the
        paper's formula; ``None`` for one model).
    """
    complete = []
    for frame in answers.values():
        number = frame["question"].astype(str).str.extract(r"(?P<idx>\d+)$")["idx"]
        category = frame["task"].map(CATEGORY_TASKS)
        counts = frame["correct"].notna() & number.notna() & category.notna()
        right = frame["correct"][counts].groupby([category[counts], number[counts]]).mean() > 0.5
        if right.index.unique("task").size == len(CATEGORIES):
            complete.append(right)
    common = pd.concat(complete, axis=1, join="inner").sort_index() if complete else pd.DataFrame()
    if common.empty:
        return []
    category, number = (common.index.get_level_values(level) for level in ("task", "idx"))
    rule = category + number.map(lambda idx: f" {(int(idx) - 1) // QUESTIONS_A_RULE + 1}")
    right = common.to_numpy(dtype=np.float64).T
    return [
        {"drawn": drawn, "share": share / 100, **_errors(right, group, drawn, share)}
        for drawn, names in (("rule", rule), ("category", category))
        for group in [pd.factorize(names, sort=True)[0]]
        for share in SHARES
    ]


def _errors(right: Floats, group: Integers, drawn: str, share: int) -> Row:
    """The numbers of one size: of ``share`` per cent of each group."""
    stream = Stream("korbench subsets", drawn, share)
    kept = np.maximum(1, np.rint(np.bincount(group) * share / 100))
    scores = []
    for _ in range(DRAWS):
        order = pd.Series(np.argsort(stream.uniforms((len(group),)), kind="stable"))
        place = order.groupby(group[order]).cumcount()
        scores.append(right[:, order[place < kept[group[order]]]].mean(axis=1))
    off = np.array(scores) - right.mean(axis=1)
    return {
        "error": float(np.abs(off).mean()),
        "deviation": float(off.std()),
        "gini": float(np.mean([*map(gini, scores)])) if len(right) > 1 else None,
    }


def gini(values: Floats) -> float:
    """The Gini coefficient: half the mean absolute difference over the mean; 0 of all zeros.

    >>> round(gini(np.array([0.0, 1.0])), 3)
    0.5
    """
    mean = float(values.mean())
    if not mean:
        return 0.0
    differences = np.abs(values[:, None] - values[None, :]).sum()
    return float(differences / (2 * len(values) ** 2 * mean))
