"""Tournaments (t_rank): a ranking."""

from __future__ import annotations

from collections.abc import Sequence

from xlgo_metric.core import Reference
from xlgo_metric.families.xlgobench.puzzles.base import (
    Details,
    Puzzle,
    first_right,
    read_identifiers,
)


def compare(answer: list[str], right: list[str], reference: Reference) -> tuple[bool, Details]:
    """Whether the ranking is right.

    Details: ``length``; ``kendall`` (pairs in the wrong order) and ``kendall_normalised`` (of all
    pairs, 0 to 1), ``None`` unless the answer ranks exactly the players.
    """
    distance = None
    if answer == right:
        distance = 0
    elif len(answer) == len(right) and set(answer) == set(right):
        place = {player: i for i, player in enumerate(right)}
        distance = inversions([place[player] for player in answer])
    pairs = len(right) * (len(right) - 1) // 2
    return answer == right, {
        "length": len(answer),
        "kendall": distance,
        "kendall_normalised": None if distance is None else distance / max(pairs, 1),
    }


def inversions(order: Sequence[int]) -> int:
    """The number of inversions of a permutation of 0 … n-1, in O(n log n)."""
    counts = [0] * (len(order) + 1)  # a Fenwick tree over the numbers that came before
    total = 0
    for seen, number in enumerate(order):
        smaller, i = 0, number
        while i > 0:
            smaller += counts[i]
            i -= i & -i
        total += seen - smaller
        i = number + 1
        while i < len(counts):
            counts[i] += 1
            i += i & -i
    return total


PUZZLE = Puzzle(
    "ranking",
    read_identifiers,
    compare,
    first_right(),
    steps_allowed=True,
    example=["A1234", "B5678"],
)
