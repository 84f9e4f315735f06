"""Tasks of other people in several languages, whose answers their own tools have graded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from xlgo_metric.core import ACCURACY, Grade, Reference, common, field_of, signature
from xlgo_metric.family import Family, Section
from xlgo_metric.table import Column, Table, listed
from xlgo_metric.views import frame_of, measured, rows_of

if TYPE_CHECKING:
    import pandas as pd

_CONDITIONS = frozenset({"metric", "filter", "paired_by"})
_SEPARATORS = re.compile(r"[|:\n]+")
_COLUMNS = {
    "task": Column("Task"),
    "language": Column("Language"),
    "questions": Column("Questions", "count"),
    "acc": Column("Accuracy", "share", unit="%"),
}


def _grade(prediction: str | None, reference: Reference) -> Grade:
    """The grade that the log has: ``correct`` of the reference."""
    right = bool(reference.get("correct"))
    return Grade(right, "correct" if right else "wrong", strict=right)


def section_of(frame: pd.DataFrame, references: Iterable[Reference]) -> Section:
    """``measured``: accuracy (``acc``) by task and language.

    A caller adds ``by_language``, and as ``parts`` what of the gaps is the filter, in sentences.

    Args:
        frame: a row an answer, with ``task``, ``language``, ``question`` and ``acc``.
        references: what they say of how the answers were read and paired is in the signature.
    """
    every = list(references)
    shared = {x: common(every, x) for x in ("task", "version", *sorted(_CONDITIONS))}
    fields = {name: _SEPARATORS.sub("-", text) for name, text in shared.items() if text}
    numbers = measured(frame, ["task", "language"], [ACCURACY.name])
    return {"signature": signature(fields), "warnings": [], "measured": rows_of(numbers)}


def _tables(section: Section) -> list[Table]:
    import pandas as pd

    result = pd.DataFrame(section["measured"])
    is_read = (field_of(section["signature"], "metric") or "").startswith("read-")
    title = f"Accuracy, as {'read again' if is_read else 'the logs have it'}"
    return [listed("parallel", title, result, _COLUMNS)]


FAMILY = Family(
    name="parallel",
    conditions=_CONDITIONS,
    grade=_grade,
    summarize=lambda records, **_: section_of(
        frame_of(records, (ACCURACY,)), (record.reference for record in records)
    ),
    tables=_tables,
    sentences=lambda section: [("", sentence) for sentence in section.get("parts", ())],
    measures_of=lambda *_: (ACCURACY,),
    headline=lambda section: {
        f"{row['task']}_acc_{row['language']}": row["acc"] for row in section["measured"]
    },
)
