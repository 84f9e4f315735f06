"""Grading and statistics of the family XLGoBench."""

from __future__ import annotations

from ...family import Family, deferred
from ...option import BASELINE, DRAWS, SEED, Option
from .grading import grade, partial_credit
from .measures import MEASURES, with_gaps

PAPER = "paper"
CHANGED = frozenset({("prdsa", "ta"), ("slt", "te"), ("graph_sp", "te"), ("t_rank", "te")})
"""Task and language whose printed wording may cause a gap by itself.

The language files judge by task whether a gap can be put down to the model (``xlgo language
list``). A metric knows nothing of them, so those judged ``no`` for the paper's wording stand here;
a test holds the two together.
"""

FAMILY = Family(
    name="xlgobench",
    options=(
        BASELINE, SEED, DRAWS,
        Option("permutations", "integer", "draws of the paired test", 19_999, least=1),
    ),
    doubtful_wordings=frozenset((task, language, PAPER) for task, language in CHANGED),
    grading_only_fields=frozenset({"answer", "edges"}),
    grade=grade,
    summarize=deferred("summary.summarize", __package__),
    tables=deferred("tables.tables", __package__),
    measures_of=lambda _, languages: with_gaps(languages) if len(languages) > 1 else MEASURES,
    gaps=lambda section: section,
    headline=deferred("summary.headline", __package__),
    partial_credit=partial_credit,
)  # fmt: skip
"""The five puzzles of XLGoBench."""

__all__ = ["FAMILY", "grade"]
