"""Discrete state automaton: rooms and keys (XLGoBench, section 2.1).

n rooms, two keys in each, so 2n transitions; the next room is uniform over the other rooms. A
sequence of n keys is applied from the start room; the answer is the room reached. Complexity is n.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from xlgo_metric.core import allowed_name

from ...text.document import PLACEHOLDER
from .base import (
    Document,
    Instance,
    Ints,
    Items,
    Json,
    Lines,
    Origin,
    Streams,
    TaskLabels,
    Template,
    Text,
    Values,
    ids,
)

NAME = "dsa"
LABELS = TaskLabels(
    "Discrete state automaton",
    "DSA",
    "Keys lead from room to room. The model follows a sequence of keys and names the last room.",
    "rooms",
)
ANSWER_KEY = "state"
RANGES = {"paper": (32, 2090), "lite": (32, 2090), "smoke": (4, 64), "quick": (4, 64)}
POSSIBLE = (2, 100_000, "rooms, and keys in the sequence")
DISTINCT = 12
LINES = ("transition",)
NAMES = ("room", "gold", "silver")
KEYS = ("gold", "silver")


@dataclass(frozen=True, eq=False)
class Automaton(Instance):
    """Transitions in printed order, arrays of shape (2n,), and the keys to apply, shape (n,).

    Attributes:
        start: code of the first room.
        room: codes of the room that a transition leaves.
        key: 0 gold, 1 silver.
        next: codes of the room that a transition leads to.
        sequence: the keys to apply, 0 gold, 1 silver.
    """

    task: ClassVar[str] = NAME
    start: int
    room: ids.Codes
    key: Ints
    next: ids.Codes
    sequence: Ints

    @property
    def complexity(self) -> int:
        return len(self.sequence)

    @cached_property
    def answer(self) -> Json:
        """The room that the keys lead to; that of a drawn automaton is known from the draw.

        Raises:
            ValueError: a transition is missing.
        """
        # Rooms get small numbers, so that the walk is over a plain list: entry 2 * room + key.
        rooms = self.room[self.key == 0]
        number = np.empty(ids.TOTAL, dtype=np.int32)
        number[self.room] = number[self.next] = number[self.start] = -1
        number[rooms] = np.arange(len(rooms))
        source, target = 2 * number[self.room] + self.key, 2 * number[self.next]
        room = 2 * int(number[self.start])
        if 2 * len(rooms) != len(source) or min(source.min(), target.min(), room) < 0:
            raise ValueError("dsa: every room needs one transition for each of the two keys")
        after = np.empty_like(target)
        after[source] = target
        return {ANSWER_KEY: ids.name(int(rooms[_walk(after, room, self.sequence)]))}

    def content(self) -> dict[str, object]:
        moves = zip(ids.names(self.room), self.key.tolist(), ids.names(self.next))
        return {
            "start": ids.name(self.start),
            "transitions": [{"room": r, "key": KEYS[k], "next": n} for r, k, n in moves],
            "keys": [KEYS[k] for k in self.sequence.tolist()],
        }


def generate(complexity: int, streams: Streams, origin: Origin) -> Automaton:
    n, stream = complexity, streams(0)
    rooms = ids.draw(stream, n)
    # Entry 2 * room + key: a step of 1..n-1 from the room's own position, uniform over the others.
    target = (np.arange(2 * n) >> 1) + 1 + stream.integers(n - 1, 2 * n)
    target[target >= n] -= n
    order = stream.permutation(2 * n)
    start, sequence = stream.integer(n), stream.integers(2, n)
    drawn = Automaton(
        start=int(rooms[start]),
        room=rooms[order >> 1],
        key=(order & 1).astype(np.int32),
        next=rooms[target[order]],
        sequence=sequence.astype(np.int32),
        origin=origin,
    )
    last = _walk(2 * target, 2 * start, sequence)
    drawn.__dict__.update(answer={ANSWER_KEY: ids.name(int(rooms[last]))})
    return drawn


def _walk(after: npt.NDArray[np.integer], room: int, keys: npt.NDArray[np.integer]) -> int:
    """The number of the last room; ``after`` and ``room`` are twice those of rooms."""
    table = after.tolist()
    for key in keys.tolist():
        room = table[room + key]
    return room // 2


def with_rooms(strings: Mapping[str, str], key: str, *names: str) -> str:
    """A string of a language whose placeholders of these names are rooms."""
    rooms = {name: strings["room"].replace("{id}", f"{{{name}}}") for name in names}
    return PLACEHOLDER.sub(lambda match: rooms.get(match[1], match[0]), strings[key])


def template(strings: Mapping[str, str]) -> Template:
    names, rules = [strings[key] for key in KEYS], strings["rules"]
    move, start = (
        with_rooms(strings, "transition", "room", "next"),
        with_rooms(strings, "start", "room"),
    )
    for key in KEYS:
        rules = rules.replace(f"{{{key}}}", strings[key])
    return Template(
        texts={
            "intro": f"{strings['intro']}\n\n{start}\n\n",
            "question": f"\n{strings['question']}\n",
            "rules": f"{strings['question_end']}\n\n{strings['example']}\n\n{rules}",
        },
        lines=[f"- {move}\n".replace("{key}", text) for text in names]
        + [f". {text}\n" for text in names]
        + [f". {text}" for text in names],
        numbers=frozenset({"n"}),
        lists=(range(_KEY), range(_KEY, _LAST_KEY + len(KEYS))),
    )


_MOVE, _KEY, _LAST_KEY = 0, 2, 4


def document(automaton: Automaton) -> Document:
    keys = automaton.sequence + np.int32(_KEY)
    keys[-1] += _LAST_KEY - _KEY
    return (
        Text("intro", ids={"room": automaton.start}),
        Lines({"room": automaton.room, "next": automaton.next}, automaton.key + np.int32(_MOVE)),
        Text("question"),
        Lines(rows=keys, numbered=True),
        Text("rules", {"n": len(keys)}),
    )


def read(intro: Values, moves: Items, _: Values, keys: Items, rules: Values) -> Json:
    if int(rules["n"]) != len(keys):
        raise ValueError(f"dsa: the rules speak of {rules['n']} keys, the list has {len(keys)}")
    return {
        "start": intro["room"],
        "transitions": [{**values, "key": KEYS[row - _MOVE]} for row, values in moves],
        "keys": [KEYS[row % len(KEYS)] for row, _ in keys],
    }


def from_json(data: Json) -> Automaton:
    moves = data["transitions"]
    return Automaton(
        start=ids.code(data["start"]),
        room=ids.codes(move["room"] for move in moves),
        key=key_indices(NAME, [move["key"] for move in moves]),
        next=ids.codes(move["next"] for move in moves),
        sequence=key_indices(NAME, data["keys"]),
    )


def key_indices(task: str, names: list[str]) -> Ints:
    """0 for gold, 1 for silver.

    Raises:
        ValueError: another key.
    """
    keys = [allowed_name(name, "key", KEYS, f"{task}: ") for name in names]
    return np.array([KEYS.index(key) for key in keys], dtype=np.int32)


def structure(instance: Any) -> Any:
    """The rooms in the order in which the keys reach them, and the keys.

    Rooms that no walk from the start reaches are left out, which is on the safe side for keeping
    splits apart. One function serves every automaton.
    """
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
