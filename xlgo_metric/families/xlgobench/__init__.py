"""Grading and statistics of the family XLGoBench."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core import Grade, Record, Table
from ...family import COMMON_METRICS, Draw, Family, HarnessMetric, Section
from .grading import first_error, grade, partial_credit
from .why.reasoning import with_language

# Grading alone needs no SciPy: what does is imported where it is used.


class XlgoBench(Family):
    """The five puzzles of XLGoBench."""

    name = "xlgobench"
    options = ("baseline", "seed", "draws", "permutations")
    heavy = frozenset({"answer", "edges"})

    def grade(self, prediction: str | None, reference: dict[str, Any]) -> Grade:
        found = grade(prediction, reference)
        if "condition" not in reference:  # a plain question asks for no language of reasoning
            return found
        return with_language(found, prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        from .summary import OPTIONS, summarize

        if unknown := sorted(options.keys() - set(OPTIONS)):
            raise ValueError(f"unknown option {unknown[0]!r}: allowed are {', '.join(OPTIONS)}")
        return summarize(records, **options)

    def tables(self, section: Mapping[str, Any]) -> list[Table]:
        from .tables import tables

        return tables(section)

    def harness_metrics(self, task: str, languages: Sequence[str]) -> Mapping[str, HarnessMetric]:
        from .harness import language_rows

        together = languages if len(languages) > 1 else ()
        return {**COMMON_METRICS, **language_rows(together)}

    def harness_values(self, grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
        from .harness import harness_values

        return harness_values(grade, reference)

    def aggregate(self, metric: str, values: Sequence[Any]) -> float | str:
        from .harness import aggregate

        return aggregate(metric, values)

    def partial_credit(self, grade: Grade, reference: Mapping[str, Any]) -> float:
        return partial_credit(grade, reference)

    def fault(
        self, grade: Grade, reference: Mapping[str, Any], draw: Draw, text: str
    ) -> dict[str, Any] | None:
        return first_error(grade, reference, draw, text)

    def gaps(self, section: Mapping[str, Any]) -> Mapping[str, Any]:
        return section

    def headline(self, section: Mapping[str, Any]) -> dict[str, float]:
        from .headline import headline

        return headline(section)


FAMILY = XlgoBench()

__all__ = ["FAMILY", "XlgoBench", "grade"]
