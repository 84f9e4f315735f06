"""Grading and statistics of the simple reasoning tasks (paper 002) and UNPUZZLES."""

from ...family import Family, deferred
from ...option import BASELINE, DRAWS, SEED, Option
from .critic import Critic


def wording_of(task: str, language: str, wording: str) -> tuple[str, bool]:
    """The paper's English is its authors'; all other texts of this family are machine-written."""
    is_authors = language == "en" and wording != "parallel"
    return "native-written" if is_authors else "machine-written", False


FAMILY = Family(
    name="simple_reasoning",
    judge=Critic(),
    options=(Option("k", "integer", "k of pass@k", 5, least=1), BASELINE, DRAWS, SEED),
    grade=deferred("tasks.grade", __package__),
    summarize=deferred("summary.summarize", __package__),
    tables=deferred("tables.tables", __package__),
    sentences=deferred("findings.findings", __package__),
    wording_of=wording_of,
    many=deferred("tables.many", __package__),
    measures_of=deferred("tasks.measures", __package__),
)
"""Tasks that are easy and tedious."""
