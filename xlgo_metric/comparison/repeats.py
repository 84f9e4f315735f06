"""How far the answers to one question differ, where questions were asked several times.

With k answers to each of n questions a mean has the variance (between + within / k) / n: between
questions, and between answers to the same one (the two components of a one-way random-effects
layout; Searle, Casella and McCulloch 1992, chapter 3). For the same number of prompts, one answer
to each of more questions is never worse.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from xlgo_metric.core import Json
from xlgo_metric.table import Column, Table, listed

if TYPE_CHECKING:
    import pandas as pd

    from xlgo_metric.comparison.table import AnswerTable

REPEATS = "repeats"
"""Of the variances in the section of a family, and of their table."""


Repeats = Json
"""Variances of a language's answers, and of its gap to the baseline: ``task``, ``asked_as``,
``language``, and

* ``questions``, ``answers``: how many;
* ``between``, ``within``: variance of the chance of a correct answer over questions, and of the
  answers to one question; in [0, 1]; ``None`` where they cannot be told apart, because no question
  was asked twice or there is one question only;
* ``gap_between``, ``gap_within``: the same of the paired difference, on common questions; ``None``
  in the baseline.
"""

_COLUMNS = {
    "task": Column("Task"),
    "asked_as": Column("Asked as"),
    "language": Column("Language"),
    "questions": Column("Questions", "count"),
    "answers": Column("Answers", "count"),
    "between": Column("Between questions", "number", 3),
    "within": Column("Within", "number", 3),
    "gap_between": Column("Gap, between", "number", 3),
    "gap_within": Column("Gap, within", "number", 3),
}


def repeats_of(table: AnswerTable, baseline: str) -> list[Repeats]:
    """The variances of each task and language; none where no question was asked several times.

    Args:
        table: decided answers.
        baseline: the language that gaps are to.
    """
    frame = table.frame[table.frame["question"].notna()]
    rows: list[Repeats] = []
    if not (frame["repeat"] > 0).any():
        return rows
    frame = frame.astype({"correct": float})
    for (task, model), part in frame.groupby(["task", "model"], sort=False):
        grouped = part.groupby(["language", "question"], sort=False)["correct"]
        by_question = grouped.agg(["mean", "var", "count"])
        sides = {
            code: answers.droplevel(0) for code, answers in by_question.groupby(level=0, sort=False)
        }
        base = sides.get(baseline)
        for code, side in sides.items():
            gap = (None, None) if base is None or code == baseline else _components(base, side)
            between, within = _components(side)
            rows.append({
                "task": str(task), "asked_as": str(model), "language": str(code),
                "questions": len(side), "answers": int(side["count"].sum()),
                "between": between, "within": within,
                "gap_between": gap[0], "gap_within": gap[1],
            })  # fmt: skip
    return rows


def _components(*sides: pd.DataFrame) -> tuple[float | None, float | None]:
    """Variance between questions and within, of a mean or of a difference of two.

    Args:
        sides: one or two, by question: ``mean``, ``var`` (unbiased) and ``count`` of its answers.
    """
    common = sides[0].index if len(sides) == 1 else sides[0].index.intersection(sides[1].index)
    first, *rest = [side.loc[common] for side in sides]
    mean = first["mean"] - sum(side["mean"] for side in rest)
    if len(common) < 2 or any(side["var"].isna().all() for side in (first, *rest)):
        return None, None
    # A question with one answer has no variance of its own: it is taken to have that of the others.
    variances = [side["var"].fillna(side["var"].mean()) for side in (first, *rest)]
    noise = sum(var / side["count"] for var, side in zip(variances, (first, *rest)))
    between = max(float(mean.var()) - float(noise.mean()), 0.0)
    return between, float(sum(var.mean() for var in variances))


def repeats_tables(section: Mapping[str, object]) -> list[Table]:
    """The variances in the section of a family as a table; none where there are none."""
    repeats = cast("list[Repeats]", section.get(REPEATS) or [])
    if not repeats:
        return []
    return [listed(
        REPEATS, "Answers to the same question", repeats, _COLUMNS,
        "Variances of a correct answer, and of the gap to the baseline, between questions and "
        "between answers to one question. A mean over n questions with k answers each has the "
        "variance (between + within / k) / n: for the same number of prompts, more questions are "
        "never worse than more answers to each.",
    )]  # fmt: skip
