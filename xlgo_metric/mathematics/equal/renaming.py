"""The letters of an answer, and the same answer with other letters."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from itertools import permutations
from typing import Any, TypeVar

from ..read.answers import Answer, Builder, Quantity, Relation, Text, names_in, nodes_in
from ..read.nodes import Node

Part = TypeVar("Part")
_CONSTANT = re.compile(r"C|[Cc]_\d")
_OTHER_CONSTANT = re.compile(r"[CcKk]|[CcAaKk]_\d")
_MOST_CONSTANTS = 3


def renamed(part: Part, old: str, new: str) -> Part:
    """``part`` with the symbol ``new`` in the place of ``old``."""
    found: Any = part
    if isinstance(part, Node):
        value = new if part.op == "sym" and part.value == old else part.value
        found = part._replace(args=renamed(part.args, old, new), value=value)
    elif isinstance(part, tuple):
        found = tuple(renamed(one, old, new) for one in part)
    elif dataclasses.is_dataclass(part) and not isinstance(part, type):
        values = {
            field.name: renamed(getattr(part, field.name), old, new)
            for field in dataclasses.fields(part)
        }
        found = dataclasses.replace(part, **values)
    return found  # type: ignore[no-any-return]


def parameters(main: Answer, condition: Answer) -> frozenset[str]:
    """The letters of ``main`` that ``condition`` introduces: k in ``2kπ, k ∈ ℤ``."""
    if isinstance(condition, Relation) and condition.signs[0] == "in":
        named = names_in(condition.sides[0])
    elif isinstance(condition, Relation) and "=" not in condition.signs:
        named = names_in(condition)
    elif isinstance(condition, Text):
        named = frozenset(word for word in condition.words.split() if len(word) == 1)
    else:
        return frozenset()
    told = frozenset[str]()
    if isinstance(main, Relation) and main.signs == ("=",):
        left, main = main.sides
        told = names_in(left)
    return (named & names_in(main)) - told


def with_letters_of(
    main: Answer, condition: Answer, other_main: Answer, other_condition: Answer | None
) -> tuple[Answer, Answer]:
    """``main`` and ``condition`` with their parameter named as the other answer names its own."""
    mine = parameters(main, condition)
    if other_condition is None:
        theirs = names_in(other_main) - names_in(main)
    else:
        theirs = parameters(other_main, other_condition)
    if len(mine) != 1 or len(theirs) != 1 or mine == theirs:
        return main, condition
    (old,), (new,) = mine, theirs
    if new in names_in(main):
        return main, condition
    return renamed(main, old, new), renamed(condition, old, new)


def builder_like(one: Builder, other: Builder) -> Builder:
    """``one`` with its parameter named as ``other`` names its own."""
    element, condition = with_letters_of(one.element, one.condition, other.element, other.condition)
    return Builder(element, condition)


def function_name(answer: Answer) -> str:
    """The name of the function if an answer is its value at a letter: f(x), y(x)."""
    node = answer.node if isinstance(answer, Quantity) else None
    if node is None or any(part.op != "sym" for part in node.args):
        return ""
    if node.op == "apply" and len(node.args) == 1:
        return str(node.value)
    return str(node.args[0].value) if node.op == "mul" and len(node.args) == 2 else ""


def with_constants_of(answer: Answer, gold: Answer) -> Iterator[Answer]:
    """``answer`` with arbitrary constants named as in ``gold``: + c as + C, c_1 as C_1 or C_2.

    Nothing if the two differ in other letters, or in letters that need not be such constants.
    """
    ours, theirs = names_in(gold), names_in(answer)
    missing, extra = sorted(ours - theirs), sorted(theirs - ours)
    if not missing or len(missing) != len(extra) or len(missing) > _MOST_CONSTANTS:
        return
    if not all(map(_CONSTANT.fullmatch, missing)) or not all(map(_OTHER_CONSTANT.fullmatch, extra)):
        return
    solution = isinstance(gold, Relation) and any(node.op == "const" for node in nodes_in(gold))
    capitals = any(len(name) == 1 and name.isupper() for name in ours - {"C"})
    if capitals or not (solution or "_" in missing[0] or _is_term(gold, missing[0])):
        return
    for order in permutations(missing):
        other = answer
        for old, new in zip(extra, order, strict=True):
            other = renamed(other, old, new)
        yield other


def _is_term(answer: Answer, name: str) -> bool:
    return any(
        node.op == "add" and Node("sym", value=name) in node.args for node in nodes_in(answer)
    )
