"""From graded responses to the section of a score: cells, floors, curves and paired tests."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pandas as pd

from xlgo_metric.statistics.gaps import DRAWS

from ...comparison.compare import Cell
from ...comparison.levels import BASELINE, gaps_of
from ...core import MIXED, STATUSES, STRICT, Record, Reference, common, signature
from ...family import Section
from ...views import Row, frame_of, wilson
from .tasks import TASKS, part_of, shortcuts

VARIANTS = ("original", "unpuzzle", "context_shifted")


@cache
def published() -> Any:
    """The paper's tables: ``models``, ``tasks`` with ``cells`` by parameters, and others."""
    return json.loads(Path(__file__).with_name("published.json").read_text(encoding="utf-8"))


def summarize(
    records: Sequence[Record],
    *,
    k: int = 5,
    baseline: str = BASELINE,
    draws: int = DRAWS,
    seed: int = 0,
) -> Section:
    """The section of this family.

    Args:
        records: any number of responses to each question; those of one question share its
            ``instance_id`` and parameters. Options of other families are ignored.
        k: the k of pass@k, reported where every question has at least k responses.
        baseline, draws, seed: see ``comparison.levels``.

    Returns:
        Plain JSON types: ``signature``, ``tasks`` with ``languages`` and their ``cells`` (one per
        setting, averaged over what the paper averages over), ``gaps`` (see
        ``comparison.levels``), ``warnings``. Shares are fractions.
    """
    tasks: Row = {}
    for (task, language), group in _frame(records).groupby(["task", "language"], sort=False):
        languages = tasks.setdefault(str(task), {"languages": {}})["languages"]
        languages[str(language)] = _language(str(task), group, k)
    guessed = {name for name, task in TASKS.items() if task.options}
    gaps = gaps_of(records, baseline=baseline, draws=draws, seed=seed, guessed=guessed)
    return {
        "signature": _signature(records, k),
        "k": k,
        "tasks": tasks,
        "gaps": gaps,
        "warnings": _warnings(tasks) + (gaps["warnings"] if gaps else []),
    }


def _frame(records: Sequence[Record]) -> pd.DataFrame:
    """A row a response: its verdict, its question, and the setting that its question belongs to."""
    blank = {"language": "en", **dict.fromkeys(("variant", "item", "violation"))}
    frame = frame_of(records, (STRICT,), blank)
    references = [record.reference for record in records]
    averaged = [TASKS[task].averaged if task in TASKS else () for task in frame["task"]]
    settings = [
        {name: value for name, value in part_of(reference, "params").items() if name not in names}
        for reference, names in zip(references, averaged)
    ]
    identities = [[x.get("instance_id", n), x.get("params", {})] for n, x in enumerate(references)]
    waits = frame["status"].eq("needs_judge")
    question = pd.Series([json.dumps(identity, sort_keys=True) for identity in identities])
    return frame.assign(
        reference=references,
        setting=settings,
        cell=[json.dumps(setting, sort_keys=True) for setting in settings],
        question=question,
        waits=waits.groupby([frame["task"], frame["language"], question]).transform("any"),
        answer=[_folded(record.grade.answer) for record in records],
        gold=[_folded(part_of(reference, "answer").get("text")) for reference in references],
    )


def _folded(answer: object) -> str | None:
    """An answer in words or a number without case and spaces; ``None`` for any other."""
    return "".join(str(answer).casefold().split()) if isinstance(answer, str | int) else None


def _signature(records: Sequence[Record], k: int) -> str:
    references = [record.reference for record in records]
    tasks = ",".join(sorted({reference["task"] for reference in references}))
    data = ",".join(sorted({str(reference.get("data", "-")) for reference in references}))
    texts = sorted({str(reference.get("text", "paper")) for reference in references})
    fields = {
        "family": "simple_reasoning",
        "tasks": tasks,
        "n": len(records),
        "data": data,
        "text": None if texts == ["paper"] else MIXED.join(texts),
        "corrections": common(references, "corrections"),
        "settings": _digest_of_settings(references),
        "k": k,
        "seed": common(references, "seed"),
    }
    return signature(fields)


def _digest_of_settings(references: Sequence[Reference]) -> str | None:
    """Eight letters that differ where the parameters of the questions do; ``None`` without any."""
    settings = {
        json.dumps([reference["task"], reference["params"]], sort_keys=True)
        for reference in references
        if reference.get("params")
    }
    return sha256("\n".join(sorted(settings)).encode()).hexdigest()[:8] if settings else None


def _warnings(tasks: Row) -> list[str]:
    result = []
    for task, language, part in parts_of(tasks):
        cut = part["statuses"]["truncated"]
        if cut:
            result.append(f"{task} ({language}): {cut} responses were truncated")
        if part["needs_judge"]:
            result.append(
                f"{task} ({language}): {part['needs_judge']} questions of free form are left "
                "out of the accuracy, and none that agree with the known answer word for word: "
                "the accuracy is too high until a critic has judged them"
            )
    return result


def _language(task: str, group: pd.DataFrame, k: int) -> Row:
    cells = (cell for _, cell in group.groupby("cell", sort=False))
    blocks = [{"params": cell["setting"].iloc[-1], **_block(cell, k)} for cell in cells]
    part: Row = {**_block(group, k), "cells": blocks}
    if task == "travel":
        part["violations"] = dict(Counter(group["violation"].dropna()))
    if task == "unpuzzles":
        part["variants"] = _paired(group)
        part["memorized"] = _memorized(group)
    return part


def _block(group: pd.DataFrame, k: int) -> Row:
    """The numbers of a set of questions, from their responses."""
    groups = group.groupby("question", sort=False)
    questions = groups.agg(n=("correct", "size"), right=("correct", "sum"), waits=("waits", "any"))
    judged = questions[~questions["waits"]]
    passes = {}
    if len(judged) and k <= questions["n"].min():
        chances = [
            pass_at_k(int(n), int(right), k) for n, right, _ in judged.itertuples(index=False)
        ]
        passes[str(k)] = _measure(chances)
    counts = group["status"].value_counts()
    statuses = {status: int(counts.get(status, 0)) for status in STATUSES}
    below = [shortcuts(reference) for reference in groups["reference"].first()]
    names = dict.fromkeys(name for scores in below for name in scores)
    return {
        "questions": len(questions),
        "responses": len(group),
        "needs_judge": len(questions) - len(judged),
        **_measure((judged["right"] / judged["n"]).tolist()),
        "strict": float(group["strict"].mean()),
        "parsed": (statuses["correct"] + statuses["wrong"]) / len(group),
        "statuses": statuses,
        "pass_at": passes,
        "floors": {
            name: fmean([scores[name] for scores in below if name in scores]) for name in names
        },
    }


def _measure(values: Sequence[float]) -> dict[str, float | None]:
    """A mean over questions with the paper's half width and Wilson's interval."""
    if not values:
        return {"accuracy": None, "half_width": None, "low": None, "high": None}
    mean = fmean(values)
    low, high = wilson(mean, len(values))
    return {
        "accuracy": mean,
        "half_width": paper_half_width(values),
        "low": low,
        "high": high,
    }


def _paired(group: pd.DataFrame) -> list[Row]:
    """Cells of the variants of UNPUZZLES, on the items that both have.

    With several responses to a question its first one counts.
    """
    first = group[~group["waits"]].drop_duplicates("question").dropna(subset=["variant", "item"])
    answers = first.astype({"variant": str, "item": str})
    right = answers.groupby(["item", "variant"])["correct"].last().unstack("variant")
    cells = []
    for variant, second in combinations(VARIANTS, 2):
        verdicts = right.reindex(columns=[variant, second]).dropna().astype(float)
        if len(verdicts):
            cells.append(Cell.of(verdicts[variant], verdicts[second], variant, second).as_json())
    return cells


def _memorized(group: pd.DataFrame) -> list[Row]:
    """How often a changed puzzle was answered as the original: delirium by rule (section 5.1).

    Of items whose answers differ, where both variants were asked; by variant, with the first
    response to each. A response without an answer is not the original's.
    """
    first = group.drop_duplicates("question").dropna(subset=["variant", "item"])
    first = first[~(first["waits"] & first["answer"].isna())]  # nobody knows yet what it says
    golds = group[group["variant"] == "original"].drop_duplicates("item").set_index("item")["gold"]
    rows = []
    for variant, answers in first[first["variant"] != "original"].groupby("variant", sort=False):
        original = answers["item"].map(golds)
        differing = answers[original.notna() & (original != answers["gold"])]
        if len(differing):
            same = differing["answer"] == original[differing.index]
            low, high = wilson(float(same.mean()), len(same))
            rows.append({"variant": variant, "items": len(same), "answered": int(same.sum()),
                         "share": float(same.mean()), "low": low, "high": high})  # fmt: skip
    return rows


def pass_at_k(n: int, c: int, k: int) -> float:
    """The chance that one of ``k`` responses drawn from ``n``, of which ``c`` are right, is right.

    1 - C(n-c, k) / C(n, k), the unbiased estimate of pass@k from n >= k responses.

    Raises:
        ValueError: not 1 <= k <= n and 0 <= c <= n.
    """
    if not (1 <= k <= n and 0 <= c <= n):
        raise ValueError(f"pass@{k} of {n} responses with {c} right: need 1 <= k <= n, 0 <= c <= n")
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def paper_half_width(values: Sequence[float]) -> float | None:
    """The paper's half width 2 s / sqrt(n), s with n - 1; ``None`` for fewer than two values.

    It is zero where all values are equal, which is why ``wilson`` stands beside it.
    """
    return 2 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None


def parts_of(tasks: Row) -> list[tuple[str, str, Row]]:
    """Task, language and numbers of every task in every language."""
    return [
        (name, language, part)
        for name, task in tasks.items()
        for language, part in task["languages"].items()
    ]
