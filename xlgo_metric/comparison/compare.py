"""Languages, models, conditions or runs against a baseline, on the questions that both answered.

``compare`` tests only where the questions were chosen without regard to what is compared. An
adaptive design asks where its own model turns from correct to incorrect. Over languages it pools
their answers, so the choice says nothing of which is ahead; between two models, or two runs, it is
the choice of one of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from xlgo_metric.comparison.table import Curve, by_question, curve, on_common_questions
from xlgo_metric.core import PLAIN
from xlgo_metric.statistics.adaptive import NAME
from xlgo_metric.statistics.claims import (
    Verdict,
    is_significant,
    is_silent,
    paired_difference,
    standing,
)
from xlgo_metric.statistics.differences import (
    CONFIDENCE,
    holm,
    paired_limits,
)
from xlgo_metric.statistics.draws import Integers
from xlgo_metric.statistics.effects import Effect, combined

if TYPE_CHECKING:
    import pandas as pd

    from xlgo_metric.comparison.table import AnswerTable


PLAN_OF = "plan-of-"
"""Begins the design of a plan that the adaptive run of one model made; its name follows."""

ADAPTIVE = NAME.partition("-")[0]
_BY_ANSWERS = ("model", "run")


def slug(model: str) -> str:
    """The name of a model as written in a design."""
    return re.sub(r"[^\w.-]+", "_", model)


def maker(design: str, answered_by: str) -> str | None:
    """The slug of the model whose answers chose the questions of a design; ``None`` if none did."""
    if design.startswith(ADAPTIVE):
        return slug(answered_by)
    return design.partition(PLAN_OF)[2] or None


def chosen_by(by: str, sides: Mapping[str, pd.DataFrame]) -> str:
    """Why two sides must not be tested on their common questions; empty if they may."""
    if by == "condition":
        choosers = [name for name, side in sides.items() if _is_adaptive(side)]
        if len(choosers) == 1:
            return (
                f"the answers under the condition {choosers[0]} chose the questions: no exact test"
            )
    if by not in _BY_ANSWERS:
        return ""
    models = [slug(name) for side in sides.values() for name in side["model"].unique()]
    for name, side in sides.items():
        for design, model in side[["design", "model"]].drop_duplicates().itertuples(index=False):
            chooser = maker(str(design), str(model))
            if chooser is not None and chooser in models:
                return (
                    f"{name if by == 'run' else chooser} chose questions by its own answers: no "
                    f"exact test between the two {by}s"
                )
    return ""


def chosen_together(by: str, sides: Mapping[str, pd.DataFrame]) -> str:
    """How answers chose the questions of both sides; empty if they did not.

    An adaptive run pools languages and conditions, so that its choice tells nothing of which is
    ahead.
    """
    if by in ("language", "condition") and all(_is_adaptive(side) for side in sides.values()):
        return f"an adaptive run chose the questions by the answers of both {by}s together"
    return ""


def _is_adaptive(side: pd.DataFrame) -> bool:
    return any(str(design).startswith(ADAPTIVE) for design in side["design"].unique())


By = Literal["language", "model", "condition", "run"]
Weigh = Literal["question", "task"]
DIMENSIONS = ("family", "task", "language", "condition", "model")
"""What a cell is about, besides what is compared; a run counts only where runs are compared."""

BASELINES: Mapping[str, str] = {"language": "en", "condition": PLAIN}
"""The baseline where none is named; models and runs are compared each with each."""

CORRECT = "correct"
READINGS = ("strict", "in_form", CORRECT)
"""Measures that are right or wrong: the columns of a table that say so, the strictest first."""


@dataclass(frozen=True)
class Cell:
    """One comparison of two sides, on the questions that both answered.

    Attributes:
        where: what it is about: family, task, language, condition and model, as far as they are
            kept apart.
        base, other: the two values of what is compared.
        n: common questions (pairs of answers).
        mean_base, mean_other: accuracy, or mean of the measure.
        only_base, only_other: questions that this side alone answers correctly; ``None`` for a
            measure that is a number.
        difference: of the baseline minus the other; ``low`` and ``high`` are 95% limits.
        p: exact for correct answers (sign test; of clusters where questions hang together),
            Student's for numbers; ``None`` where no test is valid.
        p_adjusted: after Holm's correction over all cells of the comparison.
        clusters, tasks: of the common questions; tasks count as one where each question weighs
            alike.
        curve: where accuracy falls with complexity, the gap between the fitted curves.
        refused: why there is no test, in a sentence; empty where there is one.
        chosen: how the questions were chosen, in a sentence, where answers chose them and the test
            is valid all the same; else empty.
    """

    where: Mapping[str, str]
    base: str
    other: str
    n: int
    mean_base: float
    mean_other: float
    only_base: int | None
    only_other: int | None
    difference: float
    low: float
    high: float
    p: float | None
    p_adjusted: float | None = None
    clusters: int = 0
    tasks: int = 1
    curve: Curve | None = None
    refused: str = ""
    chosen: str = ""

    @classmethod
    def of(
        cls,
        right_base: npt.ArrayLike,
        right_other: npt.ArrayLike,
        base: str,
        other: str,
        where: Mapping[str, str] = {},
        *,
        cluster: npt.ArrayLike | None = None,
        task: npt.ArrayLike | None = None,
        confidence: float = CONFIDENCE,
    ) -> Cell:
        """The cell of answers that are right or wrong.

        Args:
            right_base, right_other: whether each question was answered correctly, shape
                (questions,).
            base, other, where: see the attributes.
            cluster: names which questions hang together, shape (questions,); these are exchanged
                as one. Every question by itself if ``None``.
            task: the task of each question, shape (questions,): every task has the same weight, and
                accuracies are means over tasks. Every question has the same weight if ``None``.
            confidence: of the limits.

        Raises:
            ValueError: no questions, or shapes that do not match.
        """
        first, second = (np.asarray(side, dtype=np.bool_) for side in (right_base, right_other))
        if first.shape != second.shape or not first.size:
            raise ValueError(f"one answer each is needed: shapes {first.shape} and {second.shape}")
        only, n = (int((first & ~second).sum()), int((second & ~first).sum())), first.size
        of, within = _numbered(task, n), np.arange(n) if cluster is None else _numbered(cluster, n)
        mean_base, mean_other = (
            float((np.bincount(of, side) / np.bincount(of)).mean()) for side in (first, second)
        )
        found = paired_difference(first.astype(np.int64) - second, of, within, confidence)
        return cls(
            where, base, other, n, mean_base, mean_other, *only, found.estimate, found.low,
            found.high, found.p, clusters=int(within.max()) + 1, tasks=int(of.max()) + 1,
        )  # fmt: skip

    def limits_among(self, cells: int) -> tuple[float, float]:
        """95% limits of the difference that hold for so many cells together (Bonferroni).

        Exact where those of one cell are; else as many times as far from the difference as for a
        normal distribution.
        """
        confidence = among(cells)
        if self.only_base is not None and self.only_other is not None:
            alone = paired_limits(self.only_base, self.only_other, self.n)
            if alone == (self.low, self.high):
                return paired_limits(self.only_base, self.only_other, self.n, confidence)
        wider = float(ndtri(0.5 + 0.5 * confidence) / ndtri(0.5 + 0.5 * CONFIDENCE))
        low, high = (
            self.difference + wider * (end - self.difference) for end in (self.low, self.high)
        )
        return low, high

    @property
    def family(self) -> str:
        """The family, or an empty string where families are pooled."""
        return self.where.get("family", "")

    @property
    def task(self) -> str:
        """The task, or an empty string where tasks are pooled."""
        return self.where.get("task", "")

    @property
    def language(self) -> str:
        """The language, or an empty string where languages are pooled or compared."""
        return self.where.get("language", "")

    @property
    def right_base(self) -> int:
        """Correct answers of the baseline."""
        return round(self.mean_base * self.n)

    @property
    def right_other(self) -> int:
        """Correct answers of the other side."""
        return round(self.mean_other * self.n)

    @property
    def silent(self) -> bool:
        """Whether there are too few discordant questions for any outcome to reach 5%."""
        return is_silent(self.only_base, self.only_other)

    @property
    def gain(self) -> float:
        """Mean of the other minus that of the baseline."""
        return self.mean_other - self.mean_base

    @property
    def turned(self) -> Cell:
        """The same with the other side as the baseline; no curve."""
        return replace(
            self, base=self.other, other=self.base, mean_base=self.mean_other,
            mean_other=self.mean_base, only_base=self.only_other, only_other=self.only_base,
            difference=0.0 - self.difference, low=0.0 - self.high, high=0.0 - self.low, curve=None,
        )  # fmt: skip

    @property
    def significant(self) -> bool:
        """Whether the difference is significant at 5% after correction."""
        return is_significant(self.p_adjusted)

    @property
    def verdict(self) -> Verdict:
        """What sections hold of a tested difference of correct answers."""
        return {
            "difference": self.difference, "low": self.low, "high": self.high,
            "p": 1.0 if self.p is None else self.p, "n": self.n, "clusters": self.clusters,
            "tasks": self.tasks, "exact": self.tasks == 1 and self.clusters == self.n,
            "standing": standing(self.low, self.high),
        }  # fmt: skip


@dataclass(frozen=True)
class Rank:
    """A place and the places that cannot be ruled out at 95%, all from 1."""

    rank: int
    low: int
    high: int


@dataclass(frozen=True)
class Comparison:
    """What ``compare`` found.

    Attributes:
        by: what is compared.
        baseline: its value that the others are compared with; ``None``: each with each.
        measure: one of ``READINGS``, or the name of a number.
        cells: in the order of the table.
    """

    by: By
    baseline: str | None
    measure: str = CORRECT
    cells: tuple[Cell, ...] = field(default=())

    def about(self, **where: str) -> Iterator[Cell]:
        """The cells about these values, such as ``task="slt"`` or ``other="te"``."""
        for cell in self.cells:
            known = {**cell.where, "base": cell.base, "other": cell.other}
            if all(known.get(name) == value for name, value in where.items()):
                yield cell

    def ranks(self) -> dict[str, Rank]:
        """The rank of each, best first, with its interval; equal ones share a rank.

        As many stand above as are significantly better, and as many below as are significantly
        worse. All intervals hold together with a chance of at least 95%, since Holm's pairs do
        (Mogstad, Romano, Shaikh and Wilhelm 2024, doi:10.1093/restud/rdad006, with exact tests in
        the place of their bounds).

        Raises:
            ValueError: the cells are not every pair of what is compared, once each.
        """
        names = dict.fromkeys(name for cell in self.cells for name in (cell.base, cell.other))
        if {(cell.base, cell.other) for cell in self.cells} != set(combinations(names, 2)) or (
            len({tuple(cell.where.items()) for cell in self.cells}) > 1
        ):
            raise ValueError(
                f"ranks need one cell for every two {self.by}s: compare with ranked=True, within=()"
            )
        ahead, above, below = Counter[str](), Counter[str](), Counter[str]()
        for cell in self.cells:
            gain = round(cell.difference, 12)
            better, worse = (cell.base, cell.other) if gain > 0 else (cell.other, cell.base)
            ahead[worse] += gain != 0
            above[worse] += gain != 0 and cell.significant
            below[better] += gain != 0 and cell.significant
        return {
            name: Rank(1 + ahead[name], 1 + above[name], len(names) - below[name]) for name in names
        }


def compare(
    table: AnswerTable,
    by: By = "language",
    baseline: str | None = None,
    *,
    within: Sequence[str] | None = None,
    measure: str = CORRECT,
    weigh: Weigh = "question",
    confidence: float = CONFIDENCE,
    ranked: bool = False,
    required: bool = True,
    curves: bool = False,
) -> Comparison:
    """Compare the answers of a table on common questions, with tests corrected together.

    Args:
        table: graded answers.
        by: what is compared.
        baseline: the value that the others are compared with (default: English, or the plain
            condition; models and runs each with each).
        within: the columns that keep cells apart (default: all of ``DIMENSIONS`` but ``by``). What
            is left out is pooled, question by question.
        measure: ``correct``, another of ``READINGS``, or a column of truth values or numbers.
        weigh: what has the same weight where tasks are pooled: each question, or each task,
            whatever the number of its questions.
        confidence: of the limits, above 0 and below 1; higher where one of several cells is looked
            at because it is the largest.
        ranked: compare each with each, on the questions that all of them answered, for
            ``Comparison.ranks``.
        required: whether a baseline that does not occur is an error; else there are no cells.
        curves: fit curves of accuracy against complexity, for the SMD.

    Raises:
        ValueError: ``baseline`` does not occur in the table; what does is listed. Or it is given
            with ``ranked``, or the table has no ``measure``.
    """
    kept_dimensions = (
        [name for name in DIMENSIONS if name != by] if within is None else list(within)
    )
    frame = table.frame
    if measure not in frame.columns:
        raise ValueError(
            f"measure {measure!r}: the table has no such column: make it with "
            f"measures=[{measure!r}], or take one of {', '.join(READINGS)}"
        )
    if ranked and baseline is not None:
        raise ValueError(f"baseline {baseline!r}: ranked compares each with each: give no baseline")
    frame = frame[frame[measure].notna()]
    values = list(dict.fromkeys(frame[by]))
    base_name = None if ranked else baseline or BASELINES.get(by)
    if required and baseline is not None and baseline not in values:
        raise ValueError(
            f"baseline {baseline!r}: no answers have this {by}; allowed are {', '.join(values)}"
        )
    pooled = [name for name in DIMENSIONS if name not in (*kept_dimensions, by)]
    frame = by_question(frame, pooled)
    cells: list[Cell] = []
    groups = frame.groupby(kept_dimensions, sort=False) if kept_dimensions else [((), frame)]
    for names, group in groups:
        where = dict(zip(kept_dimensions, map(str, names)))
        sides = dict(list(group.groupby(by, sort=False)))
        if ranked and sides:
            sides = dict(zip(sides, on_common_questions(list(sides.values()))))
        for base, other in _pairs(list(sides), base_name):
            two = {base: sides[base], other: sides[other]}
            cell = _cell(where, by, two, measure, weigh=weigh, confidence=confidence)
            if cell is not None and curves and measure == CORRECT:
                cell = replace(cell, curve=curve(where, two))
            cells += [] if cell is None else [cell]
    return Comparison(by, base_name, measure, corrected(cells))


def among(cells: int) -> float:
    """The confidence at which the limits of so many cells hold together at 95% (Bonferroni)."""
    return 1.0 - (1.0 - CONFIDENCE) / max(cells, 1)


def adjusted(p: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p values, for claims; ``None`` (not tested) stays and does not count."""
    found = iter(holm([value for value in p if value is not None]).tolist())
    return [None if value is None else next(found) for value in p]


def corrected(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells with Holm's correction over all of them together."""
    found = adjusted([cell.p for cell in cells])
    return tuple(replace(cell, p_adjusted=p) for cell, p in zip(cells, found))


def _pairs(values: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    if baseline is None:
        return list(combinations(values, 2))
    return [(baseline, value) for value in values if value != baseline and baseline in values]


def _cell(
    where: Mapping[str, str],
    by: By,
    sides: Mapping[str, pd.DataFrame],
    measure: str,
    *,
    weigh: Weigh,
    confidence: float,
) -> Cell | None:
    """One comparison; ``None`` without common questions."""
    (base, one), (other, two) = sides.items()
    both = dict(zip(sides, on_common_questions((one, two))))
    asked = both[base]
    if asked.empty:
        return None
    first, second = (side[measure].to_numpy() for side in both.values())
    groups: dict[str, Any] = {"cluster": asked["cluster"].to_numpy()}
    if weigh == "task":
        groups["task"] = asked["family"].to_numpy() + "\n" + asked["task"].to_numpy()
    of = Cell.of if measure in READINGS or first.dtype == np.bool_ else _numbers
    cell = of(first, second, base, other, where, **groups, confidence=confidence)
    if refused := chosen_by(by, both):
        cell = replace(cell, p=None, refused=refused)
    return replace(cell, chosen=chosen_together(by, both))


def _numbered(names: npt.ArrayLike | None, size: int) -> Integers:
    """The number of each question's task or cluster, from 0; all are of one if ``None``."""
    import pandas as pd

    if names is None:
        return np.zeros(size, dtype=np.int64)
    given = np.asarray(names)
    if given.shape != (size,):
        raise ValueError(f"one name per question is needed: {size}, not {given.shape}")
    return pd.factorize(given)[0]


def _numbers(
    first: npt.NDArray[np.object_],
    second: npt.NDArray[np.object_],
    base: str,
    other: str,
    where: Mapping[str, str],
    *,
    cluster: npt.ArrayLike,
    task: npt.ArrayLike | None = None,
    confidence: float,
) -> Cell:
    """A measure that is a number: Student's test over clusters; as ``Cell.of``."""
    one, two = first.astype(np.float64), second.astype(np.float64)
    of, clusters = _numbered(task, len(one)), _numbered(cluster, len(one))
    sizes = np.bincount(of)
    if task is not None:  # the mean of these is that of the means of the tasks
        one, two = (side * len(side) / (len(sizes) * sizes[of]) for side in (one, two))
    apart = one - two
    found, reach = Effect(0.0, 0.0, 0.0, 1.0), float(np.abs(apart).max())
    if reach:
        found = combined(apart, reach, clusters, confidence)
    return Cell(
        where, base, other, len(one), float(one.mean()), float(two.mean()), None, None,
        float(apart.mean()), found.low, found.high, found.p, clusters=int(clusters.max()) + 1,
        tasks=len(sizes),
    )  # fmt: skip
