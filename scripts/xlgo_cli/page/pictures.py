"""The one maker of pictures: figures of matplotlib for page, notebook and paper.

``svg`` writes a figure into a page, in the page's colours; ``save`` writes files.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from xlgo_metric.comparison.section import GapTask

from ..display import labels
from ..display.formats import COLOURS, LIGHT, percent
from ..folders import replacing
from .grid import ordered

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from xlgo_metric.comparison import Cell

_DPI = 160
_IN_A_ROW = 3
_POINTS = 14  # of a curve, evenly along it: a page holds a few thousand numbers
_PANEL = (3.6, 1.75)  # inches
_ASKED = 0.2  # height of the bars of questions, of the panel's
_DOT = 4.5
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
_FORMATS = {".svg": _NO_METADATA, ".png": {"Software": None}, ".pdf": {"CreationDate": None}}
_SHORTER = {
    r'<(g|path) id="(?![mp][0-9a-f]{10}")[^"]*"': r"<\1",
    r"(?s)<style.*?</style>|<!--.*?-->": "",
    r' transform="rotate\(-0[^"]*"|font-family: [^;"]*;? ?': "",
    r"\s*\n\s*": " ",
    r"(\.\d)\d+(?= )": r"\1",
    r"M (\S+ \S+) L \1(?= )": r"M \1 z",  # dots
}
"""What a picture in a page does not need, and what takes its place, in this order."""
_TICKS = {"yticks": [0, 0.5, 1], "yticklabels": ["0%", "50%", "100%"]}


@dataclass(frozen=True)
class Curve:
    """Accuracy by complexity.

    Attributes:
        name: as the reader sees it.
        colour: of ``COLOURS``.
        levels: complexity, correct answers and answers of each level.
        band: ``complexity``, ``mean``, ``low``, ``high`` of the fitted curve, if there is one.
    """

    name: str
    colour: str
    levels: Sequence[tuple[float, int, int]]
    band: Mapping[str, Sequence[float]] | None

    @classmethod
    def of(cls, cell: Any, name: str, colour: str) -> Curve:
        """That of one language of a task (``GapCell``)."""
        levels = [(one["complexity"], one["correct"], one["n"]) for one in cell["levels"]]
        return cls(name, colour, sorted(level for level in levels if level[2]), cell.get("band"))

    @property
    def words(self) -> str:
        """The curve for those who do not see it."""
        if not self.levels:
            return f"{self.name}: no answers."
        (low, right, n), (high, last, n_last) = self.levels[0], self.levels[-1]
        return (
            f"{self.name}: {percent(right / n)} at {low:g}, {percent(last / n_last)} at {high:g}."
        )


def task_panels(task: GapTask, base: str) -> list[list[Curve]]:
    """Each language of a task beside the baseline; the baseline alone where no other was asked."""
    curves = {
        code: Curve.of(cell, labels.language(code).name, "base" if code == base else "first")
        for code, cell in task["languages"].items()
    }
    languages = [code for code in ordered(curves) if code != base]
    bases = [curves[base]] if base in curves else []
    return [[*bases, curves[code]] for code in languages] or [bases]


def curves(
    panels: Sequence[Sequence[Curve]],
    unit: str,
    *,
    floor: Sequence[tuple[float, float]] = (),
    asked: bool = False,
) -> Figure:
    """Accuracy by complexity, a panel for each group of curves: dots, fitted curves, 95% bands.

    Args:
        panels: the curves of each; the last one names the panel, the first is dashed if there are
            two.
        unit: what complexity counts, such as "rooms".
        floor: complexity and accuracy of the best known shortcut.
        asked: show how many questions were asked at each size, as bars at the bottom.
    """
    across = min(_IN_A_ROW, len(panels))
    down = -(-len(panels) // across)
    width, height = _PANEL[0] * across, _PANEL[1] * down + 0.35
    figure = _figure(width, height)
    axes = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False).ravel()
    figure.subplots_adjust(
        0.5 / width, 0.45 / height, 0.99, 1 - 0.26 / height, wspace=0.07, hspace=0.32
    )
    for number, (panel, group) in enumerate(zip(axes, panels)):
        _panel(panel, group, asked=asked)
        if floor:
            panel.plot(*zip(*floor), ls=":", lw=1, color=LIGHT["muted"], clip_on=False)
        panel.yaxis.set_visible(number % across == 0)  # an axis without labels takes time, too
        if number + across >= len(panels):
            panel.tick_params(labelbottom=True)
            panel.set_xlabel(unit, color=LIGHT["muted"], fontsize=9)
        else:
            panel.xaxis.set_visible(False)
    for panel in axes[len(panels) :]:
        panel.set_visible(False)
    axes[0].set(ylim=(-0.04, 1.04), **_TICKS)
    axes[0].locator_params(axis="x", nbins=4)
    return figure


def _panel(axes: Axes, shown: Sequence[Curve], *, asked: bool) -> None:
    import numpy as np

    _plain(axes, shown[-1].name)
    most = max((n for curve in shown for _, _, n in curve.levels), default=1)
    for curve in shown:
        ink, dashed = LIGHT[curve.colour], curve is shown[0] and len(shown) > 1
        c, right, n = np.array([*curve.levels], dtype=float).reshape(-1, 3).T
        if asked:
            axes.vlines(c, 0, _ASKED * n / most, color=ink, alpha=0.5, lw=2)
        # A line of no length with round ends is a dot: all of a curve are one path.
        ends = np.column_stack([c, c + 1e-6, np.full_like(c, np.nan)]).ravel()
        (dots,) = axes.plot(ends, np.repeat(right / n, 3), color=ink, lw=_DOT, clip_on=False)
        dots.set(solid_capstyle="round", snap=False)
        if curve.band and len(curve.band["mean"]) > 1:
            size, low, high, mean = (
                np.asarray(curve.band[name]) for name in ("complexity", "low", "high", "mean")
            )
            length = np.hypot(np.gradient(size) / (np.ptp(size) or 1), np.gradient(mean)).cumsum()
            indices = np.unique(length.searchsorted(np.linspace(length[0], length[-1], _POINTS)))
            size, low, high, mean = size[indices], low[indices], high[indices], mean[indices]
            band = np.append(size, size[::-1]), np.append(low, high[::-1])
            axes.fill(*band, color=ink, alpha=0.14, lw=0, clip_on=False)
            axes.plot(size, mean, color=ink, lw=1.6, ls="--" if dashed else "-", clip_on=False)


def gaps(
    rows: Mapping[Any, Any], columns: Mapping[Any, Any], cells: Mapping[tuple[Any, Any], Cell]
) -> Figure:
    """Gaps with their intervals, a panel a column; filled where significant.

    Args:
        rows, columns, cells: see ``grid.Grid``.
    """
    across = len(columns)
    width, height = 1.2 + 1.5 * across, 0.7 + 0.24 * len(rows)
    figure = _figure(width, height)
    axes = figure.subplots(1, across, sharex=True, sharey=True, squeeze=False)[0]
    figure.subplots_adjust(1.1 / width, 0.4 / height, 0.99, 1 - 0.3 / height, wspace=0.08)
    for panel, (column, label) in zip(axes, columns.items()):
        _plain(panel, label.short)
        panel.axvline(0, color=LIGHT["muted"], lw=0.8)
        for number, row in enumerate(rows):
            if (cell := cells.get((row, column))) is None:
                continue
            side = "behind" if cell.difference > 0 else "ahead" if cell.difference else "muted"
            ink, difference = LIGHT[side], 100 * cell.difference
            if cell.interval:
                panel.plot([100 * end for end in cell.interval], [number] * 2, color=ink, lw=1.2)
            fill = ink if cell.is_significant else LIGHT["card"]
            panel.plot([difference], [number], "o", ms=5, color=ink, mfc=fill)
            if cell.flagged:
                panel.text(difference, number - 0.1, " †", fontsize=8, color=LIGHT["ink"])
    axes[0].set_yticks(range(len(rows)), [row.name for row in rows.values()], parse_math=False)
    axes[0].set_ylim(len(rows) - 0.5, -0.5)
    figure.text(0.99, 0.02, "percentage points", ha="right", fontsize=8, color=LIGHT["muted"])
    return figure


def _plain(axes: Axes, title: str) -> None:
    """Axes with a name (which may hold dollars) and without what says nothing."""
    # A place of its own, or matplotlib measures all texts to find one.
    axes.set_title(title, loc="left", fontsize=10, color=LIGHT["ink"], y=1, pad=4, parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(LIGHT["line"])
    axes.patch.set_visible(False)
    axes.tick_params(colors=LIGHT["muted"], labelsize=8, length=0)


def _figure(width: float, height: float) -> Figure:
    """An empty figure that no window system and no global state knows of."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor="none")
    figure.patch.set_visible(False)
    FigureCanvasSVG(figure)
    return figure


def svg(figure: Figure, name: str, label: str) -> Markup:
    """A figure as part of a page: texts are texts, colours are those of the page's theme.

    Args:
        figure: the figure.
        name: unique on the page; ids begin with what follows from it.
        label: what it shows, for those who do not see it.
    """
    out = io.StringIO()
    _write(figure, out, "svg", name, metadata=_NO_METADATA)
    _, _, text = out.getvalue().partition("<svg")
    attributes, _, inside = text.partition(">")
    box = re.search(r'viewBox="([^"]+)"', attributes)
    for pattern, written in _SHORTER.items():
        inside = re.sub(pattern, written, inside)
    for variable, (hue, _) in COLOURS.items():
        inside = inside.replace(hue, f"var(--{variable})")
    start = f'<svg class="chart" role="img" viewBox="{box[1] if box else "0 0 1 1"}"'
    return Markup(f'{start} aria-label="{escape(label)}">{inside}')  # noqa: S704


def save(figure: Figure, stem: Path, formats: Sequence[str] = (".svg", ".png")) -> list[Path]:
    """Write a figure, the same bytes each time, each file replaced in one step."""
    figure.set_facecolor("white")
    figure.patch.set_visible(True)
    paths = [stem.with_name(stem.name + ending) for ending in formats]
    for path in paths:
        with replacing(path) as temporary:
            ending = path.suffix
            _write(figure, temporary, ending[1:], stem.name, metadata=_FORMATS[ending])
    return paths


def _write(figure: Figure, out: Any, form: str, salt: str, **options: Any) -> None:
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none"}):
        figure.savefig(out, format=form, dpi=_DPI, **options)
