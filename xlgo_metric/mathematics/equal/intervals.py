"""Sets of real numbers as unions of intervals, from any of the ways in which they are written."""

from __future__ import annotations

from dataclasses import dataclass

from ..read.answers import Answer, Combination, Items, Quantity, Relation, Special
from ..read.nodes import Node, negative, num, symbols
from .finite_sets import matched
from .numeric_equality import constant, same, value_at
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
    if isinstance(answer, Special) and answer.name in ("positive", "nonnegative"):
        return Intervals((Interval(num(0), _INFINITY, answer.name == "nonnegative"),))
    if isinstance(answer, Items):
        return _of_items(answer, budget)
    if isinstance(answer, Combination):
        return _of_combination(answer, budget)
    if isinstance(answer, Relation):
        return _of_relation(answer, budget)
    return None


def same_intervals(first: Intervals, second: Intervals, budget: Budget) -> bool:
    """Whether two unions have the same parts, in any order."""

    def alike(part: Interval, other: Interval) -> bool:
        return (
            (part.low_closed, part.high_closed) == (other.low_closed, other.high_closed)
            and same(part.low, other.low, budget)
            and same(part.high, other.high, budget)
        )

    return matched(_joined(first, budget).parts, _joined(second, budget).parts, alike)


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
    converted = [as_intervals(item, budget) for item in answer.items]
    if any(interval is None for interval in converted):
        return None
    intervals = [interval for interval in converted if interval is not None]
    names = {interval.variable for interval in intervals if interval.variable}
    if len(names) > 1:
        return None
    name = next(iter(names), "")
    if (
        answer.joint != "or"
        and len(intervals) > 1
        and all(interval.variable for interval in intervals)
    ):
        common = _common(intervals, budget)
        if common:
            return Intervals(common, name)
        ends = {
            (part.low == _MINUS_INFINITY, part.high == _INFINITY)
            for interval in intervals
            for part in interval.parts
        }
        rays = (False, False) not in ends
        if answer.joint == "and" and not rays:  # but "x < 1 and x > 2" may mean a union
            return None
    return Intervals(tuple(part for interval in intervals for part in interval.parts), name)


class _UnorderedError(Exception):
    """Two ends of intervals cannot be compared: they hold different letters."""


def _compare(left: Node, right: Node, budget: Budget) -> int:
    """-1, 0 or 1 as the end ``left`` lies below, at or above ``right``."""
    # Infinity has no value that could be evaluated, so the infinite ends are ordered first.
    ranks = [(end == _INFINITY) - (end == _MINUS_INFINITY) for end in (left, right)]
    if any(ranks):
        return (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])
    if left == right or same(left, right, budget):
        return 0
    values = constant(left, budget), constant(right, budget)
    if None in values:
        raise _UnorderedError
    return compare_real(*values)


def _intersection(
    first: tuple[Interval, ...], second: tuple[Interval, ...], budget: Budget
) -> tuple[Interval, ...]:
    """What two unions have in common.

    Raises:
        _UnorderedError: the order of the ends is not known.
    """
    common = []
    for one in first:
        for other in second:
            low, closed = one.low, one.low_closed
            order = _compare(one.low, other.low, budget)
            if order <= 0:
                low, closed = other.low, other.low_closed and (order < 0 or closed)
            high, ends = one.high, one.high_closed
            order = _compare(one.high, other.high, budget)
            if order >= 0:
                high, ends = other.high, other.high_closed and (order > 0 or ends)
            order = _compare(low, high, budget)
            if order < 0 or (order == 0 and closed and ends):
                common.append(Interval(low, high, closed, ends))
    if len(common) > _MOST_JOINED:
        raise _UnorderedError
    return tuple(common)


def _complement(part: Interval) -> tuple[Interval, ...]:
    below = Interval(_MINUS_INFINITY, part.low, False, not part.low_closed)
    above = Interval(part.high, _INFINITY, not part.high_closed, False)
    return tuple(
        one
        for one, end in ((below, part.low), (above, part.high))
        if end not in (_INFINITY, _MINUS_INFINITY)
    )


def _common(unions: list[Intervals], budget: Budget) -> tuple[Interval, ...]:
    """What all of them have in common; nothing if that is not known."""
    parts = unions[0].parts
    try:
        for union in unions[1:]:
            parts = _intersection(parts, union.parts, budget)
    except _UnorderedError:
        return ()
    return parts


def _of_combination(answer: Combination, budget: Budget) -> Intervals | None:
    left, right = as_intervals(answer.left, budget), as_intervals(answer.right, budget)
    if left is None or right is None:
        return None
    name = left.variable or right.variable
    if answer.sign == "cup":
        return Intervals(left.parts + right.parts, name)
    removed = right.parts if answer.sign == "setminus" else ()
    others = [Intervals(_complement(part)) for part in removed] or [right]
    common = _common([left, *others], budget)
    return Intervals(common, name) if common else None


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
        return _of_distance(nodes[0].args[0], signs[0], nodes[1], budget)
    if signs == ("=",) and nodes[0].op == "sym" and not symbols(nodes[1]):
        return Intervals((Interval(nodes[1], nodes[1], True, True),), _name(sides[0]))
    if signs == ("!=",) and _name(sides[0]):
        return Intervals(_complement(Interval(nodes[1], nodes[1], True, True)), _name(sides[0]))
    # a > x ≥ b is b ≤ x < a read from its other end; what follows knows < and ≤ only.
    if set(signs) <= set(_MORE):
        nodes, signs = nodes[::-1], tuple("<" + sign[1:] for sign in reversed(signs))
        sides = sides[::-1]
    if not set(signs) <= set(_LESS):
        return None
    closed = [_LESS[sign] for sign in signs]
    # a < |u| < b: u is farther than a and nearer than b, so both sets are intersected.
    if len(nodes) == 3 and nodes[1].op == "call" and nodes[1].value == "abs":
        distance = nodes[1].args[0]
        outer = [_of_distance(distance, ">" + signs[0][1:], nodes[0], budget)]
        outer.append(_of_distance(distance, signs[1], nodes[2], budget))
        known = [one for one in outer if one is not None]
        common = _common(known, budget) if len(known) == 2 else ()
        return Intervals(common, known[0].variable) if common else None
    if len(nodes) == 3 and _name(sides[1]):
        return Intervals((Interval(nodes[0], nodes[2], closed[0], closed[1]),), _name(sides[1]))
    if len(nodes) != 2:
        return None
    if _name(sides[0]) and not _name(sides[1]):
        return Intervals((Interval(_MINUS_INFINITY, nodes[1], False, closed[0]),), _name(sides[0]))
    if _name(sides[1]):
        return Intervals((Interval(nodes[0], _INFINITY, closed[0], False),), _name(sides[1]))
    return None


def _of_distance(inner: Node, sign: str, radius: Node, budget: Budget) -> Intervals | None:
    """``|x| < 2``, ``|2x - 1| >= 3``."""
    names = symbols(inner)
    if len(names) != 1 or not (sign in _LESS or sign in _MORE):
        return None
    (name,) = names
    points = [value_at(inner, name, k, budget) for k in range(3)]
    if None in points:
        return None
    slope = points[1] - points[0]
    # Linear, or the solution is no interval about one centre: |x^2 - 1| < 2 is not read.
    if not slope or points[2] - points[1] != slope:
        return None
    centre, reach = num(-points[0] / slope), Node("mul", (num(1 / abs(slope)), radius))
    low, high = Node("add", (centre, negative(reach))), Node("add", (centre, reach))
    closed = (_LESS | _MORE)[sign]
    if sign in _LESS:
        return Intervals((Interval(low, high, closed, closed),), name)
    below = Interval(_MINUS_INFINITY, low, False, closed)
    return Intervals((below, Interval(high, _INFINITY, closed, False)), name)


def _name(answer: Answer) -> str:
    if isinstance(answer, Quantity) and answer.node.op in ("sym", "apply"):
        return str(answer.node.value)
    return ""


def _joined(union: Intervals, budget: Budget) -> Intervals:
    """The same union with parts that touch or overlap put together: [0,1] ∪ (1,2) is [0,2)."""
    parts = list(union.parts)
    if len(parts) > _MOST_JOINED:
        return union
    kept: list[Interval] = []
    while parts:
        part = parts.pop()
        for place, other in enumerate(kept):
            merged = _merged(part, other, budget)
            if merged is not None:
                del kept[place]
                parts.append(merged)
                break
        else:
            kept.append(part)
    return Intervals(tuple(kept), union.variable)


def _merged(first: Interval, second: Interval, budget: Budget) -> Interval | None:
    """Two intervals as one, if no point lies between them."""
    try:
        order = _compare(first.low, second.low, budget)
        if order > 0:
            first, second = second, first
        gap = _compare(second.low, first.high, budget)
        end = _compare(first.high, second.high, budget)
    except _UnorderedError:
        closed = first.high_closed or second.low_closed
        if not closed or not same(first.high, second.low, budget):
            return None
        return Interval(first.low, second.high, first.low_closed, second.high_closed)
    if gap > 0 or (gap == 0 and not (first.high_closed or second.low_closed)):
        return None
    longer = second if end < 0 else first
    closed = longer.high_closed or (end == 0 and second.high_closed)
    opened = first.low_closed or (order == 0 and second.low_closed)
    return Interval(first.low, longer.high, opened, closed)
