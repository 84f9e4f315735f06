"""From graded responses to the section of a score: one frame of numbers, and paired contrasts."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

import pandas as pd

from ...comparison.compare import Cell
from ...core import ACCURACY, STRICT, Record, common, signature
from ...family import Section
from ...views import Row, frame_of, measured, rows_of
from . import (
    CATEGORIES,
    CORRECTION,
    FORMAT_FAILURES,
    FRESH,
    MIXED_TASKS,
    PASS_RATES,
    REAL_LIFE,
    SCORES,
    STEPS,
    TRICK,
)

CATEGORY_TASKS: Mapping[str, str] = {f"kor_{category}": category for category in CATEGORIES}
NO_RULE = "_no_rule"
"""Behind the name of a task in a section: its questions were asked without their rules."""

OVERALL, ALL = "overall", "all"
KINDS = ("rule_id", "tag", "format")
"""What parts the questions of a category: their rule, its kind, and the form of their answer."""


MEASURES = (ACCURACY, *SCORES, FORMAT_FAILURES, STRICT, REAL_LIFE, *PASS_RATES)
_NAMES = [one.name for one in MEASURES]


def summarize(records: Sequence[Record], **_: Any) -> Section:
    """The section of this family.

    Args:
        records: graded responses. Several to one question share its ``instance_id``; each question
            weighs the same.

    Returns:
        Plain JSON types, shares as fractions: ``signature``, ``warnings`` and

        * ``measured``: rows with ``questions``, ``responses``, ``acc`` with its exact 95% interval
          ``low`` to ``high``, and by what (``by``) they part the answers: ``task`` (``overall``
          where all five categories are there, ``mean`` of the three mixed settings), ``rule_id``,
          ``tag`` and ``format`` within a category, ``type`` of cipher steps, ``fresh`` (released
          against fresh ciphers, by ``side`` and ``rule_id``) and ``round`` of a self-correction
          (by ``category``; ``unresolved`` questions before it, and the share ``corrected`` of
          these). Rows of tasks have ``score_default``, ``score_paper``, ``format_failure``,
          ``strict``, ``truncated``; ``real_life`` of counterfactual questions (lower is better),
          ``pass_rate`` of mixed ones. Questions without their rules are tasks of their own,
          ``kor_logic_no_rule`` and so on.
        * ``contrasts``: cells of the same questions asked in two ways (``about``: ``trick``, the
          puzzles with and without their hint, or a category with and without its rules).
    """
    every = _frame(records)
    about: Row = {"signature": _signature(records), "warnings": list(_warnings(every))}
    frame = every[~every["missing"]]
    if frame.empty:
        return {**about, "measured": [], "contrasts": []}
    answered = [record for record in records if not record.grade.is_missing]
    return {
        **about,
        "measured": rows_of(pd.concat([*_measured(frame), _rounds(answered)], ignore_index=True)),
        "contrasts": list(_contrasts(frame)),
    }


_BLANK = {
    **dict.fromkeys(("model", "shots", "category", "idx", *KINDS)),
    "setting": "",
    "type": "untyped",
    "rule_shown": True,
}


def _frame(records: Sequence[Record]) -> pd.DataFrame:
    frame = frame_of(records, MEASURES, _BLANK)
    frame["task"] += frame["rule_shown"].map({True: "", False: NO_RULE})
    return frame.assign(missing=[record.grade.is_missing for record in records])


def _measured(frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The rows of a section, without those of rounds."""
    tasks = measured(frame, ["task"], _NAMES, by="task")
    cut = frame["status"].eq("truncated").groupby(frame["task"]).sum()
    yield tasks.assign(truncated=tasks["task"].map(cut))
    for suffix in ("", NO_RULE):
        group = frame[frame["task"].isin([task + suffix for task in CATEGORY_TASKS])]
        if group["task"].nunique() == len(CATEGORY_TASKS):
            overall = measured(group, [], _NAMES, by="task", task=OVERALL + suffix)
            yield overall.assign(truncated=group["status"].eq("truncated").sum())
    mixed = tasks[tasks["task"].isin(MIXED_TASKS)]
    if len(mixed) == len(MIXED_TASKS):
        means = mixed[["acc", "pass_rate", "score_default", "score_paper"]].mean()
        yield pd.DataFrame([{"by": "task", "task": "mean", **means}])
    plain = frame[frame["task"].isin(CATEGORY_TASKS)]
    for kind in KINDS:
        yield measured(plain, ["category", kind], ["acc"], by=kind)
    yield measured(frame[frame["task"] == STEPS], ["type"], ["acc"], by="type")
    sides = {
        "released": frame[frame["task"] == "kor_cipher"],
        "fresh": frame[frame["task"] == FRESH],
    }
    if all(map(len, sides.values())):
        for side, group in sides.items():
            yield measured(group, [], ["acc"], by="fresh", side=side, rule_id=ALL)
            yield measured(group, ["rule_id"], ["acc"], by="fresh", side=side)


def _rounds(records: Sequence[Record]) -> pd.DataFrame:
    """Accuracy after each round, and the share of earlier errors that it corrected."""
    of_rounds = [record for record in records if "rounds" in record.grade.details]
    lengths = [
        max(len(record.grade.details["rounds"]), int(record.reference.get("rounds") or 0))
        for record in of_rounds
    ]
    rows = []
    for index, record in enumerate(of_rounds):
        verdicts = record.grade.details["rounds"]
        for number in range(1, max(lengths) + 1):
            was, right = any(verdicts[: number - 1]), any(verdicts[:number])
            row: Row = {"question": index, "round": number, "acc": float(right)}
            row |= {"unresolved": not was, "corrected": None if was else float(right)}
            rows += [row | {"category": x} for x in (ALL, str(record.reference.get("category")))]
    if not rows:
        return pd.DataFrame()
    frame = pd.DataFrame(rows)
    result = measured(frame, ["round", "category"], ["acc", "corrected"], by="round")
    unresolved = frame.groupby(["round", "category"])["unresolved"].sum()
    return result.join(unresolved, on=["round", "category"])


def _contrasts(frame: pd.DataFrame) -> Iterator[Row]:
    """The same questions asked in two ways; each counts once, by the majority of its responses.

    Ties count as wrong.
    """
    pairs = {"trick": (TRICK, "kor_puzzle")}
    pairs |= {category: (task, task + NO_RULE) for task, category in CATEGORY_TASKS.items()}
    answers = frame.fillna({"model": "", "shots": ""})
    right = answers.groupby(["task", "category", "idx", "shots", "model"], sort=False)["correct"]
    verdicts = right.mean().gt(0.5).unstack("task")
    for about, sides in pairs.items():
        common = verdicts.reindex(columns=list(sides)).dropna()
        if len(common):
            right_with, right_without = (common[side].astype(float) for side in sides)
            yield Cell.of(right_with, right_without, "with", "without", {"about": about}).as_json()


def _signature(records: Sequence[Record]) -> str:
    references = [record.reference for record in records]
    with_rules = {bool(reference.get("rule_shown", True)) for reference in references}
    needle = [{"needle": "yes" if x["needle"] else "no"} for x in references if "needle" in x]
    fields = {
        "family": "korbench",
        "tasks": ",".join(sorted({str(reference.get("task")) for reference in references})),
        "n": len(records),
        "revision": common(references, "revision"),
        "prompt": common(references, "prompt"),
        "mode": common([record.grade.details for record in records], "mode") or "default",
        "shots": common(references, "shots"),
        "rules": None if with_rules == {True} else "no" if with_rules == {False} else "mixed",
        "rounds": common(references, "rounds"),
        "feedback": common(references, "feedback"),
        "needle": common(needle, "needle"),
        "seed": common(references, "seed"),
        "math_verify": version("math-verify"),
    }
    return signature(fields)


def _warnings(frame: pd.DataFrame) -> Iterator[str]:
    for task, rows in frame.groupby("task", sort=False):
        if cut := int(rows["status"].eq("truncated").sum()):
            yield f"{task}: {cut} responses were truncated"
        if task == CORRECTION:
            yield f"{task}: the feedback to the model came from the reference"
            if missing := int(rows["missing"].sum()):
                yield (
                    f"{task}: {len(rows) - missing} of {len(rows)} questions: requests of the "
                    "others failed, and they are not counted"
                )
