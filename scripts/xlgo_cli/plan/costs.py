"""What a design costs and can show, from curves that are expected."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from xlgo_dataset.family import generated_family_of
from xlgo_lm_eval.arguments import DEFAULT_TEXT
from xlgo_metric.comparison.section import REPEATS, Repeats
from xlgo_metric.statistics.differences import ALPHA, POWER, questions_needed
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.table import Column, Table

Curves = Mapping[str, tuple[float, float]]
"""q and r by language."""

_BLIND = 0.01
"""Share of discordant questions below which a design tells nothing."""
_ALIKE = 0.4
"""Correlation of two languages' answers to one question."""


@dataclass(frozen=True)
class Cost:
    """A fixed design of one task.

    Attributes:
        task, preset: names.
        cells: questions of each complexity, in every language.
        discordant: the expected share of questions that exactly one of two equal languages answers
            correctly, a mean over complexities.
        compared: how many languages are compared with the baseline together.
        characters, tokens: of all prompts, by language; tokens only with a tokenizer.
    """

    task: str
    preset: str
    cells: Mapping[int, int]
    discordant: float
    compared: int
    characters: Mapping[str, int]
    tokens: Mapping[str, int]

    @property
    def prompts(self) -> int:
        """In each language."""
        return sum(self.cells.values())

    @property
    def sd(self) -> float | None:
        """Of a gap where there is none, a fraction; ``None`` where the questions tell nothing."""
        return None if self.discordant < _BLIND else math.sqrt(self.discordant / self.prompts)

    @property
    def _far(self) -> float:
        """Standard deviations from 0 to the mark: it holds for all languages together."""
        return float(ndtri(1.0 - 0.5 * ALPHA / self.compared))

    def power(self, gap: float) -> float | None:
        """How often a gap is marked, by the normal approximation; ``None`` as for ``sd``.

        The gap comes to the questions that differ without one.
        """
        if self.sd is None:
            return None
        size = gap / math.sqrt((self.discordant + gap) / self.prompts)
        return float(ndtr(size - self._far) + ndtr(-self._far - size))

    @property
    def least_gap(self) -> float | None:
        """The gap that is marked in 80% of runs, a fraction; ``None`` as for ``sd``."""
        if self.sd is None:
            return None
        k = (self._far + float(ndtri(POWER))) ** 2 / self.prompts
        return 0.5 * (k + math.sqrt(k * k + 4.0 * k * self.discordant))

    def needed(self, margin: float) -> int | None:
        """Questions in each language until equal languages are likely found equal within a margin.

        ``None`` as for ``sd``.
        """
        if self.sd is None:
            return None
        return questions_needed(self.discordant, margin=margin, languages=self.compared)


def cost(
    task: str,
    preset: str,
    cells: Mapping[int, int],
    curves: Curves,
    *,
    count: Callable[[str], int] | None = None,
) -> Cost:
    """A design with its prompts; one prompt stands for each complexity.

    Args:
        task, preset, cells: see ``Cost``.
        curves: those that are expected, all but one compared with the baseline.
        count: counts the tokens of a prompt; ``None`` counts none.
    """
    q, r = np.exp(np.log(np.array(list(curves.values()))).mean(axis=0))  # of all together
    right = np.asarray(gamma_accuracy(np.array(list(cells), dtype=np.float64), q, r))
    family = generated_family_of(task)
    text = DEFAULT_TEXT if DEFAULT_TEXT in family.texts else "paper"
    characters = dict.fromkeys(curves, 0)
    tokens = dict.fromkeys(curves, 0) if count else {}
    for size, questions in cells.items():
        instance = family.generate(task, complexity=size)
        for language in curves:
            prompt = family.render(instance, language, text)
            characters[language] += questions * len(prompt)
            if count is not None:
                tokens[language] += questions * count(prompt)
    discordant = float((2.0 * right * (1.0 - right)).mean() * (1.0 - _ALIKE))
    return Cost(
        task, preset, dict(cells), discordant, max(len(curves) - 1, 1), characters, tokens
    )  # fmt: skip


_MORE = (2, 4)


def repeated(score: Mapping[str, Any]) -> Iterator[Repeats]:
    """The gaps of a score whose questions were answered several times, with their variances."""
    for section in score["families"].values():
        yield from (gap for gap in section.get(REPEATS, ()) if gap["gap_between"] is not None)


def deviation(gap: Repeats, *, answers: float = 1.0, questions: float = 1.0) -> float:
    """The expected standard deviation of a gap, a fraction.

    Args:
        answers: to each question.
        questions: as many times those of the run.
    """
    between, within = gap["gap_between"] or 0.0, gap["gap_within"] or 0.0
    return sqrt((between + within / answers) / (questions * gap["questions"]))


def repeats_table(gaps: Sequence[Repeats]) -> Table:
    """What more answers and more questions do to the standard deviation of each gap."""
    columns = (
        Column("task"),
        Column("language"),
        Column("questions", "count"),
        *(Column(f"{k} answer{'s' * (k > 1)}", "share") for k in (1, *_MORE)),
        *(Column(f"{k} x questions", "share") for k in _MORE),
    )
    rows = [
        (
            gap["task"],
            gap["language"],
            gap["questions"],
            *(deviation(gap, answers=k) for k in (1, *_MORE)),
            *(deviation(gap, questions=k) for k in _MORE),
        )
        for gap in gaps
    ]
    return Table(
        REPEATS,
        "Answers to each question",
        columns,
        tuple(rows),
        "Expected standard deviation of a gap in points: with so many answers to each question of "
        "the run, and with one answer to each of 2 or 4 times as many, for as many prompts. Ask "
        "again (--repeats) where there are no more questions, or for pass@k.",
    )
