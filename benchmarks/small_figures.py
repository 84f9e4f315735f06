"""Tables and the picture of ``benchmarks/small_model.py``, from the scores alone.

``python benchmarks/small_figures.py SCORES.json PICTURE`` draws and prints them again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from xlgo_metric.statistics.measures import spearman

# Shares of the languages in the skewed data, in ten-thousandths.
SKEWED = {"en": 9000, "zh": 600, "hi": 250, "ar": 100, "ja": 46, "ta": 2, "te": 2}
ADAPTIVE = "/adaptive"
COLOURS = {"skewed": "#b3452c", "balanced": "#2c7a5b", "control": "#8a8a8a"}
NAMES = {
    "skewed": "after skewed data",
    "balanced": "and then balanced data",
    "control": "and then as much skewed data",
}

Cells = Mapping[str, Mapping[str, Any]]
"""By language: ``smd``, ``smd_sd``, ``levels`` and ``paired``, as in ``scores.json``."""


def accuracy(cell: Mapping[str, Any]) -> float:
    """Share of correct answers, all levels counted alike."""
    return float(np.mean([level["correct"] / level["n"] for level in cell["levels"]]))


def claimed(cell: Mapping[str, Any]) -> bool:
    found = cell["difference"]
    return found is not None and found["is_significant"]


def print_gaps(name: str, task: Mapping[str, Any]) -> None:
    cells = task["languages"]
    sizes = [level["complexity"] for level in cells["en"]["levels"]]
    print(f"\n{name}: accuracy in % at {sizes} transactions, SMD in points, p")
    for code in SKEWED:
        cell = cells[code]
        shares = "".join(f"{100 * x['correct'] / x['n']:7.1f}" for x in cell["levels"])
        rest = ""
        if cell["smd"] is not None:
            rest = f"   SMD {100 * cell['smd']:6.1f} ± {100 * cell['smd_sd']:4.1f}"
        if cell["difference"]:
            rest += f"   p {cell['difference']['p_value']:.4f}"
        print(f"  {code} {shares}{rest}", flush=True)


def rank_agreement(cells: Cells) -> tuple[float | None, float | None]:
    """Spearman's rho of accuracy and number of examples over all languages, and its exact p."""
    return spearman(list(SKEWED.values()), [accuracy(cells[code]) for code in SKEWED])


def print_summary(found: Mapping[int, Mapping[str, Cells]]) -> None:
    print(
        "\nDo the languages rank as their examples? (Spearman with accuracy, 7 languages, exact p)"
    )
    for seed, stages in found.items():
        for stage, cells in stages.items():
            rho, p = rank_agreement(cells)
            told = "all alike" if rho is None else f"rho {rho:.2f}, p {p:.4f}"
            print(f"  seed {seed}, {stage}: {told}")
    print("\nClaims of the paired test (p after Holm below .05), difference of accuracy in points")
    for seed, stages in found.items():
        for stage, cells in stages.items():
            lost_by = []
            for code in SKEWED:
                if code != "en":
                    lost = 100 * (accuracy(cells["en"]) - accuracy(cells[code]))
                    lost_by.append(f"{code} {lost:+.1f}{'*' if claimed(cells[code]) else ''}")
            print(f"  seed {seed}, {stage}: {', '.join(lost_by)}")


def questions(found: Mapping[int, Mapping[str, Cells]], ending: str) -> str:
    """How many questions a language was asked at each size by the design whose names end so."""
    counts: dict[int, set[int]] = {}
    for stages in found.values():
        for stage, cells in stages.items():
            if stage.endswith(ADAPTIVE) == bool(ending):
                for cell in cells.values():
                    for level in cell["levels"]:
                        counts.setdefault(level["complexity"], set()).add(level["n"])
    sizes = sorted(counts)
    told = ["–".join(map(str, sorted({min(counts[c]), max(counts[c])}))) for c in sizes]
    return f"{', '.join(told)} questions with {', '.join(map(str, sizes))} transactions"


def draw(found: Mapping[int, Mapping[str, Cells]], path: Path) -> None:
    """SMD of each language after each stage, with 1.96 standard deviations; a panel a design."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "xlgo"
    asked = {stage for stages in found.values() for stage in stages}
    panels = {"": "fixed design"}
    if any(stage.endswith(ADAPTIVE) for stage in asked):
        panels[ADAPTIVE] = "adaptive design"
    figure = Figure(figsize=(9, 3.9) if len(panels) > 1 else (7.2, 3.9), layout="constrained")
    several = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, (ending, title) in zip(several, panels.items()):
        _panel(axes, found, ending)
        seeds = [str(seed) for seed, stages in found.items() if "skewed" + ending in stages]
        told = f"{title}, a point a seed ({', '.join(seeds)})\n{questions(found, ending)}"
        axes.set_title(told, fontsize="medium")
    several[0].set_ylabel("gap to English, SMD in points")
    figure.supxlabel(
        "language and its share of the skewed data (English 90%); bars: 1.96 standard deviations",
        fontsize="medium",
    )
    handles, labels = several[0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, loc="outside upper center", ncols=len(COLOURS))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _panel(axes: Any, found: Mapping[int, Mapping[str, Cells]], ending: str) -> None:
    codes = [code for code in SKEWED if code != "en"]
    for place, stage in enumerate(COLOURS):
        for turn, (seed, stages) in enumerate(found.items()):
            if stage + ending not in stages:
                continue
            cells = [stages[stage + ending][code] for code in codes]
            shown = [i for i, cell in enumerate(cells) if cell["smd"] is not None]
            middle = 0.26 * (place - 1) + 0.06 * (turn - (len(found) - 1) / 2)
            axes.errorbar(
                [i + middle for i in shown],
                [100 * cells[i]["smd"] for i in shown],
                [196 * cells[i]["smd_sd"] for i in shown],
                fmt="o",
                markersize=4,
                color=COLOURS[stage],
                capsize=2,
                linewidth=1,
                label=NAMES[stage] if seed == next(iter(found)) else None,
            )
    axes.axhline(0, color="#444444", linewidth=0.8)
    axes.set_xticks(range(len(codes)), [f"{code}\n{SKEWED[code] / 100:g}%" for code in codes])


def main() -> None:
    scores = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    print_summary(scores)
    draw(scores, Path(sys.argv[2]))


if __name__ == "__main__":
    main()
