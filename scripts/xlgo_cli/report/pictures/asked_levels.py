"""Where questions were asked: a row a language, bars of questions under the fitted curve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from markupsafe import Markup

from xlgo_metric.comparison.gaps import Fit
from xlgo_metric.statistics.adaptive.second_stage import NAME as SECOND

from ...logs.graded_run import GradedRun
from . import charts
from .charts import Scale, Series

_WIDTH, _LEFT, _RIGHT, _ROW, _GAP, _BOTTOM = 720, 96, 12, 44, 10, 34
_BAR = 3.0
_LEAST = 1.5
_POINTS = 200  # of a curve


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


def on_log_scale(one: Series, fit: Fit | None, ends: tuple[float, float]) -> Series:
    """The series with its curve at complexities that are even in their logs."""
    if fit is None:
        return one
    from xlgo_metric.statistics.gamma import gamma_accuracy

    c = np.geomspace(*ends, _POINTS)
    mean = gamma_accuracy(c, fit["q"], fit["r"])
    return replace(
        one, band={"complexity": c.tolist(), "mean": mean.tolist(), "low": [], "high": []}
    )


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
    x = Scale(low, max(high, low * (1 + 1e-9)), _LEFT, _WIDTH - _RIGHT, log=True)
    height = len(found) * (_ROW + _GAP) + _BOTTOM
    parts = [part for place, row in enumerate(found) for part in _row(row, place, x, most, unit)]
    parts += charts.axis(x, height - _BOTTOM, height, unit, len(asked))
    return charts.picture(_WIDTH, height, _label(found, unit), parts)


def _row(row: Row, place: int, x: Scale, most: int, unit: str) -> Iterator[Markup]:
    """One language: its name, its bars, and its curve over them."""
    series = row.series
    base = place * (_ROW + _GAP) + _ROW + _GAP // 2
    yield charts.words(series.name, _LEFT - 8, base - _ROW // 2 + 4)
    yield charts.rule(_LEFT, base, _WIDTH - _RIGHT, kind="grid base")
    for c, right, n in series.points:
        in_second = min(row.second.get(c, 0), n)
        tall, top = (
            max(_LEAST, _ROW * many / most) if many else 0.0 for many in (n - in_second, n)
        )
        sentence = f"{series.name}, {c:g} {unit}: {n} questions, {right} right"
        sentence += f"; {in_second} of them in a second stage" if in_second else ""
        bars = [
            charts.element(
                "rect", kind=kind, x=round(x(c) - _BAR / 2, 1), y=round(base - end, 1), width=_BAR,
                height=round(end - begin, 1),
            )
            for kind, begin, end in (("asked", 0.0, tall), ("asked second", tall, top))
            if end > begin
        ]  # fmt: skip
        yield charts.element("g", charts.element("title", sentence), *bars)
    if series.band:
        y = Scale(0.0, 1.0, base, base - _ROW, clipped=True)
        curve = zip(series.band["complexity"], series.band["mean"])
        within = [(x(c), y(v)) for c, v in curve if c > 0 and x.holds(c)]
        if within:
            yield charts.line(within, f"line k{series.colour}")


def _label(found: Iterable[Row], unit: str) -> str:
    """The picture in one sentence per language, for those who do not see it."""
    told = [f"Questions by the number of {unit}."]
    for row in found:
        total = sum(n for _, _, n in row.series.points)
        own = sum(row.second.values())
        more = f", {own} of them in a second stage" if own else ""
        told.append(f"{row.series.name}: {total}{more}.")
    return " ".join(told)
