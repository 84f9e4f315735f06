"""What every puzzle instance has in common, and the versions of draws and data."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from xlgo_metric.core import allowed_name, as_int

from ..declared import Row

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
