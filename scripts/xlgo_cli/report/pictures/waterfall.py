"""A gap as a waterfall, from English to the language, as inline SVG coloured by the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ...display.formats import ends, percent, points
from . import charts
from .charts import Scale

_WIDTH, _ROW, _BAR = 760, 30, 16
_LEFT, _RIGHT, _TOP, _BOTTOM = 200, 170, 8, 26
_LEAST = 1.0  # pixels of a bar, so that a step of 0 can be seen
_X = Scale(0.0, 1.0, _LEFT, _WIDTH - _RIGHT, clipped=True)


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
        return f"{points(-self.estimate)} ({ends(-self.high, -self.low, 1)})"


def waterfall(
    first: tuple[str, float], steps: Sequence[Step], last: tuple[str, float], alone: Sequence[Step]
) -> Markup:
    """The picture of one language and task.

    Args:
        first, last: label and accuracy of the baseline and of the language.
        steps: they lead from the one to the other.
        alone: what is a part of others and adds to nothing; drawn below, from the language up to
            the accuracy without it.
    """
    parts = _total(*first, row=0)
    level = first[1]
    for row, step in enumerate(steps, start=1):
        parts += _step(step, level, row)
        level -= step.estimate
    row = len(steps) + 1
    parts += _total(*last, row=row)
    for place, step in enumerate(alone, start=1):
        parts += _step(step, last[1] + step.estimate, row + place, moves=1.0)
    bottom = _TOP + _ROW * (row + 1 + len(alone))
    if alone:
        parts.append(charts.rule(0, _TOP + _ROW * (row + 1), _WIDTH, kind="grid base"))
    axis = charts.shares(_X, _TOP, bottom, upright=True)
    label = _label(first, steps, last, alone)
    return charts.picture(_WIDTH, bottom + _BOTTOM, label, [*axis, *parts], "fall")


def _total(label: str, accuracy: float, *, row: int) -> list[Markup]:
    return _bar(label, (0.0, accuracy), "total", percent(accuracy, 1), row)


def _step(step: Step, before: float, row: int, *, moves: float = -1.0) -> list[Markup]:
    """A bar from the accuracy before a step to that after it, with the interval of its end.

    Args:
        step: what is drawn.
        before: the accuracy without it.
        row: from 0.
        moves: -1 if the end is the accuracy after the step, 1 if it is that before it.
    """
    after = before - step.estimate
    middle = _TOP + _ROW * row + _ROW / 2
    fixed = before if moves < 0 else after
    low, high = sorted(_X(fixed + moves * end) for end in (step.low, step.high))
    whisker = f"M{low:g} {middle - 3:g}v6m0 -3H{high:g}m0 -3v6"
    ends = min(before, after), max(before, after)
    bar = _bar(step.label, ends, step.kind, step.told, row)
    return [*bar, charts.element("path", kind="gap", d=whisker)]


def _bar(label: str, ends: tuple[float, float], kind: str, told: str, row: int) -> list[Markup]:
    top = _TOP + _ROW * row
    base = top + _ROW / 2 + 4
    x, end = _X(ends[0]), _X(ends[1])
    return [
        charts.words(label, _LEFT - 10, base),
        charts.element(
            "rect", charts.element("title", f"{label}: {told}"), kind=kind, x=x,
            y=top + (_ROW - _BAR) / 2, width=max(round(end - x, 1), _LEAST), height=_BAR,
        ),
        charts.words(told, _WIDTH - 2, base),
    ]  # fmt: skip


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
    return "" if step.claimed else ", not significant"
