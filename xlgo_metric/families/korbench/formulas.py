r"""Compare expressions as the published code means to: as simplified SymPy objects.

The package's reader of LaTeX does the reading, and its comparison of values says what differs.
SymPy decides only among expressions of the same value, where its notion of "simplified" is
stricter: it keeps decimals and some factored forms apart. ``i`` and ``e`` are plain symbols here.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

from ...mathematics.equal.numeric_equality import same
from ...mathematics.equal.values import Budget
from ...mathematics.read.cursor import UnreadableError
from ...mathematics.read.expression import read_expression
from ...mathematics.read.nodes import Node
from ...mathematics.read.tokens import TooBigError
from .latex_form import APPLIED, PREFIX, published_tokens

MAX_LENGTH = 300
MAX_EXPONENT = 64
MAX_NODES = 60
"""Expressions of more nodes, or that expand to more terms, are compared by value only."""
MAX_TERMS = 500


def same_published(found: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether two sets of expressions are the same after simplification.

    Where an expression cannot be read, the texts are compared, as the published code does.

    Raises:
        ImportError: the packages of the extra ``math`` are missing.
    """
    require_packages()
    ours = [_read(part) for part in wanted]
    theirs = [_read(part) for part in found]
    if any(node is None for node in (*ours, *theirs)):
        return found == wanted
    return all(any(_equal(a, b) for b in theirs) for a in ours) and all(
        any(_equal(a, b) for a in ours) for b in theirs
    )


@lru_cache(maxsize=8192)
def _equal(left: Node | None, right: Node | None) -> bool:
    """Whether two expressions are one SymPy object after simplification.

    What differs in value cannot be, which spares most of the work.
    """
    if left == right:
        return True
    if left is None or right is None or not same(left, right, Budget()):
        return False
    return _same_object(left, right) if _is_small(left) and _is_small(right) else True


def _same_object(left: Node, right: Node) -> bool:
    from sympy import simplify

    try:
        a, b = _build(left), _build(right)
        return bool(a == b or simplify(a) == simplify(b))
    except Exception:  # whatever SymPy cannot simplify is not equal
        return False


@cache
def require_packages() -> None:
    """Raise an ImportError that says what to install, if anything is missing."""
    missing = [name for name in ("mpmath", "sympy") if find_spec(name) is None]
    if missing:
        raise ImportError(
            f"comparing expressions needs {', '.join(missing)}: install the extra with "
            "pip install 'xlgo[math]'"
        )


# Reading


@lru_cache(maxsize=8192)
def _read(text: str) -> Node | None:
    """The tree of an expression; ``None`` if the published parser would raise."""
    if len(text) > MAX_LENGTH:
        return None
    try:
        return _plain(read_expression(published_tokens(text), tight=True))
    except (UnreadableError, TooBigError):
        return None


def _plain(node: Node) -> Node:
    """A tree whose symbols have their own names again; constants are symbols, too."""
    arguments = tuple(map(_plain, node.args))
    if node.op == "const" and node.value != "inf":
        return Node("sym", value=str(node.value))
    if node.op in ("sym", "apply"):
        name = str(node.value)
        return Node(node.op, arguments, name.removeprefix(PREFIX).removeprefix(APPLIED))
    return node._replace(args=arguments)


# Limits


def _is_small(node: Node) -> bool:
    return _nodes(node) <= MAX_NODES and _terms(node) <= MAX_TERMS


def _nodes(node: Node) -> int:
    return 1 + sum(map(_nodes, node.args))


def _terms(node: Node) -> int:
    """At least as many terms as the expanded expression has."""
    inside = [_terms(argument) for argument in node.args]
    if node.op == "add":
        return sum(inside)
    if node.op == "mul":
        return _product(inside)
    if node.op == "pow" and inside[0] > 1:
        value = node.args[1].value
        exponent = abs(int(value)) if node.args[1].op == "num" and value is not None else 1
        return _product([inside[0]] * min(max(exponent, 1), MAX_TERMS))
    return max(inside, default=1)


def _product(values: list[int]) -> int:
    found = 1
    for value in values:
        found = min(found * value, MAX_TERMS + 1)
    return found


# Building


def _build(node: Node) -> Any:  # noqa: PLR0911
    """The SymPy object of a tree.

    Raises:
        ValueError: a power is too large, or SymPy has nothing for it.
    """
    import sympy

    arguments = [_build(argument) for argument in node.args]
    if node.op == "num":
        top, bottom = node.value.numerator, node.value.denominator  # type: ignore[union-attr]
        exact = sympy.Rational(top, bottom)
        return exact if node.places is None else sympy.Float(exact, max(15, len(str(top))))
    if node.op == "sym":
        return sympy.oo if node.value == "infty" else sympy.Symbol(str(node.value))
    if node.op == "const":
        return sympy.oo
    if node.op == "add":
        return sympy.Add(*arguments)
    if node.op == "mul":
        return sympy.Mul(*arguments)
    if node.op == "pow":
        return _power(*arguments)
    if node.op == "apply":
        return sympy.Function(str(node.value))(*arguments)
    if node.op == "call":
        name = str(node.value)
        if name == "root":
            return _power(arguments[0], 1 / arguments[1])
        if name == "logb":
            return sympy.log(arguments[0], arguments[1])
        known = {"abs": "Abs", "ln": "log"}.get(name, name)
        if known in _CALLS:
            return getattr(sympy, known)(*arguments)
    raise ValueError(f"nothing in SymPy for {node.op} {node.value}")


_CALLS = frozenset(
    {"sin", "cos", "tan", "csc", "sec", "cot", "asin", "acos", "atan", "sinh", "cosh", "tanh"}
    | {"log", "exp", "Abs"}
)


def _power(base: Any, exponent: Any) -> Any:
    import sympy

    if exponent.is_number and not (exponent.is_Rational and abs(exponent) <= MAX_EXPONENT):
        raise ValueError("too large a power")
    return sympy.Pow(base, exponent)
