"""``--design adaptive``: languages and range of complexities of each task, settled beforehand."""

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import xlgo_dataset as xd
from xlgo_dataset.family import has_few
from xlgo_metric.option import codes
from xlgo_metric.statistics.adaptive import Design

from .make_tasks import FoundTask
from .request import Adaptive, Request


@dataclass(frozen=True)
class TaskDesign:
    """A task of the dataset, and how it is asked.

    Attributes:
        names: of the harness's tasks that ask it.
        languages: codes, in all of which every question is asked.
        design: the settings.
    """

    names: tuple[str, ...]
    languages: tuple[str, ...]
    design: Design


def designs(
    request: Request, tasks: Mapping[str, FoundTask], foreign: Sequence[str]
) -> dict[str, TaskDesign]:
    """The design of every task of the dataset; empty where it is not adaptive.

    Args:
        request: what is to be run.
        tasks: of the harness, of this package.
        foreign: tasks that are not of this package.

    Raises:
        ValueError: a task without complexities to choose, or a value that is not allowed.
    """
    adaptive = request.adaptive
    if adaptive is None:
        return {}
    unable = [
        name
        for name, task in tasks.items()
        if xd.family(task.family).complexity_range(task.spec.task) is None
    ]
    if unable or foreign:
        raise ValueError(
            f"--design adaptive: {[*unable, *foreign][0]} has no complexities to choose: leave it "
            "out, or run it with --design fixed"
        )
    by_task = {}
    for key in dict.fromkeys(task.spec.task for task in tasks.values()):
        same_task = {name: task for name, task in tasks.items() if task.spec.task == key}
        merged = [{**task.metadata, **request.metadata} for task in same_task.values()]
        listed = [codes(str(m.get("xlgo_language") or m["languages"])) for m in merged]
        languages = list(dict.fromkeys(itertools.chain(*listed)))
        low, high = _ends(key, adaptive)
        try:
            avoided = functools.partial(has_few, key)
            design = Design(low, high, len(languages), adaptive.budget, avoided)
        except ValueError as error:
            raise ValueError(f"--design adaptive: {key}: {error}") from error
        by_task[key] = TaskDesign(tuple(same_task), tuple(languages), design)
    return by_task


def _ends(task: str, adaptive: Adaptive) -> tuple[int, int]:
    """The range of a task: as given, or its own."""
    family = xd.family_of(task)
    default_range = family.complexity_range(task) or ()
    ends = (adaptive.c_min, adaptive.c_max)
    low, high = (default if end is None else end for default, end in zip(default_range, ends))
    if low >= high:
        raise ValueError(f"--design adaptive: {task}: c_min {low} must be below c_max {high}")
    family.options(task, complexities=[low, high])
    return low, high
