"""Rooms and keys (dsa, dsa_perm): one room."""

from __future__ import annotations

from typing import Any

from ..values import read_room
from .base import Puzzle, Wrong


def compare(answer: str, right: str, reference: dict[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Whether the room is right; no details."""
    return answer == right, {}


def first_error(wrong: Wrong) -> dict[str, Any] | None:
    """Which key was taken for the other, or left out (``faults.rooms.of_state``)."""
    from ..faults.rooms import of_state

    instance = wrong.draw()
    return None if instance is None else of_state(wrong.answer, instance, wrong.text)


PUZZLE = Puzzle("state", read_room, compare, first_error=first_error, example="D6881")
