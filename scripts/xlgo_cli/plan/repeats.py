"""``xlgo plan --from RUN``: whether to ask questions again or to ask more, by a run that did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from xlgo_metric.comparison.repeats import REPEATS, Repeats
from xlgo_metric.table import Column, Table

_MORE = (2, 4)


def repeated(score: Mapping[str, Any]) -> Iterator[Repeats]:
    """The gaps of a score whose questions were answered several times, with their variances."""
    for section in score["families"].values():
        yield from (gap for gap in section.get(REPEATS, ()) if gap["gap_between"] is not None)


def deviation(gap: Repeats, *, answers: float = 1.0, questions: float = 1.0) -> float:
    """The expected standard deviation of a gap, a fraction.

    Args:
        answers: to each question.
        questions: as many times those of the run.
    """
    between, within = gap["gap_between"] or 0.0, gap["gap_within"] or 0.0
    return sqrt((between + within / answers) / (questions * gap["questions"]))


def table(gaps: Sequence[Repeats]) -> Table:
    """What more answers and more questions do to the standard deviation of each gap."""
    columns = (
        Column("task"),
        Column("language"),
        Column("questions", "count"),
        *(Column(f"{k} answer{'s' * (k > 1)}", "share") for k in (1, *_MORE)),
        *(Column(f"{k} x questions", "share") for k in _MORE),
    )
    rows = [
        (
            gap["task"],
            gap["language"],
            gap["questions"],
            *(deviation(gap, answers=k) for k in (1, *_MORE)),
            *(deviation(gap, questions=k) for k in _MORE),
        )
        for gap in gaps
    ]
    return Table(
        REPEATS,
        "Answers to each question",
        columns,
        tuple(rows),
        "Expected standard deviation of a gap in points: with so many answers to each question of "
        "the run, and with one answer to each of 2 or 4 times as many, for as many prompts. Ask "
        "again (--repeats) where there are no more questions, or for pass@k.",
    )
