"""What an answer is made of: the types that ``structure.read_answer`` builds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, is_dataclass
from fractions import Fraction

from .nodes import Node


@dataclass(frozen=True)
class Unit:
    """A unit as powers of dimensions (metres per second: length 1, time −1) and a size."""

    powers: tuple[tuple[str, int], ...]
    factor: Fraction


@dataclass(frozen=True)
class Quantity:
    """An expression, alone or with a percent sign, a unit, or the noun of what is counted.

    ``as_unit`` is the other reading of a letter behind a number: 5 m as five metres.
    """

    node: Node
    percent: bool = False
    unit: Unit | None = None
    noun: str = ""
    letters: str = ""
    as_unit: Quantity | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Text:
    """Words, in lower case and without punctuation."""

    words: str


@dataclass(frozen=True)
class Special:
    """A thing with a name: ``empty``, ``reals``, ``undefined``, ``setZ`` …"""

    name: str


@dataclass(frozen=True)
class Items:
    """Several answers: a set ``{``, a tuple or interval by its brackets, or a bare list.

    A bare list has empty brackets, and ``joint`` says what links it: ``,``, ``or``, ``and``.
    """

    items: tuple[Answer, ...]
    opening: str = ""
    closing: str = ""
    joint: str = ","


@dataclass(frozen=True)
class Relation:
    """A chain of sides and signs: ``1 < x ≤ 2`` has three sides and two signs."""

    sides: tuple[Answer, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True)
class Combination:
    """Two sets and ``cup``, ``cap`` or ``setminus``."""

    sign: str
    left: Answer
    right: Answer


@dataclass(frozen=True)
class Matrix:
    """Rows of answers; ``kind`` is ``det`` for a determinant, else empty."""

    rows: tuple[tuple[Answer, ...], ...]
    kind: str = ""


@dataclass(frozen=True)
class Ratio:
    """``a : b : c``."""

    parts: tuple[Answer, ...]


@dataclass(frozen=True)
class Congruence:
    """``left ≡ residues (mod modulus)``."""

    left: Answer
    residues: tuple[Answer, ...]
    modulus: Answer


@dataclass(frozen=True)
class Qualified:
    """An answer and the condition under which it holds."""

    main: Answer
    condition: Answer


@dataclass(frozen=True)
class Builder:
    """The set of ``element`` with ``condition``."""

    element: Answer
    condition: Answer


@dataclass(frozen=True)
class Cases:
    """Values, each with the condition under which it holds."""

    rows: tuple[tuple[Answer, Answer], ...]


@dataclass(frozen=True)
class Raw:
    """Tokens that could not be understood, joined."""

    text: str


Answer = (
    Quantity
    | Text
    | Special
    | Items
    | Relation
    | Combination
    | Matrix
    | Ratio
    | Congruence
    | Qualified
    | Builder
    | Cases
    | Raw
)


def names_in(answer: Answer) -> frozenset[str]:
    """The symbols that occur anywhere in an answer."""
    return frozenset(str(node.value) for node in nodes_in(answer) if node.op == "sym")


def nodes_in(part: object) -> Iterator[Node]:
    """Every node anywhere in an answer, or in a tuple of answers."""
    if isinstance(part, Node):
        yield part
        part = part.args
    elif is_dataclass(part):
        part = tuple(vars(part).values())
    if isinstance(part, tuple):
        for one in part:
            yield from nodes_in(one)
