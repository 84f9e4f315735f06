"""What a design costs and can show, from curves that are expected."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import ndtr, ndtri

from xlgo_dataset.family import generated_family_of
from xlgo_metric.statistics.adaptive.design import (
    EMPTY_LEVELS,
    PILOT_QUESTIONS,
    Design,
    allot,
    gap_sd,
)
from xlgo_metric.statistics.adaptive.second_stage import expected_questions
from xlgo_metric.statistics.claims import questions_needed
from xlgo_metric.statistics.gamma import gamma_accuracy

from ..arguments import DEFAULT_TEXT
from ..display.labels import ENGLISH

Curves = Mapping[str, tuple[float, float]]
"""q and r by language."""

_NOTHING_RIGHT = 0.5
"""A level of the pilot is taken for empty if fewer correct answers than this are expected."""

_SIGNIFICANT = 1.96
_BLIND = 0.5
"""SMD standard deviation at or above which a design counts as uninformative (``inf``)."""


_LEVEL, _POWER = 0.05, 0.8

Asked = tuple[str, str]
"""Language and condition."""


@dataclass(frozen=True)
class Decomposition:
    """A design that is asked under several conditions.

    Attributes:
        task, design: names.
        prompts: by language and condition.
        characters, tokens: of all prompts, by language and condition; tokens only with a tokenizer.
        telling: questions at complexities where 10 to 90% of answers are expected to be right.
        tests: how many tests of one task a report corrects for.
        sd: expected of the difference between two conditions, a fraction; ``inf`` without questions
            that tell.
    """

    task: str
    design: str
    prompts: dict[Asked, int]
    characters: dict[Asked, int]
    tokens: dict[Asked, int]
    telling: int
    tests: int
    sd: float

    def least(self) -> float:
        """The cause that is claimed in 80% of runs, a fraction; ``inf`` where none is."""
        needed = ndtri(_POWER) - ndtri(_LEVEL / (2 * self.tests))
        return min(float(needed) * self.sd, math.inf)


@dataclass(frozen=True)
class Cost:
    """A design of one task.

    Attributes:
        task, design: names.
        cells: questions of each complexity, in every language.
        sd: expected of a typical pair's gap, a fraction; ``inf`` where the questions lie too far
            from the fall of the curve to tell.
        characters, tokens: of all prompts, by language; tokens only with a tokenizer.
        second: questions that a language far behind is expected to be asked besides, with English,
            by language and complexity.
        no_gap: see ``needed``; ``None`` where it was not asked for.
        decomposition: the same design under conditions.
    """

    task: str
    design: str
    cells: dict[int, int]
    sd: float
    characters: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)
    second: dict[str, dict[int, int]] = field(default_factory=dict)
    no_gap: tuple[float, int | None] | None = None
    decomposition: Decomposition | None = None

    @property
    def prompts(self) -> int:
        """In each language, second stages left out."""
        return sum(self.cells.values())

    def power(self, gap: float) -> float:
        """How often the paired test finds a gap at .05, by the normal approximation."""
        return float(ndtr(gap / self.sd - _SIGNIFICANT) + ndtr(-_SIGNIFICANT - gap / self.sd))


def pooled(curves: Curves) -> np.ndarray:
    """The curve of all languages together, as a row of (log q, log r)."""
    return np.log(np.array(list(curves.values()))).mean(axis=0)[None]


def adaptive_cells(design: Design, curves: Curves) -> dict[int, int]:
    """The questions that the adaptive design is expected to ask."""
    cells: dict[int, int] = {}
    began, empty = False, 0
    for place, size in enumerate(design.pilot):
        if not began and empty >= EMPTY_LEVELS and (place - EMPTY_LEVELS) % 2 == 0:
            continue  # as the design does where nothing is right at the start
        cells[size] = PILOT_QUESTIONS
        right = sum(PILOT_QUESTIONS * float(gamma_accuracy(size, *c)) for c in curves.values())
        began |= right >= _NOTHING_RIGHT
        empty = empty + 1 if right < _NOTHING_RIGHT else 0
        if began and empty >= EMPTY_LEVELS:
            break
    left = design.budget - sum(cells.values())
    if left > 0:
        for size, count in zip(design.grid, allot(design, pooled(curves), left)[0].tolist()):
            if count:
                cells[size] = cells.get(size, 0) + count
    return dict(sorted(cells.items()))


def second_cells(
    design: Design, curves: Curves, cells: Mapping[int, int]
) -> dict[str, dict[int, int]]:
    """The second stages that the adaptive design is expected to need, by language.

    Args:
        design: the settings.
        curves: those that are expected; without English there is no second stage.
        cells: questions of the first stage.
    """
    found: dict[str, dict[int, int]] = {}
    n = np.array([cells.get(size, 0) for size in design.grid], dtype=np.int64)
    for language in curves:
        if language == ENGLISH or ENGLISH not in curves:
            continue
        theta = np.log(np.array([curves[ENGLISH], curves[language]]))
        more = expected_questions(design, theta, n)
        if more.any():
            found[language] = {c: k for c, k in zip(design.grid, more.tolist()) if k}
    return found


def cost(
    task: str, design: str, cells: Mapping[int, int], curves: Curves, *,
    alike: float, ends: tuple[float, float],
) -> Cost:  # fmt: skip
    """A design with the standard deviation that it is expected to give.

    Args:
        task, design: names.
        cells: questions of each complexity.
        curves: those that are expected.
        alike: the correlation of two languages' answers to one question, in [0, 1).
        ends: the range within which the gap is sought.
    """
    c = np.array(list(cells), dtype=np.float64)
    n = np.array(list(cells.values()), dtype=np.float64)
    sd = float(gap_sd(c, n, pooled(curves), 1.0 - alike, ends=ends)[0])
    return Cost(task, design, dict(cells), sd if sd < _BLIND else math.inf)


def text_of(task: str) -> str:
    """The wording in which ``xlgo run`` asks a task if nothing else is said."""
    return DEFAULT_TEXT if DEFAULT_TEXT in generated_family_of(task).texts else "paper"


def with_lengths(found: Cost, languages: Sequence[str], count: Callable[[str], int] | None) -> Cost:
    """The same with the characters of its prompts, and their tokens; one prompt stands for each
    complexity."""
    family, text = generated_family_of(found.task), text_of(found.task)
    characters = dict.fromkeys(languages, 0)
    tokens = dict.fromkeys(languages, 0) if count else {}
    asked = [(found.cells, languages)]
    asked += [(cells, (ENGLISH, language)) for language, cells in found.second.items()]
    for cells, names in asked:
        for size, questions in cells.items():
            instance = family.generate(found.task, complexity=size)
            for language in names:
                prompt = family.render(instance, language, text)
                characters[language] += questions * len(prompt)
                if count is not None:
                    tokens[language] += questions * count(prompt)
    return replace(found, characters=characters, tokens=tokens)


def common_cells(
    design: Design, models: Sequence[Curves], used: Mapping[int, int]
) -> dict[int, tuple[int, ...]]:
    """A plan for several models: each has an equal part of the questions where it tells most.

    Args:
        design: the settings; the budget is that of the whole plan.
        models: the curves of each.
        used: questions that earlier runs asked of each complexity; the plan takes later ones, so
            that no answer that made the plan is counted again.
    """
    counts = np.zeros(len(design.grid), dtype=np.int64)
    for number, curves in enumerate(models):
        share = design.budget * (number + 1) // len(models) - design.budget * number // len(models)
        counts += allot(design, pooled(curves), share)[0]
    return {
        size: tuple(range(used.get(size, 0), used.get(size, 0) + int(count)))
        for size, count in zip(design.grid, counts)
        if count
    }


def least_gap(sd: float) -> float:
    """The gap that is found in 80% of runs, a fraction."""
    return min(sd * (_SIGNIFICANT + float(ndtri(_POWER))), math.inf)


def needed(found: Cost, curves: Curves, *, alike: float, margin: float) -> tuple[float, int | None]:
    """Questions in each language until equal languages are likely found equal.

    Args:
        found: a design.
        curves: those that are expected, all but one compared with the baseline together.
        alike: the correlation of two languages' answers to one question, in [0, 1).
        margin: a fraction.

    Returns:
        The expected share of questions that exactly one of two equal languages answers correctly,
        and how many are needed; ``None`` where none is expected to differ.
    """
    q, r = np.exp(pooled(curves)[0])
    f = np.asarray(gamma_accuracy(np.array(list(found.cells), dtype=np.float64), q, r))
    n = np.array(list(found.cells.values()), dtype=np.float64)
    share = float((n * 2.0 * f * (1.0 - f)).sum() / n.sum() * (1.0 - alike))
    languages = max(len(curves) - 1, 1)
    known = share > 0.0
    return share, questions_needed(share, margin=margin, languages=languages) if known else None
