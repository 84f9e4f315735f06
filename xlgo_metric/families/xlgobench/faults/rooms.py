"""Rooms and keys (dsa, dsa_perm, prdsa): which key was swapped or left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypedDict

import numpy as np

from xlgo_metric.families.xlgobench.faults.once import once_an_instance
from xlgo_metric.families.xlgobench.puzzles.base import FirstError
from xlgo_metric.statistics.draws import Integers

_ROOM = re.compile(r"(?<![A-Za-z0-9])[A-Z][0-9]{4}(?![A-Za-z0-9])")
_LEFT_OUT = re.compile(r"\.\.\.|…")
_OTHER = {"gold": "silver", "silver": "gold"}


class Move(TypedDict, total=False):
    """Where a key leads from a room; with chances to the first or to the second of two rooms."""

    room: str
    key: str
    next: str
    next1: str
    next2: str
    p1: str


class Rooms(TypedDict):
    """A puzzle of rooms in its JSON form; ``k`` rooms are asked for where moves have chances."""

    start: str
    keys: list[str]
    transitions: list[Move]
    k: int


_FEWEST = 2  # steps from the start that a text must have right to be taken for a walk
_STARTS = 50
_MOST_ROOMS = 100_000


def of_state(answer: str, instance: Rooms, text: str) -> FirstError:
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
    walks = _walks(instance)
    walk, keys, rooms = walks.walk, instance["keys"], walks.rooms
    if (written := _written(walk, answer, text)) is not None:
        step, room = written
        kind = "another_room"
        if step > len(keys):
            kind, step = "copied", len(keys)
        elif room == walks.swapped[step - 1]:
            kind = "key_swapped"
        elif step < len(keys) and room == walk[step + 1]:
            kind = "key_left_out"
        elif room not in rooms:
            kind = "no_such_room"
        return {"kind": kind, "step": step, "of": len(keys)}
    if answer not in rooms:
        return {"kind": "no_such_room", "step": None, "of": len(keys)}
    kind = _kind(answer, walks.ends)
    steps = walks.ends.get(kind, {}).get(answer, [])
    return {
        "kind": kind,
        "step": steps[0] if len(steps) == 1 else None,
        "of": len(keys),
        "chance": dict(walks.chance),
    }


def _kind(room: str, ends: Mapping[str, Mapping[str, list[int]]]) -> str:
    fitting = [name for name, of in ends.items() if room in of]
    return "other" if not fitting else fitting[0] if len(fitting) == 1 else "several"


@dataclass(frozen=True)
class _Walks:
    """The right walk of a puzzle, and where it ends after each single mistake.

    Attributes:
        walk: rooms from the start, one more than there are keys.
        rooms: all of them.
        swapped: the room to which the other key leads at each step.
        ends: by kind of mistake, the steps (from 1) by the room in which the walk then ends.
        chance: the share of wrong rooms that have each kind.
    """

    walk: list[str]
    rooms: frozenset[str]
    swapped: list[str]
    ends: dict[str, dict[str, list[int]]]
    chance: dict[str, float]


@once_an_instance
def _walks(instance: Rooms) -> _Walks:
    keys, moves = instance["keys"], instance["transitions"]
    rooms = sorted({move["room"] for move in moves})
    place = {room: i for i, room in enumerate(rooms)}
    leads = {key: np.zeros(len(rooms), dtype=np.int64) for key in _OTHER}
    for move in moves:
        leads[move["key"]][place[move["room"]]] = place[move["next"]]
    walk = [place[instance["start"]]]
    for key in keys:
        walk.append(int(leads[key][walk[-1]]))
    swapped = [int(leads[_OTHER[key]][room]) for room, key in zip(walk, keys)]
    # One pass backwards: ``end[room]`` is where the keys behind this step lead from each room, so
    # that every mistake costs one look.
    end = np.arange(len(rooms))
    ends: dict[str, dict[str, list[int]]] = {"key_swapped": {}, "key_left_out": {}}
    for step in range(len(keys), 0, -1):
        for kind, room in (("key_swapped", swapped[step - 1]), ("key_left_out", walk[step - 1])):
            ends[kind].setdefault(rooms[end[room]], []).append(step)
        end = end[leads[keys[step - 1]]]
    kinds = Counter(_kind(room, ends) for room in rooms if room != rooms[walk[-1]])
    return _Walks(
        [rooms[room] for room in walk],
        frozenset(rooms),
        [rooms[room] for room in swapped],
        ends,
        {name: n / max(len(rooms) - 1, 1) for name, n in sorted(kinds.items())},
    )


def _written(walk: Sequence[str], answer: str, text: str) -> tuple[int, str] | None:
    """The first step of a walk in a text that is wrong, and its room; ``None`` if there is no walk.

    The text's rooms, one after the other and each once where it is repeated, are followed from the
    start as long as they are right; the attempt that gets furthest counts. A room after "..." says
    nothing of the steps between, and neither does the answer alone.
    """
    rooms: list[str] = []
    starts: list[int] = []
    for match in islice(_ROOM.finditer(text), _MOST_ROOMS):
        if not rooms or rooms[-1] != match[0]:
            rooms.append(match[0])
            starts.append(match.start())
    furthest, at = 0, 0
    # A response may name the first room again and again, to begin again or in passing: each place
    # may be where its walk begins, and the longest right beginning is taken.
    for place in islice((i for i, room in enumerate(rooms) if room == walk[0]), _STARTS):
        same = 0
        while same + 1 < len(walk) and place + same + 1 < len(rooms):
            if rooms[place + same + 1] != walk[same + 1]:
                break
            same += 1
        if same > furthest:
            furthest, at = same, place + same
    if furthest < _FEWEST:
        return None
    if furthest == len(walk) - 1:
        return len(walk), answer
    after = at + 1
    if after >= len(rooms) or _LEFT_OUT.search(text, starts[at], starts[after]):
        return None
    if after == len(rooms) - 1 and rooms[after] == answer and furthest + 1 < len(walk) - 1:
        return None
    return furthest + 1, rooms[after]


def of_states(answer: Sequence[str], instance: Rooms) -> FirstError:
    """Which single mistake gives exactly the rooms that were named.

    Kinds, the first of them that fits: ``too_few`` and ``too_many`` rooms; ``key_swapped`` and
    ``key_left_out`` (one of the keys, at ``step`` if just one gives these rooms),
    ``chances_exchanged`` (of the two next rooms, everywhere), ``no_such_room``, ``unreachable``
    (a room that cannot be reached), ``near`` (the next likeliest room for the last one), ``other``.

    Args:
        answer: rooms that are not the right ones.
        instance: ``start``, ``transitions``, ``keys`` and ``k``.
    """
    chances = _chances(instance)
    steps, named = len(instance["keys"]), frozenset(answer)
    unknown: FirstError = {"kind": "other", "step": None, "of": steps}
    if len(answer) != instance["k"]:
        return {**unknown, "kind": "too_few" if len(answer) < instance["k"] else "too_many"}
    if fitting := chances.given_by.get(named):
        kind = fitting[0][0]
        of_kind = [step for name, step in fitting if name == kind]
        return {**unknown, "kind": kind, "step": of_kind[0] if len(of_kind) == 1 else None}
    if not named <= chances.weights.keys():
        return {**unknown, "kind": "no_such_room"}
    if any(not chances.weights[room] for room in named):
        return {**unknown, "kind": "unreachable"}
    return {**unknown, "kind": "near"} if named == chances.near else unknown


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


@once_an_instance
def _chances(instance: Rooms) -> _Chances:
    chain = _Chain(instance)
    k, given_by = instance["k"], dict[frozenset[str], list[tuple[str, int | None]]]()
    for kind in ("key_swapped", "key_left_out"):
        for at in range(len(instance["keys"])):
            given_by.setdefault(chain.likeliest(k, kind, at), []).append((kind, at + 1))
    given_by.setdefault(chain.likeliest(k, "chances_exchanged"), []).append(
        ("chances_exchanged", None)
    )
    last = chain.likeliest(k) - chain.likeliest(k - 1)
    near = chain.likeliest(k + 1) - last
    return _Chances(dict(zip(chain.rooms, chain.after("", 0).tolist())), near, given_by)


class _Chain:
    """Exact weights of rooms after all keys, in tenths to the power of the number of keys."""

    def __init__(self, instance: Rooms) -> None:
        moves = instance["transitions"]
        self.rooms = sorted({move["room"] for move in moves})
        place = {room: i for i, room in enumerate(self.rooms)}
        self._start = place[instance["start"]]
        self._keys: list[str] = instance["keys"]
        size = len(self.rooms)
        # The chances of every move in tenths, shape (rooms, rooms), and with both exchanged.
        self._moves = {key: np.zeros((size, size), dtype=np.int64) for key in _OTHER}
        self._exchanged = {key: np.zeros((size, size), dtype=np.int64) for key in _OTHER}
        for move in moves:
            tenths = int(move["p1"][2:])
            at, first, second = (place[move[name]] for name in ("room", "next1", "next2"))
            for table, chance in ((self._moves, tenths), (self._exchanged, 10 - tenths)):
                table[move["key"]][at] = 0
                table[move["key"]][at, first] = chance
                table[move["key"]][at, second] += 10 - chance

    def after(self, mistake: str, at: int) -> Integers:
        """The weight of each room after all keys, with one mistake; shape (rooms,)."""
        weight = np.zeros(len(self.rooms), dtype=np.int64)
        weight[self._start] = 1
        moves = self._exchanged if mistake == "chances_exchanged" else self._moves
        for step, key in enumerate(self._keys):
            if step == at and mistake == "key_left_out":
                continue
            swapped = step == at and mistake == "key_swapped"
            weight = weight @ moves[_OTHER[key] if swapped else key]
        return weight

    def likeliest(self, k: int, mistake: str = "", at: int = 0) -> frozenset[str]:
        """The k rooms of the greatest weight; of rooms of one weight the first by name."""
        order = np.argsort(-self.after(mistake, at), kind="stable")
        return frozenset(self.rooms[i] for i in order[:k].tolist())
