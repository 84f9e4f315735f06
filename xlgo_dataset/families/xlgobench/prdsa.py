"""Probabilistic state automaton (XLGoBench, section 2.1).

n rooms, two keys in each; a key leads to one of two different rooms, to the first with
probability p1 in {.1, .2, .3}, to the second with 1 - p1. Fifteen keys are applied; the answer is
the k = 8 most probable rooms. Complexity is n.

Probabilities are integers over 10^15, so nothing is ever rounded. An instance is drawn again
until its answer is beyond doubt: the 8th room is possible and more probable than the 9th, and no
two of the eight tie. Identifiers are a product of few letters and few numbers, as printed in the
paper's example: rooms look alike.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from xlgo_metric.core import allowed_name

from . import dsa
from .base import (
    Document,
    Instance,
    Ints,
    Items,
    Json,
    Lines,
    Origin,
    Stream,
    Streams,
    TaskLabels,
    Template,
    Text,
    Values,
    ids,
)
from .dsa import KEYS, key_indices

NAME = "prdsa"
LABELS = TaskLabels(
    "Probabilistic state automaton",
    "PrDSA",
    "Each key leads to one of two rooms by chance. The model names the eight rooms in which "
    "the walk ends most probably.",
    "rooms",
)
ANSWER_KEY = "states"
RANGES = {"paper": (9, 61), "lite": (9, 61), "smoke": (9, 25), "quick": (9, 30)}
DISTINCT = 9
LINES = ("transition",)
NAMES = ("room", "gold", "silver", "key_separator")
STEPS = 15
TOP = 8
POSSIBLE = (TOP + 1, 400, "rooms")
_TENTHS = (1, 2, 3)
_SHARES = [(f"0.{p}", f"0.{10 - p}") for p in _TENTHS]
_ATTEMPTS = 10_000
_STEPS_IN_64_BITS = 18
_SAMPLE_NUMBERS = {int(name[1:]) for name in ids.SAMPLES}


@dataclass(frozen=True, eq=False)
class Chain(Instance):
    """Transitions in printed order, arrays of shape (2n,), and the keys to apply.

    Attributes:
        start: code of the first room.
        room: codes of the room that a transition leaves.
        key: 0 gold, 1 silver.
        first: codes of the room that is printed first.
        second: codes of the room that is printed second.
        tenths: probability of the first room in tenths: 1, 2 or 3.
        sequence: the keys to apply, 0 gold, 1 silver.
        k: how many rooms are asked for.
    """

    task: ClassVar[str] = NAME
    start: int
    room: ids.Codes
    key: Ints
    first: ids.Codes
    second: ids.Codes
    tenths: Ints
    sequence: Ints
    k: int = TOP

    @property
    def complexity(self) -> int:
        return len(self.room) // 2

    @cached_property
    def ranked(self) -> tuple[tuple[int, int], ...]:
        """Codes of the rooms with ``distribution``, the likeliest first, ties by code.

        Raises:
            ValueError: a transition is missing.
        """
        rooms, weight = distribution(self)
        order = np.argsort(-weight, kind="stable")
        return tuple(zip(rooms[order].tolist(), weight[order].tolist()))

    @property
    def answer(self) -> Json:
        return {ANSWER_KEY: [ids.name(room) for room, _ in self.ranked[: self.k]]}

    def content(self) -> dict[str, object]:
        names = map(ids.names, (self.room, self.first, self.second))
        moves = zip(*names, self.key.tolist(), self.tenths.tolist())
        return {
            "start": ids.name(self.start),
            "transitions": [
                {"room": r, "key": KEYS[k], "next1": a, "p1": f"0.{p}", "next2": b,
                 "p2": f"0.{10 - p}"}
                for r, a, b, k, p in moves
            ],
            "keys": [KEYS[k] for k in self.sequence.tolist()],
            "k": self.k,
        }  # fmt: skip


def generate(complexity: int, streams: Streams, origin: Origin) -> Chain:
    for attempt in range(_ATTEMPTS):
        chain = _draw(complexity, streams(attempt), origin)
        top = [weight for _, weight in chain.ranked[: TOP + 1]]
        # Two rooms with the same probability at the edge of the list would allow two answers.
        # Ties further up would not change the set, but the list that is logged has one order only.
        if top[TOP - 1] > 0 and len(set(top)) == len(top):
            return chain
    raise ValueError(f"prdsa: no instance of {complexity} rooms with a clear answer was found")


def _draw(n: int, stream: Stream, origin: Origin) -> Chain:
    rooms = _rooms(stream, n)
    source = np.repeat(np.arange(n), 2)
    first = stream.integers(n, 2 * n)
    second = (first + 1 + stream.integers(n - 1, 2 * n)) % n  # uniform over all but the first
    key = np.tile(np.array([0, 1], dtype=np.int32), n)
    tenths = np.array(_TENTHS, dtype=np.int32)[stream.integers(len(_TENTHS), 2 * n)]
    sequence = stream.integers(2, STEPS).astype(np.int32)
    order = stream.permutation(2 * n)
    return Chain(
        start=int(rooms[stream.integer(n)]),
        room=rooms[source[order]],
        key=key[order],
        first=rooms[first[order]],
        second=rooms[second[order]],
        tenths=tenths[order],
        sequence=sequence,
        origin=origin,
    )


def _rooms(stream: Stream, n: int) -> ids.Codes:
    """n identifiers out of a product of about sqrt(n) letters and as many numbers."""
    # As in the paper's printed instance, whose rooms share few letters and few numbers.
    letters = math.isqrt(n - 1) + 1
    numbers = -(-n // letters)
    alphabet = stream.permutation(26, letters)
    allowed = [
        v
        for v in stream.permutation(ids.NUMBERS, numbers + len(ids.SAMPLES)).tolist()
        if v + 1000 not in _SAMPLE_NUMBERS
    ]
    product = (alphabet[:, None] * ids.NUMBERS + np.array(allowed[:numbers])[None, :]).ravel()
    return product[stream.permutation(len(product), n)].astype(np.int32)


def distribution(chain: Chain) -> tuple[ids.Codes, npt.NDArray[Any]]:
    """Where the walk ends after all keys.

    Returns:
        The codes of all rooms, rising, and the probability of each times 10 to the number of keys,
        both of shape (rooms,).

    Raises:
        ValueError: a transition is missing, or stands twice.
    """
    start = np.array([chain.start], dtype=np.int32)
    rooms, position = np.unique(
        np.concatenate([chain.room, chain.first, chain.second, start]), return_inverse=True
    )
    room, first, second = position[:-1].reshape(3, -1)
    steps = len(chain.sequence)
    # Python's own integers, should the probabilities not fit into 64 bits.
    kind = np.int64 if steps <= _STEPS_IN_64_BITS else object
    moves = np.zeros((len(KEYS), len(rooms), len(rooms)), dtype=kind)
    moves[chain.key, room, first] += chain.tenths
    moves[chain.key, room, second] += 10 - chain.tenths
    counts = np.bincount(chain.key * len(rooms) + room, minlength=len(KEYS) * len(rooms))
    if (counts != 1).any():
        raise ValueError("prdsa: every room needs one transition for each of the two keys")
    weight = np.zeros(len(rooms), dtype=kind)
    weight[position[-1]] = 1
    for key in chain.sequence.tolist():
        weight = weight @ moves[key]
    return rooms, weight


def template(strings: Mapping[str, str]) -> Template:
    move = dsa.with_rooms(strings, "transition", "room", "next1", "next2")
    start, names = dsa.with_rooms(strings, "start", "room"), [strings[key] for key in KEYS]
    before, _, after = strings["question"].partition("{keys}")
    rules = strings["rules"].replace("{gold}", names[0]).replace("{silver}", names[1])
    return Template(
        texts={
            "intro": f"{strings['intro']}\n\n{start}\n\n",
            "question": f"\n{before}",
            "rules": f"{after}\n\n{strings['example']}\n\n{rules}",
        },
        lines=[
            f"- {move}\n".replace("{key}", key)
            .replace("{p1}", f"0.{p}")
            .replace("{p2}", f"0.{10 - p}")
            for key in names
            for p in _TENTHS
        ]
        + names
        + [f"{strings['key_separator']}{key}" for key in names],
        numbers=frozenset({"n", "k"}),
        lists=(range(_FIRST_KEY), range(_FIRST_KEY, _KEY + len(KEYS))),
    )


_FIRST_KEY = len(KEYS) * len(_TENTHS)
_KEY = _FIRST_KEY + len(KEYS)


def document(chain: Chain) -> Document:
    keys = chain.sequence + np.int32(_KEY)
    keys[0] += _FIRST_KEY - _KEY
    return (
        Text("intro", ids={"room": chain.start}),
        Lines(
            {"room": chain.room, "next1": chain.first, "next2": chain.second},
            (chain.key * len(_TENTHS) + chain.tenths - 1).astype(np.int32),
        ),
        Text("question"),
        Lines(rows=keys),
        Text("rules", {"n": len(keys), "k": chain.k}),
    )


def read(intro: Values, moves: Items, _: Values, keys: Items, rules: Values) -> Json:
    if int(rules["n"]) != len(keys):
        raise ValueError(f"prdsa: the rules speak of {rules['n']} keys, there are {len(keys)}")
    ways = [{"key": key, "p1": first, "p2": second} for key in KEYS for first, second in _SHARES]
    return {
        "start": intro["room"],
        "transitions": [values | ways[row] for row, values in moves],
        "keys": [KEYS[(row - _KEY) % len(KEYS)] for row, _ in keys],
        "k": rules["k"],
    }


def from_json(data: Json) -> Chain:
    moves = data["transitions"]
    shares = [(move["p1"], move["p2"]) for move in moves]
    for pair in shares:
        allowed_name(pair, "pair p1, p2", _SHARES, "prdsa: ")
    return Chain(
        start=ids.code(data["start"]),
        room=ids.codes(move["room"] for move in moves),
        key=key_indices(NAME, [move["key"] for move in moves]),
        first=ids.codes(move["next1"] for move in moves),
        second=ids.codes(move["next2"] for move in moves),
        tenths=np.array([_SHARES.index(pair) + 1 for pair in shares], dtype=np.int32),
        sequence=key_indices(NAME, data["keys"]),
        k=int(str(data.get("k", TOP))),
    )


structure = dsa.structure
