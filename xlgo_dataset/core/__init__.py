"""What all families share: instances, what they say of their tasks, and the columns of their rows.

An instance is a question without any language; a row asks it in one. The versions of draws and
data, labels of tasks, their form in the harness, and rows as Arrow tables stand here, too.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from xlgo_metric.core import allowed_name, as_int
from xlgo_metric.option import Option

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, Any]
"""One question in one language: the columns of ``COLUMNS``."""

Options = Mapping[str, Any]
"""The options of rows, checked and complete."""

Json = Mapping[str, Any]
"""A JSON object: the form of an instance, a structure, an answer, an entry of a file."""


DRAW_VERSION = 1
"""Part of every random key: it rises only when drawing changes, so that a corrected string leaves
every puzzle as it was."""

DATA_VERSION = 1
"""Of the five puzzles: it rises whenever one byte of a generated prompt or answer changes (see
CHANGELOG.md). Every family has one of its own,
and a language whose strings changed may be ahead (``data_version`` in its file)."""


SPLITS: tuple[str, ...] = ("test", "validation", "train")


@dataclass(frozen=True, eq=False)
class Origin:
    """Where a generated instance came from.

    Raises:
        ValueError: an unknown split, or a seed or index that is no integer (no index is below 0).
    """

    split: str
    seed: int
    index: int

    def __post_init__(self) -> None:
        allowed_name(self.split, "split", SPLITS)
        for name in ("seed", "index"):  # those of NumPy become Python's
            object.__setattr__(self, name, as_int(name, getattr(self, name)))
        if self.index < 0:
            raise ValueError(f"index must be 0 or more, got {self.index}")


@dataclass(frozen=True, eq=False)
class Instance(ABC):
    """A question without any language. Two of a task are equal if they say the same.

    Attributes:
        task: its task.
        origin: split, seed and index; ``None`` if it was not generated here.
        variant: part of the id, of a task with more than complexities.
    """

    task: ClassVar[str]
    origin: Origin | None = field(default=None, kw_only=True)
    variant: ClassVar[str] = ""

    @abstractmethod
    def content(self) -> dict[str, object]:
        """What it says, in plain JSON types."""

    @property
    @abstractmethod
    def answer(self) -> Json:
        """The answer, under the key that the prompt asks for."""

    @property
    @abstractmethod
    def complexity(self) -> int:
        """Its size; of a puzzle as the paper's Table 1 measures it."""

    def to_json(self) -> Row:
        """The instance in plain JSON types; ``instance_from_json`` reads it back."""
        return {"task": self.task, "complexity": self.complexity, **self.content()}

    @property
    def instance_id(self) -> str | None:
        """The id shared by all languages; ``None`` if the instance was not generated here."""
        if self.origin is None:
            return None
        o = self.origin
        return f"{self.task}-{o.split}-s{o.seed}-c{self.complexity}{self.variant}-i{o.index}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Instance):
            return NotImplemented
        return (self.task, self.content()) == (other.task, other.content())

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class TaskLabels:
    """How people speak of a task.

    Attributes:
        title: its name in full.
        short: its name in a table.
        about: what is asked, in a sentence or two.
        unit: what its complexity counts, in the plural.
        loaded: the splits that its questions are loaded in; empty where they are generated.
    """

    title: str
    short: str
    about: str
    unit: str
    loaded: tuple[str, ...] = ()


@dataclass(frozen=True)
class GalleryExample:
    """One question of a task for the gallery.

    Attributes:
        name: after that of the task in the heading; empty for the usual wording.
        languages: codes of those that it is shown in; ``None`` for the languages of the paper.
        options: of ``rows``, of which the first row of each language is shown.
    """

    name: str = ""
    languages: tuple[str, ...] | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class HarnessTask:
    """A task of lm-evaluation-harness.

    Attributes:
        name: as ``--tasks`` has it; not that of the group.
        task: the task of the family whose rows it takes.
        languages: codes; with several, one harness task holds all of them.
        options: options of ``rows`` that differ from their defaults, in plain JSON types.
        group: the group that it belongs to.
        in_group: whether the group runs it. A task that repeats the questions of another, or that
            needs an option to be given, is not run by the group.
        template: the name of the YAML file of settings that it includes, without ``_`` and
            ``.yaml``; tasks with the same metrics, step and generation share one.
        step: the kind of chain that a question is (see docs/lit.md), for prompts that depend on
            the answers before them; empty where one prompt is answered once.
        generation: settings of generation that differ from those of other tasks, in plain JSON
            types.
        stop: where the answer of a model without a chat template ends, besides the usual end: such
            a model goes on with the text, and a chat may use the same words within its answer.
    """

    name: str
    task: str
    languages: tuple[str, ...]
    group: str
    template: str
    options: Mapping[str, object] = field(default_factory=dict)
    in_group: bool = True
    step: str = ""
    generation: Mapping[str, object] = field(default_factory=dict)
    stop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.name == self.group:
            raise ValueError(
                f"the harness task {self.name!r} is called as its group: give it another name"
            )


COLUMNS = (
    "id", "instance_id", "task", "language", "complexity", "level", "index", "seed", "prompt",
    "answer", "reference",
)  # fmt: skip

_NUMBERS = ("complexity", "level", "index", "seed")
_BATCH_ROWS = 512


def schema() -> pa.Schema:
    """The Arrow schema of the columns."""
    import pyarrow as pa

    return pa.schema([(name, pa.int64() if name in _NUMBERS else pa.string()) for name in COLUMNS])


def strings(values: Iterable[object]) -> pa.StringArray:
    """Values as texts in an Arrow array, of at most 2 GB together.

    It is made from buffers: pyarrow's own constructors ask pandas about their argument, and
    importing pandas for that takes longer than generating a thousand prompts.
    """
    import numpy as np
    import pyarrow as pa

    texts = [str(value).encode() for value in values]
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    if offsets[-1] > np.iinfo(np.int32).max:
        raise ValueError(f"{offsets[-1]} bytes do not fit into one array: at most 2 GB do")
    starts, data = pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(b"".join(texts))
    return pa.StringArray.from_buffers(len(texts), starts, data)


def row_of(
    reference: Mapping[str, object], prompt: str, *, ending: str = "", **columns: object
) -> dict[str, object]:
    """The row of a question that is loaded or made with its reference.

    Args:
        reference: has ``instance_id``, ``task``, ``language`` and ``answer``, and the columns below
            as far as they are the same.
        prompt: in that language.
        ending: of the id, behind question and language.
        columns: ``complexity``, ``level``, ``index`` and ``seed`` (0 by default), where they are
            not those of the reference.
    """
    values = {
        "seed": 0,
        **reference,
        **columns,
        "prompt": prompt,
        "id": f"{reference['instance_id']}-{reference['language']}{ending}",
        "answer": json.dumps(reference["answer"], ensure_ascii=False),
        "reference": json.dumps(reference, ensure_ascii=False),
    }
    return {name: values[name] for name in COLUMNS}


def tables_of_rows(rows: Iterable[Mapping[str, object]]) -> Iterator[pa.Table]:
    """Rows as Arrow tables; the first holds one row, so that a stream starts at once."""
    import pyarrow as pa

    batch: list[dict[str, object]] = []
    limit = 1
    for row in rows:
        batch.append({name: row[name] for name in COLUMNS})
        if len(batch) >= limit:
            yield pa.Table.from_pylist(batch, schema=schema())
            batch, limit = [], min(2 * limit, _BATCH_ROWS)
    if batch:
        yield pa.Table.from_pylist(batch, schema=schema())


def _rising(value: Any) -> list[int]:
    """Complexities from a list, or a text that joins them by commas."""
    parts = value.split(",") if isinstance(value, str) else value
    listed = list(parts) if isinstance(parts, Iterable) else [parts]
    try:
        sizes = [int(x) if isinstance(x, str) else as_int("a complexity", x) for x in listed]
    except ValueError:
        sizes = []
    if not sizes or sizes != sorted(set(sizes)):
        raise ValueError(
            f"complexities must be rising integers, each once, as in '2,5,11', got {value!r}"
        )
    return sizes


COMPLEXITIES = Option(
    "complexities",
    "other",
    "comma-separated complexities, such as 2,5,11; replaces levels, c_min and c_max",
    check=_rising,
)
PLAN = Option(
    "plan", "other", "a JSON file that names every question (see docs/adaptive.md)", is_path=True
)


@dataclass(frozen=True)
class Sizes:
    """The questions of tasks with complexities, by the options ``complexities`` and ``plan``.

    A family that has ``options`` among its own and asks what ``questions`` says can be run
    adaptively, by a plan, and at any complexities.

    Attributes:
        usual: the complexities where none are given.
        per_level: questions of each where no number is given.
    """

    usual: Sequence[int]
    per_level: int = 10

    @property
    def options(self) -> tuple[Option, ...]:
        """``per_level``, ``complexities`` and ``plan``."""
        number = Option("per_level", "integer", "questions of each size", self.per_level, least=1)
        return number, COMPLEXITIES, PLAN

    def _cells(
        self, task: str, options: Options
    ) -> tuple[dict[int, Collection[int]], dict[str, object]]:
        """The indexes of each complexity, and what references say of a plan."""
        if options["plan"] is None:
            sizes = options["complexities"] or self.usual
            return dict.fromkeys(sizes, range(options["per_level"])), {}
        from .question_plan import task_plan

        plan = task_plan(task, options["plan"])
        cells: dict[int, Collection[int]] = {
            size: set(indexes) for size, indexes in plan.cells.items()
        }
        return cells, {"design": plan.design, "range": [plan.low, plan.high]}

    def levels(self, task: str, options: Options) -> dict[int, int]:
        """The complexity of each level, with the number of its questions: ``Family.levels_of``."""
        return {size: len(indexes) for size, indexes in self._cells(task, options)[0].items()}

    def shards(self, task: str, options: Options) -> int:
        """So many indexes there are: ``Family.shards_of``."""
        return 1 + max(map(max, self._cells(task, options)[0].values()))

    def questions(
        self, task: str, options: Options, indexes: Iterable[int] | None = None
    ) -> Iterator[tuple[int, int, int, dict[str, object]]]:
        """Index, level and complexity of each question, and what its reference says of a plan.

        Args:
            task: its name.
            options: of rows.
            indexes: which; all by default. Without a plan any may be asked for.
        """
        cells, of_plan = self._cells(task, options)
        if indexes is None:
            indexes = sorted(set[int]().union(*cells.values()))
        for index in indexes:
            for level, (complexity, planned) in enumerate(cells.items()):
                if not of_plan or index in planned:
                    yield index, level, complexity, of_plan
