"""Accuracy by complexity, and each language against the baseline, for any family.

A family whose questions have a complexity says ``"gaps": gaps_of(records)`` in its section, and the
report draws its curves, gaps and heat map. The test and its interval are those of
``comparison.compare``, over the whole section. A task in which a guess may be right has no curve
that falls to 0, so it gets no SMD; nor does one with fewer than three levels, which any curve of
two parameters meets. Where a language has other questions than the baseline, the difference of the
accuracies has an unpaired interval and no test.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from xlgo_metric.comparison.compare import Cell, compare
from xlgo_metric.comparison.gaps import NO_GAP, Gaps, GapTask, Paired
from xlgo_metric.comparison.levels import Levels, both_extreme, curve_json, gap_json
from xlgo_metric.comparison.table import FEWEST_LEVELS, AnswerTable, Side, sides
from xlgo_metric.core import Record
from xlgo_metric.statistics.gaps import (
    BASE,
    DRAWS,
    OTHER,
    Draws,
    cell_stream,
    curve_draws,
    gap,
)

BASELINE = "en"


def gaps_of(
    records: Sequence[Record],
    *,
    baseline: str = BASELINE,
    draws: int = DRAWS,
    seed: int = 0,
    guessed: Collection[str] = (),
) -> Gaps | None:
    """The tasks that were answered in two or more languages.

    Args:
        records: graded responses; of several to one question the first counts.
        baseline: the language that the others are compared with.
        draws: of each curve, for the spread of what is read off it.
        seed: of these draws.
        guessed: tasks in which a guess is right now and then.

    Returns:
        ``{"baseline": ..., "tasks": ..., "warnings": ...}`` in the form of ``Family.gaps``, or
        ``None`` where no task has two languages.
    """
    table = _table(records)
    tests = compare(table, "language", baseline, required=False)
    tasks: dict[str, GapTask] = {}
    for name, cells in sides(table).items():
        if len(cells) > 1:
            curves = {
                code: curve_draws(
                    *cell.levels,
                    draws=draws,
                    stream=cell_stream(name, BASE if code == baseline else OTHER, seed),
                )
                for code, cell in cells.items()
                if name not in guessed and len(cell.levels[0]) >= FEWEST_LEVELS
            }
            own_tests = {cell.other: cell for cell in tests.about(task=name)}
            tasks[name] = _task(cells, own_tests, baseline, curves)
    if not tasks:
        return None
    warnings = [
        f"{name}: the questions of {', '.join(map(repr, codes))} are others than those of "
        f"{baseline!r}: not parallel, so the differences have unpaired intervals and no test"
        for name, task in tasks.items()
        if (
            codes := [
                code
                for code, cell in task["languages"].items()
                if cell["pooled"] is not None and cell["paired"] is None
            ]
        )
    ]
    warnings += [
        f"{name}: asked in {' and '.join(task['wordings'])} wording: a gap may be one of wording"
        for name, task in tasks.items()
        if len(task["wordings"]) > 1
    ]
    return {"baseline": baseline, "tasks": tasks, "warnings": warnings}


def _table(records: Sequence[Record]) -> AnswerTable:
    """The first answer to each question that has a complexity."""
    frame = AnswerTable.of_records(records).decided.frame
    first = frame["question"].isna() | frame["repeat"].eq(0)
    return AnswerTable(frame[frame["complexity"].notna() & first])


def _task(
    cells: Mapping[str, Side], tests: Mapping[str, Cell], baseline: str, curves: Mapping[str, Draws]
) -> GapTask:
    """The languages of one task."""
    sizes = np.concatenate([cell.levels[0] for cell in cells.values()])
    ends = float(sizes.min()), float(sizes.max())

    def compared(code: str, cell: Side) -> dict[str, object]:
        base, tested = cells.get(baseline), tests.get(code)
        if base is None or code == baseline:
            return dict(NO_GAP)
        levels = Levels.of_pairs(base, cell)
        if tested is None or not levels.questions:
            return {**NO_GAP, "pooled": Levels.unpaired(base, cell).pooled(every=True)}
        result = {
            **NO_GAP,
            "difference": tested.as_json(),
            "paired": _paired(tested),
            "pooled": levels.pooled(every=True),
            "extreme": both_extreme(base, cell),
        }
        if not {baseline, code} <= curves.keys() or [*base.levels[0]] != [*cell.levels[0]]:
            return result
        estimates = gap(curves[baseline], curves[code], *ends, integers=True)
        identified = base.identified and cell.identified
        fixed = identified and not result["extreme"]
        return {**result, **gap_json(estimates, levels, fixed=fixed), "identified": identified}

    return {
        "c_min": ends[0],
        "c_max": ends[1],
        "wordings": sorted({name for cell in cells.values() for name in cell.wordings}),
        "languages": {
            code: {
                **cell.summary(),
                "details": {},
                **curve_json(cell, curves.get(code), ends),
                **compared(code, cell),
            }
            for code, cell in cells.items()
        },
    }


def _paired(cell: Cell) -> Paired:
    """The same test and interval where the puzzles have those of a largest gap."""
    return {
        "n": cell.n,
        "p": 1.0 if cell.p_value is None else cell.p_value,
        "p_holm": cell.p_value,
        "estimate": cell.difference,
        "low": cell.ci_low,
        "high": cell.ci_high,
    }
