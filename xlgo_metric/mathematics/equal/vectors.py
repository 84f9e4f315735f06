"""Vectors written with the unit vectors i, j and k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..read.answers import Answer, Items, Matrix, Quantity
from ..read.nodes import Node, symbols
from .evaluate import evaluate
from .numeric_equality import constant
from .values import Budget, TooHardError, UndefinedError, Value, agree, inexact

_UNITS = ("i", "j", "k")


def same_vectors(
    gold: Answer,
    answer: Answer,
    in_order: Callable[[Sequence[Answer], Sequence[Answer]], bool],
    budget: Budget,
) -> bool:
    """A row or column against a tuple, or either against a sum of unit vectors."""
    flat: list[tuple[Answer, ...]] = []
    for one in (gold, answer):
        if isinstance(one, Matrix) and one.rows and min(len(one.rows), len(one.rows[0])) == 1:
            flat.append(tuple(cell for row in one.rows for cell in row))
        elif isinstance(one, Items) and one.opening != "{":
            flat.append(one.items)
    if len(flat) == 2:
        return in_order(flat[0], flat[1])
    by_component = [components(one, len(flat[0]), budget) for one in (gold, answer)] if flat else []
    values = next((one for one in by_component if one is not None), None)
    cells = [cell.node for cell in flat[0] if isinstance(cell, Quantity)] if flat else []
    if values is None or len(values) != len(cells):
        return False
    known = [constant(cell, budget) for cell in cells]
    return None not in known and all(map(agree, values, known))


def components(answer: Answer, count: int, budget: Budget) -> list[Value] | None:
    """The components of ``2i - 3j``; ``None`` if the answer is no such sum."""
    if not isinstance(answer, Quantity) or answer.unit is not None or not 2 <= count <= 3:
        return None
    node = _with_symbols(answer.node)
    if not symbols(node) & {"j", "k"} or not symbols(node) <= set(_UNITS[:count]):
        return None
    corners = [[Fraction(n == place) for n in range(count)] for place in range(count)]
    points = [[Fraction(0)] * count, [Fraction(1)] * count, *corners]
    try:
        nothing, everything, *found = (
            evaluate([node], dict(zip(_UNITS, point)), budget)[0] for point in points
        )
    except (UndefinedError, TooHardError):
        return None
    total = sum(map(inexact, found))
    return found if agree(nothing, Fraction(0)) and agree(total, everything) else None


def _with_symbols(node: Node) -> Node:
    """An expression in which i is a symbol and not the imaginary unit."""
    if node == Node("const", value="i"):
        return Node("sym", value="i")
    return node._replace(args=tuple(map(_with_symbols, node.args)))
