"""Three readings of the same answers: strict, in the asked form, and lenient, which is the verdict.

An answer is correct under the strict reading if it is correct and exactly what was asked for
(``Grade.strict``), under the reading of the asked form if it is correct and in that form
(``Grade.in_form``), and under the lenient reading if it is correct. A gap that one reading shows
and another does not may come from how answers are written down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, cast

from xlgo_metric.table import Column, Table

if TYPE_CHECKING:
    from xlgo_metric.core import Record

    from .compare import By, Cell, Comparison
    from .table import AnswerTable

KEY = "readings"
"""Of the three readings in the section of a family."""

GAPS = "reading_gaps"
"""The name of the table of gaps that depend on the reading."""

NAMES = {"strict": "strict", "in_form": "asked form", "lenient": "lenient"}
_MEASURES = {"strict": "strict", "in_form": "in_form", "lenient": "correct"}


class Rates(TypedDict):
    """How many decided answers are correct under each reading; fractions."""

    task: str
    asked_as: str
    language: str
    n: int
    strict: float
    in_form: float
    lenient: float


class ReadGap(TypedDict):
    """A language against the baseline under one reading; fractions, p after Holm's correction."""

    accuracy_base: float
    accuracy: float
    difference: float
    low: float
    high: float
    p_holm: float | None
    significant: bool


class ReadingGap(TypedDict):
    """A language against the baseline under every reading, on the questions answered in both.

    ``depends`` says that the sign or the significance of the gap depends on the reading.
    """

    task: str
    asked_as: str
    language: str
    n: int
    by_reading: dict[str, ReadGap]
    depends: bool


class Readings(TypedDict):
    """The three readings of a family's answers, and of its gaps to the baseline."""

    baseline: str
    rates: list[Rates]
    gaps: list[ReadingGap]


def readings(records: Sequence[Record], baseline: str) -> Readings:
    """The rates of correct answers under each reading, and the gaps that depend on it.

    Args:
        records: of one family. Conditions other than the plain one do not count.
        baseline: the language that the others are compared with, where it was asked. Holm's
            correction counts all gaps of one reading.
    """
    from .section import table_of

    table = table_of(records).decided
    return {"baseline": baseline, "rates": _rates(table), "gaps": _gaps(table, baseline)}


def readings_of_models(table: AnswerTable) -> Readings:
    """The same of two models: the gaps are those between them, in every task and language.

    Args:
        table: answers of both; the first model is the baseline. ``asked_as`` holds the models.
    """
    decided = table.decided
    baseline = str(decided.frame["model"].iloc[0]) if len(decided.frame) else ""
    return {"baseline": baseline, "rates": _rates(decided), "gaps": _gaps(decided, None)}


def _rates(table: AnswerTable) -> list[Rates]:
    keys = ["task", "model", "language"]
    shares = table.frame[[*keys, *_MEASURES.values()]].astype(
        dict.fromkeys(_MEASURES.values(), float)
    )
    grouped = shares.groupby(keys, sort=False)
    rows = zip(grouped.size().items(), grouped.mean().itertuples(index=False))
    return [
        {"task": str(task), "asked_as": str(model), "language": str(language), "n": int(n),
         "strict": found.strict, "in_form": found.in_form, "lenient": found.correct}
        for ((task, model, language), n), found in rows
    ]  # fmt: skip


def _gaps(table: AnswerTable, baseline: str | None) -> list[ReadingGap]:
    """Between a language and the others, or between two models without one."""
    from .compare import CORRECT, compare

    frame = table.frame
    if baseline is not None and baseline not in set(frame["language"]):
        return []
    by: By = "model" if baseline is None else "language"
    lenient = compare(table, by, baseline)
    found: dict[str, Comparison] = {
        name: lenient
        if frame[measure].equals(frame[CORRECT])
        else compare(table, by, baseline, measure=measure)
        for name, measure in _MEASURES.items()
    }
    every = zip(*(comparison.cells for comparison in found.values()))
    return [_gap(dict(zip(found, cells))) for cells in every]


def _gap(cells: Mapping[str, Cell]) -> ReadingGap:
    about = cells["lenient"]
    return {
        "task": about.task, "asked_as": about.where.get("model", about.other),
        "language": about.where.get("language", about.other),
        "n": about.n, "by_reading": {name: _read(cell) for name, cell in cells.items()},
        "depends": depends(list(cells.values())),
    }  # fmt: skip


def _read(cell: Cell) -> ReadGap:
    return {
        "accuracy_base": cell.mean_base, "accuracy": cell.mean_other,
        "difference": cell.difference, "low": cell.low, "high": cell.high,
        "p_holm": cell.p_adjusted, "significant": cell.significant,
    }  # fmt: skip


def depends(cells: Sequence[Cell]) -> bool:
    """Whether the sign or the significance of a gap depends on the reading.

    Of gaps that no reading makes significant the sign means nothing. A reading under which neither
    side has a correct answer, such as the strict one of a model that always explains, shows
    nothing of a gap and does not count.
    """
    shown = [cell for cell in cells if cell.mean_base or cell.mean_other]
    return len({(cell.difference > 0) if cell.significant else None for cell in shown}) > 1


def readings_by_cell(section: Mapping[str, object]) -> dict[tuple[str, str, str], ReadingGap]:
    """The gaps of a section that depend on the reading, by task, way of asking and language."""
    found = cast("Readings | None", section.get(KEY))
    return {
        (gap["task"], gap["asked_as"], gap["language"]): gap
        for gap in (found["gaps"] if found else ())
        if gap["depends"]
    }


def readings_tables(section: Mapping[str, object]) -> list[Table]:
    """The rates, and the gaps that depend on the reading where there are any."""
    readings = cast("Readings | None", section.get(KEY))
    return tables(readings) if readings else []


def tables(readings: Readings, who: str = "Asked as") -> list[Table]:
    """The tables of `readings_tables`; of models ``who`` is "Model"."""
    parted = any(rates["asked_as"] for rates in readings["rates"])
    where = (*((Column(who),) if parted else ()), Column("Task"), Column("Language"))
    subtracted = "accuracy in the language" if who == "Asked as" else "that of the other model"

    def of(row: Rates | ReadingGap) -> tuple[str, ...]:
        return (*((row["asked_as"],) if parted else ()), row["task"], row["language"])

    rates = Table(
        KEY,
        "Correct answers under three readings (%)",
        (*where, Column("Answers", "count"),
         *(Column(name.capitalize(), "share") for name in NAMES.values())),
        tuple((*of(row), row["n"], row["strict"], row["in_form"], row["lenient"])
              for row in readings["rates"]),
        "Strict: the response is exactly what was asked for. Asked form: the answer is in the form "
        "that the prompt asks for, with text around it. Lenient: the verdict of the grader.",
    )  # fmt: skip
    gaps = Table(
        GAPS,
        "Gaps that depend on the reading",
        (*where, Column("Questions", "count"),
         *(column for name in NAMES.values() for column in _gap_columns(name.capitalize()))),
        tuple((*of(gap), gap["n"],
               *(value for read in gap["by_reading"].values()
                 for value in (read["difference"], read["p_holm"])))
              for gap in readings["gaps"] if gap["depends"]),
        f"Accuracy {'in' if who == 'Asked as' else 'of'} {readings['baseline']} minus {subtracted} "
        "on the questions answered in both, with exact paired tests and Holm's correction over all "
        "gaps of one reading. Listed are gaps whose sign or significance differs between readings.",
    )  # fmt: skip
    return [table for table in (rates, gaps) if table.rows]


def _gap_columns(name: str) -> tuple[Column, Column]:
    return Column(name, "difference", unit="points"), Column(f"{name}, p (Holm)", "p")
