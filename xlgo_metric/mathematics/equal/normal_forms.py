"""Normal forms of answers: a name, a word, a list, relations with zero."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..read.answers import (
    Answer,
    Combination,
    Items,
    Quantity,
    Ratio,
    Relation,
    Text,
)
from ..read.nodes import DEGREE, MINUS_ONE, Node, negative, num, symbols
from ..read.quantities import DEGREE_UNIT
from ..read.vocabulary import without_filler

# Letters that are multiplied where they stand together; any other run of letters may be a word.
_PRODUCT_LETTERS = tuple(
    map(frozenset, ("abcd", "xyz", "pqrs", "mnkl", "uvw", "ijk", "ABCD", "XYZ"))
)
_MIRRORED = {">": "<", ">=": "<="}


def is_explicit(answer: Answer) -> bool:
    """Whether an answer is a number, tuple or set as it stands, and no condition on a variable."""
    bare = isinstance(answer, Items) and not answer.opening
    relations = bare and any(isinstance(item, Relation) for item in answer.items)  # type: ignore[union-attr]
    return isinstance(answer, Quantity | Items) and not relations


def all_quantities(answers: Sequence[Answer]) -> bool:
    """Whether all of them are expressions."""
    return all(isinstance(answer, Quantity) for answer in answers)


def simple(relation: Relation) -> list[tuple[str, Node]]:
    """A chain as single relations with zero: ``1 < x`` is ``1 - x < 0``."""
    nodes = [side.node for side in relation.sides if isinstance(side, Quantity)]
    found = []
    for left, sign, right in zip(nodes, relation.signs, nodes[1:]):
        if sign in _MIRRORED:
            found.append((_MIRRORED[sign], Node("add", (right, negative(left)))))
        else:
            found.append((sign, Node("add", (left, negative(right)))))
    return found


def is_name(answer: Answer) -> bool:  # noqa: PLR0911
    """Whether an answer is a name that something can be assigned to: x, f(x), a_n, (x, y), |AB|."""
    if isinstance(answer, Items):
        return all(is_name(item) for item in answer.items)
    if isinstance(answer, Combination):  # A ∩ B
        return is_name(answer.left) and is_name(answer.right)
    if isinstance(answer, Ratio):  # V_1 : V_2
        return all(is_name(part) for part in answer.parts)
    if not isinstance(answer, Quantity):
        return False
    node = answer.node
    if node.op == "mul" and all(str(part.value) in "xyz" for part in node.args):
        return False  # xy = 6 is a curve
    if node.op == "mul":  # AB, S triangle, P(A): letters side by side
        return all(_is_letter(part) for part in node.args)
    return node.op in ("sym", "apply") or (node.op == "const" and node.value in ("e", "i"))


def is_asked_for(left: Node, right: Node) -> bool:
    """Whether ``left = right`` tells a number that was asked for, and is no equation of a curve.

    ``m + n = 29`` tells 29; ``2x + z = 1`` and ``a + b = 0`` tell a relation between letters.
    """
    letters = symbols(left)
    return letters.isdisjoint("xyz") and not (is_zero(right) and len(letters) > 1)


def is_zero(node: Node) -> bool:
    """Whether a node is the number 0, as written."""
    return node.op == "num" and node.value == 0


def _is_letter(node: Node) -> bool:
    """Whether a factor is a letter, or one over a letter: ``m/n``."""
    if node.op == "pow" and node.args[1] == MINUS_ONE:
        node = node.args[0]
    if node.op == "mul":  # dy/dx, AB/CD
        return all(part.op == "sym" for part in node.args)
    return node.op in ("sym", "const")


def as_items(answer: Answer) -> Items:
    """A list, of one item if need be."""
    return answer if isinstance(answer, Items) else Items((answer,))


def without_indices(gold: Items, answer: Items) -> tuple[Items, Items]:
    """Two lists; ``x_1 = 3, x_2 = -3`` becomes ``3, -3`` if the other does not number its items."""
    values = _numbered(gold), _numbered(answer)
    if (values[0] is None) == (values[1] is None):
        return gold, answer
    return gold if values[0] is None else values[0], answer if values[1] is None else values[1]


def _numbered(answer: Items) -> Items | None:
    """The values of ``x_1 = a, x_2 = b, …``; ``None`` if the answer is another."""
    found, bases = [], set()
    for place, item in enumerate(answer.items, start=1):
        if answer.opening or not isinstance(item, Relation) or item.signs != ("=",):
            return None
        left, right = item.sides
        name = str(left.node.value) if isinstance(left, Quantity) and left.node.op == "sym" else ""
        base, _, index = name.partition("_")
        if index not in (str(place), str(place - 1)):
            return None
        bases.add(base)
        found.append(right)
    return Items(tuple(found)) if len(bases) == 1 and len(found) > 1 else None


def assignments(answer: Answer) -> dict[str, Answer] | None:
    """Names and their values: of ``x = 1, y = 2``, ``x = y = 1`` or ``(x, y) = (1, 2)``."""
    if isinstance(answer, Items) and not answer.opening:
        by_name: dict[str, Answer] = {}
        for item in answer.items:
            part = assignments(item)
            if part is None or by_name.keys() & part.keys():
                return None
            by_name |= part
        return by_name
    if not isinstance(answer, Relation) or set(answer.signs) != {"="}:
        return None
    *names, value = answer.sides
    if len(names) == 1 and isinstance(names[0], Items) and isinstance(value, Items):
        if names[0].opening != "(" or len(names[0].items) != len(value.items):
            return None
        pairs = list(zip(names[0].items, value.items, strict=True))
    else:
        pairs = [(name, value) for name in names]
    values = {_symbol(name): one for name, one in pairs}
    return None if "" in values or len(values) < len(pairs) else values


def several_values(answer: Answer, values: dict[str, Answer] | None, other: Answer) -> Answer:
    """``a = b = 1`` as the values 1, 1 where the other answer is a list."""
    several = values is not None and len(values) > 1
    if not several or not isinstance(answer, Relation) or not isinstance(other, Items):
        return answer
    return Items(tuple((values or {}).values()))


def _symbol(answer: Answer) -> str:
    alone = isinstance(answer, Quantity) and answer.node.op == "sym" and answer.unit is None
    return str(answer.node.value) if alone else ""  # type: ignore[union-attr]


def parts(answer: Answer) -> list[Node] | None:
    """The terms of a ratio; those of a number are itself and 1."""
    if isinstance(answer, Ratio):
        return [part.node for part in answer.parts if isinstance(part, Quantity)]
    return [answer.node, num(1)] if isinstance(answer, Quantity) else None


def radians(angle: Quantity) -> Node:
    """An angle as a number."""
    if angle.unit is not None and angle.unit != DEGREE_UNIT:
        return angle.node
    return Node("mul", (angle.node, DEGREE))


def spelled(answer: Answer) -> str:
    """An answer as a word, if it can be one."""
    if isinstance(answer, Text):
        return answer.words
    if isinstance(answer, Quantity):
        if answer.letters:
            return answer.letters.casefold()
        if answer.node.op == "sym":
            return str(answer.node.value).casefold()
    return ""


def plain(words: str) -> str:
    """Words without spaces and signs, and without those that say nothing."""
    words = without_filler(words) or words
    return "".join(letter for letter in words if letter.isalnum() or ord(letter) > 0x2FF)


def unbraced(text: str) -> str:
    """Tokens that were not understood, without braces around one alone: sqrt { 2 }."""
    return re.sub(r"\{ (\S+) \}", r"\1", text)


def are_products(letters: str) -> bool:
    """Whether letters are such as are multiplied: abc, xyz."""
    return any(set(letters) <= kind for kind in _PRODUCT_LETTERS)


def stem(noun: str) -> str:
    """A noun without a plural ending."""
    return noun.rstrip("s").rstrip("e")
