"""Which questions of a parallel benchmark hang together: premises, passages, documents.

Questions about one text are not independent of each other, and a test that takes each by itself
finds too much (13 to 41% of data without a gap where 5% were meant). A field is a cluster where its
values repeat over questions in the same way in every language. Never clusters are answers, options,
models, dates and splits; subjects, categories and levels are strata, in which questions are
independent. ``--cluster-by`` decides otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..logs.lines import Doc
from .answers import FIELD, fields_of
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


def cluster_field(
    paired: Sequence[Paired], document: Doc, field: str | None, usual: str, by: Collection[str]
) -> str:
    """What names the clusters of a benchmark: a field, ``subject`` (the task's), or ``none``.

    Args:
        paired: every language beside the baseline.
        document: the fields of a question in the baseline.
        field: that was asked for; ``none`` for no clusters; found if ``None``.
        usual: the field that is known of the benchmark, or an empty string.
        by: the fields that name a question.

    Raises:
        ValueError: the documents have no field of that name.
    """
    if field is not None and field not in (NOTHING, SUBJECT, *document):
        raise ValueError(
            f"--cluster-by {field}: the documents of {paired[0].base['file'].iloc[0].task} have no "
            f"such field: choose among none, subject, {', '.join(document) or 'no fields'}"
        )
    if field is not None:
        return field
    frames = [paired[0].base, *(pair.other for pair in paired)]
    names = [name.removeprefix(FIELD) for name in fields_of(frames[0])]
    fields = [
        name
        for name in dict.fromkeys((usual, *_TEXTS, *(n for n in names if n not in by)))
        if all(FIELD + name in frame for frame in frames) and not _NO_CLUSTER.fullmatch(name)
    ]
    alike = [n for n in fields if all(_repeats_alike(pair, FIELD + n) for pair in paired)]
    sizes = {
        name: size
        for name in alike
        if (size := int(paired[0].base[FIELD + name].nunique())) >= _MANY
        or name in _TEXTS
        or len(str(document.get(name, ""))) > _LONG
    }
    likely = [name for name in sizes if name in _TEXTS or name == fields[0]]
    return next(iter(likely or sorted(sizes, key=lambda name: -sizes[name])), NOTHING)


def _repeats_alike(pair: Paired, column: str) -> bool:
    """Whether a field groups the questions in the same way in both languages.

    A field that follows from the correct answer is another form of it, and no cluster.
    """
    codes, target = pair.base[column].factorize()[0], pair.base[TARGET].factorize()[0]
    if not 1 < codes.max() + 1 < len(codes):
        return False
    follows = len(set(zip(target.tolist(), codes.tolist()))) == target.max() + 1 < len(codes)
    alike: bool = (codes == pair.other[column].factorize()[0]).all()
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
