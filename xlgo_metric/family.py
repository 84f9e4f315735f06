"""What a family of tasks owes to be graded and reported, and the registry of all families.

On this side a family is one folder in ``families/`` whose package holds ``FAMILY``, an object of
a class below, and its name in ``families.BUILT_IN``. A family that lives elsewhere calls
``register``. No other file knows the name of a family.
"""

from __future__ import annotations

import importlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from .core import Exhibit, Grade, Record, Table
from .families import BUILT_IN
from .judge import Judge, JudgeCheck
from .table import DASH

Section = dict[str, Any]
"""The score of one family in plain JSON types; ``signature`` and ``warnings`` stand in each."""


Draw = Callable[[], "Mapping[str, Any] | None"]


class LoggedAnswer(NamedTuple):
    """An answer out of files that another team's scripts wrote.

    Attributes:
        thinking: what was kept apart of it; ``None`` if nothing was.
        response: the rest, or all of it.
        reference: what it is graded against.
    """

    thinking: str | None
    response: str | None
    reference: dict[str, Any]


class Outputs(NamedTuple):
    """Files of a result that a family has beside its tables, all in plain JSON types.

    Attributes:
        results: means by task and metric, in the form of ``results`` of lm-evaluation-harness.
        samples: a row for each question, all with the same columns.
        manifest: what the numbers depend on.
    """

    results: dict[str, dict[str, Any]]
    samples: list[dict[str, Any]]
    manifest: dict[str, Any]


class HarnessMetric(NamedTuple):
    """A metric of lm-evaluation-harness.

    Attributes:
        higher_is_better: the arrow in the harness's table.
        mean: the harness takes the mean of its values; else ``Family.aggregate`` is asked.
    """

    higher_is_better: bool
    mean: bool = True


COMMON_METRICS: Mapping[str, HarnessMetric] = {
    "acc": HarnessMetric(True),
    "parsed": HarnessMetric(True),
    "strict": HarnessMetric(True),
    "truncated": HarnessMetric(False),
}
"""Metrics that every task has."""


def common_values(grade: Grade) -> dict[str, Any]:
    """The values of ``COMMON_METRICS`` for one question; no ``acc`` until a judge has decided."""
    values: dict[str, Any] = {
        "acc": float(grade.correct),
        "parsed": float(grade.status in ("correct", "wrong", "needs_judge")),
        "strict": float(grade.strict),
        "truncated": float(grade.status == "truncated"),
    }
    if grade.status == "needs_judge":
        del values["acc"]
    return values


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


class Family(ABC):
    """A set of tasks that share their grading, their statistics and their tables."""

    name: ClassVar[str]
    """Of the family; the same on the side of the data, and the name of its section."""

    aliases: ClassVar[tuple[str, ...]] = ()
    """Other values of ``family`` in a reference, such as its name in an older release."""

    heavy: ClassVar[frozenset[str]] = frozenset()
    """Entries of a reference that grading needs and ``summarize`` does not."""

    conditions: ClassVar[frozenset[str]] = frozenset({"data", "seed", "split", "text"})
    """Entries of a reference that say under which conditions a whole run was asked: answers of two
    runs are put together only where these agree."""

    log_format: ClassVar[str | None] = None
    """What ``xlgo score --format`` calls the files of another team that ``read_logs`` reads."""

    modes: ClassVar[tuple[str, ...]] = ("default",)
    """By which rules answers can be graded, as ``mode`` in a reference; the first are our own."""

    judge: ClassVar[Judge | None] = None
    """How answers with the status ``needs_judge`` are judged by a model."""

    options: ClassVar[tuple[str, ...]] = ()
    """Names of what ``summarize`` can be told, beyond the records."""

    has_accuracy: ClassVar[bool] = True
    """An answer is right or wrong, and answers are independent enough to be counted as such."""

    @abstractmethod
    def grade(self, prediction: str | None, reference: dict[str, Any]) -> Grade:
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
            options: those that ``options`` names; others are not passed on.

        Returns:
            Plain JSON types with ``signature`` (what the numbers depend on, the version last) and
            ``warnings`` (sentences).

        Raises:
            ValueError: an option out of range.
        """

    @abstractmethod
    def tables(self, section: Mapping[str, Any]) -> list[Table]:
        """Tables for people of a section; their names are unique within the family."""

    def partial_credit(self, grade: Grade, reference: Mapping[str, Any]) -> float:
        """What share of a wrong answer is right, for a reward; none by default.

        Args:
            grade: of the response, with the status ``wrong``.
            reference: of the question.

        Returns:
            From 0 to 1. It must not be had for an answer that merely is long.
        """
        return 0.0

    def fault(
        self, grade: Grade, reference: Mapping[str, Any], draw: Draw, text: str
    ) -> dict[str, Any] | None:
        """Where an answer with the status ``wrong`` first goes wrong; ``None`` if not known.

        Args:
            grade, reference, text: of the response.
            draw: gives the instance in its JSON form, if it can be drawn again.
        """
        return None

    def read_logs(self, path: Path, mode: str) -> Iterator[LoggedAnswer]:
        """Answers out of the files of another team's scripts.

        Args:
            path: a file, or a folder of them.
            mode: how they shall be graded; it goes into the references.

        Raises:
            ValueError: there are no such files, or one is malformed; file and line are named.
        """
        raise ValueError(f"{self.name} reads no files of another team's scripts")

    def grade_logged(self, answer: LoggedAnswer) -> Grade:
        """Grade an answer of ``read_logs``."""
        return self.grade(answer.response, answer.reference)

    def refuses_own(self, part: str, name: str, reference: Mapping[str, Any]) -> bool | None:
        """Whether the published modes are known to call a reference answer itself wrong.

        Args:
            part, name: which answer (see ``Family.echoes`` on the side of the data).
            reference: of the question.

        Returns:
            ``None`` where it is not known.
        """
        return None

    def harness_metrics(self, task: str, languages: Sequence[str]) -> Mapping[str, HarnessMetric]:
        """The metrics of a harness task whose questions are of ``task`` in ``languages``."""
        return COMMON_METRICS

    def harness_values(self, grade: Grade, reference: Mapping[str, Any]) -> dict[str, Any]:
        """The value of each metric for one question; a metric may be left out.

        Args:
            grade: of the response.
            reference: of the question; its key ``languages`` lists the codes that are asked
                together in one harness task.
        """
        return common_values(grade)

    def aggregate(self, metric: str, values: Sequence[Any]) -> float | str:
        """From the values of all questions to a number, for a metric that is no mean.

        Returns:
            The number, or a text where there is none.

        Raises:
            ValueError: an unknown metric.
        """
        raise ValueError(f"{self.name} has no metric {metric!r} to aggregate")

    def gaps(self, section: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The part of a section that has accuracy by complexity and gaps to a baseline language.

        Returns:
            ``{"baseline": …, "tasks": …}`` in the form that the puzzles have (docs/statistics.md),
            for curves, heat map and sentences of the report; ``None`` where there is no such part.
        """
        return None

    def findings(self, section: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The main results in sentences, for people who read nothing else.

        Returns:
            Pairs of a kind (``behind`` and ``ahead`` of a comparison, ``warn``, or an empty text)
            and a sentence; at most five or so. By default the numbers of ``headline``, or without
            any the first row of the first table.
        """
        return plain_findings(self.headline(section), self.tables(section))

    def exhibits(self, section: Mapping[str, Any]) -> list[Exhibit]:
        """Texts that a report shows side by side; they take the place of its own examples."""
        return []

    def outputs(self, records: Sequence[Record], section: Mapping[str, Any]) -> Outputs | None:
        """Files beside the report, of the records that ``section`` sums up."""
        return None

    def compare(
        self, first: Sequence[Record], second: Sequence[Record], names: tuple[str, str]
    ) -> list[Table]:
        """Tables that compare two models, beyond counts of right answers.

        Args:
            first, second: the records of each.
            names: what the models are called.

        Returns:
            None where they have nothing in common.

        Raises:
            ValueError: what is compared is not the same in both.
        """
        return []

    def several(self, sections: Mapping[str, Section]) -> list[Table]:
        """Tables of many models, for what right answers do not show; none by default.

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
            ValueError: the family has no such measure, or the file or an option is not right.
        """
        raise ValueError(f"{self.name} has no correlation with ratings")

    def rule_reply(self, request: str) -> str | None:
        """What the simulated model, as a judge, replies to a request of this family, by rule."""
        return None

    def judge_check(self, records: Sequence[Record]) -> JudgeCheck | None:
        """How a judge of this family is checked, on the questions of these records."""
        return None

    def headline(self, section: Mapping[str, Any]) -> dict[str, float]:
        """The numbers of a section that a trainer or a logger wants on top, by flat names."""
        return {}


GROUP = "xlgo.families"
"""Of the entry points by which other packages bring families."""


class Registry(Mapping[str, Family]):
    """The families by name: those of this package, of other packages, and registered ones.

    A family of this package is imported when it is first asked for, those of other packages when
    all are. They are found by entry points of the group ``xlgo.families``: its name is that of the
    family, its value a package with the modules ``dataset`` and ``metric``, each with ``FAMILY``.
    """

    def __init__(self, built_in: Iterable[str]) -> None:
        self._found: dict[str, Family | None] = dict.fromkeys(built_in)
        self._is_complete = False

    def _complete(self) -> None:
        """Add the families of other packages; one that cannot be had is named in a warning."""
        if self._is_complete:
            return
        self._is_complete = True
        for entry in metadata.entry_points(group=GROUP):
            try:
                if entry.name in self._found:
                    raise ValueError("there is a family of that name already")
                module = importlib.import_module(f"{entry.value}.metric")
                self.register(module.FAMILY)
            except Exception as error:  # whatever is wrong in another package
                package = entry.dist.name if entry.dist else entry.value
                logging.getLogger("xlgo").warning(
                    "the family %r of the package %s is left out: %s: %s",
                    entry.name, package, type(error).__name__, error,
                )  # fmt: skip

    def __getitem__(self, name: str) -> Family:
        if name not in self._found:
            self._complete()
        found = self._found[name]
        if found is None:
            module = importlib.import_module(f".families.{name}", __package__)
            found = _checked(module.FAMILY)
            self._found[name] = found
        return found

    def __iter__(self) -> Iterator[str]:
        self._complete()
        return iter(self._found)

    def __len__(self) -> int:
        self._complete()
        return len(self._found)

    def register(self, family: Family) -> None:
        """Add a family, or put it in the place of one with its name."""
        self._found[_checked(family).name] = family

    def remove(self, name: str) -> None:
        """Take a family away again.

        Raises:
            KeyError: there is none of that name.
        """
        del self._found[name]


def _checked(family: Any) -> Family:
    """``family`` if it fulfils the contract.

    Raises:
        TypeError: it is no ``Family``, or has no name; a class that lacks a method cannot be made
            into an object at all.
    """
    if not isinstance(family, Family):
        raise TypeError(f"a family must be an object of a subclass of Family, got {family!r}")
    if not any("name" in vars(kind) for kind in type(family).__mro__):
        raise TypeError(f"{type(family).__name__} has no name")
    return family


FAMILIES = Registry(BUILT_IN)
"""Every family by name."""


def register(family: Family) -> None:
    """Add a family that lives outside this package; ``TypeError`` if the contract is not met."""
    FAMILIES.register(family)


def family(name: str) -> Family:
    """The family ``name``, or the one that has it among its aliases.

    Raises:
        ValueError: the name is not registered.
    """
    if name in FAMILIES:
        return FAMILIES[name]
    for found in FAMILIES.values():
        if name in found.aliases:
            return found
    raise ValueError(f"unknown family {name!r}: allowed are {', '.join(FAMILIES)}")


def family_of(reference: Mapping[str, Any]) -> Family:
    """The family that grades answers to ``reference``; without a name there, the first one.

    Raises:
        ValueError: its name is not registered.
    """
    name = reference.get("family", BUILT_IN[0])
    if not isinstance(name, str):
        raise ValueError(f"a reference must name its family by a text, got {name!r}")
    return family(name)
