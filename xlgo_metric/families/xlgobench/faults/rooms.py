"""Rooms and keys (dsa, dsa_perm, prdsa): which key was taken for the other, or left out."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from xlgo_metric.statistics.draws import Integers

_ROOM = re.compile(r"(?<![A-Za-z0-9])[A-Z][0-9]{4}(?![A-Za-z0-9])")
_LEFT_OUT = re.compile(r"\.\.\.|…")
_OTHER = {"gold": "silver", "silver": "gold"}
_FEWEST = 2  # steps from the start that a text must have right to be taken for a walk
_STARTS = 50
_MOST_ROOMS = 100_000

Moves = dict[tuple[str, str], str]


def of_state(answer: str, instance: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The first wrong step of a walk, or which single mistake ends in the room that was named.

    Where the response writes the walk down, room after room from the start, the first room that
    is not the right one tells: ``key_swapped`` (where the other key leads), ``key_left_out`` (the
    room after the next), ``no_such_room``, ``another_room``, ``copied`` (the walk is right to its
    end, the answer is another room). Else only the last room is known. Then the kind is
    ``key_swapped`` or ``key_left_out`` if one such mistake ends there, ``several`` if mistakes of
    both kinds do, ``other`` if none does, ``no_such_room``; the step is known if just one mistake
    ends there. ``chance`` says how often a room drawn at random has each kind.

    Args:
        answer: a wrong room.
        instance: ``start``, ``transitions`` and ``keys``.
        text: the response.
    """
    moves = {(move["room"], move["key"]): move["next"] for move in instance["transitions"]}
    keys, other = instance["keys"], _OTHER
    walk = [instance["start"]]
    for key in keys:
        walk.append(moves[walk[-1], key])
    rooms = {room for room, _ in moves}
    if (told := _written(walk, answer, text)) is not None:
        step, room = told
        kind = "another_room"
        if step > len(keys):
            kind, step = "copied", len(keys)
        elif room == moves[walk[step - 1], other[keys[step - 1]]]:
            kind = "key_swapped"
        elif step < len(keys) and room == walk[step + 1]:
            kind = "key_left_out"
        elif room not in rooms:
            kind = "no_such_room"
        return {"kind": kind, "step": step, "of": len(keys)}
    if answer not in rooms:
        return {"kind": "no_such_room", "step": None, "of": len(keys)}
    swapped = [(moves[room, other[key]], step) for step, (room, key) in enumerate(zip(walk, keys))]
    skipped = [(room, step) for step, room in enumerate(walk[:-1])]
    ends = {
        "key_swapped": _ends(swapped, keys, moves),
        "key_left_out": _ends(skipped, keys, moves),
    }
    kinds = Counter(_kind(room, ends) for room in rooms if room != walk[-1])
    kind = _kind(answer, ends)
    step = (ends[kind][answer][0] if kind in ends and len(ends[kind][answer]) == 1 else -1) + 1
    return {
        "kind": kind,
        "step": step or None,
        "of": len(keys),
        "chance": {name: n / max(len(rooms) - 1, 1) for name, n in sorted(kinds.items())},
    }


def _kind(room: str, ends: Mapping[str, Mapping[str, list[int]]]) -> str:
    fitting = [name for name, of in ends.items() if room in of]
    return "other" if not fitting else fitting[0] if len(fitting) == 1 else "several"


def _ends(
    begun: Sequence[tuple[str, int]], keys: Sequence[str], moves: Moves
) -> dict[str, list[int]]:
    """Where walks end that stand in another room after each step, and the steps that lead there.

    Walks that meet go on together, so all of them take little more time than a few.
    """
    there: dict[str, list[int]] = {}
    for step, key in enumerate(keys):
        if step:
            moved: dict[str, list[int]] = {}
            for room, steps in there.items():
                known = moved.setdefault(moves[room, key], [])
                known += steps
            there = moved
        room, number = begun[step]
        there.setdefault(room, []).append(number)
    return there


def _written(walk: Sequence[str], answer: str, text: str) -> tuple[int, str] | None:
    """The first step of a walk in a text that is wrong, and its room; ``None`` if there is no walk.

    The text's rooms, one after the other and each once where it is repeated, are followed from the
    start as long as they are right; the attempt that gets furthest counts. A room after "..." says
    nothing of the steps between, and neither does the answer alone.
    """
    named: list[str] = []
    begins: list[int] = []
    for found in islice(_ROOM.finditer(text), _MOST_ROOMS):
        if not named or named[-1] != found[0]:
            named.append(found[0])
            begins.append(found.start())
    furthest, at = 0, 0
    for place in islice((i for i, room in enumerate(named) if room == walk[0]), _STARTS):
        same = 0
        while same + 1 < len(walk) and place + same + 1 < len(named):
            if named[place + same + 1] != walk[same + 1]:
                break
            same += 1
        if same > furthest:
            furthest, at = same, place + same
    if furthest < _FEWEST:
        return None
    if furthest == len(walk) - 1:
        return len(walk), answer
    after = at + 1
    if after >= len(named) or _LEFT_OUT.search(text, begins[at], begins[after]):
        return None
    if after == len(named) - 1 and named[after] == answer and furthest + 1 < len(walk) - 1:
        return None
    return furthest + 1, named[after]


def of_states(answer: Sequence[str], instance: Mapping[str, Any]) -> dict[str, Any]:
    """Which single mistake gives exactly the rooms that were named.

    Kinds, the first of them that fits: ``too_few`` and ``too_many`` rooms; ``key_swapped`` and
    ``key_left_out`` (one of the keys, at ``step`` if just one gives these rooms),
    ``chances_exchanged`` (of the two next rooms, everywhere), ``no_such_room``, ``unreachable``
    (a room that cannot be reached), ``near`` (the next likeliest room for the last one), ``other``.

    Args:
        answer: rooms that are not the right ones.
        instance: ``start``, ``transitions``, ``keys`` and ``k``.
    """
    chances = _chances(json.dumps(instance, sort_keys=True))
    steps, named = len(instance["keys"]), frozenset(answer)
    found: dict[str, Any] = {"kind": "other", "step": None, "of": steps}
    if len(answer) != instance["k"]:
        return found | {"kind": "too_few" if len(answer) < instance["k"] else "too_many"}
    if fitting := chances.given_by.get(named):
        kind = fitting[0][0]
        of_kind = [step for name, step in fitting if name == kind]
        return found | {"kind": kind, "step": of_kind[0] if len(of_kind) == 1 else None}
    if not named <= chances.weights.keys():
        return found | {"kind": "no_such_room"}
    if any(not chances.weights[room] for room in named):
        return found | {"kind": "unreachable"}
    return found | {"kind": "near"} if named == chances.near else found


@dataclass(frozen=True)
class _Chances:
    """What the rooms of a probabilistic puzzle weigh, rightly and after each mistake.

    Attributes:
        weights: of each room after all keys.
        near: the rooms asked for, the last of them exchanged for the next likeliest.
        given_by: mistakes (kind and step) by the rooms that they give.
    """

    weights: dict[str, int]
    near: frozenset[str]
    given_by: dict[frozenset[str], list[tuple[str, int | None]]]


@lru_cache(maxsize=64)
def _chances(instance: str) -> _Chances:
    """Of an instance as JSON; the languages of one follow each other."""
    chain = _Chain(data := json.loads(instance))
    k, given_by = data["k"], dict[frozenset[str], list[tuple[str, int | None]]]()
    for kind in ("key_swapped", "key_left_out"):
        for at in range(len(data["keys"])):
            given_by.setdefault(chain.likeliest(k, kind, at), []).append((kind, at + 1))
    given_by.setdefault(chain.likeliest(k, "chances_exchanged"), []).append(
        ("chances_exchanged", None)
    )
    last = chain.likeliest(k) - chain.likeliest(k - 1)
    near = chain.likeliest(k + 1) - last
    return _Chances(dict(zip(chain.rooms, chain.after("", 0).tolist())), near, given_by)


class _Chain:
    """Exact weights of rooms after all keys, in tenths to the power of the number of keys."""

    def __init__(self, instance: Mapping[str, Any]) -> None:
        moves = instance["transitions"]
        self.rooms = sorted({move["room"] for move in moves})
        place = {room: i for i, room in enumerate(self.rooms)}
        self._start = place[instance["start"]]
        self._keys: list[str] = instance["keys"]
        self._next: dict[str, Integers] = {}
        for key in ("gold", "silver"):
            table = np.zeros((len(self.rooms), 3), dtype=np.int64)
            for move in moves:
                if move["key"] == key:
                    table[place[move["room"]]] = (
                        place[move["next1"]], place[move["next2"]], int(move["p1"][2:]),
                    )  # fmt: skip
            self._next[key] = table

    def after(self, mistake: str, at: int) -> Integers:
        """The weight of each room after all keys, with one mistake; shape (rooms,)."""
        weight = np.zeros(len(self.rooms), dtype=np.int64)
        weight[self._start] = 1
        for step, key in enumerate(self._keys):
            if step == at and mistake == "key_left_out":
                continue
            swapped = step == at and mistake == "key_swapped"
            used = _OTHER[key] if swapped else key
            first, second, tenths = self._next[used].T
            if mistake == "chances_exchanged":
                first, second = second, first
            moved = np.zeros_like(weight)
            np.add.at(moved, first, tenths * weight)
            np.add.at(moved, second, (10 - tenths) * weight)
            weight = moved
        return weight

    def likeliest(self, k: int, mistake: str = "", at: int = 0) -> frozenset[str]:
        """The k rooms of the greatest weight; of rooms of one weight the first by name."""
        order = np.argsort(-self.after(mistake, at), kind="stable")
        return frozenset(self.rooms[i] for i in order[:k].tolist())
