"""Whether a gap differs: between two models, two wordings, or before and after training.

A contrast is the difference of two gaps on the same instances: of each question the gap of one side
(right in the baseline minus right in the language) minus that of the other. It is tested by the
procedure of all differences. Two models with equal gaps and unlike accuracies cannot be exchanged,
so that the test is not exact; ``benchmarks/gap_study.py`` measures its size.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from xlgo_metric.comparison.compare import CORRECT, UNEQUAL, By, Draft, draft, with_status
from xlgo_metric.comparison.table import FIXED, AnswerTable

if TYPE_CHECKING:
    import pandas as pd

FEWEST_QUESTIONS = 40
"""Common questions below which no contrast is claimed."""

_QUESTION = ["family", "task", "question"]


def gap_drafts(table: AnswerTable, by: By, baseline: str, *, languages: bool = True) -> list[Draft]:
    """Contrasts of gaps before their test; pass them to ``settle``, with others of the page.

    Args:
        table: plain answers, of the tasks that count.
        by: what the gaps differ by: ``model`` or ``run``; every two values are compared.
        baseline: the language that the gaps are to.
        languages: a contrast for each language; else one over all of them, each alike.

    Returns:
        Drafts whose ``baseline_accuracy`` and ``accuracy`` are the gaps of the two sides, and
        whose ``difference`` is that of the gaps. Questions that answers chose do not count.
    """
    frame = table.frame[table.frame["question"].notna() & (table.frame["design"] == FIXED)]
    if baseline not in set(frame["language"]):
        return []
    lacking = {*frame["language"][frame["lacking"]]}
    gaps = _gaps(frame.astype({CORRECT: float}), by, baseline)
    contrasts: list[Draft] = []
    for first, second in combinations(dict.fromkeys(gaps[by]), 2):
        sides = [
            gaps[gaps[by] == name].set_index([*_QUESTION, "language"]) for name in (first, second)
        ]
        joined = sides[0].join(sides[1]["gap"].rename("gap_second"), how="inner").reset_index()
        parts = joined.groupby("language", sort=False) if languages else [("", joined)]
        for code, part in parts if len(joined) else ():
            where = with_status({"language": str(code)}, part) if languages else {}
            contrast = draft(
                {first: part["gap"], second: part["gap_second"]},
                where,
                cluster=part["cluster"],
                task=part["family"].str.cat([part["task"], part["language"]], sep="\n"),
                level=part["complexity"],
                reach=2.0,
            )
            why = UNEQUAL if lacking & {*part["language"]} else ""
            if len(part) < FEWEST_QUESTIONS and not why:
                why = f"only {len(part)} common questions: {FEWEST_QUESTIONS} are needed"
            contrasts.append(replace(contrast, cell=replace(contrast.cell, refused=why)))
    return contrasts


def _gaps(frame: pd.DataFrame, by: By, baseline: str) -> pd.DataFrame:
    """A row for each side, question and language but the baseline, with its gap."""
    right = frame.pivot_table(CORRECT, [by, *_QUESTION], "language", sort=False)
    gaps = right.rsub(right[baseline], axis=0).drop(columns=baseline)
    long = gaps.stack().rename("gap").reset_index().dropna()
    about = frame.drop_duplicates(_QUESTION).set_index(_QUESTION)[["cluster", "complexity"]]
    read = frame.drop_duplicates(["task", "language"]).set_index(["task", "language"])
    return long.join(about, on=_QUESTION).join(read["wording_status"], on=["task", "language"])
