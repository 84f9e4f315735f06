"""A family of two tasks that lives in the tests only: the side of the metric."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from xlgo_metric import Column, Family, Grade, Record, Table
from xlgo_metric.core import common, signature
from xlgo_metric.judge import Judge, Question


class Kind(Judge):
    """A judge that is asked whether a text is kind."""

    def questions(
        self, grade: Grade, response: str, reference: Mapping[str, Any]
    ) -> Sequence[Question]:
        prompt = f"Is this kind? {response}"
        return [Question("kind", "1", prompt, lambda reply: reply in ("yes", "no"), str)]

    def decide(self, grade: Grade, replies: Sequence[str | None], judge: str = "") -> Grade:
        if replies[0] not in ("yes", "no"):
            return grade
        right = replies[0] == "yes"
        return replace(grade, correct=right, status="correct" if right else "wrong")


def grade(prediction: str | None, reference: Mapping[str, Any]) -> Grade:
    text = (prediction or "").strip()
    if not text:
        return Grade(False, "no_answer")
    if reference["task"] == "toy_describe":
        return Grade(False, "needs_judge", answer=text)
    numbers = re.findall(r"[0-9]{1,9}", text)
    if not numbers:
        return Grade(False, "bad_format")
    right = int(numbers[-1]) == reference["answer"]["sum"]
    return Grade(right, "correct" if right else "wrong", text == numbers[-1], int(numbers[-1]))


def summarize(records: Sequence[Record], **options: Any) -> dict[str, Any]:
    decided = [r for r in records if r.grade.status != "needs_judge"]
    references = [r.reference for r in records]
    fields = {"task": common(references, "task"), "data": common(references, "data")}
    return {
        "signature": signature(fields, "0"),
        "n": len(records),
        "accuracy": sum(r.grade.correct for r in decided) / len(decided) if decided else None,
        "warnings": [f"{len(records) - len(decided)} answers wait for a judge"],
    }


def tables(section: Mapping[str, Any]) -> list[Table]:
    row = (section["n"], section["accuracy"])
    return [
        Table("toys", "Toys", (Column("answers", "count"), Column("accuracy", "share")), (row,))
    ]


FAMILY = Family(name="toy", judge=Kind(), grade=grade, summarize=summarize, tables=tables)
