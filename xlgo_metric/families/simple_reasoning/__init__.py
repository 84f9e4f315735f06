"""Grading and statistics of the simple reasoning tasks (paper 002) and UNPUZZLES."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core import Grade, Record, Table
from ...family import Family, HarnessMetric, Section
from .critic import Critic
from .findings import findings
from .grading import grade
from .harness import harness_metrics, harness_values
from .summary import summarize
from .tables import tables


class SimpleReasoning(Family):
    """Tasks that are easy and tedious."""

    name = "simple_reasoning"
    aliases = ("easy",)  # its name in references
    judge = Critic()
    options = ("k", "baseline", "draws", "seed")

    def grade(self, prediction: str | None, reference: dict[str, Any]) -> Grade:
        return grade(prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        return summarize(records, **options)

    def tables(self, section: Mapping[str, Any]) -> list[Table]:
        return tables(section)

    def gaps(self, section: Mapping[str, Any]) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = section["gaps"]
        return found

    def findings(self, section: Mapping[str, Any]) -> list[tuple[str, str]]:
        return findings(section)

    def harness_metrics(self, task: str, languages: Sequence[str]) -> Mapping[str, HarnessMetric]:
        return harness_metrics(task)

    def harness_values(self, grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
        return harness_values(grade, reference)


FAMILY = SimpleReasoning()
