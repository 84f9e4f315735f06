"""The interface of a family for grading, judging and reports, and the registry of all families.

On this side a family is one folder in ``families/`` whose package holds ``FAMILY``, a value of the
class below, and its name in ``families.BUILT_IN``. Another package brings a family by an entry
point, or calls ``register``. No other file knows the name of a family.

A family whose answers can need a judge says which prompts a judge gets and what its replies mean.
Whoever answers the prompts is a function from a prompt to a reply: a server, a model of lm-
evaluation-harness, or anything else.
"""

from __future__ import annotations

import hashlib
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .core import (
    COMMON_MEASURES,
    STRICT,
    FamilyBase,
    Grade,
    Json,
    Measure,
    Record,
    Reference,
    Registry,
    Table,
    UnusableReferenceError,
)
from .families import BUILT_IN, REFERENCE_NAMES
from .option import Option
from .table import DASH

if TYPE_CHECKING:
    import pandas as pd


def filled(template: str, values: Mapping[str, str]) -> str:
    """A prompt with values in the place of their names in braces; other braces stay."""
    names = "|".join(values)
    return re.sub(rf"\{{({names})\}}", lambda match: values[match[1]], template)


@dataclass(frozen=True)
class Question:
    """What a judge is asked in one call.

    Attributes:
        name: its kind, the same for all answers of a family.
        prompt_id: version of its wording.
        prompt: what the judge is sent.
        readable: whether a reply can be understood.
        repair: from a reply that cannot be understood to the request for a better one.
    """

    name: str
    prompt_id: str
    prompt: str
    readable: Callable[[str], bool]
    repair: Callable[[str], str]

    @property
    def key(self) -> str:
        """SHA-256 of wording and prompt, the key under which judgements are stored."""
        text = f"{self.name}\x1f{self.prompt_id}\x1f{self.prompt}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class CheckQuestion:
    """A question whose right answer is known, to check a judge.

    Attributes:
        item: its name, once in a check.
        question: what is asked.
        repeat: number of the repetition, from 0: a repeated question is asked again.
    """

    item: str
    question: Question
    repeat: int = 0


@dataclass(frozen=True)
class JudgeCheck:
    """How a family finds out whether a judge can be trusted.

    Attributes:
        questions: what the judge is asked.
        summarize: from its replies by item to how it did, in plain JSON types; a reply that is
            missing or cannot be understood counts as unread.
        tables: for people, of what ``summarize`` gives.
    """

    questions: Sequence[CheckQuestion]
    summarize: Callable[[Mapping[str, str]], dict[str, object]]
    tables: Callable[[Json], Sequence[Table]]


class Judge(ABC):
    """How a family has answers judged.

    Attributes:
        trial: a small question, to see before a run whether a judge answers as it is asked to.
    """

    trial: Question | None = None

    @abstractmethod
    def questions(
        self, grade: Grade, response: str, reference: Mapping[str, object]
    ) -> Sequence[Question]:
        """What a judge is asked about one response, each question in a call of its own.

        Raises:
            ValueError: the reference lacks what a judge must know.
        """

    @abstractmethod
    def decide(self, grade: Grade, replies: Sequence[str | None], judge: str = "") -> Grade:
        """The grade after a judge has replied.

        Its status is ``needs_judge`` still where a reply that it hangs on cannot be understood: it
        never counts as right or wrong then.

        Args:
            grade: of the response, as it was before.
            replies: to the questions, in their order; empty where no reply came or none was
                understood, ``None`` where the judge was not asked.
            judge: the name of the judge, for the result.
        """

    def check(self, records: Sequence[Record]) -> JudgeCheck | None:
        """How a judge is checked, on the questions of these records; ``None`` if it is not."""
        return None

    def simulated_judge_reply(self, request: str) -> str | None:
        """What the simulated model, as a judge, replies to a request of this family, by rule."""
        return None


Section = Mapping[str, Any]
"""The score of one family in plain JSON types; each has ``signature`` and ``warnings``."""

LOGGER = logging.getLogger("xlgo_metric.guard")
_MESSAGE_LENGTH = 300

_MOST_FINDINGS = 5

CONDITIONS = frozenset({"data", "seed", "split", "text"})
"""What is asked alike in a whole run of any family; see ``Family.conditions``."""

Told = tuple[str, str]
"""A kind and a sentence; see ``Family.sentences``."""


class LoggedAnswer(NamedTuple):
    """An answer out of a file that the authors of a family published.

    Attributes:
        prompt: what was asked; empty where the file does not have it.
        response: the text; ``None`` where there is none.
        reference: what it is graded against.
        thinking: what was kept apart of it.
        error: why there is no response.
    """

    prompt: str
    response: str | None
    reference: Json
    thinking: str = ""
    error: str | None = None


def deferred(function: str, package: str) -> Callable[..., Any]:
    """A function that is imported when it is first called.

    Grading alone needs no SciPy and no mathematics; what does is given by its name.

    Args:
        function: its module below the package and its name, as ``summary.summarize``.
        package: of the family (``__package__``).
    """
    module, _, name = function.rpartition(".")

    def call(*arguments: Any, **options: Any) -> Any:
        return getattr(import_module(f"{package}.{module}"), name)(*arguments, **options)

    return call


def plain_findings(headline: Mapping[str, float], tables: Sequence[Table]) -> list[tuple[str, str]]:
    """Sentences of a family that has none of its own; see ``Family.findings``."""
    if headline:
        numbers = [f"{name.replace('_', ' ')} {value:.3g}" for name, value in headline.items()]
        return [("", f"{', '.join(numbers[:_MOST_FINDINGS])}.")]
    for table in tables:
        for row in table.shown():
            numbers = [
                f"{name} {text}".lstrip()
                for name, text in zip(table.headings(), row)
                if text not in ("", DASH)
            ]
            return [("", f"{table.title}: {', '.join(numbers[:_MOST_FINDINGS])}.")]
    return []


@dataclass(frozen=True, kw_only=True)
class AnswerFiles:
    """How the authors of a family write answers into files.

    Attributes:
        path: a regular expression for the end of their paths.
        keys: that the first record of one in JSON lines has.
        identified: its task and model.
        logged: the answer in a record, from the file, the record, its number and the mode of
            grading, which goes into the reference; ``ValueError`` says what is malformed.
    """

    path: str
    keys: frozenset[str]
    identified: Callable[[Path], tuple[str, str]]
    logged: Callable[[Path, Json, int, str], LoggedAnswer]

    def fits(self, path: Path, row: Mapping[str, object]) -> bool:
        """Whether a file is one of these, by its path and first record."""
        is_named = re.search(rf"(?:^|/)(?:{self.path})$", path.as_posix()) is not None
        return is_named and (path.suffix == ".json" or self.keys <= row.keys())


@dataclass(frozen=True, kw_only=True, eq=False)
class Family(FamilyBase):
    """A set of tasks that share their grading, their statistics and their tables: one value.

    The parts without a default are owed. Parts that import much are given by ``deferred``.

    Attributes:
        name: the same on both sides, and that of its section in a score.
        grade: of a response (``None`` counts as an empty one, anything is safe) against the column
            ``reference`` of its row, read from its JSON; ``ValueError`` if that is malformed.
        summarize: graded responses, at least one, and some of ``options``, checked, to the section
            of a score: plain JSON types with ``signature`` (what the numbers depend on, the version
            last) and ``warnings`` (sentences).
        tables: for people, of a section; their names are unique within the family.
        grading_only_fields: entries of a reference that grading needs and ``summarize`` does not.
        conditions: entries of a reference that say under which conditions a whole run was asked:
            answers of two runs are put together only where these agree.
        wording_of: of a task, language and wording, who wrote and read its text (an empty text
            where this project does not know), and whether it may cause a gap by itself: such a gap
            is flagged.
        options: of ``summarize``, besides the records.
        paired: options of its tasks and their values, as logged, by which a section pairs answers
            to one question: with and without, both in one score.
        judge: how answers with the status ``needs_judge`` are judged by a model.
        measures_of: what is measured of an answer to a task (an empty text for the measures of
            every task) in the languages that one harness task asks together.
        gaps: the part of a section that has accuracy by complexity and gaps to a baseline language
            (docs/statistics.md), for curves, heat map and sentences of the report; ``None`` where
            there is no such part. By default ``gaps`` of the section (``comparison.levels``).
        sentences: the main results, at most five or so, as pairs of a kind (``behind`` and
            ``ahead`` of a comparison, ``warn``, or an empty text) and a sentence.
        headline: the numbers of a section that a trainer or a logger wants, by flat names.
        files: how its authors wrote answers into files.
        partial_credit: what share of an answer with the status ``wrong`` is right, for a reward,
            from 0 to 1; it must not be had for an answer that merely is long.
        many: tables of many models, from their sections and from frames of their answers (rows of
            an ``AnswerTable``), both by model.
    """

    name: str
    grade: Callable[[str | None, Reference], Grade]
    summarize: Callable[..., Section]
    tables: Callable[[Any], list[Table]]
    grading_only_fields: frozenset[str] = frozenset()
    conditions: frozenset[str] = CONDITIONS
    wording_of: Callable[[str, str, str], tuple[str, bool]] = lambda *_: ("", False)
    options: tuple[Option, ...] = ()
    paired: tuple[tuple[str, str], ...] = ()
    judge: Judge | None = None
    measures_of: Callable[[str, tuple[str, ...]], Sequence[Measure]] = lambda *_: COMMON_MEASURES
    gaps: Callable[[Any], Json | None] = lambda section: section.get("gaps")
    sentences: Callable[[Any], list[Told]] | None = None
    headline: Callable[[Any], dict[str, float]] = lambda section: {}
    files: AnswerFiles | None = None
    partial_credit: Callable[[Grade, Reference], float] = lambda grade, reference: 0.0
    many: Callable[[Mapping[str, Section], Mapping[str, pd.DataFrame]], list[Table]] = lambda *_: []

    def measures(self, task: str = "", languages: Sequence[str] = ()) -> Sequence[Measure]:
        """What is measured of an answer: rows of the harness, means, columns, comparisons."""
        return self.measures_of(task, tuple(languages))

    def findings(self, section: Section) -> list[Told]:
        """The main results, for people who read nothing else; see ``sentences``.

        By default the numbers of ``headline``, or without any the first row of the first table.
        """
        return (
            plain_findings(self.headline(section), self.tables(section))
            if self.sentences is None
            else self.sentences(section)
        )

    def measure(self, name: str) -> Measure:
        """The measure of a name, of whatever task.

        Raises:
            ValueError: there is none.
        """
        # One of a language, such as smd_te, is there where that language is asked with English.
        by_name = {
            measure.name: measure for measure in self.measures(languages=("en", *name.split("_")))
        }
        if name not in by_name:
            raise ValueError(
                f"{self.name} has no measure {name!r}: allowed are {', '.join(self.measure_names)}"
            )
        return by_name[name]

    @property
    def reads_responses(self) -> bool:
        """It grades the text of a response: not where a verdict is all that is known of it."""
        return not self.is_binary or STRICT.name in self.measure_names

    @property
    def measure_names(self) -> list[str]:
        """The names of the measures of every task."""
        return [measure.name for measure in self.measures()]

    @property
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
