"""Languages, models, conditions or runs against a baseline, on the questions that both answered.

Every number, interval and mark of a difference is made here, by one definition
(``Contrast.of``) and one procedure (``infer``), jointly over the cells of one comparison.

``compare`` tests only where the questions were chosen without regard to what is compared. An
adaptive design asks where its own model turns from correct to incorrect. Over languages it pools
their answers, so the choice says nothing of which is ahead; between two models, or two runs, it is
the choice of one of them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from xlgo_metric.comparison.table import FIXED, AnswerTable, on_common_questions
from xlgo_metric.core import MIXED, PLAIN, Json
from xlgo_metric.statistics.differences import MARGIN, Contrast, Inference, infer, question_weights

if TYPE_CHECKING:
    import pandas as pd


PLAN_OF = "plan-of-"
"""Begins the design of a plan that the adaptive run of one model made; its name follows."""
EXTENDED = "-extended"
"""Ends the name of a design that was given more questions after a look at its results."""

ADAPTIVE = "adaptive"
"""Begins the design of questions that their own answers chose."""
_BY_ANSWERS = ("model", "run")


def slug(model: str) -> str:
    """The name of a model as written in a design."""
    return re.sub(r"[^\w.-]+", "_", model)


def maker(design: str, answered_by: str) -> str | None:
    """The slug of the model whose answers chose the questions of a design; ``None`` if none did."""
    planned_by = design.partition(PLAN_OF)[2] or None
    return slug(answered_by) if design.startswith(ADAPTIVE) else planned_by


def chosen_by(by: str, sides: Mapping[str, pd.DataFrame]) -> str:
    """Why two sides must not be tested on their common questions; empty if they may."""
    if by == "condition":
        choosers = [
            name
            for name, side in sides.items()
            if any(str(design).startswith(ADAPTIVE) for design in side["design"].unique())
        ]
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


By = Literal["language", "model", "condition", "run"]
DIMENSIONS = ("family", "task", "language", "condition", "model")
"""What a cell is about, besides what is compared; a run counts only where runs are compared."""

_USED = (
    "question", "repeat", "complexity", "cluster", "design", "flagged", "wording_status", "lacking",
)  # fmt: skip
"""Columns of answers that a draft needs besides."""

BASELINES: Mapping[str, str] = {"language": "en", "condition": PLAIN}
"""The baseline where none is named; models and runs are compared each with each."""

UNEQUAL = "missing answers differ from the baseline's by more than chance"
"""Why a gap is no result, where other shares of answers lack in the two languages."""

MACHINE_WRITTEN = "machine-written"
"""The status of a wording that no speaker has written or read."""

CORRECT = "correct"
READINGS = ("strict", "in_form", CORRECT)
"""Measures that are right or wrong: the columns of a table that say so, the strictest first."""


@dataclass(frozen=True)
class Cell:
    """One comparison of two sides, on the questions that both answered; fractions.

    The class is the same for every family, file and command; ``as_json`` is its form in files.

    Attributes:
        where: what it is about: family, task, language, condition and model, as far as they are
            kept apart; ``wording_status``, who wrote and read the wordings of its language, where
            that is known; and ``design`` if answers chose the questions. It then speaks of these
            questions, each alike.
        baseline, other: the two values of what is compared.
        n, clusters: common questions, and clusters of them that are not independent.
        accuracy, baseline_accuracy: of the two sides, or means of the measure: the mean over tasks,
            alike, of the mean over their complexities, alike.
        discordant: questions on which the baseline, and on which the other, does better.
        difference: ``baseline_accuracy`` minus ``accuracy``.
        ci_low, ci_high: its 95% interval, for all cells of the comparison together; ``None`` where
            there is none.
        p_value: of the test of this difference, corrected for all cells of the comparison; ``None``
            where no test is valid.
        is_significant: 0 lies outside the interval.
        flagged: the wording of one of the sides may cause the difference.
        refused: why there is no mark, in words; empty where there can be one.
    """

    where: Mapping[str, str]
    baseline: str
    other: str
    n: int
    clusters: int
    accuracy: float
    baseline_accuracy: float
    discordant: tuple[int, int]
    difference: float
    ci_low: float | None = None
    ci_high: float | None = None
    p_value: float | None = None
    is_significant: bool = False
    flagged: bool = False
    refused: str = ""

    @classmethod
    def of(
        cls,
        right_baseline: npt.ArrayLike,
        right_other: npt.ArrayLike,
        baseline: str,
        other: str,
        where: Mapping[str, str] = {},
        *,
        cluster: npt.ArrayLike | None = None,
        task: npt.ArrayLike | None = None,
    ) -> Cell:
        """The cell of answers, tested by itself.

        Args:
            right_baseline, right_other: whether each question was answered correctly, or the share
                of its repeats; shape (questions,).
            baseline, other, where: see the attributes.
            cluster: names which questions hang together, shape (questions,); every question by
                itself if ``None``.
            task: the task of each question, shape (questions,): tasks weigh alike. One if ``None``.

        Raises:
            ValueError: no questions, or shapes that do not match.
        """
        sides = {baseline: right_baseline, other: right_other}
        return settle([draft(sides, where, cluster=cluster, task=task)])[0]

    @classmethod
    def of_json(cls, cell: Mapping[str, Any]) -> Cell:
        """The cell of what ``as_json`` gave."""
        first, second = cell["discordant"]
        return cls(**{**cell, "discordant": (first, second)})

    def as_json(self) -> Json:
        """Its 15 fields in plain JSON types."""
        return {**asdict(self), "where": dict(self.where), "discordant": list(self.discordant)}

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
    def wording_status(self) -> str:
        """Who wrote and read the wordings of its language, each status once."""
        return self.where.get("wording_status", "")

    @property
    def is_unaudited(self) -> bool:
        """Whether nobody but machines wrote and read any wording of its language."""
        return self.wording_status == MACHINE_WRITTEN

    @property
    def is_chosen(self) -> bool:
        """Whether answers chose the questions, so that it speaks of these alone."""
        return "design" in self.where

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both limits, or ``None``."""
        return None if self.ci_low is None or self.ci_high is None else (self.ci_low, self.ci_high)

    @property
    def is_equal(self) -> bool:
        """No gap as a claim: the whole interval lies within ``MARGIN`` (Schuirmann 1987)."""
        return self.interval is not None and max(map(abs, self.interval)) < MARGIN

    def refuse(self, reason: str) -> Cell:
        """The same without interval, p and mark."""
        return replace(
            self, ci_low=None, ci_high=None, p_value=None, is_significant=False, refused=reason
        )

    @property
    def turned(self) -> Cell:
        """The same with the other side as the baseline."""
        low, high = self.ci_low, self.ci_high
        return replace(
            self, baseline=self.other, other=self.baseline, accuracy=self.baseline_accuracy,
            baseline_accuracy=self.accuracy, discordant=self.discordant[::-1],
            difference=0.0 - self.difference, ci_low=None if high is None else 0.0 - high,
            ci_high=None if low is None else 0.0 - low,
        )  # fmt: skip


@dataclass(frozen=True)
class Draft:
    """A cell before its test, and what is tested unless the cell is refused; see ``settle``.

    Attributes:
        names: of its clusters, the same in every contrast.
    """

    cell: Cell
    contrast: Contrast
    names: npt.NDArray[np.object_]


def draft(
    sides: Mapping[str, npt.ArrayLike],
    where: Mapping[str, str] = {},
    *,
    cluster: npt.ArrayLike | None = None,
    task: npt.ArrayLike | None = None,
    level: npt.ArrayLike | None = None,
    reach: float = 1.0,
) -> Draft:
    """Two sides on the same questions, before their test.

    Args:
        sides: two by name, the baseline first: truth values, shares or numbers of each question,
            shape (questions,).
        where, cluster, task: see ``Cell.of``.
        level: the complexity of each question within its task; NaN, or ``None``, for none.
        reach: the largest difference that a question can have, if none of these is larger.

    Raises:
        ValueError: no questions, or shapes that do not match.
    """
    import pandas as pd

    (baseline, second_name), (first, second) = (
        sides,
        (np.asarray(side, dtype=np.float64) for side in sides.values()),
    )
    if first.shape != second.shape or not first.size or first.ndim != 1:
        raise ValueError(f"one answer each is needed: shapes {first.shape} and {second.shape}")
    # Sorted by name: no number may depend on the order of the answers.
    clusters = np.arange(first.size) if cluster is None else np.asarray(cluster)
    codes, names = pd.factorize(clusters, sort=True)
    tasks, levels = (
        np.zeros(first.size, dtype=np.int64)
        if labels is None
        else pd.factorize(np.asarray(labels))[0]
        for labels in (task, level)
    )
    d = first - second
    reach = max(reach, float(np.abs(d).max()))
    contrast = Contrast.of(d, codes, tasks, levels, reach=reach)
    weight = question_weights(tasks, levels)
    base_mean, mean = (
        math.fsum(np.bincount(codes, weight * side).tolist()) for side in (first, second)
    )
    cell = Cell(
        where, baseline, second_name, first.size, len(contrast.cluster),
        mean, base_mean, (int((d > 0).sum()), int((d < 0).sum())), contrast.difference,
    )  # fmt: skip
    return Draft(cell, contrast, np.asarray(names, dtype=object)[contrast.cluster])


def settle(drafts: Sequence[Draft]) -> tuple[Cell, ...]:
    """Test drafts together: number, interval and mark of every cell by one procedure."""
    import pandas as pd

    tested = [item for item in drafts if not item.cell.refused]
    if not tested:
        return tuple(item.cell for item in drafts)
    codes = pd.factorize(np.concatenate([item.names for item in tested]), sort=True)[0]
    parts = np.split(codes, np.cumsum([len(item.names) for item in tested])[:-1])
    contrasts = [replace(item.contrast, cluster=part) for item, part in zip(tested, parts)]
    results = iter(infer(contrasts))
    return tuple(
        item.cell if item.cell.refused else _tested(item.cell, next(results)) for item in drafts
    )


def _tested(cell: Cell, result: Inference) -> Cell:
    low, high = (None if math.isnan(x) else x for x in (result.ci_low, result.ci_high))
    return replace(
        cell,
        ci_low=low,
        ci_high=high,
        p_value=None if low is None else result.p_value,
        is_significant=result.is_significant,
        refused=result.refused,
    )


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
            values = {**cell.where, "baseline": cell.baseline, "other": cell.other}
            if all(values.get(name) == value for name, value in where.items()):
                yield cell

    def ranks(self) -> dict[str, Rank]:
        """The rank of each, best first, with its interval; equal ones share a rank.

        As many stand above as are significantly better, and as many below as are significantly
        worse. All intervals hold together with a chance of at least 95%, since all pairs are tested
        together (Mogstad, Romano, Shaikh and Wilhelm 2024, doi:10.1093/restud/rdad006).

        Raises:
            ValueError: the cells are not every pair of what is compared, once each.
        """
        names = dict.fromkeys(name for cell in self.cells for name in (cell.baseline, cell.other))
        if {(cell.baseline, cell.other) for cell in self.cells} != set(combinations(names, 2)) or (
            len({tuple(map(cell.where.get, DIMENSIONS)) for cell in self.cells}) > 1
        ):
            raise ValueError(
                f"ranks need one cell for every two {self.by}s: compare with ranked=True, within=()"
            )
        ahead, above, below = Counter[str](), Counter[str](), Counter[str]()
        for cell in self.cells:
            gain = round(cell.difference, 12)
            better, worse = (cell.baseline, cell.other) if gain > 0 else (cell.other, cell.baseline)
            ahead[worse] += gain != 0
            above[worse] += cell.is_significant
            below[better] += cell.is_significant
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
    ranked: bool = False,
    required: bool = True,
) -> Comparison:
    """Compare the answers of a table on common questions; all cells are tested together.

    Args:
        table: graded answers.
        by: what is compared.
        baseline: the value that the others are compared with (default: English, or the plain
            condition; models and runs each with each).
        within: the columns that keep cells apart (default: all of ``DIMENSIONS`` but ``by``). What
            is left out is pooled: tasks (and languages, where they are pooled, too) weigh alike,
            and within them complexities. Where a cell has questions of a fixed design, those that
            answers chose are left out of it.
        measure: ``correct``, another of ``READINGS``, or a column of truth values or numbers. Of a
            question that was asked several times its mean counts, once.
        ranked: compare each with each, on the questions that all of them answered, for
            ``Comparison.ranks``.
        required: refuse a ``baseline`` that has no answers; else there are no cells.

    Raises:
        ValueError: ``baseline`` does not occur in the table; what does is listed. Or it is given
            with ``ranked``, or the table has no ``measure``.
    """
    cells = drafts(
        table, by, baseline, within=within, measure=measure, ranked=ranked, required=required
    )
    base = None if ranked else baseline or BASELINES.get(by)
    return Comparison(by, base, measure, settle(cells))


def drafts(
    table: AnswerTable,
    by: By = "language",
    baseline: str | None = None,
    *,
    within: Sequence[str] | None = None,
    measure: str = CORRECT,
    ranked: bool = False,
    required: bool = True,
) -> list[Draft]:
    """The cells of ``compare`` before their test, to be tested together with others."""
    apart = [name for name in DIMENSIONS if name != by] if within is None else list(within)
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
    pooled = [name for name in DIMENSIONS if name not in (*apart, by)]
    frame = frame[[*dict.fromkeys((*DIMENSIONS, by, *apart, *_USED, measure))]]
    frame = _one_a_question(frame, [*apart, by, *pooled], measure)
    frame = frame[frame["question"].notna()]
    # A number for each question: names, and names of several columns, take long to compare.
    frame = frame.set_index(frame.groupby([*pooled, "question"], sort=False).ngroup())
    groups = frame.groupby(apart, sort=False) if apart else [((), frame)]
    results: list[Draft] = []
    for names, group in groups:
        where = dict(zip(apart, map(str, names)))
        sides = dict(list(group.groupby(by, sort=False)))
        if ranked and sides:
            sides = dict(zip(sides, on_common_questions(list(sides.values()))))
        for base, other in _pairs(list(sides), base_name):
            drafted = _draft(where, by, {base: sides[base], other: sides[other]}, measure, pooled)
            results += [] if drafted is None else [drafted]
    return results


def _one_a_question(frame: pd.DataFrame, keys: Sequence[str], measure: str) -> pd.DataFrame:
    """One row a question: the mean of its repeats."""
    if not (frame["repeat"] > 0).any():
        return frame
    numbers = frame.assign(**{measure: frame[measure].astype(np.float64)})
    question_keys = [*dict.fromkeys(keys), "question"]
    means = numbers.groupby(question_keys, sort=False, dropna=False)[measure].transform("mean")
    return numbers.assign(**{measure: means}).drop_duplicates(question_keys).assign(repeat=0)


def _pairs(values: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    if baseline is None:
        return list(combinations(values, 2))
    return [(baseline, value) for value in values if value != baseline and baseline in values]


def _draft(
    where: Mapping[str, str],
    by: By,
    sides: Mapping[str, pd.DataFrame],
    measure: str,
    pooled: Sequence[str],
) -> Draft | None:
    """One comparison before its test; ``None`` without common questions."""
    common = dict(zip(sides, on_common_questions(list(sides.values()))))
    fixed = np.logical_and(*(side["design"].to_numpy() == FIXED for side in common.values()))
    if fixed.any():  # questions that answers chose are never pooled with others
        common = {name: side[fixed] for name, side in common.items()}
    questions = next(iter(common.values()))
    if questions.empty:
        return None
    first, *rest = (questions[name] for name in pooled or ("task",))
    # Questions that answers chose speak of themselves: each counts alike, whatever its complexity.
    level = questions["complexity"] if fixed.any() else None
    if not fixed.any():
        designs = {str(design) for side in common.values() for design in side["design"]} - {FIXED}
        where = {**where, "design": MIXED.join(sorted(designs))}
    if by == "language" or "language" in where:
        where = with_status(where, list(common.values())[-1])
    tested = draft(
        {name: side[measure] for name, side in common.items()},
        where,
        cluster=questions["cluster"],
        task=first.str.cat(rest, sep="\n") if rest else first,
        level=level,
    )
    flagged = by == "language" and any(side["flagged"].any() for side in common.values())
    refused = chosen_by(by, common)
    unequal = UNEQUAL if by == "language" and list(common.values())[-1]["lacking"].any() else ""
    cell = replace(tested.cell, flagged=bool(flagged), refused=refused or unequal)
    return replace(tested, cell=cell)


def with_status(where: Mapping[str, str], side: pd.DataFrame) -> Mapping[str, str]:
    """What a cell is about, with the statuses of the wordings of its language."""
    statuses = [name for name in sorted(side["wording_status"].unique()) if name]
    return {**where, "wording_status": ", ".join(statuses)} if statuses else where


def common_tasks(table: AnswerTable, baseline: str) -> tuple[AnswerTable, dict[str, str]]:
    """The answers that a gap over all tasks stands on: the same tasks for every language.

    A task counts for all languages or for none: where every compared language was asked at the same
    complexities as the baseline, no wording may cause a gap, and no answers chose the questions.

    Args:
        table: plain answers.
        baseline: the language that the others are compared with.

    Returns:
        The answers to the tasks that count, and why each other one does not, by its name.
    """
    frame = table.frame[table.frame["question"].notna()]
    base = frame[frame["language"] == baseline][["task", "question"]].drop_duplicates()
    paired = frame.fillna({"complexity": 0.0}).merge(base, on=["task", "question"])
    by_language = paired.groupby(["task", "language"], sort=False)["complexity"]
    levels = {key: frozenset(sizes) for key, sizes in by_language}
    compared = dict.fromkeys(code for _, code in levels if code != baseline)
    why: dict[str, str] = {}
    for task, part in frame.groupby("task", sort=False):
        sizes = {code: of for (name, code), of in levels.items() if name == task}
        doubted = dict.fromkeys(part["language"][part["flagged"]])
        if baseline not in sizes:
            why[str(task)] = f"no answers in {baseline}"
        elif absent := [code for code in compared if code not in sizes]:
            why[str(task)] = f"not asked in {', '.join(absent)}"
        elif len(set(sizes.values())) > 1:
            why[str(task)] = "asked at other sizes in some languages"
        elif doubted:
            why[str(task)] = f"the wording in {', '.join(doubted)} may cause a gap"
        elif (part["design"] != FIXED).any():
            why[str(task)] = "answers chose its questions"
    rows = table.frame[~table.frame["task"].isin(list(why))]
    return AnswerTable(rows), why
