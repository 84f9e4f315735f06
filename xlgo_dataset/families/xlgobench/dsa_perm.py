"""The automaton of dsa in which no error heals: each key permutes the rooms.

In dsa several rooms lead to the same one, so walks from different rooms merge: who has lost the
place is often right in the end (docs/puzzles.md). Here the rooms that one key leads to are a
permutation of the rooms without a fixed point, so two walks over the same keys never meet, and
only the true place leads to the answer. Text, answer and complexity are those of dsa.

It stands beside the puzzles of the paper; it is not one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ...core import ids
from ...core.instance import Origin
from ...core.rng import Stream
from ...declared import TaskLabels
from ...text.scanner import Scanner
from . import dsa
from .base import Streams
from .dsa import Automaton

NAME = "dsa_perm"
LABELS = TaskLabels(
    "Discrete state automaton without healing",
    "DSA-perm",
    "The automaton of DSA with keys that permute the rooms: who has lost the place never comes "
    "back to it.",
    "rooms",
)
ANSWER_KEY = dsa.ANSWER_KEY
RANGES = dsa.RANGES
POSSIBLE = dsa.POSSIBLE
DISTINCT = 12
LINES, NAMES = dsa.LINES, dsa.NAMES
STRINGS = dsa.NAME
"""Whose strings its prompts are made of."""


class PermutedAutomaton(Automaton):
    """An automaton whose keys permute the rooms; fields as in ``Automaton``."""

    task: ClassVar[str] = NAME


def generate(complexity: int, streams: Streams, origin: Origin) -> PermutedAutomaton:
    n, stream = complexity, streams(0)
    rooms = ids.draw(stream, n)
    room = np.concatenate([rooms, rooms])
    following = np.concatenate([rooms[_derangement(stream, n)], rooms[_derangement(stream, n)]])
    key = np.repeat(np.array([0, 1], dtype=np.int32), n)
    order = stream.permutation(2 * n)
    return PermutedAutomaton(
        start=int(rooms[stream.integer(n)]),
        room=room[order],
        key=key[order],
        next=following[order],
        sequence=stream.integers(2, n).astype(np.int32),
        origin=origin,
    )


def _derangement(stream: Stream, n: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """A permutation of 0..n-1 without a fixed point, uniform; shape (n,).

    A permutation has none with a chance of about 1/e, so three draws are needed on average.
    """
    stay = np.arange(n)
    while True:
        drawn = stream.permutation(n)
        if not (drawn == stay).any():
            return drawn


def read(scanner: Scanner) -> PermutedAutomaton:
    return _permuted(dsa.read(scanner))


def from_json(data: Mapping[str, object]) -> PermutedAutomaton:
    return _permuted(dsa.from_json(data))


def _permuted(found: Automaton) -> PermutedAutomaton:
    """The same automaton as one of this puzzle.

    Raises:
        ValueError: a key leads from two rooms into one.
    """
    for key in (0, 1):
        rooms = found.next[found.key == key]
        if len(np.unique(rooms)) != len(rooms):
            raise ValueError(f"{NAME}: the {dsa.KEYS[key]} key leads from two rooms into one")
    return PermutedAutomaton(found.start, found.room, found.key, found.next, found.sequence)


# All else is that of dsa.
solve, template, document = dsa.solve, dsa.template, dsa.document
structure = dsa.structure
