"""How the questions were asked: under several conditions, or by a plan.

Every condition changes one part of the prompt (docs/why.md). Each is compared with the plain
questions of its language, in pairs; English text as long as a language's is compared with plain
English, and so is the language itself. All contrasts of a section are tested together.

Where a plan names every question, the levels are those that tell most, not those that results are
stated on; and there may be few answers at each. So range and uncertainty come from what references
state of the design.
"""

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from xlgo_metric.comparison.compare import EXTENDED, Cell, drafts, settle
from xlgo_metric.comparison.section import rows_of_cells
from xlgo_metric.comparison.table import AnswerTable, Side
from xlgo_metric.core import PLAIN, common
from xlgo_metric.table import Column, Table, interval, listed
from xlgo_metric.views import Row

ENGLISH = "english"
"""Stands for the plain questions in the baseline, English as a rule, among the answers of a
language."""

LENGTH_MATCHED, LANGUAGE_OF_MATCHED = "length_matched", "en"
_WITHIN = ("task", "language")
_FEW = 0.8


def contrasts(table: AnswerTable, baseline: str) -> tuple[Row, list[str]]:
    """What every condition changes.

    Args:
        table: answers under any conditions.
        baseline: the language that the others are compared with.

    Returns:
        ``asked`` (by task, language and condition: ``n``, ``correct``, ``accuracy``, ``parsed``
        over all levels) and ``contrasts``: cells (``Cell.as_json``) about a task and language,
        whose baseline is ``plain``, or ``english`` for ``length_matched`` and for ``plain`` itself,
        the gap. And warnings: of conditions without plain questions, or with few in common.
    """
    frame = table.frame[table.frame["complexity"].notna()]
    of_plain = frame["condition"] != LENGTH_MATCHED
    with_baseline = _with_baseline(frame, baseline)
    # Questions of matched length are English ones: they say nothing of another baseline.
    matched = (LENGTH_MATCHED,) if baseline == LANGUAGE_OF_MATCHED else ()
    of_english = with_baseline["condition"].isin((ENGLISH, PLAIN, *matched))
    ways = {PLAIN: frame[of_plain], ENGLISH: with_baseline[of_english]}
    cells = settle([
        cell
        for against, rows in ways.items()
        for cell in drafts(
            AnswerTable(rows[rows["language"] != baseline]), "condition", against, within=_WITHIN,
            required=False,
        )
    ])  # fmt: skip
    common_questions = {
        (cell.where["task"], cell.where["language"], cell.other): cell.n for cell in cells
    }
    groups = {
        (str(task), str(language), str(name)): group
        for (task, language, name), group in frame.groupby([*_WITHIN, "condition"], sort=False)
    }
    warnings = []
    for (task, language, name), group in groups.items():
        common = common_questions.get((task, language, name), 0)
        if language != baseline and name == PLAIN and not common:
            warnings.append(f"{task}/{language}: no plain questions in {baseline!r}: no gap")
        if name == LENGTH_MATCHED and not matched:
            warnings.append(f"{task}/{language}: {name} is in English: no contrast to {baseline!r}")
        elif language != baseline and name != PLAIN and common < _FEW * len(group):
            warnings.append(
                f"{task}/{language}: {common} of {len(group)} questions under {name} were answered "
                "plainly, too: only these are compared; ask all conditions together with plain"
            )
    names = list(frame["condition"].unique())
    counts: dict[str, dict[str, Row]] = {}
    for task, language, name in sorted(groups, key=lambda key: names.index(key[2])):
        group = counts.setdefault(task, {}).setdefault(language, {})
        group[name] = _counted(groups[task, language, name])
    rank = sorted(cells, key=lambda cell: names.index(cell.other))
    return {"asked": counts, "contrasts": [cell.as_json() for cell in rank]}, warnings


def _with_baseline(frame: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """The answers with those in the baseline among each language's own, as ``english``."""
    base = frame[(frame["language"] == baseline) & (frame["condition"] == PLAIN)]
    languages = [name for name in frame["language"].unique() if name != baseline]
    more = [base.assign(language=name, condition=ENGLISH) for name in languages]
    return pd.concat([frame, *more])


def _counted(group: pd.DataFrame) -> Row:
    correct = int(group["correct"].eq(True).sum())
    return {
        "n": len(group),
        "correct": correct,
        "accuracy": correct / len(group),
        "parsed": float(group["status"].isin(("correct", "wrong")).mean()),
    }


def condition_tables(section: Row) -> list[Table]:
    """``conditions`` and ``contrasts``."""
    where = {"task": Column("task"), "language": Column("language")}
    return [
        listed(
            "conditions",
            "Correct answers under each condition",
            (
                {"task": task, "language": language, "condition": name, **counts}
                for task, languages in section["asked"].items()
                for language, by_condition in languages.items()
                for name, counts in by_condition.items()
            ),
            {
                **where, "condition": Column("condition"), "n": Column("answers", "count"),
                "correct": Column("right", "count"),
                "accuracy": Column("accuracy", "share", unit="%"),
                "parsed": Column("parsed", "share", unit="%"),
            },
            "Over all levels. Only plain answers make the other tables.",
        ),
        listed(
            "contrasts",
            "What each condition changes (points)",
            rows_of_cells(Cell.of_json(row).turned for row in section["contrasts"]),
            {
                **where, "baseline": Column("condition"), "other": Column("against"),
                "n": Column("questions", "count"),
                "baseline_accuracy": Column("accuracy", "share", unit="%"),
                "accuracy": Column("of that", "share", unit="%"),
                "difference": Column("points", "difference"),
                "mark": Column("significant", after=" "),
                **dict(zip(("ci_low", "ci_high"), interval("95% interval"))),
                "p_value": Column("p", "p"),
            },
            "The same questions under two conditions, sizes alike; positive where the condition is "
            "better. English is the plain prompt of the baseline: plain against it is the gap. "
            "Intervals, p and ● (significant at 5%) hold for all rows together.",
        ),
    ]  # fmt: skip


class Stated(NamedTuple):
    """What the references of a task's answers say of their design.

    Attributes:
        design: how the questions were chosen.
        c_min, c_max: the range on which results are stated.
    """

    design: str
    c_min: int
    c_max: int


def stated(cells: Iterable[Side]) -> Stated | None:
    """The design and range of a task; ``None`` unless all answers are to a plan of one range."""
    references = [record.reference for cell in cells for record in cell.records]
    design = common(references, "design")
    ranges = {str(x.get("range") if "design" in x else None) for x in references}
    ends = references[0].get("range") if len(ranges) == 1 else None
    if design is None or not isinstance(ends, list) or [*map(type, ends)] != [int, int]:
        return None
    return Stated(design, *ends) if 0 < ends[0] < ends[1] else None


def warnings_of_design(task: str, design: Stated) -> list[str]:
    """Notes on the design for readers of the numbers."""
    sentences = [
        f"{task}: the questions were chosen (design {design.design}): accuracy and "
        "differences are of these questions, each of which counts once, so a complexity weighs as "
        "often as it was asked; they do not compare with those of other designs; curves, average "
        f"accuracy and gaps are stated on {design.c_min} to {design.c_max}"
    ]
    if EXTENDED in design.design:
        sentences.append(
            f"{task}: the budget was changed after answers had been seen; "
            "p values and intervals do not take account of that"
        )
    return sentences
