"""Grading and statistics of the simple reasoning tasks (paper 002) and UNPUZZLES."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ...comparison.gaps import Gaps
from ...core import Grade, Measure, Record, Reference, Table
from ...family import Family, Section
from ...option import BASELINE, DRAWS, SEED, Option
from .critic import Critic
from .measures import measures
from .section import SimpleSection
from .tasks import grade

# Grading alone needs no SciPy: what does is imported where it is used.


class SimpleReasoning(Family):
    """Tasks that are easy and tedious."""

    name = "simple_reasoning"
    judge = Critic()
    options = (Option("k", "integer", "k of pass@k", 5, least=1), BASELINE, DRAWS, SEED)

    def grade(self, prediction: str | None, reference: Reference) -> Grade:
        return grade(prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        from .summary import summarize

        return summarize(records, **options)

    def tables(self, section: Section) -> list[Table]:
        from .tables import tables

        return tables(cast(SimpleSection, section))

    def gaps(self, section: Section) -> Gaps | None:
        return cast("Gaps | None", section["gaps"])

    def findings(self, section: Section) -> list[tuple[str, str]]:
        from .findings import findings

        return findings(cast(SimpleSection, section))

    def measures(self, task: str = "", languages: Sequence[str] = ()) -> Sequence[Measure]:
        return measures(task)


FAMILY = SimpleReasoning()
