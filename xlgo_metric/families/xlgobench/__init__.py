"""Grading and statistics of the family XLGoBench."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ...comparison.gaps import Gaps
from ...core import Grade, Measure, Record, Reference, Table
from ...extras import Draw, FirstError, Steps
from ...family import Family, Section
from ...option import BASELINE, DRAWS, SEED, Option
from .grading import first_error, grade, partial_credit
from .measures import MEASURES, with_gaps
from .section import XlgoSection
from .why.reasoning import with_language

PAPER = "paper"
CHANGED = frozenset({("prdsa", "ta"), ("slt", "te"), ("graph_sp", "te"), ("t_rank", "te")})
"""Task and language whose printed wording may cause a gap by itself.

The language files judge by task whether a gap can be put down to the model (``xlgo language
list``). A metric knows nothing of them, so those judged ``no`` for the paper's wording stand here;
a test holds the two together.
"""

# Grading alone needs no SciPy: what does is imported where it is used.


class _Steps(Steps):
    def partial_credit(self, grade: Grade, reference: Reference) -> float:
        return partial_credit(grade, reference)

    def first_error(
        self, grade: Grade, reference: Reference, draw: Draw, text: str
    ) -> FirstError | None:
        return first_error(grade, reference, draw, text)


class XlgoBench(Family):
    """The five puzzles of XLGoBench."""

    name = "xlgobench"
    options = (
        BASELINE, SEED, DRAWS,
        Option("permutations", "integer", "draws of the paired test", 19_999, least=1),
    )  # fmt: skip
    doubtful_wordings = frozenset((task, language, PAPER) for task, language in CHANGED)
    grading_only_fields = frozenset({"answer", "edges"})
    extras = (_Steps(),)

    def grade(self, prediction: str | None, reference: Reference) -> Grade:
        found = grade(prediction, reference)
        if "condition" not in reference:  # a plain question asks for no language of reasoning
            return found
        return with_language(found, prediction, reference)

    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        from .summary import summarize

        return summarize(records, **options)

    def tables(self, section: Section) -> list[Table]:
        from .tables import tables

        return tables(cast(XlgoSection, section))

    def measures(self, task: str = "", languages: Sequence[str] = ()) -> Sequence[Measure]:
        return with_gaps(languages) if len(languages) > 1 else MEASURES

    def gaps(self, section: Section) -> Gaps:
        return cast(XlgoSection, section)

    def headline(self, section: Section) -> dict[str, float]:
        from .summary import headline

        return headline(cast(XlgoSection, section))


FAMILY = XlgoBench()

__all__ = ["FAMILY", "XlgoBench", "grade"]
