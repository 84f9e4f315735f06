"""Where questions were asked: a row a language, bars of questions under the fitted curve."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from markupsafe import Markup

from xlgo_metric.statistics.adaptive.second_stage import NAME as SECOND

from ...logs.graded_run import GradedRun
from ..charts import Series

_WIDTH, _LEFT, _RIGHT, _ROW, _GAP, _BOTTOM = 720, 96, 12, 44, 10, 34
_BAR = 3.0
_LEAST = 1.5
_POINTS = 200  # of a curve
_ROUND = (1, 2, 5)


@dataclass(frozen=True)
class Row:
    """A language.

    Attributes:
        series: its name, levels and curve.
        second: by complexity, how many of the questions only it and English were asked.
    """

    series: Series
    second: Mapping[float, int]


def second_stages(scored: GradedRun, family: str, task: str) -> dict[str, Counter[float]]:
    """By language, the questions of second stages by complexity."""
    found: dict[str, Counter[float]] = {}
    for key, record in scored.records:
        reference = record.reference
        if key[:2] == (family, task) and str(reference.get("design", "")).startswith(SECOND):
            size = float(reference["complexity"])
            found.setdefault(str(reference["language"]), Counter())[size] += 1
    return found


def on_log_scale(one: Series, fit: Mapping[str, float] | None, ends: tuple[float, float]) -> Series:
    """The series with its curve at complexities that are even in their logs."""
    if fit is None:
        return one
    from xlgo_metric.statistics.gamma import gamma_accuracy

    c = np.geomspace(*ends, _POINTS)
    mean = gamma_accuracy(c, fit["q"], fit["r"])
    return replace(one, band={"complexity": c.tolist(), "mean": mean.tolist()})


def rows(curves: Mapping[str, Series], second: Mapping[str, Mapping[float, int]]) -> list[Row]:
    """A row of every language, in the order of ``curves``."""
    return [Row(one, second.get(code, {})) for code, one in curves.items()]


def picture(found: Sequence[Row], unit: str, ends: tuple[float, float]) -> Markup:
    """The picture as SVG; complexity on a log scale.

    Args:
        found: the languages, at least one.
        unit: what complexity counts, such as "rooms".
        ends: the range on which results are stated.
    """
    asked = [c for row in found for c, _, _ in row.series.points]
    low, high = min([*asked, ends[0]]), max([*asked, ends[1]])
    most = max((n for row in found for _, _, n in row.series.points), default=1)
    axis = _Axis(math.log(low), max(math.log(high), math.log(low) + 1e-9))
    height = len(found) * (_ROW + _GAP) + _BOTTOM
    parts = [_row(row, number, axis, most, unit) for number, row in enumerate(found)]
    parts.append(_ticks(axis, height, unit))
    return Markup(
        '<svg class="chart" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">{body}</svg>'
    ).format(w=_WIDTH, h=height, label=_label(found, unit), body=Markup("").join(parts))


@dataclass(frozen=True)
class _Axis:
    """The logs of the complexities at both edges."""

    low: float
    high: float

    def x(self, complexity: float) -> float:
        share = (math.log(complexity) - self.low) / (self.high - self.low)
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * share, 1)


def _row(row: Row, number: int, axis: _Axis, most: int, unit: str) -> Markup:
    one = row.series
    base = number * (_ROW + _GAP) + _ROW + _GAP // 2
    parts = [
        Markup('<text class="tick" x="{}" y="{}" text-anchor="end">{}</text>').format(
            _LEFT - 8, base - _ROW // 2 + 4, one.name
        ),
        Markup('<path class="grid base" d="M{} {}H{}"/>').format(_LEFT, base, _WIDTH - _RIGHT),
    ]
    for c, right, n in one.points:
        own = min(row.second.get(c, 0), n)
        tall, top = (max(_LEAST, _ROW * x / most) if x else 0.0 for x in (n - own, n))
        told = f"{one.name}, {c:g} {unit}: {n} questions, {right} right"
        told += f"; {own} of them in a second stage" if own else ""
        bars = Markup("").join(
            Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(
                kind, round(axis.x(c) - _BAR / 2, 1), round(base - end, 1), _BAR,
                round(end - begin, 1),
            )
            for kind, begin, end in (("asked", 0.0, tall), ("asked second", tall, top))
            if end > begin
        )  # fmt: skip
        parts.append(Markup("<g><title>{}</title>{}</g>").format(told, bars))
    if one.band:
        within = [
            (axis.x(c), round(base - _ROW * min(max(v, 0.0), 1.0), 1))
            for c, v in zip(one.band["complexity"], one.band["mean"])
            if c > 0 and axis.low <= math.log(c) <= axis.high
        ]
        if within:
            path = "M" + "L".join(f"{x:g} {y:g}" for x, y in within)
            parts.append(Markup('<path class="line k{}" d="{}"/>').format(one.colour, path))
    return Markup("").join(parts)


def _ticks(axis: _Axis, height: int, unit: str) -> Markup:
    parts = [
        Markup(
            '<path class="grid base" d="M{x} {y0}v4"/>'
            '<text class="tick" x="{x}" y="{y1}" text-anchor="middle">{text}</text>'
        ).format(x=axis.x(tick), y0=height - _BOTTOM, y1=height - _BOTTOM + 16, text=f"{tick:g}")
        for tick in _round_numbers(axis)
    ]
    parts.append(
        Markup('<text class="tick" x="{}" y="{}" text-anchor="end">{} →</text>').format(
            _WIDTH - _RIGHT, height - 3, unit
        )
    )
    return Markup("").join(parts)


def _round_numbers(axis: _Axis) -> list[float]:
    decades = range(math.floor(axis.low / math.log(10)), math.ceil(axis.high / math.log(10)) + 1)
    every = [step * 10.0**decade for decade in decades for step in _ROUND]
    inside = [x for x in every if axis.low - 1e-9 <= math.log(x) <= axis.high + 1e-9]
    return inside or [float(np.exp(axis.low))]


def _label(found: Iterable[Row], unit: str) -> str:
    """The picture in one sentence per language, for those who do not see it."""
    told = [f"Questions by the number of {unit}."]
    for row in found:
        total = sum(n for _, _, n in row.series.points)
        own = sum(row.second.values())
        more = f", {own} of them in a second stage" if own else ""
        told.append(f"{row.series.name}: {total}{more}.")
    return " ".join(told)
