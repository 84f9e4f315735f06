"""What the paper looks into beside its main table: subsets, hints, missing rules, fewer questions.

Tables 4 and 6 (accuracy by kind of rule and of answer), figure 9 (the field ``trick``), tables 14
and 15 (questions without their rules), figure 12 (how far a part of the questions would do).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from ....comparison.compare import Cell
from ....core import Record, grouped
from ....statistics.draws import Floats, Stream
from ..names import CATEGORIES
from ..shapes import PairedQuestions, Short, Subset, SubsetErrors

SHARES: tuple[int, ...] = (10, 20, 30, 40, 50, 60, 70, 80, 90)
"""Per cent of the questions that a subset keeps."""
DRAWS = 20
"""Subsets that are drawn of each size."""


def by(
    records: Sequence[Record],
    key: Callable[[Record], Any],
    block: Callable[[Sequence[Record]], Short],
) -> dict[str, Short]:
    """A block of numbers for each value of ``key``, in the order of their first records.

    Records whose key is ``None`` are left out.
    """
    known = (record for record in records if key(record) is not None)
    groups = grouped(known, lambda record: str(key(record)))
    return {name: block(rows) for name, rows in groups.items()}


def paired(first: Sequence[Record], second: Sequence[Record]) -> PairedQuestions | None:
    """Two ways of asking the same questions; ``None`` where they share none.

    Each question counts once, by the majority of its responses (ties count as wrong).

    Returns:
        ``questions`` that both have, ``first`` and ``second`` (accuracies on them), ``only_first``
        and ``only_second``, ``difference`` (second minus first) with its 95% interval ``low`` to
        ``high``, and ``p``.
    """
    ours, theirs = _verdicts(first), _verdicts(second)
    shared = [name for name in ours if name in theirs]
    if not shared:
        return None
    base, other = ([verdicts[name] for name in shared] for verdicts in (theirs, ours))
    found = Cell.of(base, other, "second", "first")
    counts = {
        "questions": found.n,
        "first": found.accuracy,
        "second": found.baseline_accuracy,
        "only_first": found.discordant[1],
        "only_second": found.discordant[0],
        "difference": found.difference,
        "low": found.ci_low,
        "high": found.ci_high,
        "p": found.p_value,
    }
    return cast(PairedQuestions, counts)


_Question = tuple[str, ...]


def _question(record: Record) -> _Question:
    """What names a question, whatever it is asked with."""
    names = ("category", "idx", "shots", "model")
    return tuple(str(record.reference.get(name)) for name in names)


def _verdicts(records: Sequence[Record]) -> dict[_Question, bool]:
    return {
        name: 2 * sum(record.grade.correct for record in repeats) > len(repeats)
        for name, repeats in grouped(records, _question).items()
    }


def subsets(runs: Sequence[Sequence[Record]]) -> list[Subset]:
    """How far the overall accuracy of a part of the questions is from that of all (figure 12).

    Args:
        runs: the records of each model's run of the five categories.

    Returns:
        A row for each way of drawing (``rule``: the same share of the questions of each rule;
        ``category``: of each category) and each of ``SHARES``: ``error``, the mean over models and
        draws of the absolute difference; ``deviation``, the standard deviation of the difference;
        ``gini``, the mean over draws of the Gini coefficient of the models' accuracies (the
        paper's formula; ``None`` for one model).
    """
    known = [_verdicts(records) for records in runs]
    every = [{name[:2]: right for name, right in by_name.items()} for by_name in known]
    names = sorted(set.intersection(*(set(by_name) for by_name in every)))
    if not names:
        return []
    rules: dict[_Question, str] = {
        (str(r.reference.get("category")), str(r.reference.get("idx"))): _rule(r)
        for records in runs
        for r in records
    }
    right = np.array([[by_name[name] for name in names] for by_name in every], dtype=np.float64)
    named = {"rule": [rules[name] for name in names], "category": [name[0] for name in names]}
    groups = {drawn: np.unique(group, return_inverse=True)[1] for drawn, group in named.items()}
    return [
        {"drawn": drawn, "share": share / 100, **_errors(right, group, drawn, share)}
        for drawn, group in groups.items()
        for share in SHARES
    ]


def _rule(record: Record) -> str:
    return f"{record.reference.get('category')} {record.reference.get('rule_id')}"


def _errors(right: Floats, group: Any, drawn: str, share: int) -> SubsetErrors:
    stream = Stream("korbench subsets", drawn, share)
    accuracy = right.mean(axis=1)
    errors, spreads = [], []
    for _ in range(DRAWS):
        order = np.argsort(stream.uniforms((right.shape[1],)), kind="stable")
        kept = [
            place
            for one in range(int(group.max()) + 1)
            for place in _first_of(order[group[order] == one], share)
        ]
        scores = right[:, kept].mean(axis=1)
        errors.append(scores - accuracy)
        spreads.append(gini(scores))
    found = np.array(errors)
    return {
        "error": float(np.abs(found).mean()),
        "deviation": float(found.std()),
        "gini": float(np.mean(spreads)) if len(right) > 1 else None,
    }


def _first_of(places: Any, share: int) -> Any:
    return places[: max(1, round(len(places) * share / 100))]


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


def whole_runs(records: Sequence[Record]) -> list[list[Record]]:
    """The records of each model and setting that has all five categories with their rules."""
    names = ("model", "setting", "shots", "rule_shown")
    of_category = (
        record for record in records
        if record.reference.get("task") == f"kor_{record.reference.get('category')}"
    )  # fmt: skip
    runs = grouped(of_category, lambda one: tuple(str(one.reference.get(name)) for name in names))
    return [
        rows
        for rows in runs.values()
        if {row.reference.get("category") for row in rows} >= set(CATEGORIES)
    ]
