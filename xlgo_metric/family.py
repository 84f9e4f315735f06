"""The interface of a family for grading and reports, and the registry of all families.

On this side a family is one folder in ``families/`` whose package holds ``FAMILY``, an object of
a class below, and its name in ``families.BUILT_IN``. A family that lives elsewhere calls
``register``. No other file knows the name of a family.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, final

from .core import (
    COMMON_MEASURES,
    STRICT,
    FamilyBase,
    Grade,
    Measure,
    Record,
    Reference,
    Registry,
    Table,
    UnusableReferenceError,
)
from .families import BUILT_IN, REFERENCE_NAMES
from .judge import Judge
from .option import Option
from .table import DASH

if TYPE_CHECKING:
    from .comparison.gaps import Gaps

Section = Mapping[str, object]
"""The score of one family in plain JSON types; each has ``signature`` and ``warnings``."""

LOGGER = logging.getLogger("xlgo_metric.guard")
_MESSAGE_LENGTH = 300

_MOST_FINDINGS = 5


def plain_findings(headline: Mapping[str, float], tables: Sequence[Table]) -> list[tuple[str, str]]:
    """Sentences of a family that has none of its own; see ``Family.findings``."""
    if headline:
        told = [f"{name.replace('_', ' ')} {value:.3g}" for name, value in headline.items()]
        return [("", f"{', '.join(told[:_MOST_FINDINGS])}.")]
    for table in tables:
        for row in table.shown():
            told = [
                f"{name} {text}".lstrip()
                for name, text in zip(table.headings(), row)
                if text not in ("", DASH)
            ]
            return [("", f"{table.title}: {', '.join(told[:_MOST_FINDINGS])}.")]
    return []


class Family(FamilyBase, ABC):
    """A set of tasks that share their grading, their statistics and their tables."""

    grading_only_fields: ClassVar[frozenset[str]] = frozenset()
    """Entries of a reference that grading needs and ``summarize`` does not."""

    conditions: ClassVar[frozenset[str]] = frozenset({"data", "seed", "split", "text"})
    """Entries of a reference that say under which conditions a whole run was asked: answers of two
    runs are put together only where these agree."""

    options: ClassVar[tuple[Option, ...]] = ()
    """Options of ``summarize``, besides the records."""

    judge: ClassVar[Judge | None] = None
    """How answers with the status ``needs_judge`` are judged by a model."""

    @abstractmethod
    def grade(self, prediction: str | None, reference: Reference) -> Grade:
        """Grade one response; it may be anything.

        Args:
            prediction: the model's whole output; ``None`` counts as an empty one.
            reference: the column ``reference`` of the row, read from its JSON.

        Raises:
            ValueError: the reference is malformed.
        """

    @abstractmethod
    def summarize(self, records: Sequence[Record], **options: Any) -> Section:
        """The family's section of a score.

        Args:
            records: graded responses to its tasks, at least one.
            options: some of ``options``, checked.

        Returns:
            Plain JSON types with ``signature`` (what the numbers depend on, the version last) and
            ``warnings`` (sentences).
        """

    @abstractmethod
    def tables(self, section: Section) -> list[Table]:
        """Tables for people of a section; their names are unique within the family."""

    def measures(self, task: str = "", languages: Sequence[str] = ()) -> Sequence[Measure]:
        """What is measured of an answer: rows of the harness, means, columns, comparisons.

        Args:
            task: whose answers they are; an empty text for the measures of every task.
            languages: those that one harness task asks together, where there is one.
        """
        return COMMON_MEASURES

    def gaps(self, section: Section) -> Gaps | None:
        """The part of a section that has accuracy by complexity and gaps to a baseline language.

        Returns:
            ``{"baseline": …, "tasks": …}`` in the form that the puzzles have (docs/statistics.md),
            for curves, heat map and sentences of the report; ``None`` where there is no such part.
        """
        return None

    def findings(self, section: Section) -> list[tuple[str, str]]:
        """The main results in sentences, for people who read nothing else.

        Returns:
            Pairs of a kind (``behind`` and ``ahead`` of a comparison, ``warn``, or an empty text)
            and a sentence; at most five or so. By default the numbers of ``headline``, or without
            any the first row of the first table.
        """
        return plain_findings(self.headline(section), self.tables(section))

    def headline(self, section: Section) -> dict[str, float]:
        """The numbers of a section that a trainer or a logger wants on top, by flat names."""
        return {}

    @final
    def measure(self, name: str) -> Measure:
        """The measure of a name, of whatever task.

        Raises:
            ValueError: there is none.
        """
        # One of a language, such as smd_te, is there where that language is asked with English.
        known = {one.name: one for one in self.measures(languages=("en", *name.split("_")))}
        if name not in known:
            raise ValueError(
                f"{self.name} has no measure {name!r}: allowed are {', '.join(self.measure_names)}"
            )
        return known[name]

    @property
    @final
    def reads_responses(self) -> bool:
        """It grades the text of a response: not where a verdict is all that is known of it."""
        return not self.is_binary or STRICT.name in self.measure_names

    @property
    @final
    def measure_names(self) -> list[str]:
        """The names of the measures of every task."""
        return [one.name for one in self.measures()]

    @property
    @final
    def is_binary(self) -> bool:
        """An answer is right or wrong, and answers are independent enough to be counted as such."""
        return "acc" in self.measure_names


FAMILIES: Registry[Family] = Registry(Family, BUILT_IN, "metric")
"""Every family by name."""

register = FAMILIES.register


def family(name: str) -> Family:
    """The family ``name``, which may be the name that references have for it.

    Raises:
        ValueError: the name is not registered.
    """
    return FAMILIES.named(REFERENCE_NAMES.get(name, name))


def family_of(reference: Reference) -> Family:
    """The family that grades answers to ``reference``; without a name there, the first one.

    Raises:
        ValueError: its name is not registered.
    """
    name = reference.get("family", BUILT_IN[0])
    if not isinstance(name, str):
        raise ValueError(f"a reference must name its family by a text, got {name!r}")
    return family(name)


def grade_safely(grade: Callable[..., Grade], *arguments: Any, where: str = "") -> Grade:
    """What ``grade(*arguments)`` returns, or a grade that says what it raised.

    The one place that keeps a single answer from ending a scoring: every scoring grades through it.
    Whatever a grader raises counts as ``bad_format`` and is logged with the row it belongs to; the
    test suite fails on any such record. Only what a grader says of a reference that it cannot use
    goes through: the answer is not to blame for it.

    Args:
        grade: a grader.
        arguments: its arguments.
        where: which row this is, for the log: a file and line, or a position.

    Returns:
        The grade; if an exception was raised one of status ``bad_format`` whose details hold
        ``error`` (the exception and its message) and ``raised_at`` (file and line in the code).

    Raises:
        UnusableReferenceError: the grader said so.
    """
    try:
        return grade(*arguments)
    except UnusableReferenceError:
        raise
    except Exception as error:
        import traceback

        message = f"{type(error).__name__}: {error}"[:_MESSAGE_LENGTH]
        message = message.encode("utf-8", "replace").decode()
        frames = traceback.extract_tb(error.__traceback__)
        last = f"{frames[-1].filename.replace(chr(92), '/').rpartition('/')[2]}:{frames[-1].lineno}"
        LOGGER.error("%s: grading raised %s (%s): bad_format", where or "a row", message, last)
        return Grade(False, "bad_format", details={"error": message, "raised_at": last})
