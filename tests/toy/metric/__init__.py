"""A family of one task that lives in the tests only: the side of the metric."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from xlgo_metric import Column, Family, Grade, Record, Table
from xlgo_metric.core import common, signature


def grade(prediction: str | None, reference: Mapping[str, Any]) -> Grade:
    text = (prediction or "").strip()
    numbers = re.findall(r"[0-9]{1,9}", text)
    if not numbers:
        return Grade(False, "bad_format" if text else "no_answer")
    right = int(numbers[-1]) == reference["answer"]["sum"]
    return Grade(right, "correct" if right else "wrong", text == numbers[-1], int(numbers[-1]))


def summarize(records: Sequence[Record], **options: Any) -> dict[str, Any]:
    references = [record.reference for record in records]
    fields = {"task": common(references, "task"), "data": common(references, "data")}
    return {
        "signature": signature(fields, "0"),
        "n": len(records),
        "accuracy": sum(record.grade.correct for record in records) / len(records),
        "warnings": [],
    }


def tables(section: Mapping[str, Any]) -> list[Table]:
    row = (section["n"], section["accuracy"])
    return [
        Table("toys", "Toys", (Column("answers", "count"), Column("accuracy", "share")), (row,))
    ]


FAMILY = Family(name="toy", grade=grade, summarize=summarize, tables=tables)
