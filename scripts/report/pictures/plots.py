"""Plots as SVG and PNG files, for papers and slides."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...display import labels
from ...display.formats import DASH, points
from ...folders import replacing
from ..cells import anchor, by_gap, colours, doubt, has_number, in_order, mark, ordered
from ..heat import STRONGEST, strength
from ..view import colour as page_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DASHES = ("-", "-", (0, (6, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 2)), (0, (9, 2, 1, 2)))
_DPI = 160
_DARK = 0.6


def write_plots(section: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write the accuracy curves of each task and the heat map of SMD.

    Args:
        section: see ``cells.with_gaps``.
        folder: made if it does not exist.

    Returns:
        The files, an SVG and a PNG of each plot.
    """
    tasks = section["tasks"].items()
    figures = {f"curves-{anchor(name)}": curves(name, task) for name, task in tasks}
    heat = heatmap(section)
    if heat is not None:
        figures["smd"] = heat
    return [path for stem, figure in figures.items() for path in _save(figure, folder / stem)]


def curves(name: str, task: Mapping[str, Any]) -> Figure:
    """Accuracy against complexity: level accuracies, fitted curve and 95% band per language."""
    figure, axes = _figure(6.4, 4.0)
    codes = ordered(task["languages"])
    colour = colours(codes)
    for code in codes:
        cell, hue = task["languages"][code], colour[code]
        ink = page_colour(f"k{hue}")
        levels = [level for level in cell["levels"] if level["n"]]
        axes.plot(
            [level["complexity"] for level in levels],
            [level["correct"] / level["n"] for level in levels],
            "o", markersize=2.6, color=ink, alpha=0.6,
        )  # fmt: skip
        band = cell.get("band")
        if band:
            axes.fill_between(
                band["complexity"], band["low"], band["high"], color=ink, alpha=0.12, lw=0
            )
            label = labels.language(code).name
            axes.plot(
                band["complexity"], band["mean"], color=ink, label=label, lw=1.8,
                ls=_DASHES[hue],
            )  # fmt: skip
    axes.set(ylim=(-0.03, 1.03), ylabel="Accuracy", title=labels.task(name).title)
    axes.set_xlabel(f"Complexity ({labels.task(name).unit})")
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize="small")
    return figure


def heatmap(section: Mapping[str, Any]) -> Figure | None:
    """SMD of every language and task in points; ``None`` if English was not asked."""
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    tasks = dict(in_order(section["tasks"]))
    codes = by_gap(section)
    value = np.full((len(codes), len(tasks)), np.nan)
    written: dict[tuple[int, int], str] = {}
    for column, task in enumerate(tasks.values()):
        for row, code in enumerate(codes):
            cell = task["languages"].get(code, {})
            if cell.get("smd") is None:
                continue
            signs = f"{mark(cell)}{doubt(cell)}"
            written[row, column] = f"{points(cell['smd']) if has_number(cell) else DASH}{signs}"
            if not doubt(cell):
                share = strength(cell["smd"], pale=not mark(cell)) / STRONGEST
                value[row, column] = np.sign(cell["smd"]) * share
    if not written:
        return None
    figure, axes = _figure(1.8 + 1.0 * len(tasks), 1.1 + 0.42 * len(codes))
    ends = [page_colour("ahead"), "#ffffff", page_colour("behind")]
    shades = LinearSegmentedColormap.from_list("gaps", ends)
    axes.imshow(value, cmap=shades, vmin=-1, vmax=1, aspect="auto")
    for (row, column), label in written.items():
        dark = abs(value[row, column]) > _DARK
        axes.text(
            column, row, label, ha="center", va="center", fontsize=9,
            color="white" if dark else "black",
        )  # fmt: skip
    axes.set_xticks(range(len(tasks)), [labels.task(name).short for name in tasks])
    axes.set_yticks(range(len(codes)), [labels.language(code).name for code in codes])
    axes.tick_params(length=0)
    axes.set_title("SMD to English, percentage points", fontsize="medium")
    told = "● paired test (Holm)   ○ published rule only"
    for sign, meaning in (("?", "no gap is fixed"), ("!", "not supported")):
        if any(sign in label for label in written.values()):
            told += f"   {sign} {meaning}"
    axes.set_xlabel(told, fontsize="small")
    axes.spines[:].set_visible(False)
    return figure


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure that no window system and no global state knows of."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _save(figure: Figure, stem: Path) -> list[Path]:
    """Write SVG and PNG, the same bytes each time, each replaced in one step."""
    import matplotlib
    from matplotlib.text import Text

    for text in figure.findobj(Text):  # a name may hold dollars
        text.set_parse_math(False)
    paths = []
    for ending, metadata in ((".svg", {"Date": None}), (".png", {"Software": None})):
        path = stem.with_suffix(ending)
        with (
            replacing(path) as temporary,
            matplotlib.rc_context({"svg.hashsalt": "xlgo", "text.parse_math": False}),
        ):
            figure.savefig(temporary, format=ending[1:], dpi=_DPI, metadata=metadata)
        paths.append(path)
    return paths
