"""Tasks of other people in several languages, whose answers their own tools have graded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypedDict, cast

from xlgo_metric.core import ACCURACY, Grade, Measure, Record, Reference, common, signature
from xlgo_metric.family import Family, Section
from xlgo_metric.table import Column, Table

_SEPARATORS = re.compile(r"[|:\n]+")


class Counts(TypedDict):
    """Answers in one language."""

    n: int
    correct: int
    accuracy: float


class ParallelSection(TypedDict):
    """Accuracy by task and language."""

    signature: str
    warnings: list[str]
    tasks: dict[str, dict[str, Counts]]


class ParallelMetric(Family):
    """A reference has ``correct``: the verdict of the tool that ran the benchmark."""

    name = "parallel"
    conditions: ClassVar[frozenset[str]] = frozenset({"metric", "filter", "paired_by"})

    def grade(self, prediction: str | None, reference: Reference) -> Grade:
        """The grade that the log has."""
        right = bool(reference.get("correct"))
        return Grade(right, "correct" if right else "wrong", strict=right)

    def summarize(self, records: Sequence[Record], **options: object) -> Section:
        """Accuracy by task and language."""
        references = [record.reference for record in records]
        names = ("task", "version", *sorted(self.conditions))
        shared = {name: common(references, name) for name in names}
        tasks: dict[str, dict[str, Counts]] = {}
        for record in records:
            task, language = (str(record.reference[name]) for name in ("task", "language"))
            one = tasks.setdefault(task, {}).setdefault(
                language, Counts(n=0, correct=0, accuracy=0)
            )
            one["n"] += 1
            one["correct"] += record.grade.correct
            one["accuracy"] = one["correct"] / one["n"]
        section: ParallelSection = {
            "signature": signature(
                {name: _SEPARATORS.sub("-", text) for name, text in shared.items() if text}
            ),
            "warnings": [],
            "tasks": tasks,
        }
        return cast("Section", section)

    def measures(self, task: str = "", languages: Sequence[str] = ()) -> Sequence[Measure]:
        """Right or wrong: there is no text of a response to read."""
        return (ACCURACY,)

    def tables(self, section: Section) -> list[Table]:
        """One table: accuracy by task and language."""
        tasks = cast("Mapping[str, Mapping[str, Counts]]", section["tasks"])
        rows = tuple(
            (task, language, one["n"], one["accuracy"])
            for task, languages in tasks.items()
            for language, one in languages.items()
        )
        columns = (
            Column("Task"), Column("Language"), Column("Questions", "count"),
            Column("Accuracy", "share", unit="%"),
        )  # fmt: skip
        return [Table("parallel", "Accuracy, as the logs have it", columns, rows)]

    def headline(self, section: Section) -> dict[str, float]:
        """The accuracy of each task and language."""
        tasks = cast("Mapping[str, Mapping[str, Counts]]", section["tasks"])
        return {
            f"{task}_acc_{language}": one["accuracy"]
            for task, languages in tasks.items()
            for language, one in languages.items()
        }


FAMILY = ParallelMetric()
