"""The answers to a parallel benchmark as rows of the one ``AnswerTable``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from xlgo_metric.comparison import AnswerTable, answer_of
from xlgo_metric.core import Record
from xlgo_metric.family import family

from ..logs.graded_run import Key
from .answers import Answers
from .pairing import Paired

FAMILY = "parallel"


def measure(filter_name: str) -> str:
    """The column of ``answer_table`` that holds what another filter of the log makes of answers."""
    return f"filter {filter_name}"


def records(
    paired: Sequence[Paired],
    groups: Sequence[Sequence[str] | None],
    about: Mapping[str, object],
    date: str,
) -> Iterator[tuple[Key, Record]]:
    """The answers to questions that are paired with the baseline, those of the baseline first.

    Args:
        paired: every language beside the same baseline.
        groups: of each, the cluster of every question, or ``None``.
        about: what all references say: the task, and how its answers were read and paired.
        date: of the run.
    """
    base: dict[str, tuple[Key, Record]] = {}
    others = []
    for found, group in zip(paired, groups):
        texts: Sequence[str | None] = group or [None] * len(found.pairs)
        for (question, (a, b)), text in zip(found.numbers.items(), texts):
            of = {**about, "instance_id": question, **({} if text is None else {"text_id": text})}
            if question not in base:
                base[question] = _record(found.base, a, of, date)
            others.append(_record(found.other, b, of, date))
    yield from base.values()
    yield from others


def _record(
    answers: Answers, number: int, about: Mapping[str, object], date: str
) -> tuple[Key, Record]:
    reference = {
        "family": FAMILY, **about, "language": answers.language, "correct": answers.right[number]
    }  # fmt: skip
    otherwise = {measure(name): right[number] for name, right in answers.by_filter.items()}
    grade = replace(family(FAMILY).grade(None, reference), details=otherwise)
    where = f"{answers.tasks[answers.subjects[number]].path}: {answers.doc_ids[number]}"
    key = (FAMILY, str(about["task"]), answers.language, str(about["instance_id"]), 0)
    return key, Record(grade, reference, run=date, where=where)


def answer_table(found: Sequence[tuple[Key, Record]]) -> AnswerTable:
    """The table of ``records``, with a column for each other filter of the log."""
    return AnswerTable.of_answers(
        answer_of(record, key[3])._replace(measures=record.grade.details) for key, record in found
    )


def lost_alone(table: AnswerTable) -> dict[str, list[str]]:
    """For each language the questions that only it loses: right in all others, wrong in it.

    Only questions that every language was asked count. The baseline is one of the languages.
    """
    frame = table.frame
    right = frame.pivot(index="question", columns="language", values="correct")
    asked = right.reindex(frame["question"].unique()).dropna().astype(bool)
    alone = asked[asked.sum(axis="columns") == asked.shape[1] - 1]
    return {code: list(alone.index[~alone[code]]) for code in frame["language"].unique()}
