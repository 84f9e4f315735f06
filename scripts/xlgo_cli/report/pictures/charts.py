"""Inline SVG that follows the light and dark colours of the page: elements, axes, and curves.

Shapes carry classes and no colours: the style sheet of the page gives them. Numbers stand in
``<title>`` elements, which browsers show where the pointer rests, so no script is needed; that of
the page only shows the same text sooner.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from markupsafe import Markup, escape

from ...display.formats import ends, percent

_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 10, 10, 36
_ROUND = (1, 2, 2.5, 5, 10)
_ROUND_LOG = (1, 2, 5)
_TICK = 4  # pixels below the axis
_NEAR = 1e-9


@dataclass(frozen=True)
class Scale:
    """From values to pixels along one side of a picture.

    Attributes:
        low, high: the values at both ends; above 0 if ``log``.
        start, end: the pixels there; values beyond are drawn at the ends if ``clipped``.
        log: even steps are equal factors.
        clipped: see above.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    clipped: bool = False

    def __call__(self, value: float) -> float:
        """Pixels, to a tenth."""
        low, high, at = map(math.log, (self.low, self.high, value)) if self.log else (
            self.low, self.high, value
        )  # fmt: skip
        share = (at - low) / max(high - low, _NEAR)
        if self.clipped:
            share = min(max(share, 0.0), 1.0)
        return round(self.start + (self.end - self.start) * share, 1)

    def holds(self, value: float) -> bool:
        """Whether a value lies between the ends."""
        return self.low * (1 - _NEAR) <= value <= self.high * (1 + _NEAR)

    def ticks(self, most: int) -> list[float]:
        """Round numbers between the ends, at most ``most`` of them unless ``log``."""
        if self.log:
            decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            every = [step * 10.0**decade for decade in decades for step in _ROUND_LOG]
            return [x for x in every if self.holds(x)] or [self.low]
        span = self.high - self.low
        magnitude = 10.0 ** math.floor(math.log10(span / most))
        step = next(s * magnitude for s in _ROUND if span / (s * magnitude) <= most)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [step * n for n in range(first, last + 1)]


def element(name: str, *inside: str, kind: str = "", **attributes: str | float) -> Markup:
    """One element; what is inside is escaped unless it is markup already.

    Args:
        name: of the element.
        inside: its elements and texts.
        kind: its classes.
        attributes: in the order given; ``_`` in a name stands for ``-``.
    """
    given: dict[str, str | float] = {"class": kind} if kind else {}
    given |= attributes
    told = "".join(f' {key.replace("_", "-")}="{escape(one)}"' for key, one in given.items())
    if not inside:
        return Markup(f"<{name}{told}/>")
    return Markup(f"<{name}{told}>{''.join(map(escape, inside))}</{name}>")


def picture(width: int, height: float, label: str, parts: Iterable[str], kind: str = "") -> Markup:
    """The whole picture, which takes the width that it is given on the page.

    Args:
        width, height: of its own pixels.
        label: what it shows in words, for those who do not see it.
        parts: its elements, the last on top.
        kind: further classes.
    """
    return element(
        "svg", *parts, kind=f"chart {kind}".rstrip(), viewBox=f"0 0 {width} {height:g}",
        role="img", aria_label=label,
    )  # fmt: skip


def line(points: Iterable[tuple[float, float]], kind: str, **attributes: str | float) -> Markup:
    """A line through points in pixels."""
    return element("path", kind=kind, **attributes, d=_path(points))


def area(points: Iterable[tuple[float, float]], kind: str, **attributes: str | float) -> Markup:
    """What lies between points in pixels."""
    return element("path", kind=kind, **attributes, d=f"{_path(points)}Z")


def rule(x: float, y: float, end: float, *, upright: bool = False, kind: str = "grid") -> Markup:
    """A straight line from a point to ``end``, on one side."""
    return element("path", kind=kind, d=f"M{x:g} {y:g}{'V' if upright else 'H'}{end:g}")


def words(text: str, x: float, y: float, anchor: str = "end", kind: str = "tick") -> Markup:
    """A text at a point; ``anchor`` is its ``start``, ``middle`` or ``end``."""
    return element("text", text, kind=kind, x=x, y=y, text_anchor=anchor)


def axis(scale: Scale, bottom: float, height: float, unit: str, most: int) -> list[Markup]:
    """Ticks and numbers below a picture, and what they count.

    Args:
        scale: from left to right.
        bottom: where the drawing ends, in pixels from the top.
        height: of the whole picture.
        unit: what is counted, such as "rooms".
        most: at most so many ticks.
    """
    parts = []
    for tick in scale.ticks(most):
        x = scale(tick)
        parts += [
            rule(x, bottom, bottom + _TICK, upright=True, kind="grid base"),
            words(f"{tick:g}", x, bottom + 17, "middle"),
        ]
    return [*parts, words(f"{unit} →", scale.end, height - 4)]


def shares(scale: Scale, start: float, end: float, *, upright: bool = False) -> list[Markup]:
    """Lines and numbers of an axis of shares, from 0 to 100%.

    Args:
        scale: of the shares.
        start, end: how far the lines reach, in pixels.
        upright: the lines are; their numbers then stand below ``end``, every quarter, and else
            before ``start``, every half.
    """
    parts = []
    for quarter in range(5):
        at, told = scale(quarter / 4), f"{25 * quarter}%"
        if upright:
            parts += [rule(at, start, end, upright=True), words(told, at, end + 17, "middle")]
            continue
        parts.append(rule(start, at, end, kind="grid base" if quarter == 0 else "grid"))
        if quarter % 2 == 0:
            parts.append(words(told, start - 6, at + 4))
    return parts


def columns(scale: Scale, top: float, bottom: float, told: Sequence[tuple[float, str]]) -> Markup:
    """One invisible column per value, that says in words what the picture shows there.

    Args:
        scale: from left to right.
        top, bottom: of the columns, in pixels.
        told: values by rising size, and the text of each.
    """
    values = [value for value, _ in told]
    edges = [scale.start, *((scale(a) + scale(b)) / 2 for a, b in pairwise(values)), scale.end]
    parts = []
    for (value, text), x, end in zip(told, edges, edges[1:]):
        title = element("title", text)
        box = element(
            "rect", title, x=round(x, 1), y=top, width=round(end - x, 1),
            height=round(bottom - top, 1),
        )  # fmt: skip
        mark = rule(scale(value), top, bottom, upright=True, kind="rule")
        parts.append(element("g", mark, box, kind="level"))
    return Markup("").join(parts)


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


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
    band: dict[str, list[float]] | None
    key: str = ""


@dataclass(frozen=True)
class Gap:
    """The complexity of the largest gap between two curves; accuracies are fractions."""

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
    parts = shares(y, x.start, x.end)
    parts += axis(x, y.start, height, unit, 6 if width > 500 else 4)
    if floor:
        parts.append(line([(x(c), y(accuracy)) for c, accuracy in floor], "floor"))
    if bands:
        parts += [_band(one, x, y) for one in series if one.band]
    parts += [_line(one, x, y) for one in series if one.band]
    if points:
        parts += [_points(one, x, y) for one in series]
    if gap:
        parts += _gap(gap, x, y)
    told = [(level, _told(series, level, unit)) for level in _levels(series)]
    parts.append(columns(x, y.end, y.start, told))
    return picture(width, height, _label(series, unit), parts)


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
        text += f", curve {percent(mean)} ({ends(low, high, kind='share')})"
    return text


def _band(one: Series, x: Scale, y: Scale) -> Markup:
    band = one.band
    assert band is not None
    there = [(x(c), y(v)) for c, v in zip(band["complexity"], band["high"])]
    back = [(x(c), y(v)) for c, v in zip(band["complexity"], band["low"])]
    return area(there + back[::-1], f"band k{one.colour}", data_key=one.key)


def _line(one: Series, x: Scale, y: Scale) -> Markup:
    band = one.band
    assert band is not None
    points = [(x(c), y(v)) for c, v in zip(band["complexity"], band["mean"])]
    return line(points, f"line k{one.colour}", data_key=one.key)


def _points(one: Series, x: Scale, y: Scale) -> Markup:
    dots = [element("circle", cx=x(c), cy=y(right / n), r=2.6) for c, right, n in one.points if n]
    return element("g", *dots, kind=f"dots k{one.colour}", data_key=one.key)


def _gap(gap: Gap, x: Scale, y: Scale) -> list[Markup]:
    """A bracket at the place of a gap, and its size beside it."""
    at, upper, lower = x(gap.complexity), y(gap.upper), y(gap.lower)
    left = at > 0.65 * (x.end + _RIGHT)
    bracket = f"M{at - 3:g} {upper:g}h6m-3 0V{lower:g}m-3 0h6"
    beside, anchor = (at - 8, "end") if left else (at + 8, "start")
    return [
        element("path", kind="gap", d=bracket),
        words(gap.label, beside, max(upper + 3, 14), anchor, "gaplabel"),
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
