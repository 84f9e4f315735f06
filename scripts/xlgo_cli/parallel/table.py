"""The answers to a parallel benchmark as rows of the one ``AnswerTable``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.frames import FAMILY, table_of_rows
from xlgo_metric.core import Record
from xlgo_metric.family import family

from .answers import FIELD, FILTER
from .clusters import NOTHING, SUBJECT
from .pairing import Paired

if TYPE_CHECKING:
    import pandas as pd


def rows_of(paired: Sequence[Paired], clusters: str) -> pd.DataFrame:
    """The answers to questions that are paired with the baseline, those of the baseline first.

    Args:
        paired: every language beside the same baseline.
        clusters: the field of the baseline's documents that names the ``cluster`` of a question,
            ``subject``, or ``none``.
    """
    import pandas as pd

    base = pd.concat([one.base for one in paired]).drop_duplicates("question")
    kept = [name for name in base if not name.startswith(FIELD)]
    rows = pd.concat([base, *(one.other for one in paired)], ignore_index=True)[kept]
    if clusters == NOTHING:
        return rows.assign(cluster=None)
    column = FIELD + clusters if FIELD + clusters in base else SUBJECT
    return rows.assign(cluster=rows["question"].map(base.set_index("question")[column].astype(str)))


def records(rows: pd.DataFrame, about: Mapping[str, object], date: str) -> Iterator[Record]:
    """The answers as other commands take them.

    Args:
        rows: from ``rows_of``.
        about: what all references say: the task, and how its answers were read and paired.
        date: of the run.
    """
    grade = family(FAMILY).grade
    for row in rows.itertuples():
        text = {} if row.cluster is None else {"text_id": row.cluster}
        reference = {
            "family": FAMILY,
            **about,
            "instance_id": row.question,
            **text,
            "language": row.language,
            "correct": row.correct,
        }
        yield Record(
            grade(None, reference), reference, run=date, where=f"{row.file.path}: {row.doc_id}"
        )


def answer_table(rows: pd.DataFrame, task: str) -> AnswerTable:
    """The table of ``rows_of``, with a column for each other filter of the log."""
    alone = FAMILY + " " + rows["question"]
    cluster = alone.where(rows["cluster"].isna(), rows["cluster"])
    filters = {name: rows[name] for name in rows if name.startswith(FILTER)}
    table = table_of_rows(rows.assign(task=task, cluster=cluster))
    return AnswerTable(table.frame.assign(**filters))
