"""Answers to the same questions under several conditions, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from xlgo_metric.comparison.counts import by_question
from xlgo_metric.comparison.table import UNKNOWN_LANGUAGE, complexity
from xlgo_metric.core import PLAIN, Record, condition
from xlgo_metric.families.xlgobench.why.causes import ENGLISH
from xlgo_metric.statistics.draws import Floats
from xlgo_metric.statistics.effects import Answers
from xlgo_metric.statistics.evidence import telling

Asked = dict[str, dict[str, dict[str, list[Record]]]]
"""Records by task, language and condition."""


def by_condition(records: Iterable[Record]) -> Asked:
    """Records by task, language and condition, in the order in which they first occur."""
    found: Asked = {}
    for record in records:
        language = str(record.reference.get("language") or UNKNOWN_LANGUAGE)
        of_task = found.setdefault(record.reference["task"], {}).setdefault(language, {})
        of_task.setdefault(condition(record.reference), []).append(record)
    return found


@dataclass(frozen=True)
class Together:
    """The questions that were answered under every condition, at the levels that tell.

    Attributes:
        right: whether each was answered rightly, by condition; ``english`` is the baseline's plain
            one. Shape (questions,) each.
        levels: the complexities of these questions, rising.
        sizes: mean bytes of the prompts, of the conditions where they are known.
        asked: plain questions of the language, at all levels.
        common: of these, answered under every condition.
    """

    right: dict[str, Answers]
    levels: tuple[float, ...]
    sizes: dict[str, float]
    asked: int
    common: int

    @property
    def n(self) -> int:
        return len(self.right[ENGLISH])


def together(
    english: list[Record], language: Mapping[str, list[Record]]
) -> Together | tuple[int, int]:
    """The common questions of a language's conditions and of plain English.

    The levels are those at which 10 to 90% of all answers are right, over all conditions together
    (``evidence.telling``). That number does not change when the answers under two conditions are
    exchanged, so the choice leaves the tests of all contrasts exact.

    Args:
        english: plain answers in the baseline language.
        language: answers by condition, with those to plain questions among them.

    Returns:
        The questions; or, where no question was answered under all conditions, how many plain ones
        there are and 0.
    """
    columns = {ENGLISH: by_question(english)} | {n: by_question(r) for n, r in language.items()}
    asked = len(columns[PLAIN])
    shared = [
        key
        for key, record in columns[PLAIN].items()
        if complexity(record.reference) is not None
        and all(key in column for column in columns.values())
    ]
    if not shared:
        return asked, 0
    size = np.array([complexity(columns[PLAIN][key].reference) for key in shared], dtype=np.float64)
    right = {
        name: np.array([column[key].grade.correct for key in shared], dtype=np.bool_)
        for name, column in columns.items()
    }
    chosen, levels = _telling(size, np.stack(list(right.values())))
    kept = [key for key, take in zip(shared, chosen.tolist()) if take]
    sizes = {}
    for name, column in columns.items():
        known = [column[key].prompt_bytes for key in kept]
        whole = [value for value in known if value is not None]
        if len(whole) == len(known):
            sizes[name] = sum(whole) / len(whole)
    right = {name: answers[chosen] for name, answers in right.items()}
    return Together(right, levels, sizes, asked, len(shared))


def _telling(size: Floats, right: Answers) -> tuple[Answers, tuple[float, ...]]:
    """Which questions lie at levels that tell, and these levels.

    Args:
        size: complexity, shape (questions,).
        right: shape (conditions, questions).
    """
    levels, place = np.unique(size, return_inverse=True)
    solved = np.bincount(place, weights=right.sum(axis=0), minlength=len(levels))
    total = np.bincount(place, minlength=len(levels)) * len(right)
    mask, _ = telling(solved.astype(np.int64), total.astype(np.int64))
    return mask[place], tuple(levels[mask].tolist())
