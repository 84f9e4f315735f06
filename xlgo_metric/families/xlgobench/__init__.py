"""Grading and statistics of the family XLGoBench."""

import json
from functools import cache
from importlib import resources

from ...family import Family, deferred
from ...option import BASELINE, DRAWS, SEED, Option
from .grading import grade, partial_credit
from .measures import measures_of

DOUBTFUL, EDITED, MACHINE_WRITTEN = "doubtful", "edited", "machine-written"


@cache
def wordings() -> dict[tuple[str, str, str], set[str]]:
    """What is known of each task, language and wording: its status, and ``DOUBTFUL``.

    A metric knows nothing of the language files; ``xlgo language wordings`` writes
    ``wordings.json`` from them.
    """
    text = resources.files(__package__).joinpath("wordings.json").read_text("utf-8")
    result: dict[tuple[str, str, str], set[str]] = {}
    for task, wording, status, languages in json.loads(text):
        for language in languages:
            result.setdefault((task, language, wording), set()).add(status)
    return result


def wording_of(task: str, language: str, wording: str) -> tuple[str, bool]:
    """Status of a wording, and whether it may cause a gap; one from a file edits the paper's."""
    paper = wordings().get((task, language, "paper"), set())
    statuses = wordings().get((task, language, wording), paper & {MACHINE_WRITTEN} or {EDITED})
    return "".join(statuses - {DOUBTFUL}) if paper else "", DOUBTFUL in statuses


FAMILY = Family(
    name="xlgobench",
    options=(
        BASELINE,
        SEED,
        DRAWS,
        Option("permutations", "integer", "draws of the paired test", 19_999, least=1),
    ),
    wording_of=wording_of,
    grading_only_fields=frozenset({"answer", "edges"}),
    grade=grade,
    summarize=deferred("summary.summarize", __package__),
    tables=deferred("tables.tables", __package__),
    measures_of=measures_of,
    gaps=lambda section: section,
    headline=deferred("summary.headline", __package__),
    partial_credit=partial_credit,
)
"""The five puzzles of XLGoBench."""

__all__ = ["FAMILY", "grade"]
