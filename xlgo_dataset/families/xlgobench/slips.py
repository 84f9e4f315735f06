"""Plausible wrong answers: one slip in the work, carried on to the end."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...core import ids
from ...core.rng import Stream
from ...text.languages import load_language
from . import prdsa
from .instances import solve, strings_of

_LAST_STEPS = 8
"""A slip in the ledger falls into its last steps: carried on for longer, the numbers explode."""

_TRIES = 8


def slip(instance: Any, stream: Stream) -> dict[str, Any]:
    """A wrong answer to one of the puzzles, in the form of ``solve``.

    Args:
        instance: what the prompt describes.
        stream: where to slip.
    """
    right = solve(instance)
    ((key, value),) = right.items()
    return {key: _SLIPS[instance.task](instance, value, stream)}


def _miscalculated(ledger: Any, chain: list[int], stream: Stream) -> list[int]:
    """One balance is off by one or two; what follows is worked out from it."""
    after = dict(
        zip(
            ledger.previous.tolist(),
            zip(ledger.current.tolist(), ledger.factor.tolist(), ledger.amount.tolist()),
        )
    )
    last = min(_LAST_STEPS, len(chain))
    wrong_at = len(chain) - 1 - stream.integer(last)
    off = (-2, -1, 1, 2)[stream.integer(4)]
    place, wealth, wrong = ledger.start, ledger.capital, []
    for step in range(len(chain)):
        place, a, b = after[place]
        wealth = a * wealth + b + (off if step == wrong_at else 0)
        wrong.append(wealth)
    return wrong


def _another_room(automaton: Any, room: str, stream: Stream) -> str:
    """One key is taken for the other."""
    for _ in range(_TRIES):
        reached: str = solve(_other_key(automaton, stream))["state"]
        if reached != room:
            return reached
    return next(name for name in ids.names(automaton.room) if name != room)


def _other_rooms(chain: Any, rooms: list[str], stream: Stream) -> list[str]:
    """One key is taken for the other; if that changes nothing, the ninth room for the eighth."""
    reached: list[str] = solve(_other_key(chain, stream))["states"]
    if set(reached) != set(rooms):
        return reached
    weight = prdsa.distribution(chain)
    ranked = sorted(weight, key=lambda room: (-weight[room], room))
    return [*rooms[:-1], ids.name(ranked[len(rooms)])]


def _other_key(instance: Any, stream: Stream) -> Any:
    keys = np.array(instance.sequence)
    at = stream.integer(len(keys))
    keys[at] = 1 - keys[at]
    return dataclasses.replace(instance, sequence=keys)


def _detour(network: Any, path: list[str], stream: Stream) -> list[str]:
    """One connection of the shortest path is overlooked; without another path, a person is."""
    at = stream.integer(len(path) - 1)
    overlooked = {path[at], path[at + 1]}
    neighbours: dict[str, list[str]] = {}
    for a, b in network.edges():
        if {a, b} != overlooked:
            neighbours.setdefault(a, []).append(b)
            neighbours.setdefault(b, []).append(a)
    before = {path[0]: ""}
    queue = deque([path[0]])
    while queue and path[-1] not in before:
        person = queue.popleft()
        for friend in neighbours.get(person, ()):
            if friend not in before:
                before[friend] = person
                queue.append(friend)
    if path[-1] not in before:
        return path[:1] + path[2:]
    found = [path[-1]]
    while before[found[-1]]:
        found.append(before[found[-1]])
    return found[::-1]


def _swapped(tournament: Any, ranking: list[str], stream: Stream) -> list[str]:
    """Two neighbours of the ranking change places."""
    at = stream.integer(len(ranking) - 1)
    return [*ranking[:at], ranking[at + 1], ranking[at], *ranking[at + 2 :]]


_SLIPS: dict[str, Callable[[Any, Any, Stream], Any]] = {
    "slt": _miscalculated,
    "dsa": _another_room,
    "dsa_perm": _another_room,
    "prdsa": _other_rooms,
    "graph_sp": _detour,
    "t_rank": _swapped,
}


def phrase(
    answer: Mapping[str, Any], task: str, language: str, text: str, stream: Stream
) -> dict[str, Any]:
    """The answer, every second time with the language's word for a room."""
    room = load_language(language).strings(strings_of(task), text).get("room", "{id}")
    if stream.integer(2):
        room = "{id}"
    ((key, value),) = answer.items()
    if isinstance(value, str):
        value = room.replace("{id}", value)
    elif isinstance(value[0], str):
        value = [room.replace("{id}", name) for name in value]
    return {key: value}
