"""The structure of a puzzle: what is left of it without names and without the order of its lines.

Two puzzles of one structure are the same exercise: who has seen the answer of one knows that of the
other up to renaming. Splits share no instance, but small puzzles are few, so structures recur.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from .dsa import KEYS
from .instances import solve

_ROUNDS = 16
"""Of colour refinement: more than the longest shortest path of a usual network."""


def structure(instance: Any) -> str:
    """A name of the structure, 64 hexadecimal digits.

    Puzzles that are equal up to renaming have the same one. Different ones have different names,
    with two exceptions, both on the safe side for keeping splits apart: rooms that no walk from the
    start reaches are left out, and networks of friends that colour refinement (the
    Weisfeiler-Lehman test with source and target marked) cannot tell apart count as one.
    """
    task = "dsa" if instance.task == "dsa_perm" else instance.task
    form = json.dumps([task, instance.complexity, _FORMS[task](instance)], separators=(",", ":"))
    return hashlib.sha256(form.encode()).hexdigest()


def _ledger(instance: Any) -> Any:
    data = instance.to_json()
    after = {line["prev"]: line for line in data["transactions"]}
    place, steps = data["start"], []
    for _ in after:
        line = after[place]
        steps.append((line["a"], line["b"]))
        place = line["cur"]
    return [data["capital"], steps]


def _walks(instance: Any) -> Any:
    """The rooms in the order in which the keys reach them, and the keys."""
    data = instance.to_json()
    moves = {(line["room"], line["key"]): line for line in data["transitions"]}
    number = {data["start"]: 0}
    rooms, table = deque([data["start"]]), []
    while rooms:
        room = rooms.popleft()
        for key in KEYS:
            line = moves[room, key]
            ways = [line[name] for name in ("next", "next1", "next2") if name in line]
            for way in ways:
                if way not in number:
                    number[way] = len(number)
                    rooms.append(way)
            table.append([*(number[way] for way in ways), line.get("p1")])
    return [table, data["keys"]]


def _network(instance: Any) -> Any:
    """The colours of the people after refinement, sorted."""
    data = instance.to_json()
    friends: dict[str, list[str]] = {}
    for a, b, *_ in data["edges"]:
        friends.setdefault(a, []).append(b)
        friends.setdefault(b, []).append(a)
    colour = dict.fromkeys(friends, "")
    colour |= {data["source"]: "source", data["target"]: "target"}
    for _ in range(_ROUNDS):
        colour = {
            name: hashlib.sha256(
                repr((colour[name], sorted(colour[friend] for friend in around))).encode()
            ).hexdigest()
            for name, around in friends.items()
        }
    return sorted(colour.values())


def _tournament(instance: Any) -> Any:
    """Who beat whom by place: the ranking is the only one, so it names the players."""
    (ranking,) = solve(instance).values()
    place = {name: i for i, name in enumerate(ranking)}
    return sorted((place[a], place[b]) for a, b in instance.to_json()["matches"])


_FORMS: Mapping[str, Callable[[Any], Any]] = {
    "slt": _ledger,
    "dsa": _walks,
    "prdsa": _walks,
    "graph_sp": _network,
    "t_rank": _tournament,
}
