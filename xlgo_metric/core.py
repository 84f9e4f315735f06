"""What all families share: a grade, a record, a measure, a table, a signature and a registry.

A signature is a line that says everything a score depends on, the version last. The habit is
sacrebleu's. An example::

    task:slt|levels:20|c:100-600|n:50|data:1|text:paper|fit:ls-beta300|seed:0|reader:1|\
statistics:1|version:0.2.0

Scores with the same signature can be compared; where the signatures differ, they say why not.
"""

import dataclasses
import importlib
import logging
import math
import operator
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, TypeVar, cast

from .table import Column, Table
from .version import READER_VERSION, STATISTICS_VERSION, __version__

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "COMMON_MEASURES",
    "MIXED",
    "PLAIN",
    "STATUSES",
    "UNKNOWN",
    "FamilyBase",
    "Grade",
    "Measure",
    "Record",
    "Registry",
    "Status",
    "Table",
    "UnusableReferenceError",
    "common",
    "condition",
    "field_of",
    "grouped",
    "mean",
    "read_toml",
    "signature",
    "values_of",
    "with_field",
]

Reference = Mapping[str, object]
"""What a question is graded against: the column ``reference`` of its row, read from its JSON."""

Json = dict[str, Any]
"""An object of JSON, whose keys its maker lists."""

Item = TypeVar("Item")
Name = TypeVar("Name", bound=Hashable)

Status = Literal["correct", "wrong", "no_answer", "bad_format", "truncated", "needs_judge"]
STATUSES: tuple[Status, ...] = (
    "correct",
    "wrong",
    "no_answer",
    "bad_format",
    "truncated",
    "needs_judge",
)


PLAIN = "plain"
"""The condition of a question that is asked as the dataset has it, with nothing changed."""


def condition(reference: Reference) -> str:
    """Under which condition a question was asked; ``PLAIN`` where its reference names none."""
    return str(reference.get("condition") or PLAIN)


class UnusableReferenceError(ValueError):
    """A reference that nothing can be graded against; the message says why."""


MISSING = "missing"
"""In the details of a grade: true where a request failed, so that there is no answer to count."""


@dataclass(frozen=True)
class Grade:
    """What grading one response found.

    Attributes:
        correct: the answer is the right one.
        status: ``correct``; ``wrong`` (a well-formed answer that is not the right one);
            ``no_answer`` (nothing that looks like the asked answer); ``bad_format`` (an answer is
            there but cannot be understood); ``truncated`` (the output was cut before its end);
            ``needs_judge`` (only a judge can tell: neither right nor wrong until then).
        strict: the response is exactly what was asked for and nothing else.
        answer: the answer as understood, in plain JSON types; ``None`` without one.
        details: diagnostics in plain JSON types; their names are the family's.
        in_form: the answer stands in the form that the prompt asks for, whatever stands around it
            and however it is written; else it was read from a sentence or another form.
    """

    correct: bool
    status: Status
    strict: bool = False
    answer: Any = None
    details: Json = field(default_factory=dict)
    in_form: bool = True

    @property
    def is_missing(self) -> bool:
        """A request failed, so that there is no answer to count."""
        return bool(self.details.get(MISSING))

    def to_json(self) -> dict[str, object]:
        """The grade as a plain dict."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Record:
    """One graded response together with the reference that it was graded against.

    Attributes:
        grade: of the response.
        reference: of the question.
        thinking_length: characters of the thinking; ``None`` where there was none.
        response: the response, where somebody keeps it.
        run: which of several runs of a model it comes from, where that is known.
        where: the file and line it stands at, or another place to look for it.
        lacking: another share of answers is missing in its language than in the baseline, so that
            no gap of it is a result.
    """

    grade: Grade
    reference: Json
    thinking_length: int | None = None
    response: str | None = None
    run: str | None = None
    where: str = ""
    lacking: bool = False


UNKNOWN = math.nan
"""The value of a row in the harness's table where the answers identify no number."""


@dataclass(frozen=True)
class Measure:
    """A number that a graded answer has, and how it is averaged, compared and written.

    A family lists its measures once (``Family.measures``): the rows of lm-evaluation-harness, the
    means of a score, the columns of tables and ``compare(measure=…)`` all read them.

    Attributes:
        name: in the harness's table and as a column of an ``AnswerTable``.
        value: of one answer, from its grade and the reference of its question; ``None`` where the
            answer has none, and is then left out. With ``aggregate`` it may be anything that JSON
            holds.
        higher_is_better: the arrow in the harness's table.
        aggregate: from the values of all questions to a number, or to ``UNKNOWN``; ``None`` for
            their mean.
        keeps_unknown: ``aggregate`` sees the answers that have none, too.
        in_harness: it has a row in the harness's table.
        plain_only: in the harness's table only questions under the plain condition have it.
        column: how a mean of it is written; by default as a share, headed by its name.
    """

    name: str
    value: Callable[[Grade, Reference], Any]
    higher_is_better: bool = True
    aggregate: Callable[[Sequence[Any]], float] | None = None
    keeps_unknown: bool = False
    in_harness: bool = True
    plain_only: bool = False
    column: Column | None = None

    @property
    def is_number(self) -> bool:
        """Its values are numbers, whose mean it is."""
        return self.aggregate is None

    @property
    def shown(self) -> Column:
        """The column of a table that holds means of it."""
        return self.column or Column(self.name, "share")

    def aggregated(self, values: Sequence[Any]) -> float:
        """From the values of answers to the number in the harness's table."""
        return fmean(values) if self.aggregate is None else self.aggregate(values)

    def of(self, record: Record) -> float | None:
        """Its value for a record."""
        value = self.value(record.grade, record.reference)
        return None if value is None else float(value)

    def mean(self, groups: Sequence[Sequence[Record]]) -> float | None:
        """Its mean over groups of records, in which each group weighs the same.

        ``None`` if no record has a value.
        """
        rows = [[x for record in group if (x := self.of(record)) is not None] for group in groups]
        return mean([fmean(row) for row in rows if row])


def values_of(
    measures: Sequence[Measure], grade: Grade, reference: Reference
) -> dict[str, float | tuple[object, ...]]:
    """The values of one answer by measure; those that it has none of are left out."""
    plain = condition(reference) == PLAIN
    return {
        measure.name: value
        for measure in measures
        if measure.in_harness
        and (plain or not measure.plain_only)
        and ((value := measure.value(grade, reference)) is not None or measure.keeps_unknown)
    }


def _right(grade: Grade, _: Reference) -> float | None:
    return None if grade.status == "needs_judge" else float(grade.correct)


ACCURACY = Measure("acc", _right, column=Column("accuracy", "share"))
STRICT = Measure("strict", lambda g, _: float(g.strict))
COMMON_MEASURES: tuple[Measure, ...] = (
    ACCURACY,
    Measure("parsed", lambda g, _: float(g.status in ("correct", "wrong", "needs_judge"))),
    STRICT,
    Measure("truncated", lambda g, _: float(g.status == "truncated"), higher_is_better=False),
)
"""Measures that every task has; ``acc`` of an answer that waits for a judge is not known."""


def counted(records: Iterable[Record]) -> dict[str, int]:
    """How many responses have each status; every status is there."""
    counts = Counter(record.grade.status for record in records)
    return {status: counts[status] for status in STATUSES}


def mean(values: Sequence[float]) -> float | None:
    """The mean of some numbers or truth values; ``None`` without any."""
    return fmean(values) if values else None


def grouped(items: Iterable[Item], name: Callable[[Item], Name]) -> dict[Name, list[Item]]:
    """The items by a name that each has, in the order in which the names first occur."""
    result: dict[Name, list[Item]] = {}
    for item in items:
        result.setdefault(name(item), []).append(item)
    return result


def allowed_name(name: Any, what: str, allowed: Iterable[Any], where: str = "") -> Any:
    """``name``, if it is one of the allowed ones.

    Args:
        name: as it was given.
        what: it names.
        allowed: asked for its names only where one is refused.
        where: begins the message.

    Raises:
        ValueError: it is none of them; they are listed.
    """
    if name not in allowed:
        raise ValueError(
            f"{where}unknown {what} {name!r}: allowed are {', '.join(map(str, allowed))}"
        )
    return name


def refuse(where: str, *problems: tuple[object, str]) -> None:
    """Refuse what has a problem.

    Args:
        where: begins the message.
        problems: whether there is one, and the message; the first one that is there counts.

    Raises:
        ValueError: there is one.
    """
    for is_there, message in problems:
        if is_there:
            raise ValueError(f"{where}{message}")


def as_int(name: str, value: Any) -> int:
    """``value`` as an ``int``; integers of NumPy are welcome.

    Raises:
        ValueError: it is not an integer.
    """
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise ValueError(f"{name} must be an integer, got {value!r}")


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file.

    Raises:
        ValueError: it is not UTF-8 or not valid TOML; the file is named.
    """
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except RecursionError:
        raise ValueError(f"{path}: not valid TOML: nested too deep") from None
    except ValueError as error:  # also of its encoding
        raise ValueError(f"{path}: not valid TOML in UTF-8: {error}") from None


GROUP = "xlgo.families"
"""Of the entry points by which other packages bring families: the name is that of the family, the
value a package with the modules ``dataset`` and ``metric``, each with ``FAMILY``."""


class FamilyBase:
    """What a family has on either side."""

    name: str
    """Of the family; the same on both sides, and the name of its section in a score."""


F = TypeVar("F", bound=FamilyBase)


class Registry(Mapping[str, F]):
    """The families of one side by name: those of its package, of other packages, and registered.

    The data and the grading each have one (``FAMILIES`` in their ``family.py``). A family of the
    package is imported when it is first asked for, those of other packages when all are.
    """

    def __init__(self, kind: type, built_in: Iterable[str], module: str) -> None:
        """
        Args:
            kind: the class of all of them.
            built_in: those of the package of ``kind``, in its folder ``families``.
            module: of another package, that has its family.
        """
        self._kind = kind
        self._module = module
        self._package = kind.__module__.rpartition(".")[0]
        self._found: dict[str, F | None] = dict.fromkeys(built_in)
        self._has_guests = False

    def _add_guests(self) -> None:
        """Register the families of other packages, once; one that cannot be had is named in a
        warning."""
        if self._has_guests:
            return
        self._has_guests = True
        for entry in metadata.entry_points(group=GROUP):
            try:
                if entry.name in self._found:
                    raise ValueError("there is a family of that name already")
                self.register(importlib.import_module(f"{entry.value}.{self._module}").FAMILY)
            except Exception as error:  # whatever is wrong in another package
                logging.getLogger("xlgo").warning(
                    "the family %r of the package %s is left out of %s: %s: %s",
                    entry.name,
                    entry.dist.name if entry.dist else entry.value,
                    self._package,
                    type(error).__name__,
                    error,
                )

    def __getitem__(self, name: str) -> F:
        if name not in self._found:
            self._add_guests()
        result = self._found[name]
        if result is None:
            module = importlib.import_module(f"{self._package}.families.{name}")
            result = self._found[name] = self.checked(module.FAMILY)
        return result

    def __iter__(self) -> Iterator[str]:
        self._add_guests()
        return iter(tuple(self._found))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def named(self, name: str) -> F:
        """The family ``name``.

        Raises:
            ValueError: the name is not registered.
        """
        return self[allowed_name(name, "family", self)]

    def checked(self, family: Any) -> F:
        """``family`` if it is a value of the class, which cannot be made without what is owed.

        Raises:
            TypeError: it is of another class.
        """
        if not isinstance(family, self._kind):
            raise TypeError(f"a family must be a value of the class Family, got {family!r}")
        return cast(F, family)

    def register(self, family: F) -> None:
        """Add a family that lives outside the package, or put it in the place of one of its name.

        Raises:
            TypeError: it is no value of the class.
        """
        self._found[self.checked(family).name] = family

    def remove(self, name: str) -> None:
        """Take a family away again; ``KeyError`` if there is none of that name."""
        del self._found[name]


MIXED = "+"
_VERSIONS = ("reader:", "statistics:", "version:")


def signature(fields: Mapping[str, object], version: str = __version__) -> str:
    """Join fields as ``name:value|…``, then the versions of reader, statistics and package.

    Args:
        fields: in their order; those that are ``None`` drop out.
        version: of the package that defines the family.

    Raises:
        ValueError: a name or value with a character that separates.
    """
    versions = {"reader": READER_VERSION, "statistics": STATISTICS_VERSION, "version": version}
    return _joined({**fields, **versions})


def _joined(fields: Mapping[str, object]) -> str:
    texts = {name: str(value) for name, value in fields.items() if value is not None}
    for name, text in texts.items():
        if any(mark in name + text for mark in "|:\n"):
            raise ValueError(f"signature field {name!r} must hold no '|' or ':', got {text!r}")
    return "|".join(f"{name}:{text}" for name, text in texts.items())


def field_of(text: str, name: str) -> str | None:
    """The value of a field of a signature; ``None`` without it."""
    fields = dict(part.partition(":")[::2] for part in text.split("|"))
    return fields.get(name)


def common(references: Iterable[Mapping[str, object]], key: str) -> str | None:
    """The values of ``key`` over references, joined by ``+``; ``None`` if all lack it."""
    values = {str(ref[key]) for ref in references if ref.get(key) is not None}
    return MIXED.join(sorted(values)) or None


def with_field(text: str, name: str, value: object) -> str:
    """A signature with one more field, before its versions.

    Raises:
        ValueError: a name or value with a character that separates.
    """
    fields = text.split("|")
    position = next(
        (n for n, field in enumerate(fields) if field.startswith(_VERSIONS)), len(fields)
    )
    return "|".join([*fields[:position], _joined({name: value}), *fields[position:]])
