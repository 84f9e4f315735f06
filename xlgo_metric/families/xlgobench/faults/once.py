"""Cache of what depends on the puzzle alone, not on language or answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

_KEPT = 8

Puzzle = TypeVar("Puzzle")
Found = TypeVar("Found")


def once_an_instance(
    function: Callable[[Puzzle], Found],
) -> Callable[[Puzzle], Found]:
    """The function, with its results for the last few puzzles kept.

    Puzzles are distinguished as objects: a large one takes longer to compare than to look up. The
    object is kept beside its result, so that no other can be taken for it; it must not be changed.
    """
    kept: deque[tuple[Puzzle, Found]] = deque(maxlen=_KEPT)

    @wraps(function)
    def found(instance: Puzzle) -> Found:
        for known, result in kept:
            if known is instance:
                return result
        result = function(instance)
        kept.append((instance, result))
        return result

    return found
