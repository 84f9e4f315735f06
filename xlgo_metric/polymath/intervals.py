"""Sets of real numbers as unions of intervals, from any of the ways in which they are written."""

from __future__ import annotations

from dataclasses import dataclass

from .answers import Answer, Combination, Items, Quantity, Relation, Special
from .nodes import Node, negative
from .same import constant, same
from .values import Budget, compare_real

_INFINITY = Node("const", value="inf")
_MINUS_INFINITY = negative(_INFINITY)
_MOST_JOINED = 12  # parts of a union
_LESS = {"<": False, "<=": True}
_MORE = {">": False, ">=": True}


@dataclass(frozen=True)
class Interval:
    """From ``low`` to ``high``; the ends belong to it or not."""

    low: Node
    high: Node
    low_closed: bool = False
    high_closed: bool = False


@dataclass(frozen=True)
class Intervals:
    """A union of intervals, and the variable that was said to lie in it (or nothing)."""

    parts: tuple[Interval, ...]
    variable: str = ""


def as_intervals(answer: Answer, budget: Budget) -> Intervals | None:
    """The union of intervals that ``answer`` describes; ``None`` if it does not."""
    if isinstance(answer, Special) and answer.name == "reals":
        return Intervals((Interval(_MINUS_INFINITY, _INFINITY),))
    if isinstance(answer, Items):
        return _of_items(answer, budget)
    if isinstance(answer, Combination):
        return _of_combination(answer, budget)
    if isinstance(answer, Relation):
        return _of_relation(answer, budget)
    return None


def same_intervals(first: Intervals, second: Intervals, budget: Budget) -> bool:
    """Whether two unions have the same parts, in any order."""
    left = list(_joined(second, budget).parts)
    for part in _joined(first, budget).parts:
        match = next(
            (
                other
                for other in left
                if (part.low_closed, part.high_closed) == (other.low_closed, other.high_closed)
                and same(part.low, other.low, budget)
                and same(part.high, other.high, budget)
            ),
            None,
        )
        if match is None:
            return False
        left.remove(match)
    return not left


def _of_items(answer: Items, budget: Budget) -> Intervals | None:  # noqa: PLR0911
    if answer.opening in ("(", "["):
        if len(answer.items) != 2:
            return None
        low, high = (item.node if isinstance(item, Quantity) else None for item in answer.items)
        if low is None or high is None:
            return None
        return Intervals((Interval(low, high, answer.opening == "[", answer.closing == "]"),))
    if answer.opening == "{":
        nodes = [item.node for item in answer.items if isinstance(item, Quantity)]
        if len(nodes) < len(answer.items):
            inner = [as_intervals(item, budget) for item in answer.items]
            return inner[0] if len(inner) == 1 else None
        return Intervals(tuple(Interval(node, node, True, True) for node in nodes))
    found = [as_intervals(item, budget) for item in answer.items]
    if any(one is None for one in found):
        return None
    known = [one for one in found if one is not None]
    names = {one.variable for one in known if one.variable}
    if len(names) > 1:
        return None
    name = next(iter(names), "")
    if answer.joint != "or" and len(known) == 2 and names:
        crossing = _crossing(known[0], known[1], budget)
        if crossing is not None:
            return Intervals((crossing,), name)
    return Intervals(tuple(part for one in known for part in one.parts), name)


def _crossing(first: Intervals, second: Intervals, budget: Budget) -> Interval | None:
    """What ``x > a`` and ``x < b`` have in common, if a < b."""
    if len(first.parts) != 1 or len(second.parts) != 1:
        return None
    lower, upper = first.parts[0], second.parts[0]
    if lower.low == _MINUS_INFINITY:
        lower, upper = upper, lower
    if lower.high != _INFINITY or upper.low != _MINUS_INFINITY or lower.low == _MINUS_INFINITY:
        return None
    low, high = constant(lower.low, budget), constant(upper.high, budget)
    if low is None or high is None or compare_real(low, high) > 0:
        return None
    return Interval(lower.low, upper.high, lower.low_closed, upper.high_closed)


def _of_combination(answer: Combination, budget: Budget) -> Intervals | None:
    left, right = as_intervals(answer.left, budget), as_intervals(answer.right, budget)
    if left is None or right is None:
        return None
    name = left.variable or right.variable
    if answer.sign == "cup":
        return Intervals(left.parts + right.parts, name)
    if answer.sign == "cap":
        crossing = _crossing(left, right, budget)
        return None if crossing is None else Intervals((crossing,), name)
    if len(left.parts) != 1 or any(part.low != part.high for part in right.parts):
        return None
    return _without([part.low for part in right.parts], left.parts[0], name, budget)


def _without(points: list[Node], whole: Interval, name: str, budget: Budget) -> Intervals | None:
    """An interval without some points in it."""
    valued = [(constant(point, budget), point) for point in points]
    if len(valued) > 1 and any(value is None for value, _ in valued):
        return None
    ordered: list[tuple[object, Node]] = []
    for value, point in valued:
        place = next(
            (n for n, one in enumerate(ordered) if compare_real(value, one[0]) < 0), len(ordered)
        )
        ordered.insert(place, (value, point))
    parts: list[Interval] = []
    low, closed = whole.low, whole.low_closed
    for _, point in ordered:
        parts.append(Interval(low, point, closed, False))
        low, closed = point, False
    parts.append(Interval(low, whole.high, closed, whole.high_closed))
    return Intervals(tuple(parts), name)


def _of_relation(answer: Relation, budget: Budget) -> Intervals | None:  # noqa: PLR0911
    """``a < x ≤ b``, ``x > a``, ``x ≠ a`` or ``x ∈ S``."""
    sides, signs = answer.sides, answer.signs
    if signs == ("in",):
        inner = as_intervals(sides[1], budget)
        return (
            None
            if inner is None or not _name(sides[0])
            else Intervals(inner.parts, _name(sides[0]))
        )
    if not all(isinstance(side, Quantity) for side in sides):
        return None
    nodes = [side.node for side in sides if isinstance(side, Quantity)]
    if len(nodes) == 2 and nodes[0].op == "call" and nodes[0].value == "abs":
        return _of_distance(nodes[0].args[0], signs[0], nodes[1])
    if signs == ("!=",) and _name(sides[0]):
        line = Interval(_MINUS_INFINITY, _INFINITY)
        return _without([nodes[1]], line, _name(sides[0]), budget)
    if set(signs) <= set(_MORE):
        nodes, signs = nodes[::-1], tuple("<" + sign[1:] for sign in reversed(signs))
        sides = sides[::-1]
    if not set(signs) <= set(_LESS):
        return None
    closed = [_LESS[sign] for sign in signs]
    if len(nodes) == 3 and _name(sides[1]):
        return Intervals((Interval(nodes[0], nodes[2], closed[0], closed[1]),), _name(sides[1]))
    if len(nodes) != 2:
        return None
    if _name(sides[0]) and not _name(sides[1]):
        return Intervals((Interval(_MINUS_INFINITY, nodes[1], False, closed[0]),), _name(sides[0]))
    if _name(sides[1]):
        return Intervals((Interval(nodes[0], _INFINITY, closed[0], False),), _name(sides[1]))
    return None


def _of_distance(inner: Node, sign: str, radius: Node) -> Intervals | None:
    """``|x| < r`` and its like."""
    if inner.op != "sym":
        return None
    name = str(inner.value)
    if sign in _LESS:
        closed = _LESS[sign]
        return Intervals((Interval(negative(radius), radius, closed, closed),), name)
    if sign in _MORE:
        closed = _MORE[sign]
        left = Interval(_MINUS_INFINITY, negative(radius), False, closed)
        return Intervals((left, Interval(radius, _INFINITY, closed, False)), name)
    return None


def _name(answer: Answer) -> str:
    if isinstance(answer, Quantity) and answer.node.op in ("sym", "apply"):
        return str(answer.node.value)
    return ""


def _joined(union: Intervals, budget: Budget) -> Intervals:
    """The same union with parts that touch at a closed end put together: [0,1] ∪ (1,2) is [0,2)."""
    parts = list(union.parts)
    if len(parts) > _MOST_JOINED:
        return union
    while (pair := _touching(parts, budget)) is not None:
        first, second = pair
        parts = [part for part in parts if part is not first and part is not second]
        parts.append(Interval(first.low, second.high, first.low_closed, second.high_closed))
    return Intervals(tuple(parts), union.variable)


def _touching(parts: list[Interval], budget: Budget) -> tuple[Interval, Interval] | None:
    """Two parts of which one ends where the other begins, and one of them holds that end."""
    longer = [part for part in parts if part.low != part.high]
    for first in longer:
        for second in longer:
            closed = first is not second and (first.high_closed or second.low_closed)
            if closed and same(first.high, second.low, budget):
                return first, second
    return None
