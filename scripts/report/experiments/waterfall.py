"""A gap as a waterfall, from English to the language, as inline SVG coloured by the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ...display.formats import percent, points

_WIDTH, _ROW, _BAR = 760, 30, 16
_LEFT, _RIGHT, _TOP, _BOTTOM = 200, 170, 8, 26
_LEAST = 1.0  # pixels of a bar, so that a step of 0 can be seen


@dataclass(frozen=True)
class Step:
    """A step of a waterfall; fractions, positive where it takes away.

    Attributes:
        label: as the reader sees it.
        estimate, low, high: with its 95% interval.
        claimed: the tests hold that it is not chance.
    """

    label: str
    estimate: float
    low: float
    high: float
    claimed: bool

    @property
    def kind(self) -> str:
        """How it is coloured: ``chance``, ``behind`` or ``ahead``."""
        return "chance" if not self.claimed else "behind" if self.estimate > 0 else "ahead"

    @property
    def told(self) -> str:
        """Its size and interval, as a change of accuracy in points."""
        return f"{points(-self.estimate)} ({points(-self.high)} to {points(-self.low)})"


def waterfall(
    first: tuple[str, float], steps: Sequence[Step], last: tuple[str, float], alone: Sequence[Step]
) -> Markup:
    """The picture of one language and task.

    Args:
        first, last: label and accuracy of English and of the language.
        steps: they lead from the one to the other.
        alone: what is a part of others and adds to nothing; drawn below, from the language up to
            the accuracy without it.
    """
    rows = [_total(*first, row=0)]
    level = first[1]
    for row, step in enumerate(steps, start=1):
        rows.append(_step(step, level, row))
        level -= step.estimate
    row = len(steps) + 1
    rows.append(_total(*last, row=row))
    for place, step in enumerate(alone, start=1):
        rows.append(_step(step, last[1] + step.estimate, row + place, moves=1.0))
    height = _TOP + _ROW * (row + 1 + len(alone)) + _BOTTOM
    if alone:
        y = _TOP + _ROW * (row + 1)
        rows.append(Markup('<path class="grid base" d="M0 {}H{}"/>').format(y, _WIDTH))
    return Markup(
        '<svg class="chart fall" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">{axis}{rows}'
        "</svg>"
    ).format(
        w=_WIDTH, h=height, label=_label(first, steps, last, alone),
        axis=_axis(height), rows=Markup("").join(rows),
    )  # fmt: skip


def _x(accuracy: float) -> float:
    inner = _WIDTH - _LEFT - _RIGHT
    return round(_LEFT + inner * min(max(accuracy, 0.0), 1.0), 1)


def _axis(height: int) -> Markup:
    parts = []
    for quarter in range(5):
        x, bottom = _x(quarter / 4), height - _BOTTOM
        parts.append(
            Markup(
                '<path class="grid" d="M{x} {top}V{bottom}"/>'
                '<text class="tick" x="{x}" y="{y}" text-anchor="middle">{text}%</text>'
            ).format(x=x, top=_TOP, bottom=bottom, y=bottom + 17, text=25 * quarter)
        )
    return Markup("").join(parts)


def _total(label: str, accuracy: float, *, row: int) -> Markup:
    return _bar(label, (0.0, accuracy), "total", percent(accuracy, 1), row)


def _step(step: Step, before: float, row: int, *, moves: float = -1.0) -> Markup:
    """A bar from the accuracy before a step to that after it, with the interval of its end.

    Args:
        step: what is drawn.
        before: the accuracy without it.
        row: from 0.
        moves: -1 if the end is the accuracy after the step, 1 if it is that before it.
    """
    after = before - step.estimate
    ends = sorted((before, after))
    middle = _TOP + _ROW * row + _ROW / 2
    fixed = before if moves < 0 else after
    low, high = sorted(_x(fixed + moves * end) for end in (step.low, step.high))
    whisker = Markup('<path class="gap" d="M{} {}v6m0 -3H{}m0 -3v6"/>').format(
        low, middle - 3, high
    )
    return _bar(step.label, (ends[0], ends[1]), step.kind, step.told, row) + whisker


def _bar(label: str, ends: tuple[float, float], kind: str, told: str, row: int) -> Markup:
    top = _TOP + _ROW * row
    x, end = _x(ends[0]), _x(ends[1])
    return Markup(
        '<text class="tick" x="{left}" y="{base}" text-anchor="end">{label}</text>'
        '<rect class="{kind}" x="{x}" y="{y}" width="{w}" height="{h}">'
        "<title>{label}: {told}</title></rect>"
        '<text class="tick" x="{right}" y="{base}" text-anchor="end">{told}</text>'
    ).format(
        left=_LEFT - 10, base=top + _ROW / 2 + 4, label=label, kind=kind, x=x,
        y=top + (_ROW - _BAR) / 2, w=max(round(end - x, 1), _LEAST), h=_BAR, told=told,
        right=_WIDTH - 2,
    )  # fmt: skip


def _label(
    first: tuple[str, float], steps: Sequence[Step], last: tuple[str, float], alone: Sequence[Step]
) -> str:
    """The picture in words, for those who do not see it."""
    told = [f"{first[0]} {percent(first[1], 1)}"]
    told += [f"{step.label} {step.told}{_doubt(step)}" for step in steps]
    told.append(f"{last[0]} {percent(last[1], 1)}")
    text = ", ".join(told) + "."
    if alone:
        text += " By themselves: " + ", ".join(f"{s.label} {s.told}{_doubt(s)}" for s in alone)
    return text


def _doubt(step: Step) -> str:
    return "" if step.claimed else " may be chance"
