"""Floors: what the best known shortcut to a puzzle gets, by complexity.

``floors.json`` holds task, heuristic and pairs of complexity and accuracy, measured by
``benchmarks/floors.py``; docs/floors.md says what they mean for reading a curve and a gap.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

Points = list[tuple[float, float]]


class Floor(NamedTuple):
    """The strongest shortcut at a complexity.

    Attributes:
        heuristic: its name.
        accuracy: a fraction.
    """

    heuristic: str
    accuracy: float


@lru_cache(maxsize=1)
def measured() -> dict[str, dict[str, Points]]:
    """Complexity and accuracy of every heuristic of every task, complexities rising."""
    text = resources.files(__package__).joinpath("floors.json").read_text("utf-8")
    found: dict[str, dict[str, list[list[float]]]] = json.loads(text)
    return {
        task: {name: [(c, accuracy) for c, accuracy in points] for name, points in named.items()}
        for task, named in found.items()
    }


def strongest_floor(task: str, complexity: float) -> Floor | None:
    """The strongest shortcut of a task at a complexity; linear between those measured.

    Args:
        task: its name.
        complexity: any; accuracies are not carried on beyond the complexities measured.

    Returns:
        The heuristic with the highest accuracy there; ``None`` where nothing was measured.
    """
    found = [
        Floor(name, accuracy)
        for name, points in measured().get(task, {}).items()
        if (accuracy := _between(points, complexity)) is not None
    ]
    return max(found, key=lambda floor: floor.accuracy, default=None)


def points(task: str, low: float | None, high: float | None) -> list[dict[str, object]]:
    """The strongest shortcut at both ends of a range and at every complexity measured in it.

    Returns:
        ``{"complexity", "accuracy", "heuristic"}`` each, complexities rising; none for a task
        without floors or without complexities.
    """
    if low is None or high is None:
        return []
    sizes = {c for named in measured().get(task, {}).values() for c, _ in named}
    wanted = sorted({low, high, *(c for c in sizes if low < c < high)})
    found = ((float(c), strongest_floor(task, float(c))) for c in wanted)
    return [
        {"complexity": c, "accuracy": floor.accuracy, "heuristic": floor.heuristic}
        for c, floor in found
        if floor is not None
    ]


def _between(known: Points, complexity: float) -> float | None:
    for (c, accuracy), (after, next_accuracy) in pairwise(known):
        if c <= complexity <= after:
            return accuracy + (next_accuracy - accuracy) * (complexity - c) / (after - c)
    return None
