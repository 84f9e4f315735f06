"""Tournaments (t_rank): a ranking."""

from bisect import bisect
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
        rank = {player: i for i, player in enumerate(right)}
        distance = inversions([rank[player] for player in answer])
    pairs = len(right) * (len(right) - 1) // 2
    return answer == right, {
        "length": len(answer),
        "kendall": distance,
        "kendall_normalised": None if distance is None else distance / max(pairs, 1),
    }


def inversions(order: Sequence[int]) -> int:
    """The number of inversions of a permutation; a search and an insertion for each entry."""
    earlier: list[int] = []
    total = 0
    for number in order:
        rank = bisect(earlier, number)
        total += len(earlier) - rank
        earlier.insert(rank, number)
    return total


PUZZLE = Puzzle(
    "ranking",
    read_identifiers,
    compare,
    first_right(),
    steps_allowed=True,
    example=["A1234", "B5678"],
)
