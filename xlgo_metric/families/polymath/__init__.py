"""Grading and statistics of PolyMath (Wang et al. 2025)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core import Grade, Record, Table
from ...family import Family, HarnessMetric, LoggedAnswer, Section
from .harness import METRICS, aggregate, harness_values

# What is imported where it is used needs the packages of the extra "math", or is slow to import.


class PolyMath(Family):
    """Mathematical problems of four levels."""

    name = "polymath"
    conditions = Family.conditions | {"control", "mode"}
    log_format = "polymath"

    def grade(self, prediction: str | None, reference: dict[str, Any]) -> Grade:
        from .grading import grade

        return grade(prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        from .summary import summarize

        return summarize(records)

    def tables(self, section: Mapping[str, Any]) -> list[Table]:
        from .tables import tables

        return tables(section)

    def read_logs(self, path: Path, mode: str) -> Iterator[LoggedAnswer]:
        from .outputs import read_parts

        return (LoggedAnswer(*parts) for parts in read_parts(path, mode))

    def grade_logged(self, answer: LoggedAnswer) -> Grade:
        from .grading import grade_parts

        return grade_parts(*answer)

    def findings(self, section: Mapping[str, Any]) -> list[tuple[str, str]]:
        from .findings import findings

        return findings(section)

    def harness_metrics(self, task: str, languages: Sequence[str]) -> Mapping[str, HarnessMetric]:
        return METRICS

    def aggregate(self, metric: str, values: Sequence[Any]) -> float | str:
        return aggregate(metric, values)

    def harness_values(self, grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
        return harness_values(grade, reference)


FAMILY = PolyMath()
