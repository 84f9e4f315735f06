"""Rooms and keys (dsa): one room."""

from xlgo_metric.families.xlgobench.puzzles.base import Puzzle, read_room

PUZZLE = Puzzle(
    "state", read_room, lambda answer, right, reference: (answer == right, {}), example="D6881"
)
