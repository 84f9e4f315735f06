"""Which questions of a parallel benchmark hang together: premises, passages, subjects.

Questions about one text are not independent of each other, and a test that takes each by itself
finds too much (8% of null data where 5% were meant). The field that they share is found in the
logged documents of the baseline, or given (``--cluster-by``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..logs.lines import SampleFile
from .answers import FIELD, Answers, first_document

NOTHING, SUBJECT = "none", "subject"
FIELDS = (
    "premise", "passage", "flores_passage", "context", "paragraph", "article", "document", "story",
    "link", "passage_id", "context_id", "title", "subject", "subject_category", "category",
)  # fmt: skip
"""Names of fields that questions about one thing share, the narrower ones first."""

_FEWEST = 6
"""Clusters below which no outcome could be significant at 5%."""


def candidates(file: SampleFile, given: str | None, known: str) -> tuple[str, ...]:
    """The fields of the baseline's documents that may name clusters, the best first.

    Args:
        file: a log of the baseline.
        given: the field asked for; ``none`` for no clusters; by itself if ``None``.
        known: the field that is known of the benchmark, or an empty string.

    Raises:
        ValueError: the documents have no field of that name.
    """
    if given in (NOTHING, SUBJECT):
        return ()
    document: Mapping[str, object] = first_document(file)
    if given is not None:
        if given not in document:
            there = ", ".join(document) or "no fields"
            raise ValueError(
                f"--cluster-by {given}: the documents of {file.task} have no such field: choose "
                f"among none, subject, {there}"
            )
        return (given,)
    return tuple(name for name in dict.fromkeys((known, *FIELDS)) if name in document)


def chosen(base: Answers, fields: Collection[str], given: str | None) -> str:
    """What names the clusters of a benchmark: a field, ``subject`` (the task's), or ``none``."""
    if given is not None:
        return given
    n = len(base.frame)
    for name in fields:
        if FIELD + name in base.frame and _FEWEST <= base.frame[FIELD + name].nunique() < n:
            return name
    return SUBJECT if _FEWEST <= base.frame["subject"].nunique() < n else NOTHING


def note(title: str, by: str, clusters: int, n: int) -> str:
    """Describe the clusters in a sentence."""
    return (
        f"{title}: questions of one {by} are not independent ({clusters} clusters of {n} "
        "questions): the test exchanges whole clusters (--cluster-by names another field, or none)."
    )
