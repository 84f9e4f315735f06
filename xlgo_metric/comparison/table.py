"""A row for each graded answer, whatever family, model or log it comes from."""

from __future__ import annotations

import numbers
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from xlgo_metric.core import PLAIN, Record, condition

if TYPE_CHECKING:  # pandas takes half a second to import
    import pandas as pd

UNKNOWN_LANGUAGE = "unknown"
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
        measures: numbers beyond right and wrong, by name.
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
    measures: Mapping[str, float]


@dataclass(frozen=True)
class AnswerTable:
    """Graded answers as a pandas ``DataFrame`` with the columns of ``Answer``.

    In place of ``measures`` the frame has a column for each measure, empty where an answer has
    none.
    """

    frame: pd.DataFrame

    @classmethod
    def of_answers(cls, answers: Iterable[Answer]) -> AnswerTable:
        """A table of answers from anywhere, such as another team's log."""
        import pandas as pd

        rows = list(answers)
        columns = list(Answer._fields[:-1])
        frame = pd.DataFrame([row[:-1] for row in rows], columns=columns)
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
            measures: entries of the grades' details that are numbers and shall be columns.
        """
        return cls.of_answers(answers_of(records, model=model, measures=measures))

    @property
    def plain(self) -> AnswerTable:
        """The answers to questions asked as the dataset has them."""
        return self.where(condition=PLAIN)

    def where(self, **values: Any) -> AnswerTable:
        """The rows that have these values in these columns."""
        chosen = self.frame
        for name, value in values.items():
            chosen = chosen[chosen[name] == value]
        return AnswerTable(chosen)

    def __len__(self) -> int:
        return len(self.frame)


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
        question: names the question; its cluster is this name with family and task.
        repeat, model, measures: see ``Answer`` and ``AnswerTable.of_records``.
    """
    from xlgo_metric.family import family_of

    reference, grade = record.reference, record.grade
    family, task = family_of(reference).name, str(reference["task"])
    details = {name: grade.details.get(name) for name in measures}
    correct = None if grade.status == "needs_judge" else grade.correct
    return Answer(
        family=family,
        task=task,
        language=str(reference.get("language") or UNKNOWN_LANGUAGE),
        condition=condition(reference),
        level=reference.get("level"),
        complexity=complexity(reference),
        question=question,
        cluster=None if question is None else f"{family} {task} {question}",
        repeat=repeat,
        run=record.run or "",
        model=model,
        design=str(reference.get("design", "fixed")),
        split=str(reference.get("split", "")),
        seed=reference.get("seed"),
        wording=wording(reference),
        status=grade.status,
        strict=correct and grade.strict,
        in_form=correct and grade.in_form,
        correct=correct,
        measures={n: float(v) for n, v in details.items() if isinstance(v, int | float)},
    )


def answers_of(
    records: Iterable[Record], *, model: str = "", measures: Sequence[str] = ()
) -> Iterator[Answer]:
    """The rows of records; see ``AnswerTable.of_records``."""
    seen: Counter[tuple[Any, ...]] = Counter()
    for record in records:
        identity = record.reference.get("instance_id")
        question = None if identity is None else str(identity)
        found = answer_of(record, question, model=model, measures=measures)
        key = (found.family, found.task, found.language, found.condition, question)
        yield found._replace(repeat=seen[key])
        seen[key] += 1


def complexity(reference: Mapping[str, Any]) -> float | None:
    """The complexity of a question; ``None`` without one above 0 that can be squared."""
    value: Any = reference.get("complexity")
    known = isinstance(value, numbers.Real) and not isinstance(value, bool)
    return float(value) if known and _SMALLEST < value < _LARGEST else None


def wording(reference: Mapping[str, Any]) -> str:
    """The wording of a question without its revision, which is a language's own."""
    text = str(reference.get("text", "paper"))
    return "revised" if text.startswith("revised.") else text
