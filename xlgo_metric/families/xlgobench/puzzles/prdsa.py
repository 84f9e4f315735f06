"""Rooms and keys by chance (prdsa): a set of exactly eight rooms."""

from typing import cast

from xlgo_metric.core import Reference
from xlgo_metric.families.xlgobench.puzzles.base import (
    Details,
    Puzzle,
    read_rooms,
)


def compare(answer: list[str], right: list[str], reference: Reference) -> tuple[bool, Details]:
    """Whether exactly the right rooms are named.

    Details: ``ordered`` (right also in order); ``hits`` (how many of the asked rooms are named).
    """
    correct = len(answer) == len(right) and set(answer) == set(right)
    return correct, {"ordered": answer == right, "hits": len(set(answer) & set(right))}


def partial_credit(answer: list[str], right: list[str], details: Details) -> float:
    """The right rooms out of all that are named, so that naming every room earns little."""
    return cast(int, details["hits"]) / max(len(answer), len(right))


PUZZLE = Puzzle(
    "states",
    read_rooms,
    compare,
    partial_credit,
    example=["G5374", "W2169", "T3803", "R5010", "F8573", "M5422", "U4598", "V6313"],
)
