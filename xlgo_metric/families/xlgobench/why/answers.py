"""Answers to the same questions under several conditions, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from xlgo_metric.comparison.compare import Cell, compare
from xlgo_metric.comparison.table import AnswerTable, Side, on_common_questions
from xlgo_metric.core import PLAIN
from xlgo_metric.families.xlgobench.why.causes import ENGLISH
from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.effects import Answers, Effect
from xlgo_metric.statistics.paired import telling


@dataclass(frozen=True)
class CommonQuestions:
    """The questions that were answered under every condition, at informative levels.

    Attributes:
        cells: every condition against plain English and against the plain questions, by both
            names; see ``comparison.compare``.
        right: whether each was answered correctly, by condition; ``english`` is the
            baseline's plain one. Shape (questions,) each.
        cluster: which cluster each question belongs to, from 0; questions of one structure share
            one.
        levels: the complexities of these questions, rising.
        sizes: mean bytes of the prompts, of the conditions where they are known.
    """

    cells: Mapping[tuple[str, str], Cell]
    right: dict[str, Answers]
    cluster: Integers
    levels: tuple[float, ...]
    sizes: dict[str, float]

    @property
    def n(self) -> int:
        return len(self.right[ENGLISH])

    def effect(self, first: str, second: str) -> Effect:
        """The accuracy under one condition minus that under another, one of them plain.

        Where answers under one of the two chose the questions, there is no test: p is 1.
        """
        cell = self.cells.get((first, second)) or self.cells[second, first].turned
        return Effect(cell.difference, cell.low, cell.high, 1.0 if cell.p is None else cell.p)


def common_questions(
    base: Side, language: Mapping[str, Side]
) -> tuple[int, int, CommonQuestions | None]:
    """The common questions of a language's conditions and of plain English.

    The levels are those at which 10 to 90% of all answers are right, over all conditions together
    (``evidence.telling``). That number does not change when the answers under two conditions are
    exchanged, so the choice leaves the tests of all contrasts exact.

    Args:
        base: plain answers in the baseline language.
        language: answers by condition, with those to plain questions among them.

    Returns:
        How many plain questions of the language there are, at all levels; how many of these were
        answered under every condition; and these questions, ``None`` where there are none.
    """
    import pandas as pd

    named = {ENGLISH: base.by_question} | {
        name: side.by_question for name, side in language.items()
    }
    asked = len(named[PLAIN])
    named[PLAIN] = named[PLAIN][named[PLAIN]["complexity"].notna()]
    columns = dict(zip(named, on_common_questions(list(named.values()))))
    shared = columns[PLAIN]
    if shared.empty:
        return asked, 0, None
    right = np.stack([column["correct"].to_numpy(dtype=np.bool_) for column in columns.values()])
    size = shared["complexity"].to_numpy(dtype=np.float64)
    rows, levels = _telling(size, right)
    kept = {name: column[rows] for name, column in columns.items()}
    sizes = {}
    for name, column in kept.items():
        known = [record.prompt_bytes for record in column["record"]]
        if None not in known:
            sizes[name] = sum(known) / len(known)
    same = {"language": shared["language"].iloc[0]}
    table = AnswerTable(pd.concat([kept[name].assign(condition=name, **same) for name in kept]))
    cells = {
        (cell.base, cell.other): cell
        for base in (ENGLISH, PLAIN)
        for cell in compare(table, "condition", base).cells
    }
    cluster = kept[PLAIN]["cluster"].factorize()[0]
    common = CommonQuestions(cells, dict(zip(kept, right[:, rows])), cluster, levels, sizes)
    return asked, len(shared), common


def _telling(size: Floats, right: Answers) -> tuple[Answers, tuple[float, ...]]:
    """Which questions lie at informative levels, and these levels.

    Args:
        size: complexity, shape (questions,).
        right: shape (conditions, questions).
    """
    levels, place = np.unique(size, return_inverse=True)
    solved = np.bincount(place, weights=right.sum(axis=0), minlength=len(levels))
    total = np.bincount(place, minlength=len(levels)) * len(right)
    mask, _ = telling(solved.astype(np.int64), total.astype(np.int64))
    return mask[place], tuple(levels[mask].tolist())
