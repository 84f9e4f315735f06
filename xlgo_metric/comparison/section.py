"""Languages against the baseline for families that have no comparison of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, cast

from xlgo_metric.table import Column, Table

if TYPE_CHECKING:
    from xlgo_metric.core import Record

    from .compare import Cell
    from .table import AnswerTable

KEY = "by_language"
"""Of the comparison in the section of a family."""

ENGLISH = "en"
_ASKED_AS = ("model", "setting", "control")
"""Entries of a reference that part answers which must not be paired with each other."""


class LanguageCell(TypedDict):
    """A language of a task against the baseline, on the questions answered in both; fractions."""

    task: str
    asked_as: str
    language: str
    n: int
    accuracy_base: float
    accuracy: float
    only_base: int | None
    only_language: int | None
    difference: float
    low: float
    high: float
    low_all: float
    high_all: float
    p: float | None
    p_holm: float | None
    smd: float | None
    smd_sd: float | None
    c_star: float | None


class ByLanguage(TypedDict):
    """The comparison of a family's languages with the baseline."""

    baseline: str
    cells: list[LanguageCell]


def by_language(records: Sequence[Record], baseline: str = ENGLISH) -> ByLanguage | None:
    """Compare the languages of a family's answers with the baseline, corrected together.

    Args:
        records: of one family. Answers of several models, settings or controls, as their
            references name them, are compared apart.
        baseline: the language that the others are compared with.

    Returns:
        ``None`` where fewer than two languages were asked or they have no question in common.

    Raises:
        ValueError: nothing was asked in ``baseline``, if it is not English.
    """
    if len({record.reference.get("language") for record in records}) < 2:
        return None
    from .compare import compare

    given = None if baseline == ENGLISH else baseline
    cells = compare(table_of(records), "language", given, curves=True).cells
    return (
        {"baseline": baseline, "cells": [_as_json(cell, len(cells)) for cell in cells]}
        if cells
        else None
    )


def table_of(records: Sequence[Record]) -> AnswerTable:
    """The plain answers of a family; how they were asked stands in place of the model."""
    from .table import AnswerTable, answers_of

    groups: dict[str, list[Record]] = {}
    for record in records:
        named = (str(record.reference.get(key) or "") for key in _ASKED_AS)
        groups.setdefault(" ".join(name for name in named if name not in ("", "none")), []).append(
            record
        )
    answers = [answer for name, group in groups.items() for answer in answers_of(group, model=name)]
    return AnswerTable.of_answers(answers).plain


def _as_json(cell: Cell, among: int) -> LanguageCell:
    curve = cell.curve
    low_all, high_all = cell.limits_among(among)
    return {
        "task": cell.task, "asked_as": cell.where["model"], "language": cell.other, "n": cell.n,
        "accuracy_base": cell.mean_base, "accuracy": cell.mean_other,
        "only_base": cell.only_base, "only_language": cell.only_other,
        "difference": cell.difference, "low": cell.low, "high": cell.high,
        "low_all": low_all, "high_all": high_all, "p": cell.p,
        "p_holm": cell.p_adjusted, "smd": None if curve is None else curve.smd,
        "smd_sd": None if curve is None else curve.smd_sd,
        "c_star": None if curve is None else curve.c_star,
    }  # fmt: skip


def language_tables(section: Mapping[str, object]) -> list[Table]:
    """The comparison in the section of a family as a table; none where there is none."""
    by_language = cast("ByLanguage | None", section.get(KEY))
    if not by_language:
        return []
    base = by_language["baseline"]
    parted = any(cell["asked_as"] for cell in by_language["cells"])
    rows = tuple(
        (
            *((cell["asked_as"],) if parted else ()), cell["task"], cell["language"], cell["n"],
            cell["accuracy_base"], cell["accuracy"], cell["difference"], cell["low"], cell["high"],
            cell["only_base"], cell["only_language"], cell["p_holm"],
        )
        for cell in by_language["cells"]
    )  # fmt: skip
    columns = (
        *((Column("Asked as"),) if parted else ()), Column("Task"), Column("Language"),
        Column("Questions", "count"), Column(f"Accuracy {base}", "share", unit="%"),
        Column("Accuracy", "share", unit="%"), Column("Gap", "difference", unit="points"),
        Column("Low", "difference", unit="points"), Column("High", "difference", unit="points"),
        Column(f"Only {base}", "count"), Column("Only language", "count"), Column("p (Holm)", "p"),
    )  # fmt: skip
    caption = (
        f"Gap: accuracy in {base} minus accuracy in the language, on the questions answered in "
        "both, with its 95% interval. p: exact paired test, with Holm's correction over the table."
    )
    return [Table(KEY, f"Languages compared with {base}", columns, rows, caption)]
