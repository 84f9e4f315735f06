"""Ratios with goals: benchmarks print them in one form, and ``run.py`` collects them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE = re.compile(r"^ratio: (.+): ([0-9.]+) \((at most|at least) ([0-9.]+)\)$", re.MULTILINE)


@dataclass(frozen=True)
class Ratio:
    """What was measured, and its goal.

    Attributes:
        name: what is divided by what, or what is counted.
        value: the median.
        goal: what it should reach.
        at_most: the goal is an upper limit, not a lower one.
    """

    name: str
    value: float
    goal: float
    at_most: bool

    @property
    def is_short(self) -> bool:
        """Whether it misses its goal."""
        return self.value > self.goal if self.at_most else self.value < self.goal

    @property
    def wanted(self) -> str:
        """The goal in words."""
        return f"at {'most' if self.at_most else 'least'} {self.goal:g}"

    def __str__(self) -> str:
        return f"ratio: {self.name}: {self.value:.3g} ({self.wanted})"


def tell(name: str, value: float, *, most: float | None = None, least: float | None = None) -> None:
    """Print a ratio with its goal: ``most`` or ``least``, whichever is given."""
    goal = most if most is not None else least
    if goal is None:
        raise ValueError(f"{name}: give most or least")
    print(Ratio(name, value, goal, most is not None), flush=True)


def told(text: str) -> list[Ratio]:
    """The ratios in what a benchmark printed."""
    return [
        Ratio(name, float(value), float(goal), limit == "at most")
        for name, value, limit, goal in _LINE.findall(text)
    ]
