"""Where designs ask their questions, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .costs import Cost

_INCHES = (7.0, 2.0)


def draw(costs: Sequence[Cost], path: Path) -> None:
    """Draw the questions of each complexity, a row a task.

    Raises:
        ValueError: the ending of the file is not one of a picture.
    """
    from matplotlib.figure import Figure

    tasks = list(dict.fromkeys(cost.task for cost in costs))
    figure = Figure(figsize=(_INCHES[0], _INCHES[1] * len(tasks)), layout="constrained")
    axes = figure.subplots(len(tasks), 1, squeeze=False)[:, 0]
    for axis, task in zip(axes, tasks):
        for cost in costs:
            if cost.task == task:
                label = f"{cost.design}: {cost.prompts} prompts a language"
                axis.plot(
                    list(cost.cells), list(cost.cells.values()), ".-", linewidth=0.6, label=label
                )
        axis.set_xscale("log")
        axis.set_title(task, loc="left")
        axis.set_ylabel("questions")
        axis.legend(fontsize="small")
    axes[-1].set_xlabel("complexity")
    figure.savefig(path)
