"""Answers to the same questions under several conditions, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from xlgo_metric.comparison.compare import ADAPTIVE
from xlgo_metric.comparison.table import Side, on_common_questions
from xlgo_metric.core import PLAIN
from xlgo_metric.families.xlgobench.why.causes import ENGLISH
from xlgo_metric.statistics.draws import Floats
from xlgo_metric.statistics.paired import telling
from xlgo_metric.statistics.simultaneous import Contrast

Answers = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class CommonQuestions:
    """The questions that were answered under every condition, at informative levels.

    Attributes:
        refused: conditions under which answers chose the questions: against another one there is
            no test.
        right: whether each was answered correctly, by condition; ``english`` is the
            baseline's plain one. Shape (questions,) each.
        cluster: names the cluster of each question; questions of one structure share one.
        levels: the complexities of these questions, rising.
        sizes: mean bytes of the prompts, of the conditions where they are known.
    """

    refused: frozenset[str]
    right: dict[str, Answers]
    cluster: npt.NDArray[np.object_]
    levels: tuple[float, ...]
    sizes: dict[str, float]

    @property
    def n(self) -> int:
        return len(self.right[ENGLISH])

    def contrast(self, scores: Floats) -> Contrast:
        """The mean over questions of scores, such as differences of answers."""
        reach = max(1.0, float(np.abs(scores).max()))
        return Contrast.of(scores, self.cluster, reach=reach)

    def difference(self, first: str, second: str) -> Floats:
        """Right under one condition minus right under another, of each question."""
        return self.right[first].astype(np.float64) - self.right[second]

    def is_chosen(self, first: str, second: str) -> bool:
        """Whether the answers under one of the two conditions alone chose the questions."""
        return (first in self.refused) != (second in self.refused)


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
    refused = frozenset(
        name for name, side in kept.items() if side["design"].str.startswith(ADAPTIVE).any()
    )
    cluster = kept[PLAIN]["cluster"].to_numpy()
    common = CommonQuestions(refused, dict(zip(kept, right[:, rows])), cluster, levels, sizes)
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
