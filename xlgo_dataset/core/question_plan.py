"""An explicit plan: which questions of each complexity are asked, for repeating a run exactly.

A plan is a JSON object, in a file or as it is::

    {"schema": 1, "design": "plan", "seed": 0,
     "tasks": {"slt": {"range": [10, 600], "cells": {"12": 5, "40": [0, 1, 7]}}}}

A cell is a complexity with the number of its questions (the first so many) or with their indexes.
``range`` is where gaps and averages are stated; without it, from the least complexity to the
greatest. ``design`` says how the plan came about, ``seed`` which puzzles are meant.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlgo_metric.core import allowed_name, as_int, refuse

SCHEMA = 1
DESIGN = "plan"
MOST_QUESTIONS = 1_000_000

_KEYS = ("schema", "design", "seed", "tasks", "made_by")
_TASK_KEYS = ("range", "cells")


@dataclass(frozen=True)
class TaskPlan:
    """What is asked of one task.

    Attributes:
        cells: the indexes of the questions of each complexity; complexities and indexes rise.
        low, high: the range on which results are stated.
        design: how the plan came about.
        seed: of the puzzles; ``None`` for any.
    """

    cells: dict[int, tuple[int, ...]]
    low: int
    high: int
    design: str = DESIGN
    seed: int | None = None


def plan_json(
    tasks: Mapping[str, TaskPlan], *, design: str = DESIGN, seed: int = 0, **extra: str
) -> dict[str, object]:
    """A plan of several tasks as a JSON object."""
    entries = {
        name: {
            "range": [task.low, task.high],
            "cells": {str(size): list(indexes) for size, indexes in task.cells.items()},
        }
        for name, task in tasks.items()
    }
    return {"schema": SCHEMA, "design": design, "seed": seed, **extra, "tasks": entries}


def read_plan(plan: Any) -> dict[str, TaskPlan]:
    """The tasks of a plan, checked.

    Args:
        plan: the path of a file, JSON as text, or the object itself.

    Raises:
        ValueError: it cannot be read, or is no plan; what is wrong is named.
    """
    what, data = ("plan", plan) if isinstance(plan, Mapping) else _loaded(plan)
    tasks = _table(what, data, "tasks", '{"schema": 1, "tasks": {...}}', _KEYS)
    schema, design, seed = data.get("schema"), data.get("design", DESIGN), data.get("seed")
    is_name = isinstance(design, str) and re.fullmatch(r"[^|:\n]+", design)
    refuse(
        f"{what}: ",
        (schema != SCHEMA, f"schema must be {SCHEMA}, got {schema!r}"),
        (not is_name, f"design must be a text without '|' and ':', got {design!r}"),
    )
    seed = None if seed is None else as_int(f"{what}: seed", seed)
    return {
        str(name): _task(f"{what}: {name}", entry, design, seed) for name, entry in tasks.items()
    }


def task_plan(task: str, plan: Any) -> TaskPlan:
    """What a plan asks of a task.

    Raises:
        ValueError: it is no plan, or has nothing of this task.
    """
    tasks = read_plan(plan)
    if task not in tasks:
        raise ValueError(f"the plan has no questions of {task}: it has those of {', '.join(tasks)}")
    return tasks[task]


def _loaded(plan: Any) -> tuple[str, Any]:
    """A name for messages, and the content of the plan."""
    is_json = str(plan).lstrip().startswith("{")
    what = "plan" if is_json else f"plan {plan}"
    try:
        return what, json.loads(str(plan) if is_json else Path(str(plan)).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{what}: cannot be read as JSON ({error})") from error


def _table(what: str, data: Any, key: str, example: str, allowed: tuple[str, ...]) -> Any:
    """The mapping under a key of an object that has no keys but the allowed ones."""
    table = data.get(key) if isinstance(data, Mapping) else None
    refuse(
        f"{what}: ",
        (not isinstance(table, Mapping), f"must be an object like {example}"),
        (not table, f"has no {key}"),
    )
    for name in data:
        allowed_name(name, "key", allowed, f"{what}: ")
    return table


def _task(what: str, entry: Any, design: str, seed: int | None) -> TaskPlan:
    table = _table(what, entry, "cells", '{"range": [10, 600], "cells": {"12": 5}}', _TASK_KEYS)
    cells = {_size(what, size): _indexes(what, size, indexes) for size, indexes in table.items()}
    ends = entry.get("range", [min(cells), max(cells)])
    is_pair = isinstance(ends, list | tuple) and {*map(type, ends)} == {int} and len(ends) == 2
    refuse(
        f"{what}: ",
        (len(cells) != len(table), "duplicate complexity"),
        (
            sum(map(len, cells.values())) > MOST_QUESTIONS,
            f"more than {MOST_QUESTIONS:,} questions",
        ),
        (
            not is_pair or not 0 < ends[0] <= ends[1],
            f"range must be two rising integers, got {ends!r}",
        ),
    )
    return TaskPlan(dict(sorted(cells.items())), ends[0], ends[1], design, seed)


def _size(what: str, size: Any) -> int:
    is_text = isinstance(size, str) and size.isascii() and size.isdigit() and len(size) < 10
    return as_int(f"{what}: a complexity", int(size) if is_text else size)


def _indexes(what: str, size: Any, indexes: Any) -> tuple[int, ...]:
    if type(indexes) is int and 0 < indexes <= MOST_QUESTIONS:
        return tuple(range(indexes))
    is_list = isinstance(indexes, list | tuple) and {*map(type, indexes)} == {int}
    if is_list and min(indexes) >= 0 and sorted(set(indexes)) == list(indexes):
        return tuple(indexes)
    raise ValueError(
        f"{what}: complexity {size} must have a number of questions above 0 or a list of rising "
        f"indexes, got {indexes!r}"
    )
