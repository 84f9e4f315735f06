"""Grading and statistics of KOR-Bench (arXiv 2410.06526)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core import Grade, Record, Table
from ...family import Family, HarnessMetric, LoggedAnswer, Section
from .findings import findings, headline
from .harness import harness_metrics, harness_values
from .names import CATEGORIES, MODES
from .refused import refuses_own
from .results import read_results
from .summary import summarize
from .tables import tables


class KorBench(Family):
    """Rules of five categories, their mixtures, self-correction, and fresh questions of ciphers."""

    name = "korbench"
    heavy = frozenset({"answer", "question", "questions", "real_life_answer", "retry", "text"})
    conditions = Family.conditions | {"shots", "rule_shown", "mode"}
    log_format = "kor"
    modes = MODES

    def grade(self, prediction: str | None, reference: dict[str, Any]) -> Grade:
        from .grading import grade  # reads mathematics

        return grade(prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        return summarize(records)

    def tables(self, section: Mapping[str, Any]) -> list[Table]:
        return tables(section)

    def headline(self, section: Mapping[str, Any]) -> dict[str, float]:
        return headline(section)

    def findings(self, section: Mapping[str, Any]) -> list[tuple[str, str]]:
        return findings(section)

    def read_logs(self, path: Path, mode: str) -> Iterator[LoggedAnswer]:
        for response, reference in read_results(path, mode):
            yield LoggedAnswer(None, response, reference)

    def refuses_own(self, part: str, name: str, reference: Mapping[str, Any]) -> bool | None:
        return refuses_own(part, name, reference)

    def harness_metrics(self, task: str, languages: Sequence[str]) -> Mapping[str, HarnessMetric]:
        return harness_metrics(task)

    def harness_values(self, grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
        return harness_values(grade, reference)


FAMILY = KorBench()

__all__ = ["CATEGORIES", "FAMILY", "MODES", "KorBench", "read_results"]
