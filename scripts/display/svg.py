"""Inline SVG that follows the light and dark colours of the page: elements, scales and axes.

Shapes carry classes and no colours: the style sheet of the page gives them. Numbers stand in
``<title>`` elements, which browsers show where the pointer rests, so no script is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

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
