"""The nodes that expressions are made of."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple


class Node(NamedTuple):
    """A node of an expression.

    ``op`` is ``num`` (``value`` a Fraction, ``places`` its decimal places as written, if it is a
    decimal), ``sym``, ``const`` (e, i, pi, inf), ``add``, ``mul``, ``pow``, ``call`` (``value`` the
    function), ``apply`` (an unknown function), ``sum`` or ``prod`` (``value`` the running
    variable).
    """

    op: str
    args: tuple[Node, ...] = ()
    value: Fraction | str | None = None
    places: int | None = None


def num(value: Fraction | int, places: int | None = None) -> Node:
    """A number."""
    return Node("num", value=Fraction(value), places=places)


MINUS_ONE = num(-1)
DEGREE = Node("mul", (Node("const", value="pi"), num(Fraction(1, 180))))


def negative(node: Node) -> Node:
    """Minus ``node``; the sign of a number becomes part of it."""
    if node.op == "num":
        assert isinstance(node.value, Fraction)
        return num(-node.value, node.places)
    return Node("mul", (MINUS_ONE, node))


def quotient(top: Node, bottom: Node) -> Node:
    """``top`` divided by ``bottom``."""
    return Node("mul", (top, Node("pow", (bottom, MINUS_ONE))))


def product(factors: list[Node]) -> Node:
    """The product of one factor or more."""
    return factors[0] if len(factors) == 1 else Node("mul", tuple(factors))


def is_whole(node: Node) -> bool:
    """Whether a node is an integer, written as one."""
    return isinstance(node.value, Fraction) and node.value.denominator == 1 and node.places is None


def has_symbols(node: Node) -> bool:
    """Whether a letter occurs in an expression."""
    return node.op in ("sym", "apply") or any(map(has_symbols, node.args))


def symbols(node: Node) -> frozenset[str]:
    """The names of the free symbols of an expression."""
    if node.op == "sym":
        return frozenset({str(node.value)})
    if node.op in ("sum", "prod"):  # the running variable is bound in the terms, not in the limits
        lower, upper, term = node.args
        return symbols(lower) | symbols(upper) | (symbols(term) - {str(node.value)})
    return frozenset(name for argument in node.args for name in symbols(argument))


def has_call(node: Node, names: Collection[str]) -> bool:
    """Whether a function of one of these names is called anywhere in an expression."""
    return (node.op == "call" and str(node.value) in names) or any(
        has_call(argument, names) for argument in node.args
    )


def based(digits: str, index: str) -> Node:
    """Digits in another base: ``1011_2``; where that makes no sense, digits with an index."""
    base = index.strip("()")
    known = base.isdecimal() and len(base) <= 2 and digits.isdecimal() and len(digits) <= 300
    if known and 2 <= int(base) <= 36 and all(int(digit) < int(base) for digit in digits):
        return num(int(digits, int(base)))
    return Node("sym", value=f"{digits}_{base}")


def proper_fraction(node: Node) -> Fraction | None:
    r"""The value of ``\frac{a}{b}`` with integers 0 < a < b."""
    if node.op == "mul" and len(node.args) == 2 and node.args[1].op == "pow":
        top, bottom = node.args[0], node.args[1].args[0]
        if is_whole(top) and is_whole(bottom):
            assert isinstance(top.value, Fraction)
            assert isinstance(bottom.value, Fraction)
            if 0 < top.value < bottom.value:
                return top.value / bottom.value
    return None
