"""Which questions of a parallel benchmark hang together: premises, passages, documents.

Questions about one text are not independent of each other, and a test that takes each by itself
finds too much (13 to 41% of data without a gap where 5% were meant). A field is a cluster where its
values repeat over questions in the same way in every language. Never clusters are answers, options,
models, dates and splits; subjects, categories and levels are strata, in which questions are
independent. ``--cluster-by`` decides otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ..logs import formats
from ..logs.lines import SampleFile
from .answers import FIELD, first_document
from .pairing import TARGET, Paired

NOTHING, SUBJECT = "none", "subject"
_TEXTS = (
    "premise", "passage", "flores_passage", "context", "paragraph", "article", "document", "story",
    "link", "passage_id", "context_id", "document_id", "title", "template",
)  # fmt: skip
"""Names of fields that questions about one text share, the narrower ones first."""

_NO_CLUSTER = re.compile(
    r"(.*_)?(gold|answers?|label|target|solution|options?|choices?|models?|dates?|year|splits?"
    r"|languages?|lang|sub(ject)?s?|subject_category|categor(y|ies)|difficulty|levels?|grade"
    r"|type|task|topic|domain|knowledge|source|license|version)(_.*)?",
    re.IGNORECASE,
)
_LONG = 40
"""Characters of a value from which a field holds a text, however few texts there are."""

_MANY = 20
"""Values from which a field is no category, whatever its name."""


def candidates(
    files: Sequence[SampleFile], given: str | None, known: str, paired_by: Collection[str]
) -> tuple[str, ...]:
    """The fields of the documents that may name clusters, the best first.

    Args:
        files: a log of each language, that of the baseline first.
        given: the field asked for; ``none`` for no clusters; found if ``None``.
        known: the field that is known of the benchmark, or an empty string.
        paired_by: the fields that name a question.

    Raises:
        ValueError: the documents have no field of that name.
    """
    if given in (NOTHING, SUBJECT):
        return ()
    documents: list[Mapping[str, object]] = [first_document(file) for file in files]
    if given is not None:
        if given not in documents[0]:
            there = ", ".join(documents[0]) or "no fields"
            raise ValueError(
                f"--cluster-by {given}: the documents of {files[0].task} have no such field: "
                f"choose among none, subject, {there}"
            )
        return (given,)
    free = [name for name in formats.single_values(documents[0]) if name not in paired_by]
    names = dict.fromkeys([known, *_TEXTS, *free])
    return tuple(
        name
        for name in names
        if name and not _NO_CLUSTER.fullmatch(name) and all(name in one for one in documents)
    )


def cluster_field(
    paired: Sequence[Paired], fields: Sequence[str], given: str | None, document: SampleFile
) -> str:
    """What names the clusters of a benchmark: a field, ``subject`` (the task's), or ``none``.

    Args:
        paired: every language beside the baseline.
        fields: from ``candidates``.
        given: see ``candidates``.
        document: a log of the baseline, whose first document shows what a field holds.
    """
    if given is not None:
        return given
    values, sizes = first_document(document), {}
    for name in fields:
        if all(_repeats_alike(one, FIELD + name) for one in paired):
            size = int(paired[0].base[FIELD + name].nunique())
            if size >= _MANY or name in _TEXTS or len(str(values.get(name, ""))) > _LONG:
                sizes[name] = size
    named = [name for name in sizes if name in _TEXTS or name == fields[0]]
    return next(iter(named or sorted(sizes, key=lambda name: -sizes[name])), NOTHING)


def _repeats_alike(one: Paired, column: str) -> bool:
    """Whether a field groups the questions in the same way in both languages.

    A field that follows from the correct answer is another form of it, and no cluster.
    """
    if column not in one.base or column not in one.other:
        return False
    codes, target = one.base[column].factorize()[0], one.base[TARGET].factorize()[0]
    if not 1 < codes.max() + 1 < len(codes):
        return False
    follows = len(set(zip(target.tolist(), codes.tolist()))) == target.max() + 1 < len(codes)
    alike: bool = (codes == one.other[column].factorize()[0]).all()
    return alike and not follows


def note(title: str, by: str, clusters: int, n: int) -> str:
    """What was used, in sentences."""
    if by == NOTHING:
        return (
            f"{title}: each question by itself: no field of the documents groups them alike in "
            "every language (--cluster-by FIELD takes questions together)."
        )
    return (
        f"{title}: questions of one {by} are not independent ({clusters} clusters of {n} "
        f"questions): the test exchanges whole clusters. Where a whole {by} fails in one language "
        "only, up to 11% of tests without a gap find one, not 5%. --cluster-by names another "
        "field, or none."
    )
