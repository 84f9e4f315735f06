"""Unions, intersections and differences of sets whose items are listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ..read.answers import Answer, Combination, Items, Quantity, Special

T = TypeVar("T")


def matched(first: Sequence[T], second: Sequence[T], same: Callable[[T, T], bool]) -> bool:
    """Whether each item of one list has a partner of its own in the other, in any order."""
    if len(first) != len(second):
        return False
    left = list(second)
    for one in first:
        place = next((n for n, other in enumerate(left) if same(one, other)), None)
        if place is None:
            return False
        del left[place]
    return True


def computed(answer: Answer, equal: Callable[[Answer, Answer], bool]) -> Answer:
    """The set that a combination of listed sets is; any other answer as it is.

    ``equal`` decides whether two items are the same.
    """
    if not isinstance(answer, Combination):
        return answer
    left, right = computed(answer.left, equal), computed(answer.right, equal)
    if not (isinstance(left, Items) and left.opening == "{"):
        return answer
    if isinstance(right, Quantity):  # the braces of {1, 2} \\ {2} may be those of a LaTeX group
        right = Items((right,), "{", "}")
    if not (isinstance(right, Items) and right.opening == "{"):
        return answer
    if answer.sign == "cup":
        kept = [*left.items, *right.items]
    else:
        shared = answer.sign == "cap"
        kept = [
            item for item in left.items if any(equal(item, one) for one in right.items) == shared
        ]
    return Items(tuple(kept), "{", "}") if kept else Special("empty")
