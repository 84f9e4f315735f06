"""What an answer may stand for when it is compared: a name, a word, a list, relations with zero."""

from __future__ import annotations

from collections.abc import Sequence

from .answers import Answer, Items, Quantity, Ratio, Relation, Text
from .nodes import DEGREE, Node, negative, num
from .quantities import DEGREE_UNIT

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


def is_name(answer: Answer) -> bool:
    """Whether an answer is a name that something can be assigned to: x, f(x), a_n, (x, y), |AB|."""
    if isinstance(answer, Items):
        return all(is_name(item) for item in answer.items)
    if not isinstance(answer, Quantity):
        return False
    node = answer.node
    if node.op == "mul":  # AB, S triangle, P(A): letters side by side
        return all(part.op in ("sym", "const") for part in node.args)
    return node.op in ("sym", "apply") or (node.op == "const" and node.value in ("e", "i"))


def as_items(answer: Answer) -> Items:
    """A list, of one item if need be."""
    return answer if isinstance(answer, Items) else Items((answer,))


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
    """Words without spaces and signs."""
    return "".join(letter for letter in words if letter.isalnum() or ord(letter) > 0x2FF)


def are_products(letters: str) -> bool:
    """Whether letters are such as are multiplied: abc, xyz."""
    return any(set(letters) <= kind for kind in _PRODUCT_LETTERS)


def stem(noun: str) -> str:
    """A noun without a plural ending."""
    return noun.rstrip("s").rstrip("e")
