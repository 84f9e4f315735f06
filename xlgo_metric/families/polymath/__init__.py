"""Grading and statistics of PolyMath (Wang et al. 2025)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from ...core import Grade, Measure, Record, Reference, Table
from ...extras import LoggedAnswer, Published
from ...family import Family, Section
from .measures import MEASURES
from .section import PolyMathSection

# What is imported where it is used needs the packages of the extra "math", or is slow to import.


class _Published(Published):
    external_format = "polymath"

    def read(self, path: Path, mode: str) -> Iterator[LoggedAnswer]:
        from .outputs import read_parts

        return (LoggedAnswer(*parts) for parts in read_parts(path, mode))

    def grade(self, answer: LoggedAnswer) -> Grade:
        from .grading import grade_parts

        return grade_parts(*answer)


class PolyMath(Family):
    """Mathematical problems of four levels."""

    name = "polymath"
    conditions = Family.conditions | {"control", "mode"}
    extras = (_Published(),)

    def grade(self, prediction: str | None, reference: Reference) -> Grade:
        from .grading import grade

        return grade(prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        from .summary import summarize

        return summarize(records)

    def tables(self, section: Section) -> list[Table]:
        from .tables import tables

        return tables(cast(PolyMathSection, section))

    def findings(self, section: Section) -> list[tuple[str, str]]:
        from .findings import findings

        return findings(cast(PolyMathSection, section))

    def measures(self, task: str = "", languages: Sequence[str] = ()) -> Sequence[Measure]:
        return MEASURES


FAMILY = PolyMath()
