"""Many models: the paper's tables 2, 3, 14 and 15, and figures 3, 4, 5, 6 and 9 to 12."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from ...core import mean
from ...family import Section
from ...table import Column, Table, listed
from ...views import ranked
from .names import CATEGORIES, HARD, MIXED_TASKS, STEPS, TRICK
from .results import QUESTIONS_A_RULE
from .summary import ALL, CATEGORY_TASKS, NO_RULE, OVERALL, subsets
from .tables import by_task

_TITLE = "KOR-Bench: models by "
_ASIDE = {STEPS: "cipher steps", "kor_puzzle": "puzzle", TRICK: "puzzle with its hint"}


def many(sections: Mapping[str, Section], answers: Mapping[str, pd.DataFrame]) -> list[Table]:
    """The tables of many models, ranked; models of two ways of asking are two models."""
    return [*_tables(sections), *_rounds(sections), *_subsets(answers)]


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


def _subsets(answers: Mapping[str, pd.DataFrame]) -> Iterator[Table]:
    """Figure 12 with several models, whose Gini coefficient it has."""
    frames = []
    for model, frame in answers.items():
        plain = frame.reset_index(drop=True)
        number = plain["question"].astype(str).str.extract(r"(\d+)$")[0]
        counts = plain["task"].isin(CATEGORY_TASKS) & plain["correct"].notna() & number.notna()
        plain, idx = plain[counts], number[counts]
        rule = (idx.astype(int) - 1) // QUESTIONS_A_RULE + 1
        category = plain["task"].map(CATEGORY_TASKS)
        more = {"model": model, "setting": "", "shots": "", "idx": idx, "rule_id": rule}
        frames.append(plain.assign(category=category, **more))
    rows = subsets(pd.concat(frames, ignore_index=True)) if len(frames) > 1 else []
    if rows:
        yield listed(
            "korbench_models_subsets", "KOR-Bench: how far a part of the questions would do",
            pd.DataFrame(rows),
            {"drawn": Column("drawn by"), "share": Column("share of questions", "share", 0),
             "error": Column("mean error", "share", 2),
             "deviation": Column("standard deviation", "share", 2),
             "gini": Column("Gini", "number", 3)},
            f"Layout of figure 12: 20 drawn subsets of each size, over {len(frames)} models.",
        )  # fmt: skip
