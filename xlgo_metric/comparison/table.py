"""A row for each graded answer, whatever family, model or log it comes from.

``AnswerTable`` holds the rows; a ``Side`` is one side of a comparison out of them, by status and by
level; ``curve`` fits accuracy against complexity where the answers of a side identify it.
"""

from __future__ import annotations

import math
import numbers
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from xlgo_metric.core import PLAIN, STRICT, Record, condition, counted
from xlgo_metric.family import family, family_of
from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.gaps import BASE, OTHER, Gap, cell_stream, curve_draws, diagnose, gap
from xlgo_metric.statistics.paired import extreme

if TYPE_CHECKING:
    import pandas as pd


UNKNOWN_LANGUAGE = "unknown"
FIXED = "fixed"
"""The design of questions that were not chosen by their answers."""
_SMALLEST, _LARGEST = 1e-60, 1e60


class Answer(NamedTuple):
    """A graded answer, as a row of an ``AnswerTable``.

    Attributes:
        question: names the question in all languages, models and conditions; ``None`` if nothing
            does, and the answer is then paired with none.
        cluster: questions of one cluster are not independent, such as those about one text.
        repeat: which answer to the question this is, from 0.
        design: how the questions were chosen: ``fixed``, or as the reference says.
        strict: correct under the strict reading: correct, and exactly what was asked for.
        in_form: correct under the reading of the asked form: correct, and in that form.
        correct: correct under the lenient reading, which is the verdict. All three are ``None``
            where only a judge can decide.
        record: what the row was made of, where it was a record.
        measures: numbers beyond right and wrong, by name.
        flagged: the wording of the question may cause a gap by itself.
        wording_status: who wrote and read it; empty where this project does not know.
        lacking: see ``Record``.
    """

    family: str
    task: str
    language: str
    condition: str
    level: str | int | None
    complexity: float | None
    question: str | None
    cluster: str | None
    repeat: int
    run: str
    model: str
    design: str
    split: str
    seed: int | None
    wording: str
    status: str
    strict: bool | None
    in_form: bool | None
    correct: bool | None
    record: Record | None
    measures: Mapping[str, float] = {}
    flagged: bool = False
    wording_status: str = ""
    lacking: bool = False


@dataclass(frozen=True)
class AnswerTable:
    """Graded answers as a pandas ``DataFrame`` with the columns of ``Answer``.

    In place of ``measures`` the frame has a column for each measure, empty where an answer has
    none.
    """

    frame: pd.DataFrame

    @classmethod
    def of_answers(cls, answers: Iterable[Answer], measures: Sequence[str] = ()) -> AnswerTable:
        """A table of answers from anywhere, such as another team's log.

        Args:
            answers: its rows.
            measures: names of measures that some of them must have.

        Raises:
            ValueError: none of them has one of the measures.
        """
        import pandas as pd

        rows = list(answers)
        for name in measures:
            if rows and not any(name in row.measures for row in rows):
                measured = ", ".join(dict.fromkeys(n for row in rows for n in _numbers(row)))
                raise ValueError(f"no answer has the measure {name!r}: allowed are {measured}")
        frame = pd.DataFrame(rows, columns=Answer._fields).drop(columns="measures")
        for name in dict.fromkeys(name for row in rows for name in row.measures):
            frame[name] = [row.measures.get(name) for row in rows]
        return cls(frame)

    @classmethod
    def of_records(
        cls, records: Iterable[Record], *, model: str = "", measures: Sequence[str] = ()
    ) -> AnswerTable:
        """A table of graded records.

        Args:
            records: of any families. Answers to one question under the same condition are
                numbered in their order.
            model: who answered.
            measures: names of measures that shall be columns (``Family.measures``); answers of
                families that have no such measure stay without.

        Raises:
            ValueError: none of the answers has one of the measures.
        """
        return cls.of_answers(answers_of(records, model=model, measures=measures), measures)

    @property
    def plain(self) -> AnswerTable:
        """The answers to questions asked as the dataset has them."""
        return self.where(condition=PLAIN)

    @property
    def decided(self) -> AnswerTable:
        """The answers that are right or wrong, whatever a judge may still say of others."""
        return AnswerTable(self.frame[self.frame["correct"].notna()])

    def where(self, **values: Any) -> AnswerTable:
        """The rows that have these values in these columns."""
        rows = self.frame
        for name, value in values.items():
            rows = rows[rows[name] == value]
        return AnswerTable(rows)

    def __len__(self) -> int:
        return len(self.frame)


def by_question(part: pd.DataFrame, pooled: Sequence[str] = ()) -> pd.DataFrame:
    """The answers of one side by question and repeat; what is pooled is part of the question."""
    indexed = part[part["question"].notna()].set_index([*pooled, "question", "repeat"], drop=False)
    return indexed.rename_axis([None] * indexed.index.nlevels)


def on_common_questions(sides: Sequence[pd.DataFrame]) -> list[pd.DataFrame]:
    """The answers of each side to the questions that all sides answered.

    Args:
        sides: by question, at least one.

    Returns:
        A frame for each side, all in the order of the last one. Repeats of a question are joined in
        their order.
    """
    common = sides[-1].index
    if all(side.index.equals(common) for side in sides[:-1]):  # as most often
        return list(sides)
    for side in sides[:-1]:
        common = common.intersection(side.index, sort=False)
    return [side if side.index.equals(common) else side.loc[common] for side in sides]


def answer_of(
    record: Record,
    question: str | None,
    repeat: int = 0,
    *,
    model: str = "",
    measures: Sequence[str] = (),
) -> Answer:
    """The row of a record.

    Args:
        question: names the question; its cluster is this name, or that of the text that several
            questions are about (``text_id`` of the reference) or of the structure that they share
            (``structure``), with the family.
        repeat, model, measures: see ``Answer`` and ``AnswerTable.of_records``.
    """
    reference, grade = record.reference, record.grade
    grading_family = family_of(reference)
    family, task = grading_family.name, str(reference["task"])
    every_measure = grading_family.measures(task) if measures else ()
    kept_measures = [
        measure for measure in every_measure if measure.name in measures and measure.is_number
    ]
    text = reference.get("text_id", reference.get("structure"))
    cluster = f"{family} {task} {question}" if text is None else f"{family} {text}"
    correct = None if grade.status == "needs_judge" else grade.correct
    language, text_name = str(reference.get("language") or UNKNOWN_LANGUAGE), wording(reference)
    wording_status, flagged = grading_family.wording_of(task, language, text_name)
    return Answer(
        family=family,
        task=task,
        language=language,
        condition=condition(reference),
        level=reference.get("level"),
        complexity=complexity(reference),
        question=question,
        cluster=None if question is None else cluster,
        repeat=repeat,
        run=record.run or "",
        model=model,
        design=str(reference.get("design", FIXED)),
        split=str(reference.get("split", "")),
        seed=reference.get("seed"),
        wording=text_name,
        status=grade.status,
        strict=correct and grade.strict,
        in_form=correct and grade.in_form,
        correct=correct,
        record=record,
        measures={
            measure.name: value
            for measure in kept_measures
            if (value := measure.of(record)) is not None
        },
        flagged=flagged,
        wording_status=wording_status,
        lacking=record.lacking,
    )


def answers_of(
    records: Iterable[Record], *, model: str = "", measures: Sequence[str] = ()
) -> Iterator[Answer]:
    """The rows of records; see ``AnswerTable.of_records``."""
    seen: Counter[tuple[Any, ...]] = Counter()
    for record in records:
        identity = record.reference.get("instance_id")
        question = None if identity is None else str(identity)
        answer = answer_of(record, question, model=model, measures=measures)
        key = (answer.family, answer.task, answer.language, answer.condition, question)
        yield answer._replace(repeat=seen[key]) if key in seen else answer
        seen[key] += 1


def _numbers(answer: Answer) -> list[str]:
    """What is measured of an answer in numbers."""
    return [
        measure.name for measure in family(answer.family).measures(answer.task) if measure.is_number
    ]


def complexity(reference: Mapping[str, object]) -> float | None:
    """The complexity of a question; ``None`` without one above 0 that can be squared."""
    value: Any = reference.get("complexity")
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    return float(value) if is_number and _SMALLEST < value < _LARGEST else None


def wording(reference: Mapping[str, object]) -> str:
    """The wording of a question without its revision, which is a language's own."""
    text = str(reference.get("text", "paper"))
    return "revised" if text.startswith("revised.") else text


@dataclass(frozen=True)
class Side:
    """The answers of one task in one language; ``frame`` has the columns of ``Answer``."""

    task: str
    language: str
    frame: pd.DataFrame

    @property
    def n(self) -> int:
        return len(self.frame)

    @property
    def correct(self) -> int:
        return int(self.frame["correct"].eq(True).sum())

    @cached_property
    def by_question(self) -> pd.DataFrame:
        """Its answers by question and repeat."""
        return by_question(self.frame)

    @cached_property
    def records(self) -> list[Record]:
        """What the rows were made of."""
        return list(self.frame["record"])

    @property
    def wordings(self) -> list[str]:
        """The wordings of its questions, by name and without their revision, which is a language's
        own; those without one have the paper's."""
        return sorted(self.frame["wording"].unique())

    @property
    def repeated(self) -> int:
        """Responses to a question, by its instance id, that has one already."""
        return int((self.frame["question"].notna() & self.frame["repeat"].gt(0)).sum())

    @cached_property
    def levels(self) -> tuple[Floats, Integers, Integers]:
        """Complexity, correct answers and answers per level, by rising complexity.

        Responses without a complexity above 0 belong to no level.
        """
        return levels(self.frame)

    @property
    def identified(self) -> bool:
        """Whether the answers fix a curve."""
        c, k, n = self.by_level
        return bool(len(c)) and diagnose(c, k / n, n.astype(np.float64))[0]

    @property
    def first(self) -> Side:
        """The first answer to each question, by instance id; one without an id counts by itself."""
        frame = self.frame
        return replace(self, frame=frame[frame["question"].isna() | frame["repeat"].eq(0)])

    @property
    def by_level(self) -> tuple[Floats, Floats, Integers]:
        """Complexity, correct answers and questions per level; of repeats the mean counts."""
        c, k, n = self.levels
        questions = self.first.levels[2] if self.repeated else n
        return c, k * questions / n, questions

    def summary(self) -> dict[str, object]:
        """Counts and rates in plain JSON types: what holds without any model of accuracy."""
        statuses = counted(self.records)
        return {
            "n": self.n,
            "correct": self.correct,
            "accuracy": self.correct / self.n,
            "strict": STRICT.mean([self.records]),
            "parsed": (statuses["correct"] + statuses["wrong"]) / self.n,
            "statuses": statuses,
            "levels": [
                {"level": level, "complexity": number(c), "n": int(n), "correct": int(k)}
                for level, (c, k, n) in enumerate(zip(*self.levels))
            ],
            "details": self.details(),
            "solves": extreme(*self.levels[1:]),
        }

    def details(self) -> dict[str, float]:
        """Averages of the graders' diagnostics that are truth values or numbers.

        A truth value is a share of all responses, so that it compares with the accuracy: a
        response whose grade lacks it (it had no answer) counts as false, one where it is ``None``
        (it cannot be told) does not count. A number is averaged where there is one.
        """
        values_by_key: dict[str, list[float]] = defaultdict(list)
        truths: set[str] = set()
        unknown: Counter[str] = Counter()
        for record in self.records:
            for key, value in record.grade.details.items():
                if isinstance(value, bool):
                    truths.add(key)
                    values_by_key[key].append(float(value))
                elif isinstance(value, numbers.Real):
                    values_by_key[key].append(float(value))
                elif value is None:
                    unknown[key] += 1
        return {
            key: sum(values) / (self.n - unknown[key] if key in truths else len(values))
            for key, values in sorted(values_by_key.items())
        }


def sides(table: AnswerTable) -> dict[str, dict[str, Side]]:
    """The answers of a table by task and language, in the order in which they first occur."""
    by_task: dict[str, dict[str, Side]] = {}
    for (task, language), part in table.frame.groupby(["task", "language"], sort=False):
        by_task.setdefault(str(task), {})[str(language)] = Side(str(task), str(language), part)
    return by_task


def levels(frame: pd.DataFrame) -> tuple[Floats, Integers, Integers]:
    """Complexity, correct answers and answers per level, by rising complexity."""
    rows = frame[frame["complexity"].notna()]
    c, index = np.unique(rows["complexity"].to_numpy(dtype=np.float64), return_inverse=True)
    right = rows["correct"].eq(True).to_numpy()
    k, n = np.bincount(index[right], minlength=len(c)), np.bincount(index, minlength=len(c))
    return c, k.astype(np.int64), n.astype(np.int64)


def number(value: float | None) -> float | int | None:
    """A complexity as an integer where it is one."""
    if value is None:
        return None
    return int(value) if math.isfinite(value) and value == int(value) else float(value)


FEWEST_LEVELS = 3
"""A curve of two parameters meets any two levels."""


def curve(base: Side, other: Side) -> Gap | None:
    """The gap of two sides over the range that both were asked; ``None`` if not identified.

    It is the largest one between their fitted curves (XLGoBench, equations 2 and 3).
    """
    complexities = [side.levels[0] for side in (base, other)]
    if any(len(c) < 2 for c in complexities) or not (base.identified and other.identified):
        return None
    low, high = max(c.min() for c in complexities), min(c.max() for c in complexities)
    if low >= high:
        return None
    first, second = (
        curve_draws(*side.by_level, stream=cell_stream(side.task, role))
        for side, role in ((base, BASE), (other, OTHER))
    )
    return gap(first, second, float(low), float(high), integers=True)
