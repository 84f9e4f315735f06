"""What it costs to ask under several conditions, and how small a cause it can show."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import xlgo_dataset as xd
from xlgo_metric.core import condition
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.statistics.paired import BETWEEN
from xlgo_metric.table import Column, Table

from .costs import Asked, Cost, Curves, Decomposition, pooled, text_of


def decomposition(
    found: Cost,
    curves: Curves,
    conditions: str,
    *,
    alike: float,
    count: Callable[[str], int] | None,
) -> Decomposition:
    """A design under conditions.

    Args:
        found: the design, with the questions of each complexity.
        curves: those that are expected, by language.
        conditions: names joined by commas.
        alike: the correlation of the answers to a question under two conditions, in [0, 1).
        count: counts the tokens of a prompt; ``None`` counts none.

    Raises:
        ValueError: a condition is unknown, or does not go with the task or a language.
    """
    family, text = xd.family_of(found.task), text_of(found.task)
    prompts: dict[Asked, int] = {}
    characters: dict[Asked, int] = {}
    tokens: dict[Asked, int] = {}
    for size, questions in found.cells.items():
        for row in family.questions(
            found.task,
            list(curves),
            complexities=[size],
            per_level=1,
            text=text,
            conditions=conditions,
        ):
            reference = json.loads(row["reference"])
            prompt = row["prompt"] if "prompt" in row else family.prompt(reference, text)
            key = str(row["language"]), condition(reference)
            prompts[key] = prompts.get(key, 0) + questions
            characters[key] = characters.get(key, 0) + questions * len(prompt)
            if count is not None:
                tokens[key] = tokens.get(key, 0) + questions * count(prompt)
    names = {name for _, name in prompts}
    sd, telling = _sd(found.cells, curves, alike)
    others = len({language for language, _ in prompts} - {"en"})
    tests = max(others, 1) * len(names)  # the gap, which is plain's, and each other condition
    return Decomposition(found.task, found.design, prompts, characters, tokens, telling, tests, sd)


def _sd(cells: Mapping[int, int], curves: Curves, alike: float) -> tuple[float, int]:
    """The expected standard deviation of a difference, and the questions that it is made of."""
    c = np.array(list(cells), dtype=np.float64)
    n = np.array(list(cells.values()), dtype=np.float64)
    q, r = np.exp(pooled(curves)[0]).tolist()
    p = np.asarray(gamma_accuracy(c, q, r))
    inside = (p >= BETWEEN[0]) & (p <= BETWEEN[1])
    total = float(n[inside].sum())
    if not total:
        return math.inf, 0
    variance = 2.0 * (1.0 - alike) * float((n * p * (1.0 - p))[inside].sum())
    return math.sqrt(variance) / total, int(total)


def as_json(one: Decomposition) -> dict[str, Any]:
    """In plain JSON types."""
    known = one.sd < math.inf
    return {
        "conditions": sorted({name for _, name in one.prompts}),
        "prompts": sum(one.prompts.values()),
        "characters": _nested(one.characters),
        "tokens": _nested(one.tokens) or None,
        "telling": one.telling,
        "tests": one.tests,
        "sd": one.sd if known else None,
        "least": one.least() if known else None,
    }


def _nested(of: Mapping[Asked, int]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (language, name), value in of.items():
        found.setdefault(language, {})[name] = value
    return found


def table(found: Sequence[Decomposition]) -> Table:
    """The designs for people."""
    counted = "tokens" if found[0].tokens else "characters"
    rows = []
    for one in found:
        lengths = one.tokens or one.characters
        known = one.sd < math.inf
        rows.append(
            (
                one.task, one.design, sum(one.prompts.values()), sum(lengths.values()),
                one.telling, one.sd if known else None, one.least() if known else None,
            )
        )  # fmt: skip
    return Table(
        "decomposition",
        "Cost of finding the sources of a gap",
        (
            Column("task"),
            Column("design"),
            *(Column(name, "count") for name in ("prompts", counted, "informative")),
            Column("sd", "share"),
            Column("least cause", "share", 0),
        ),
        tuple(rows),
        f"prompts, {counted}: in all languages under all conditions; informative: questions with "
        "10 to 90% correct; sd: of the difference of two conditions, in points; least cause: found "
        "in 80% of runs (all tests of a task together, by Bonferroni); –: no informative questions",
    )
