"""Tournaments (t_rank): the first player who stands above somebody that beat him."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def fault(
    answer: Sequence[str], right: Sequence[str], instance: Mapping[str, Any]
) -> dict[str, Any]:
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
