"""Scores of round-trip translation chains (LiT): MQM errors, statistics over texts, tables.

Source: "Round-Trip Translation Reveals What Frontier Multilingual Benchmarks Miss",
arXiv 2604.12911. The answer to a question is what became of its chain, as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core import Exhibit, Grade, Record, Table
from ...family import Family, HarnessMetric, Outputs, Section
from ...judge import JudgeCheck
from .harness import METRICS
from .judges.judging import TranslationJudge

# What is imported where it is used needs sacrebleu or SciPy, or is slow to import.


class Lit(Family):
    """Texts through chains of translations, and what judges say of them."""

    name = "lit"
    judge = TranslationJudge()
    options = ("weights", "missing", "draws", "seed", "ter")
    has_accuracy = False

    def grade(self, prediction: str | None, reference: dict[str, Any]) -> Grade:
        from .grading import grade

        return grade(prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        from .section import section_of

        return section_of(records, **options)

    def tables(self, section: Mapping[str, Any]) -> list[Table]:
        from .tables import tables

        return tables(section)

    def harness_metrics(self, task: str, languages: Sequence[str]) -> Mapping[str, HarnessMetric]:
        return METRICS

    def harness_values(self, grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
        from .harness import harness_values

        return harness_values(grade, reference)

    def headline(self, section: Mapping[str, Any]) -> dict[str, float]:
        from .section import headline

        return headline(section)

    def findings(self, section: Mapping[str, Any]) -> list[tuple[str, str]]:
        from .section import findings

        return findings(section)

    def exhibits(self, section: Mapping[str, Any]) -> list[Exhibit]:
        from .exhibits import exhibits

        return exhibits(section)

    def outputs(self, records: Sequence[Record], section: Mapping[str, Any]) -> Outputs:
        from .section import outputs

        return outputs(records, section)

    def compare(
        self, first: Sequence[Record], second: Sequence[Record], names: tuple[str, str]
    ) -> list[Table]:
        from .models.several import compare

        return compare(first, second, names)

    def several(self, sections: Mapping[str, Section]) -> list[Table]:
        from .models.result_tables import result_tables

        return result_tables(sections)

    def correlate(
        self, records: Mapping[str, Sequence[Record]], ratings: Path, **options: Any
    ) -> list[Table]:
        from .models.several import correlate

        return correlate(records, ratings, **options)

    def rule_reply(self, request: str) -> str | None:
        from .judges.rule_judge import rule_reply

        return rule_reply(request)

    def judge_check(self, records: Sequence[Record]) -> JudgeCheck | None:
        from .judges.judging import TranslationJudgeCheck

        return TranslationJudgeCheck(records)


FAMILY = Lit()
