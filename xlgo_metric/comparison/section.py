"""The gaps of a family to its baseline as a section of the score, under three readings.

``by_language`` serves families that have no comparison of their own. ``readings`` compares three
readings of the same answers: an answer is correct under the strict reading if it is correct and
exactly what was asked for (``Grade.strict``), under the reading of the asked form if it is correct
and in that form (``Grade.in_form``), and under the lenient reading, which is the verdict, if it is
correct. A gap that one reading shows and another does not may come from how answers are written
down.

``repeats`` says how far the answers to one question differ, where questions were asked several
times. With k answers to each of n questions a mean has the variance (between + within / k) / n:
between questions, and between answers to the same one (the two components of a one-way
random-effects layout; Searle, Casella and McCulloch 1992, chapter 3). For the same number of
prompts, one answer to each of more questions is never worse.

Sections are plain dicts, as JSON has them, described here by their keys. ``Family.gaps`` returns a
``Gaps``, the part with accuracy by complexity and gaps to a baseline; docs/statistics.md explains
every number. All are fractions unless something else is said, and ``None`` stands where a number
cannot be given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from xlgo_metric.core import Json, Record, grouped
from xlgo_metric.table import Column, Table, columns, listed

if TYPE_CHECKING:
    import pandas as pd

    from xlgo_metric.comparison.compare import By, Cell, Comparison
    from xlgo_metric.comparison.table import AnswerTable


CellJson = Json
"""A cell of ``comparison.compare`` as ``Cell.as_json`` gives it; ``Cell.of_json`` reads it."""

Counted = Json
"""Two languages over some ``levels`` together: correct answers and answers (``k_en``, ``n_en``,
``k_l``, ``n_l``), pairs right in one only (``only_en``, ``only_l``; ``None`` where the questions
are not the same), and the exact limits ``low`` and ``high`` of their difference; ``between`` where
no level is informative, so that those next to the drop stand."""

Paired = Json
"""Whether two languages differ at some complexity, and an interval of the largest gap.

``n`` questions; ``p`` of the exchange test over levels, ``p_holm`` corrected over the section: a
claim of its own, which is not that of the difference over all questions; ``estimate``, ``low`` and
``high``, ``interval`` (what made them), ``free_low`` and ``free_high`` (model-free), each of these
limits with ``_all`` for all cells together; ``misfit_size`` where a curve is rejected."""

Fit = Json
"""A fitted curve: ``q``, ``r`` with ``q_sd``, ``r_sd``; ``r2``, ``deviance``, ``identified``,
``warnings``; ``misfit``, ``misfit_p``, ``misfit_size`` where that was tested."""

_OF_GAPS = (
    "difference", "small", "sides", "published_rule", "identified", "coarse", "extreme",
    "supported", "most", "pooled", "crossing", "paired", "smd", "smd_sd", "c_star",
    "c_star_sd", "f_en", "f_en_sd", "f_l", "f_l_sd", "rd", "rd_sd",
)  # fmt: skip

GapCell = Json
"""A language of a task: counts (``n``, ``correct``, ``accuracy``, ``strict``, ``parsed``,
``statuses``, ``levels``, ``details``, ``solves``), its curve (``fit``, ``avg_acc``, ``avg_acc_sd``,
``band``), and its gap to the baseline, whose every entry is ``None`` where that cannot be done.

``difference`` is the cell of the gap; ``sides`` say where each language is ahead (``p_behind``,
``p_ahead``, ``behind``, ``ahead``); ``pooled`` and ``crossing`` are ``Counted``. What follows from
fitted curves is there only where the answers fix it: both curves are identified, a level allows so
large a gap, and there are questions enough (``small`` says that there are not)."""

NO_GAP: Mapping[str, object] = dict.fromkeys(_OF_GAPS)
"""The gap of a ``GapCell`` where nothing can be done."""

GapTask = Json
"""A task: its range of complexity (``c_min``, ``c_max``), its ``languages`` (a ``GapCell`` each),
and perhaps ``design``, ``wordings``, ``baseline`` and ``floor`` (``complexity``, ``accuracy`` and
``heuristic`` of the best known shortcut)."""

Gaps = Json
"""Tasks whose languages are compared with a ``baseline``: ``tasks`` (a ``GapTask`` each) and
``warnings``."""

OverTasks = Json
"""The gap of each language over the ``tasks`` that count for all of them: ``left_out``, why each
other task does not count; ``languages``, a ``CellJson`` each, tested together; ``last``, the
languages that cannot be ruled out to be the most affected."""

ByLanguage = Json
"""The comparison of a family's languages with the ``baseline``: ``cells``, a ``CellJson`` each."""

ReadingGap = Json
"""A language against the baseline under every reading, on the questions answered in both: ``task``,
``asked_as``, ``language``, ``n``, ``by_reading`` (a ``CellJson`` each) and ``depends``: the sign or
the significance of the gap depends on the reading."""

Readings = Json
"""The readings of a family's answers, and of its gaps to the ``baseline``: ``rates`` (``task``,
``asked_as``, ``language``, ``n`` and the share of correct answers under each) and ``gaps``, a
``ReadingGap`` each."""


KEY = "by_language"
"""Of the comparison in the section of a family."""

ENGLISH = "en"
_ASKED_AS = ("model", "setting", "control")
"""Entries of a reference that part answers which must not be paired with each other."""


def by_language(table: AnswerTable, baseline: str = ENGLISH) -> ByLanguage | None:
    """Compare the languages of a family's answers with the baseline, all cells together.

    Args:
        table: plain answers of one family, from ``table_of``. Answers of several models, settings
            or controls, as their references name them, are compared apart.
        baseline: the language that the others are compared with.

    Returns:
        ``None`` where fewer than two languages were asked, or not the baseline, or they have no
        question in common.
    """
    from .compare import compare

    cells = compare(table, "language", baseline, required=False).cells
    return {"baseline": baseline, "cells": [cell.as_json() for cell in cells]} if cells else None


def table_of(records: Sequence[Record]) -> AnswerTable:
    """The plain answers of a family; the condition replaces the model."""
    from .table import AnswerTable, answers_of

    answers = (
        answer
        for name, group in grouped(records, _asked_as).items()
        for answer in answers_of(group, model=name)
    )
    return AnswerTable.of_answers(answers).plain


def _asked_as(record: Record) -> str:
    names = (str(record.reference.get(key) or "") for key in _ASKED_AS)
    return " ".join(name for name in names if name not in ("", "none"))


def cells_of_section(section: ByLanguage) -> list[Cell]:
    """The cells of a family's section, as objects."""
    from .compare import Cell

    return [Cell.of_json(cell) for cell in section["cells"]]


def asked_as(cell: Cell) -> str:
    """Of what model, setting or control the answers are; empty where there is only one way."""
    return cell.where.get("model", "")


def language_tables(section: Mapping[str, object]) -> list[Table]:
    """The comparison in the section of a family as a table; none where there is none."""
    by_language = cast("ByLanguage | None", section.get(KEY))
    if not by_language:
        return []
    base, cells = by_language["baseline"], cells_of_section(by_language)
    heads = {
        **({"model": Column("Asked as")} if any(map(asked_as, cells)) else {}),
        "task": Column("Task"), "other": Column("Language"), "n": Column("Questions", "count"),
        "baseline_accuracy": Column(f"Accuracy {base}", "share", unit="%"),
        "accuracy": Column("Accuracy", "share", unit="%"),
        "difference": Column("Gap", "difference", unit="points"),
        "mark": Column("Significant", after=" "),
        "ci_low": Column("Low", "difference", unit="points"),
        "ci_high": Column("High", "difference", unit="points"),
        "only_baseline": Column(f"Only {base}", "count"),
        "only_other": Column("Only language", "count"), "p_value": Column("p", "p"),
    }  # fmt: skip
    caption = (
        f"Gap: accuracy in {base} minus accuracy in the language, on the questions answered in "
        "both. ● significant at 5%. Intervals and p hold for all rows together."
    )
    return [listed(KEY, f"Languages compared with {base}", rows_of_cells(cells), heads, caption)]


def rows_of_cells(cells: Iterable[Cell]) -> list[Json]:
    """Cells as rows of tables: fields, what they are about, the mark, and discordant pairs."""
    return [
        {**cell.where, **vars(cell), "mark": mark(cell) or None,
         **dict(zip(("only_baseline", "only_other"), cell.discordant))}
        for cell in cells
    ]  # fmt: skip


def with_wordings(table: Table, cells: Sequence[CellJson]) -> Table:
    """A table of gaps with who wrote and read the wordings: in a column, or in the caption.

    Args:
        table: of a family.
        cells: the gaps of its section.
    """
    status_of = {
        (cell["where"].get("task"), cell["other"]): status
        for cell in cells
        if (status := cell["where"].get("wording_status"))
    }
    if not status_of or not any(column.kind == "difference" for column in table.columns):
        return table
    names = [name.lower() for name in table.names]
    if "language" in names and "task" in names:
        task, after = names.index("task"), names.index("language") + 1
        rows = tuple(
            (*row[:after], status_of.get((row[task], row[after - 1])), *row[after:])
            for row in table.rows
        )
        columns = (*table.columns[:after], Column("Wording"), *table.columns[after:])
        return replace(table, columns=columns, rows=rows)
    by_language = grouped(status_of, lambda key: key[1])
    by_status = grouped(
        by_language, lambda code: ", ".join(sorted({status_of[key] for key in by_language[code]}))
    )
    statuses = "; ".join(f"{', '.join(codes)} {status}" for status, codes in by_status.items())
    return replace(table, caption=f"{table.caption} Wordings: {statuses}.".strip())


def mark(cell: Cell) -> str:
    """``●`` for a significant difference, ``?`` where there can be no mark, then ``†``."""
    sign = "●" if cell.is_significant else "?" if cell.refused else ""
    return sign + "†" * cell.flagged


READINGS = "readings"
"""Of the three readings in the section of a family."""

GAPS = "reading_gaps"
"""The name of the table of gaps that depend on the reading."""

NAMES = {"strict": "strict", "in_form": "asked form", "lenient": "lenient"}
_MEASURES = {"strict": "strict", "in_form": "in_form", "lenient": "correct"}


def readings_of(
    table: AnswerTable, baseline: str | None, measures: Mapping[str, str] = _MEASURES
) -> Readings:
    """The rates of correct answers under each reading, and the gaps that depend on it.

    Args:
        table: decided answers to plain questions.
        baseline: the language that the others are compared with, where it was asked; all gaps of
            one reading are tested together. ``None`` to compare two models in every task and
            language, of which the first is the baseline. ``asked_as`` then holds the models.
        measures: the column of each reading, the verdict among them.
    """
    base = baseline if baseline is not None else next(iter(table.frame["model"]), "")
    return {
        "baseline": str(base),
        "rates": _rates(table, measures),
        "gaps": _gaps(table, baseline, measures),
    }


def _rates(table: AnswerTable, measures: Mapping[str, str]) -> list[Json]:
    keys, columns = ["task", "model", "language"], list(measures.values())
    grouped = table.frame.astype(dict.fromkeys(columns, float)).groupby(keys, sort=False)
    rows = zip(grouped.size().items(), grouped[columns].mean().itertuples(index=False, name=None))
    return [
        {"task": str(task), "asked_as": str(model), "language": str(language), "n": int(n),
         **dict(zip(measures, shares))}
        for ((task, model, language), n), shares in rows
    ]  # fmt: skip


def _gaps(
    table: AnswerTable, baseline: str | None, measures: Mapping[str, str]
) -> list[ReadingGap]:
    """Between a language and the others, or between two models without one."""
    from .compare import CORRECT, compare

    frame = table.frame
    by: By = "model" if baseline is None else "language"
    lenient = compare(table, by, baseline, required=False)
    comparisons: dict[str, Comparison] = {
        name: lenient
        if frame[measure].equals(frame[CORRECT])
        else compare(table, by, baseline, measure=measure, required=False)
        for name, measure in measures.items()
    }
    every = zip(*(comparison.cells for comparison in comparisons.values()))
    return [_gap(dict(zip(comparisons, cells))) for cells in every]


def _gap(cells: Mapping[str, Cell]) -> ReadingGap:
    about = next(iter(cells.values()))
    return {
        "task": about.task,
        "asked_as": about.where.get("model", about.other),
        "language": about.where.get("language", about.other),
        "n": about.n,
        "by_reading": {name: cell.as_json() for name, cell in cells.items()},
        "depends": depends(list(cells.values())),
    }


def depends(cells: Sequence[Cell]) -> bool:
    """Whether the sign or the significance of a gap depends on the reading.

    Of gaps that no reading makes significant the sign means nothing. A reading under which neither
    side has a correct answer, such as the strict one of a model that always explains, shows
    nothing of a gap and does not count.
    """
    informative = [cell for cell in cells if cell.baseline_accuracy or cell.accuracy]
    return len({(cell.difference > 0) if cell.is_significant else None for cell in informative}) > 1


def readings_by_cell(section: Mapping[str, object]) -> dict[tuple[str, str, str], ReadingGap]:
    """The gaps of a section that depend on the reading, by task, way of asking and language."""
    readings = cast("Readings | None", section.get(READINGS))
    return {
        (gap["task"], gap["asked_as"], gap["language"]): gap
        for gap in (readings["gaps"] if readings else ())
        if gap["depends"]
    }


def readings_tables(section: Mapping[str, object], who: str = "Asked as") -> list[Table]:
    """The rates, and the gaps that depend on the reading where there are any.

    Args:
        section: of a family, or what holds ``READINGS``.
        who: "Model" where two models are compared.
    """
    readings = cast("Readings | None", section.get(READINGS))
    if not readings:
        return []
    parted = any(rates["asked_as"] for rates in readings["rates"])
    where = {"asked_as": Column(who)} if parted else {}
    where |= {"task": Column("Task"), "language": Column("Language")}
    heads = {name: text.capitalize() for name, text in NAMES.items()}
    subtracted = "accuracy in the language" if who == "Asked as" else "that of the other model"
    rates = listed(
        READINGS,
        "Correct answers under three readings (%)",
        readings["rates"],
        {
            **where,
            "n": Column("Answers", "count"),
            **dict(zip(heads, columns("share", *heads.values()))),
        },
        "Strict: the response is exactly what was asked for. Asked form: the answer is in the form "
        "that the prompt asks for, with text around it. Lenient: the verdict of the grader.",
    )
    gaps = Table(
        GAPS,
        "Gaps that depend on the reading",
        (*where.values(), Column("Questions", "count"),
         *(column for head in heads.values()
           for column in (Column(head, "difference", unit="points"), Column(f"{head}, p", "p")))),
        tuple((*map(gap.get, (*where, "n")),
               *(read[name] for read in gap["by_reading"].values()
                 for name in ("difference", "p_value")))
              for gap in readings["gaps"] if gap["depends"]),
        f"Accuracy {'in' if who == 'Asked as' else 'of'} {readings['baseline']} minus {subtracted} "
        "on the questions answered in both; p is corrected for all gaps of one reading."
        " Listed are gaps whose sign or significance differs between readings.",
    )  # fmt: skip
    return [table for table in (rates, gaps) if table.rows]


def cells_of(tasks: Mapping[str, GapTask]) -> list[tuple[str, str, GapCell]]:
    """Task, language and cell of every language of every task."""
    return [
        (name, language, cell)
        for name, task in tasks.items()
        for language, cell in task["languages"].items()
    ]


REPEATS = "repeats"
"""Of the variances in the section of a family, and of their table."""


Repeats = Json
"""Variances of a language's answers, and of its gap to the baseline: ``task``, ``asked_as``,
``language``, and

* ``questions``, ``answers``: how many;
* ``between``, ``within``: variance of the chance of a correct answer over questions, and of the
  answers to one question; in [0, 1]; ``None`` where they cannot be told apart, because no question
  was asked twice or there is one question only;
* ``gap_between``, ``gap_within``: the same of the paired difference, on common questions; ``None``
  in the baseline.
"""

_COLUMNS = {
    "task": Column("Task"),
    "asked_as": Column("Asked as"),
    "language": Column("Language"),
    "questions": Column("Questions", "count"),
    "answers": Column("Answers", "count"),
    "between": Column("Between questions", "number", 3),
    "within": Column("Within", "number", 3),
    "gap_between": Column("Gap, between", "number", 3),
    "gap_within": Column("Gap, within", "number", 3),
}


def repeats_of(table: AnswerTable, baseline: str) -> list[Repeats]:
    """The variances of each task and language; none where no question was asked several times.

    Args:
        table: decided answers.
        baseline: the language that gaps are to.
    """
    frame = table.frame[table.frame["question"].notna()]
    rows: list[Repeats] = []
    if not (frame["repeat"] > 0).any():
        return rows
    frame = frame.astype({"correct": float})
    for (task, model), part in frame.groupby(["task", "model"], sort=False):
        grouped = part.groupby(["language", "question"], sort=False)["correct"]
        by_question = grouped.agg(["mean", "var", "count"])
        sides = {
            code: answers.droplevel(0) for code, answers in by_question.groupby(level=0, sort=False)
        }
        base = sides.get(baseline)
        for code, side in sides.items():
            gap = (None, None) if base is None or code == baseline else _components(base, side)
            between, within = _components(side)
            rows.append({
                "task": str(task), "asked_as": str(model), "language": str(code),
                "questions": len(side), "answers": int(side["count"].sum()),
                "between": between, "within": within,
                "gap_between": gap[0], "gap_within": gap[1],
            })  # fmt: skip
    return rows


def _components(*sides: pd.DataFrame) -> tuple[float | None, float | None]:
    """Variance between questions and within, of a mean or of a difference of two.

    Args:
        sides: one or two, by question: ``mean``, ``var`` (unbiased) and ``count`` of its answers.
    """
    common = sides[0].index if len(sides) == 1 else sides[0].index.intersection(sides[1].index)
    first, *rest = [side.loc[common] for side in sides]
    mean = first["mean"] - sum(side["mean"] for side in rest)
    if len(common) < 2 or any(side["var"].isna().all() for side in (first, *rest)):
        return None, None
    # A question with one answer has no variance of its own: it is taken to have that of the others.
    variances = [side["var"].fillna(side["var"].mean()) for side in (first, *rest)]
    noise = sum(var / side["count"] for var, side in zip(variances, (first, *rest)))
    between = max(float(mean.var()) - float(noise.mean()), 0.0)
    return between, float(sum(var.mean() for var in variances))


def repeats_tables(section: Mapping[str, object]) -> list[Table]:
    """The variances in the section of a family as a table; none where there are none."""
    repeats = cast("list[Repeats]", section.get(REPEATS) or [])
    if not repeats:
        return []
    return [listed(
        REPEATS, "Answers to the same question", repeats, _COLUMNS,
        "Variances of a correct answer, and of the gap to the baseline, between questions and "
        "between answers to one question. A mean over n questions with k answers each has the "
        "variance (between + within / k) / n: for the same number of prompts, more questions are "
        "never worse than more answers to each.",
    )]  # fmt: skip
