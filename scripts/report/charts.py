"""Charts of accuracy against complexity as inline SVG, coloured by the style sheet of the page.

Every chart can be read without scripts: each level is a column with a ``<title>``, which browsers
show when the pointer rests on it; the script of the page only shows the same text sooner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from markupsafe import Markup

COLOURS = 7
"""Colours of the style sheet: 0 is for English (or for a lone curve), the others take turns."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 10, 10, 36
_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Series:
    """One curve.

    Attributes:
        name: as the reader sees it.
        colour: from 0 to ``COLOURS - 1``.
        points: complexity, right answers and answers of each level.
        band: ``complexity``, ``mean``, ``low``, ``high`` of the fitted curve; ``None`` without one.
        key: what the legend of the page calls it.
    """

    name: str
    colour: int
    points: tuple[tuple[float, int, int], ...]
    band: dict[str, list[float]] | None
    key: str = ""


@dataclass(frozen=True)
class Gap:
    """The place where two curves lie furthest apart; accuracies are fractions."""

    complexity: float
    upper: float
    lower: float
    label: str


@dataclass(frozen=True)
class Frame:
    """The drawing area: its size in pixels and the complexities from edge to edge."""

    width: int
    height: int
    low: float
    high: float

    def x(self, complexity: float) -> float:
        """Pixels from the left."""
        span = max(self.high - self.low, 1e-9)
        inner = self.width - _LEFT - _RIGHT
        return round(_LEFT + inner * (complexity - self.low) / span, 1)

    def y(self, accuracy: float) -> float:
        """Pixels from the top."""
        inner = self.height - _TOP - _BOTTOM
        return round(_TOP + inner * (1 - min(max(accuracy, 0.0), 1.0)), 1)


def frame(series: Iterable[Series], width: int, height: int) -> Frame:
    """A frame that holds every level of the series, with a little room at both ends."""
    levels = [point[0] for one in series for point in one.points] or [0.0, 1.0]
    low, high = min(levels), max(levels)
    room = 0.03 * (high - low) or 1.0
    return Frame(width, height, low - room, high + room)


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
        bands: draw the 95% bands; they crowd a chart of many curves.
        points: draw the accuracy of every level.
        gap: a distance to mark.
        floor: complexity and accuracy of what a shortcut gets (docs/floors.md).
    """
    area = frame(series, width, height)
    parts = [_axes(area, unit)]
    if floor:
        parts.append(_floor(floor, area))
    if bands:
        parts += [_band(one, area) for one in series if one.band]
    parts += [_line(one, area) for one in series if one.band]
    if points:
        parts += [_points(one, area) for one in series]
    if gap:
        parts.append(_gap(gap, area))
    parts.append(_columns(series, area, unit))
    return Markup(
        '<svg class="chart" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">{body}</svg>'
    ).format(w=width, h=height, label=_label(series, unit), body=Markup("").join(parts))


def ticks(low: float, high: float, most: int) -> list[float]:
    """At most ``most`` round numbers between ``low`` and ``high``."""
    span = high - low
    magnitude = 10.0 ** np.floor(np.log10(span / most))
    step = next(s * magnitude for s in _STEPS if span / (s * magnitude) <= most)
    return [float(t) for t in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step]


def describe(one: Series, complexity: float) -> str | None:
    """A line of text on one level of a series; ``None`` where it has no answers there."""
    found = next((point for point in one.points if point[0] == complexity and point[2]), None)
    if found is None:
        return None
    _, right, n = found
    text = f"{one.name}: {right} of {n} right ({_percent(right / n)})"
    if one.band:
        mean, low, high = (
            float(np.interp(complexity, one.band["complexity"], one.band[key]))
            for key in ("mean", "low", "high")
        )
        text += f", curve {_percent(mean)} ({_percent(low)} to {_percent(high)})"
    return text


def _axes(area: Frame, unit: str) -> Markup:
    parts = []
    left, right = area.x(area.low), area.x(area.high)
    for accuracy in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = area.y(accuracy)
        kind = "grid base" if accuracy == 0 else "grid"
        parts.append(Markup('<path class="{}" d="M{} {}H{}"/>').format(kind, left, y, right))
        if accuracy * 4 % 2 == 0:
            parts.append(
                Markup('<text class="tick" x="{}" y="{}" text-anchor="end">{}%</text>').format(
                    left - 6, y + 4, round(100 * accuracy)
                )
            )
    for tick in ticks(area.low, area.high, 6 if area.width > 500 else 4):
        x, bottom = area.x(tick), area.y(0)
        parts.append(
            Markup(
                '<path class="grid base" d="M{x} {y0}v4"/>'
                '<text class="tick" x="{x}" y="{y1}" text-anchor="middle">{text}</text>'
            ).format(x=x, y0=bottom, y1=bottom + 17, text=f"{tick:g}")
        )
    parts.append(
        Markup('<text class="tick" x="{}" y="{}" text-anchor="end">{} →</text>').format(
            right, area.height - 4, unit
        )
    )
    return Markup("").join(parts)


def _band(one: Series, area: Frame) -> Markup:
    band = one.band or {}
    there = [(area.x(c), area.y(v)) for c, v in zip(band["complexity"], band["high"])]
    back = [(area.x(c), area.y(v)) for c, v in zip(band["complexity"], band["low"])]
    return Markup('<path class="band k{}" data-key="{}" d="{}Z"/>').format(
        one.colour, one.key, _path(there + back[::-1])
    )


def _line(one: Series, area: Frame) -> Markup:
    band = one.band or {}
    path = _path([(area.x(c), area.y(v)) for c, v in zip(band["complexity"], band["mean"])])
    return Markup('<path class="line k{}" data-key="{}" d="{}"/>').format(one.colour, one.key, path)


def _floor(floor: Sequence[tuple[float, float]], area: Frame) -> Markup:
    path = _path([(area.x(c), area.y(accuracy)) for c, accuracy in floor])
    return Markup('<path class="floor" d="{}"/>').format(path)


def _points(one: Series, area: Frame) -> Markup:
    dots = Markup("").join(
        Markup('<circle cx="{}" cy="{}" r="2.6"/>').format(area.x(c), area.y(right / n))
        for c, right, n in one.points
        if n
    )
    return Markup('<g class="dots k{}" data-key="{}">{}</g>').format(one.colour, one.key, dots)


def _gap(gap: Gap, area: Frame) -> Markup:
    x, upper, lower = area.x(gap.complexity), area.y(gap.upper), area.y(gap.lower)
    left = x > 0.65 * area.width
    return Markup(
        '<path class="gap" d="M{x0} {y0}h6m-3 0V{y1}m-3 0h6"/>'
        '<text class="gaplabel" x="{tx}" y="{ty}" text-anchor="{anchor}">{label}</text>'
    ).format(
        x0=x - 3,
        y0=upper,
        y1=lower,
        tx=x - 8 if left else x + 8,
        ty=max(upper + 3, 14),
        anchor="end" if left else "start",
        label=gap.label,
    )


def _columns(series: Sequence[Series], area: Frame, unit: str) -> Markup:
    """One invisible column per level, that says in words what the chart shows there."""
    levels = sorted({point[0] for one in series for point in one.points})
    edges = [area.low, *((a + b) / 2 for a, b in pairwise(levels)), area.high]
    parts = []
    for number, level in enumerate(levels):
        lines = [f"{level:g} {unit}", *(filter(None, (describe(one, level) for one in series)))]
        x, end = area.x(edges[number]), area.x(edges[number + 1])
        parts.append(
            Markup(
                '<g class="level"><path class="rule" d="M{m} {top}V{bottom}"/>'
                '<rect x="{x}" y="{top}" width="{w}" height="{h}"><title>{text}</title></rect></g>'
            ).format(
                m=area.x(level),
                x=x,
                w=round(end - x, 1),
                top=area.y(1),
                bottom=area.y(0),
                h=round(area.y(0) - area.y(1), 1),
                text="\n".join(lines),
            )
        )
    return Markup("").join(parts)


def _label(series: Sequence[Series], unit: str) -> str:
    """The chart in one sentence per curve, for those who do not see it."""
    told = [f"Accuracy against the number of {unit}."]
    for one in reversed(series):
        rated = [(c, right / n) for c, right, n in one.points if n]
        if rated:
            (first, start), (last, end) = rated[0], rated[-1]
            told.append(f"{one.name}: {_percent(start)} at {first:g}, {_percent(end)} at {last:g}.")
    return " ".join(told)


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.0f}%"
