"""Grade many answers and sum them up, whatever families they belong to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from . import __version__
from .core import Grade, Record, Table
from .family import DEFAULT_FAMILY, FAMILIES, family, family_of
from .reading.thinking import split_thinking


def read_reference(reference: str | dict[str, Any]) -> dict[str, Any]:
    """A reference as a dict, whether it was given as one or as JSON.

    Raises:
        ValueError: it is neither, or it lacks the task or the answer.
    """
    if isinstance(reference, str):
        try:
            reference = json.loads(reference)
        except json.JSONDecodeError as error:
            raise ValueError(f"a reference is not valid JSON: {error}") from None
    if not isinstance(reference, dict):
        raise ValueError(
            f"a reference must be a JSON object, got {type(reference).__name__}: give the column "
            "'reference' of the data set"
        )
    for key in ("task", "answer"):
        if key not in reference:
            raise ValueError(
                f"a reference has no {key!r}: give the column 'reference' of the data set"
            )
    return reference


def grade(prediction: str | None, reference: str | dict[str, Any]) -> Grade:
    """Grade one response.

    Args:
        prediction: the model's whole output; ``None`` counts as an empty one.
        reference: the column ``reference`` of the row, as JSON or as a dict.

    Raises:
        ValueError: the reference is malformed. The prediction may be anything.

    >>> grade('{"chain": [1, -2]}', '{"task": "slt", "answer": {"chain": [1, -2]}}').status
    'correct'
    """
    data = read_reference(reference)
    return family_of(data).grade(prediction, data)


def grade_all(
    predictions: Sequence[str | None],
    references: Sequence[str | dict[str, Any]],
    *,
    thinking: Sequence[str | None] | None = None,
) -> list[Record]:
    """Grade responses one by one; records in the same order.

    Args:
        predictions: model outputs, n of them.
        references: their references, n of them.
        thinking: thinking given apart from the response, n of them, where there is such; else it
            is what stands in the response between its marks.

    Raises:
        ValueError: the lengths differ, or a reference is malformed (its position is named).
    """
    if len(predictions) != len(references):
        raise ValueError(
            f"{len(predictions)} predictions but {len(references)} references: give one each"
        )
    if thinking is not None and len(thinking) != len(predictions):
        raise ValueError(f"{len(predictions)} predictions but {len(thinking)} texts of thinking")
    records = []
    for position, (prediction, reference) in enumerate(zip(predictions, references)):
        try:
            data = read_reference(reference)
        except ValueError as error:
            raise ValueError(f"row {position}: {error}") from None
        found = family_of(data).grade(prediction, data)
        if thinking is None:
            thought = split_thinking(prediction or "").thinking
        else:
            thought = thinking[position]
        records.append(Record(found, data, thought, prediction))
    return records


def summarize(records: Iterable[Record], **options: Any) -> dict[str, Any]:
    """The score of graded responses.

    Returns:
        Plain JSON types: ``signature`` (what made the score, the version last), ``version`` and
        ``families``, a section for each family that occurs, in that family's own form, in the
        order of the registry.

    Raises:
        ValueError: there are no records, or an option is unknown to a family.
    """
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.reference.get("family", DEFAULT_FAMILY), []).append(record)
    if not groups:
        raise ValueError("there is nothing to score: no predictions were given")
    places = {name: place for place, name in enumerate(FAMILIES)}
    ordered = sorted(groups, key=lambda name: places.get(name, len(places)))
    sections = {name: family(name).summarize(groups[name], **options) for name in ordered}
    signatures = [section["signature"] for section in sections.values() if "signature" in section]
    return {
        "signature": " ".join(signatures),
        "version": __version__,
        "families": sections,
    }


def score(
    predictions: Sequence[str | None],
    references: Sequence[str | dict[str, Any]],
    *,
    thinking: Sequence[str | None] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Grade responses and sum them up: ``grade_all`` and ``summarize`` in one."""
    return summarize(grade_all(predictions, references, thinking=thinking), **options)


def tables(scores: dict[str, Any]) -> list[Table]:
    """Tables for people of a score, family after family."""
    return [
        table
        for name, section in scores["families"].items()
        for table in family(name).tables(section)
    ]
