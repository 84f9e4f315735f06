"""Grading and statistics of KOR-Bench (arXiv 2410.06526)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from ...core import Grade, Measure, Record, Reference, Table
from ...extras import LoggedAnswer, Published
from ...family import Family, Section
from .answers.refused import published_rejects_gold
from .measures import measures
from .names import CATEGORIES, MODES
from .results import read_results
from .shapes import KorSection

# What is imported where it is used reads mathematics or needs SciPy.


class _Published(Published):
    external_format = "kor"
    modes = MODES

    def read(self, path: Path, mode: str) -> Iterator[LoggedAnswer]:
        for response, reference in read_results(path, mode):
            yield LoggedAnswer(None, response, reference)

    def grade(self, answer: LoggedAnswer) -> Grade:
        return FAMILY.grade(answer.response, answer.reference)

    def published_rejects_gold(self, part: str, name: str, reference: Reference) -> bool | None:
        return published_rejects_gold(part, name, reference)


class KorBench(Family):
    """Rules of five categories, their mixtures, self-correction, and fresh questions of ciphers."""

    name = "korbench"
    grading_only_fields = frozenset(
        {"answer", "question", "questions", "real_life_answer", "retry", "text"}
    )
    conditions = Family.conditions | {"shots", "rule_shown", "mode"}
    extras = (_Published(),)

    def grade(self, prediction: str | None, reference: Reference) -> Grade:
        from .grading import grade

        return grade(prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        from .summary import summarize

        return cast(Section, summarize(records))

    def tables(self, section: Section) -> list[Table]:
        from .tables import tables

        return tables(cast(KorSection, section))

    def headline(self, section: Section) -> dict[str, float]:
        from .findings import headline

        return headline(cast(KorSection, section))

    def findings(self, section: Section) -> list[tuple[str, str]]:
        from .findings import findings

        return findings(cast(KorSection, section))

    def measures(self, task: str = "", languages: Sequence[str] = ()) -> Sequence[Measure]:
        return measures(task)


FAMILY = KorBench()

__all__ = ["CATEGORIES", "FAMILY", "MODES", "KorBench", "read_results"]
