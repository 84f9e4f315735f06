"""Charts of accuracy against complexity, for the page.

Every chart can be read without scripts: each level is a column with a ``<title>``, which browsers
show when the pointer rests on it; the script of the page only shows the same text sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from ...display import svg
from ...display.formats import percent
from ...display.svg import Scale
from ..gap_marks import Band

_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 10, 10, 36


@dataclass(frozen=True)
class Series:
    """One curve.

    Attributes:
        name: as the reader sees it.
        colour: from 0 to ``gap_marks.COLOURS - 1``.
        points: complexity, correct answers and answers of each level.
        band: ``complexity``, ``mean``, ``low``, ``high`` of the fitted curve; ``None`` without one.
        key: what the legend of the page calls it.
    """

    name: str
    colour: int
    points: tuple[tuple[float, int, int], ...]
    band: Band | None
    key: str = ""


@dataclass(frozen=True)
class Gap:
    """The place where two curves lie furthest apart; accuracies are fractions."""

    complexity: float
    upper: float
    lower: float
    label: str


def chart(
    series: Sequence[Series],
    *,
    unit: str,
    width: int,
    height: int,
    bands: bool = True,
    points: bool = True,
    gap: Gap | None = None,
    floor: Sequence[tuple[float, float]] = (),
) -> Markup:
    """One chart. The last series is drawn on top.

    Args:
        series: the curves.
        unit: what complexity counts, such as "rooms".
        width, height: in pixels.
        bands: draw the 95% bands; they crowd a chart of many curves.
        points: draw the accuracy of every level.
        gap: a distance to mark.
        floor: complexity and accuracy of what a shortcut gets (docs/puzzles.md).
    """
    x, y = scales(series, width, height)
    parts = svg.shares(y, x.start, x.end)
    parts += svg.axis(x, y.start, height, unit, 6 if width > 500 else 4)
    if floor:
        parts.append(svg.line([(x(c), y(accuracy)) for c, accuracy in floor], "floor"))
    if bands:
        parts += [_band(one, x, y) for one in series if one.band]
    parts += [_line(one, x, y) for one in series if one.band]
    if points:
        parts += [_points(one, x, y) for one in series]
    if gap:
        parts += _gap(gap, x, y)
    told = [(level, _told(series, level, unit)) for level in _levels(series)]
    parts.append(svg.columns(x, y.end, y.start, told))
    return svg.picture(width, height, _label(series, unit), parts)


def scales(series: Sequence[Series], width: int, height: int) -> tuple[Scale, Scale]:
    """Complexity from left to right, with a little room at both ends, and accuracy upwards."""
    levels = _levels(series) or [0.0, 1.0]
    room = 0.03 * (levels[-1] - levels[0]) or 1.0
    x = Scale(levels[0] - room, levels[-1] + room, _LEFT, width - _RIGHT)
    return x, Scale(0.0, 1.0, height - _BOTTOM, _TOP, clipped=True)


def _levels(series: Sequence[Series]) -> list[float]:
    return sorted({point[0] for one in series for point in one.points})


def _told(series: Sequence[Series], complexity: float, unit: str) -> str:
    """What the chart shows at one level, a line for each curve."""
    found = (describe(one, complexity) for one in series)
    return "\n".join([f"{complexity:g} {unit}", *filter(None, found)])


def describe(one: Series, complexity: float) -> str | None:
    """A line of text on one level of a series; ``None`` where it has no answers there."""
    found = next((point for point in one.points if point[0] == complexity and point[2]), None)
    if found is None:
        return None
    _, right, n = found
    text = f"{one.name}: {right} of {n} right ({percent(right / n)})"
    if one.band:
        band = one.band
        mean, low, high = (
            float(np.interp(complexity, band["complexity"], values))
            for values in (band["mean"], band["low"], band["high"])
        )
        text += f", curve {percent(mean)} ({percent(low)} to {percent(high)})"
    return text


def _band(one: Series, x: Scale, y: Scale) -> Markup:
    band = one.band
    assert band is not None
    there = [(x(c), y(v)) for c, v in zip(band["complexity"], band["high"])]
    back = [(x(c), y(v)) for c, v in zip(band["complexity"], band["low"])]
    return svg.area(there + back[::-1], f"band k{one.colour}", data_key=one.key)


def _line(one: Series, x: Scale, y: Scale) -> Markup:
    band = one.band
    assert band is not None
    points = [(x(c), y(v)) for c, v in zip(band["complexity"], band["mean"])]
    return svg.line(points, f"line k{one.colour}", data_key=one.key)


def _points(one: Series, x: Scale, y: Scale) -> Markup:
    dots = [
        svg.element("circle", cx=x(c), cy=y(right / n), r=2.6) for c, right, n in one.points if n
    ]
    return svg.element("g", *dots, kind=f"dots k{one.colour}", data_key=one.key)


def _gap(gap: Gap, x: Scale, y: Scale) -> list[Markup]:
    """A bracket at the place of a gap, and its size beside it."""
    at, upper, lower = x(gap.complexity), y(gap.upper), y(gap.lower)
    left = at > 0.65 * (x.end + _RIGHT)
    bracket = f"M{at - 3:g} {upper:g}h6m-3 0V{lower:g}m-3 0h6"
    beside, anchor = (at - 8, "end") if left else (at + 8, "start")
    return [
        svg.element("path", kind="gap", d=bracket),
        svg.words(gap.label, beside, max(upper + 3, 14), anchor, "gaplabel"),
    ]


def _label(series: Sequence[Series], unit: str) -> str:
    """The chart in one sentence per curve, for those who do not see it."""
    told = [f"Accuracy against the number of {unit}."]
    for one in reversed(series):
        rated = [(c, right / n) for c, right, n in one.points if n]
        if rated:
            (first, start), (last, end) = rated[0], rated[-1]
            told.append(f"{one.name}: {percent(start)} at {first:g}, {percent(end)} at {last:g}.")
    return " ".join(told)
