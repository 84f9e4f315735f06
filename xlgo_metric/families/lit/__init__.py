"""Scores of round-trip translation chains (LiT): MQM errors, statistics over texts, tables.

Source: "Round-Trip Translation Reveals What Frontier Multilingual Benchmarks Miss",
arXiv 2604.12911. The answer to a question is what became of its chain, as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core import Grade, Measure, Record, Reference, SideBySide, Table
from ...extras import Outputs, Shown
from ...family import Family, Section
from ...option import SEED, Option
from .judging.judge import TranslationJudge
from .values import MEASURES

# What is imported where it is used needs sacrebleu or SciPy, or is slow to import.


class _Shown(Shown):
    correlates = True

    def exhibits(self, section: Section) -> list[SideBySide]:
        from .findings import exhibits

        return exhibits(section)

    def outputs(self, records: Sequence[Record], section: Section) -> Outputs:
        from .outputs import outputs

        return outputs(records, section)

    def pair(
        self, first: Sequence[Record], second: Sequence[Record], names: tuple[str, str]
    ) -> list[Table]:
        from .compare import compare

        return compare(first, second, names)

    def many(self, sections: Mapping[str, Section]) -> list[Table]:
        from .compare import result_tables

        return result_tables(sections)

    def correlate(
        self, records: Mapping[str, Sequence[Record]], ratings: Path, **options: Any
    ) -> list[Table]:
        from .models import correlate

        return correlate(records, ratings, **options)


class Lit(Family):
    """Texts through chains of translations, and what judges say of them."""

    name = "lit"
    judge = TranslationJudge()
    options = (
        Option(
            "weights", "text", "points of minor, major and critical errors, as 1/5/25", "1/5/25"
        ),
        Option("missing", "choice", "what a chain that broke off counts", "fail", ("fail", "drop")),
        Option("draws", "integer", "resamples of the texts", 10_000, least=2),
        SEED,
    )
    extras = (_Shown(),)

    def grade(self, prediction: str | None, reference: Reference) -> Grade:
        from .grading import grade

        return grade(prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        from .summary import section_of

        return section_of(records, **options)

    def tables(self, section: Section) -> list[Table]:
        from .tables import tables

        return tables(section)

    def measures(self, task: str = "", languages: Sequence[str] = ()) -> Sequence[Measure]:
        return MEASURES

    def headline(self, section: Section) -> dict[str, float]:
        from .findings import headline

        return headline(section)

    def findings(self, section: Section) -> list[tuple[str, str]]:
        from .findings import findings

        return findings(section)


FAMILY = Lit()
