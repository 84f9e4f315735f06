"""The gap between fitted curves of accuracy against complexity, where the answers identify them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from xlgo_metric.comparison.sides import levels
from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.fitting import diagnose
from xlgo_metric.statistics.gaps import Draws, cell_stream, curve_draws, gap

if TYPE_CHECKING:
    import pandas as pd

FEWEST_LEVELS = 3
"""A curve of two parameters meets any two levels."""


@dataclass(frozen=True)
class Curve:
    """The largest gap between two fitted curves (XLGoBench, equations 2 and 3).

    Attributes:
        smd, smd_sd: signed max divergence, positive where the other is behind, and its standard
            deviation over Beta draws; fractions.
        c_star: the complexity at which it lies.
    """

    smd: float
    smd_sd: float
    c_star: float


def curve(where: Mapping[str, str], sides: Mapping[str, pd.DataFrame]) -> Curve | None:
    """The gap of two sides over the range that both were asked; ``None`` if not identified."""
    counted = [levels(side) for side in sides.values()]
    if any(len(c) < FEWEST_LEVELS for c, _, _ in counted):
        return None
    if not all(diagnose(c, k / n, n.astype(np.float64))[0] for c, k, n in counted):
        return None
    low, high = max(c.min() for c, _, _ in counted), min(c.max() for c, _, _ in counted)
    if low >= high:
        return None
    base, other = (_draws(where.get("task", ""), name, side) for name, side in zip(sides, counted))
    found = gap(base, other, float(low), float(high), whole=True)
    return Curve(found.smd.value, found.smd.sd, found.c_star.value)


def _draws(task: str, name: str, counted: tuple[Floats, Integers, Integers]) -> Draws:
    return curve_draws(*counted, stream=cell_stream(task, name))
