"""How far a part of the questions would do (figure 12 of the paper)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ....statistics.draws import Floats, Stream
from ..names import CATEGORIES

SHARES: tuple[int, ...] = (10, 20, 30, 40, 50, 60, 70, 80, 90)
"""Per cent of the questions that a subset keeps."""
DRAWS = 20
"""Subsets that are drawn of each size."""


def subsets(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """How far the overall accuracy of a part of the questions is from that of all.

    Args:
        frame: the answers to the five categories with their rules; ``model``, ``setting`` and
            ``shots`` name a run. Runs that lack a category are left out.

    Returns:
        A row for each way of drawing (``rule``: the same share of the questions of each rule;
        ``category``: of each category) and each of ``SHARES``: ``error``, the mean over models and
        draws of the absolute difference; ``deviation``, the standard deviation of the difference;
        ``gini``, the mean over draws of the Gini coefficient of the models' accuracies (the
        paper's formula; ``None`` for one model).
    """
    named = frame.fillna({"model": "", "shots": ""})
    runs = [named["model"], named["setting"], named["shots"]]
    shares = named.groupby([*runs, "category", "idx"])["correct"].mean()
    complete = [
        (part.droplevel([0, 1, 2]) > 0.5).rename(number)
        for number, (_, part) in enumerate(shares.groupby(level=[0, 1, 2], sort=False))
        if part.index.unique("category").size == len(CATEGORIES)
    ]
    common = pd.concat(complete, axis=1, join="inner").sort_index() if complete else pd.DataFrame()
    if common.empty:
        return []
    right = common.to_numpy(dtype=np.float64).T
    rules = named.drop_duplicates(["category", "idx"], keep="last").set_index(["category", "idx"])
    rule = rules["rule_id"].reindex(common.index).astype(str)
    category = common.index.get_level_values("category")
    groups = {
        "rule": pd.factorize(category + " " + rule, sort=True)[0],
        "category": pd.factorize(category, sort=True)[0],
    }
    return [
        {"drawn": drawn, "share": share / 100, **_errors(right, group, drawn, share)}
        for drawn, group in groups.items()
        for share in SHARES
    ]


def _errors(right: Floats, group: Any, drawn: str, share: int) -> dict[str, float | None]:
    stream = Stream("korbench subsets", drawn, share)
    accuracy = right.mean(axis=1)
    errors, spreads = [], []
    for _ in range(DRAWS):
        order = np.argsort(stream.uniforms((right.shape[1],)), kind="stable")
        of_groups = (order[group[order] == one] for one in range(int(group.max()) + 1))
        kept = [
            x
            for of_group in of_groups
            for x in of_group[: max(1, round(len(of_group) * share / 100))]
        ]
        scores = right[:, kept].mean(axis=1)
        errors.append(scores - accuracy)
        spreads.append(gini(scores))
    result = np.array(errors)
    return {
        "error": float(np.abs(result).mean()),
        "deviation": float(result.std()),
        "gini": float(np.mean(spreads)) if len(right) > 1 else None,
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
