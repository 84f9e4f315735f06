"""Rooms and keys (dsa): one room."""

from xlgo_metric.core import Reference
from xlgo_metric.families.xlgobench.puzzles.base import (
    Details,
    Puzzle,
    read_room,
)


def compare(answer: str, right: str, reference: Reference) -> tuple[bool, Details]:
    """Whether the room is right; no details."""
    return answer == right, {}


PUZZLE = Puzzle("state", read_room, compare, example="D6881")
