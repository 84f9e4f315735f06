"""What the best known shortcut to a puzzle gets, which bounds what a curve may mean.

``floors.json`` holds task, heuristic and pairs of complexity and accuracy, measured by
``benchmarks/floors.py``; docs/puzzles.md says what they mean for reading a curve and a gap.
"""

import json
from functools import lru_cache
from importlib import resources
from typing import NamedTuple, cast

import numpy as np

from xlgo_metric.views import Row

Points = list[list[float]]


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
    return cast("dict[str, dict[str, Points]]", json.loads(text))


def strongest_floor(task: str, complexity: float) -> Floor | None:
    """The strongest shortcut of a task at a complexity; linear between those measured.

    Args:
        task: its name.
        complexity: any; accuracies are not carried on beyond the complexities measured.

    Returns:
        The heuristic with the highest accuracy there; ``None`` where nothing was measured.
    """
    result = [
        Floor(name, float(np.interp(complexity, *np.transpose(points))))
        for name, points in measured().get(task, {}).items()
        if points[0][0] <= complexity <= points[-1][0]
    ]
    return max(result, key=lambda floor: floor.accuracy, default=None)


def floor_points(task: str, low: float | None, high: float | None) -> list[Row]:
    """The strongest shortcut at both ends of a range and at every complexity measured in it.

    Returns:
        ``{"complexity", "accuracy", "heuristic"}`` each, complexities rising; none for a task
        without floors or without complexities.
    """
    if low is None or high is None:
        return []
    sizes = {c for points in measured().get(task, {}).values() for c, _ in points}
    return [
        {"complexity": c, "accuracy": floor.accuracy, "heuristic": floor.heuristic}
        for c in map(float, sorted({low, high, *(c for c in sizes if low < c < high)}))
        if (floor := strongest_floor(task, c)) is not None
    ]
