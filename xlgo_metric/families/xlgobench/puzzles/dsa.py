"""Rooms and keys (dsa, dsa_perm): one room."""

from __future__ import annotations

from typing import cast

from xlgo_metric.core import Reference
from xlgo_metric.families.xlgobench.puzzles.base import (
    Details,
    FirstError,
    Puzzle,
    Wrong,
    read_room,
)


def compare(answer: str, right: str, reference: Reference) -> tuple[bool, Details]:
    """Whether the room is right; no details."""
    return answer == right, {}


def first_error(wrong: Wrong) -> FirstError | None:
    """Which key was swapped or left out (``faults.rooms.of_state``)."""
    from ..faults.rooms import Rooms, of_state

    instance = wrong.draw()
    return None if instance is None else of_state(wrong.answer, cast(Rooms, instance), wrong.text)


PUZZLE = Puzzle("state", read_room, compare, first_error=first_error, example="D6881")
