"""Tournaments (t_rank): a ranking, and the first player ranked above one who beat them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, cast

from xlgo_metric.core import Reference
from xlgo_metric.families.xlgobench.puzzles.base import (
    Details,
    FirstError,
    Puzzle,
    Wrong,
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


class Matches(TypedDict):
    """A tournament in its JSON form: the winner and the loser of each match."""

    matches: list[tuple[str, str]]


def first_error(wrong: Wrong) -> FirstError | None:
    """See ``find_error``; ``None`` where the tournament cannot be drawn again."""
    instance = wrong.draw()
    return (
        None if instance is None else find_error(wrong.answer, wrong.right, cast(Matches, instance))
    )


def find_error(answer: Sequence[str], right: Sequence[str], instance: Matches) -> FirstError:
    """The first wrong place of a ranking.

    Kinds, the first of them that fits: ``upside_down`` (the right ranking from its end),
    ``unknown_player``, ``repeated_player``, ``missing_player`` (the first place where the right
    ranking goes on with somebody who is nowhere), ``reversed_match`` (the first player who stands
    above somebody that beat him; a ranking of exactly the players that is wrong has one).

    Args:
        answer: a wrong ranking.
        right: the right one.
        instance: ``matches``, each with the winner first.
    """
    places = len(right)
    if list(answer) == list(reversed(right)):
        return {"kind": "upside_down", "step": None, "of": places}
    players, seen = set(right), set[str]()
    for place, player in enumerate(answer, start=1):
        if player not in players or player in seen:
            kind = "repeated_player" if player in seen else "unknown_player"
            return {"kind": kind, "step": place, "of": places}
        seen.add(player)
    if len(answer) < places:
        place = next(i for i, player in enumerate(right, start=1) if player not in seen)
        return {"kind": "missing_player", "step": place, "of": places}
    stands = {player: place for place, player in enumerate(answer, start=1)}
    reversed_ = [
        stands[loser] for winner, loser in instance["matches"] if stands[winner] > stands[loser]
    ]
    return {"kind": "reversed_match", "step": min(reversed_), "of": places}


PUZZLE = Puzzle(
    "ranking",
    read_identifiers,
    compare,
    first_right(),
    first_error,
    steps_allowed=True,
    example=["A1234", "B5678"],
)
