"""What a family can do beyond grading and summing up: each a class, asked for by its type.

A family that has such a thing lists an object of a subclass in ``Family.extras``; whoever wants it
asks ``family.extra(Class)``. The classes themselves say what holds for a family that has none, so
that nothing here is owed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from .core import Grade, Record, Reference, SideBySide, Table

Draw = Callable[[], "Mapping[str, object] | None"]
"""Gives the instance of a question in its JSON form; ``None`` if it cannot be drawn again."""

FirstError = Mapping[str, object]
"""Where an answer first goes wrong, in plain JSON types."""


class LoggedAnswer(NamedTuple):
    """An answer out of files that another team's scripts wrote.

    Attributes:
        thinking: what was kept apart of it; ``None`` if nothing was.
        response: the rest, or all of it.
        reference: what it is graded against.
    """

    thinking: str | None
    response: str | None
    reference: dict[str, object]


class Published:
    """How the authors of a family wrote and graded answers."""

    external_format: ClassVar[str] = ""
    """What ``xlgo score --format`` calls their files; empty where there are none."""

    modes: ClassVar[tuple[str, ...]] = ("default",)
    """By which rules answers can be graded, as ``mode`` in a reference; the first are our own."""

    def read(self, path: Path, mode: str) -> Iterator[LoggedAnswer]:
        """Answers out of their files.

        Args:
            path: a file, or a folder of them.
            mode: how they shall be graded; it goes into the references.

        Raises:
            ValueError: there are no such files, or one is malformed; file and line are named.
        """
        raise NotImplementedError

    def grade(self, answer: LoggedAnswer) -> Grade:
        """Grade an answer of ``read``."""
        raise NotImplementedError

    def published_rejects_gold(self, part: str, name: str, reference: Reference) -> bool | None:
        """Whether the published modes are known to call a reference answer itself wrong.

        Args:
            part, name: which answer (see ``Family.gold_answers`` on the side of the data).
            reference: of the question.

        Returns:
            ``None`` where it is not known.
        """
        return None


class Steps:
    """Answers that are worked out step by step, so that one can go wrong at a step."""

    def partial_credit(self, grade: Grade, reference: Reference) -> float:
        """What share of a wrong answer is right, for a reward.

        Args:
            grade: of the response, with the status ``wrong``.
            reference: of the question.

        Returns:
            From 0 to 1. It must not be had for an answer that merely is long.
        """
        return 0.0

    def first_error(
        self, grade: Grade, reference: Reference, draw: Draw, text: str
    ) -> FirstError | None:
        """Where an answer with the status ``wrong`` first goes wrong; ``None`` if not known.

        Args:
            grade, reference, text: of the response.
            draw: gives the instance, if it can be drawn again.
        """
        return None


class Outputs(NamedTuple):
    """Files of a result that a family has beside its tables, all in plain JSON types.

    Attributes:
        results: means by task and metric, in the form of ``results`` of lm-evaluation-harness.
        samples: a row for each question, all with the same columns.
        manifest: what the numbers depend on.
    """

    results: Mapping[str, Mapping[str, float]]
    samples: list[dict[str, object]]
    manifest: Mapping[str, object]


class Shown:
    """What is shown beside its tables: of one score, and of several models beyond counts of correct
    answers."""

    correlates: ClassVar[bool] = False
    """Whether ``correlate`` has something to say."""

    def exhibits(self, section: Mapping[str, object]) -> list[SideBySide]:
        """Texts side by side; they take the place of the report's own examples."""
        return []

    def outputs(self, records: Sequence[Record], section: Mapping[str, object]) -> Outputs | None:
        """Files beside the report, of the records that ``section`` sums up."""
        return None

    def pair(
        self, first: Sequence[Record], second: Sequence[Record], names: tuple[str, str]
    ) -> list[Table]:
        """Tables that compare two models.

        Args:
            first, second: the records of each.
            names: what the models are called.

        Returns:
            None where they have nothing in common.

        Raises:
            ValueError: what is compared is not the same in both.
        """
        return []

    def many(self, sections: Mapping[str, Mapping[str, object]]) -> list[Table]:
        """Tables of many models.

        Args:
            sections: by model, of its score.
        """
        return []

    def correlate(
        self, records: Mapping[str, Sequence[Record]], ratings: Path, **options: Any
    ) -> list[Table]:
        """How far the scores of several models agree with ratings from outside.

        Args:
            records: by model.
            ratings: a CSV file with the columns ``model`` and ``score``.

        Raises:
            ValueError: the file or an option is invalid.
        """
        return []
