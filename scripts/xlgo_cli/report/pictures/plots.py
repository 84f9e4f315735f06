"""Plots as SVG and PNG files, for papers and slides."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...display import labels
from ...display.formats import colour as page_colour
from ...display.formats import percent
from ...folders import replacing
from ..gap_marks import (
    GapSection,
    TaskScores,
    anchor,
    base_name,
    by_gap,
    colours,
    in_order,
    ordered,
)
from ..heat import MARKS, STRONGEST, heat_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DASHES = ("-", "-", (0, (6, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 2)), (0, (9, 2, 1, 2)))
_DPI = 160
_DARK = 0.6


def write_plots(section: GapSection, folder: Path) -> list[Path]:
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


def curves(name: str, task: TaskScores) -> Figure:
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
    axes.yaxis.set_major_formatter(lambda value, _: percent(value))
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize="small")
    return figure


def heatmap(section: GapSection) -> Figure | None:
    """The difference over all questions by language and task; ``None`` without a baseline."""
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    tasks = dict(in_order(section["tasks"]))
    codes = by_gap(section)
    value = np.full((len(codes), len(tasks)), np.nan)
    written: dict[tuple[int, int], str] = {}
    for column, (name, task) in enumerate(tasks.items()):
        for row, code in enumerate(codes):
            cell = heat_cell(name, code, task["languages"].get(code), "#")
            if not cell.href:
                continue
            written[row, column] = f"{cell.value}{cell.mark}"
            if cell.strength:
                side = 1.0 if cell.kind == "behind" else -1.0
                value[row, column] = side * cell.strength / STRONGEST
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
    told = f"{base_name(section)} minus the language, percentage points"
    axes.set_title(told, fontsize="medium")
    told = "   ".join(
        f"{sign} {meaning}"
        for sign, meaning in MARKS.items()
        if any(sign in label for label in written.values())
    )
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
