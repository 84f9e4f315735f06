"""The options of a task, for ``xlgo tasks`` and for the pages of the docs."""

from __future__ import annotations

from typing import Any

import xlgo_dataset as xd
from xlgo_lm_eval.tasks.utils import OF_MODELS
from xlgo_metric.family import family as grading_family
from xlgo_metric.option import Option
from xlgo_metric.table import Column, Table


def option_tables(task: str) -> list[Table]:
    """The options of a task's questions, and of the score of its family.

    Raises:
        ValueError: an unknown task.
    """
    family = xd.family_of(task)
    options = {
        f"Options of {task}, for --metadata": map(option_row, family.task_options(task)),
        "Options of its score, for --options": map(_row, grading_family(family.name).options),
    }
    columns = tuple(map(Column, ("option", "what it does", "default", "value")))
    tables = (Table("options", title, columns, tuple(rows)) for title, rows in options.items())
    return [table for table in tables if table.rows]


def option_row(option: Option) -> tuple[str, ...]:
    """An option of a task: its name for ``--metadata``, what it does, its default, its values."""
    name, *cells = _row(option)
    return (f"xlgo_{name}" if name in OF_MODELS else name, *cells)


def _row(option: Option) -> tuple[str, ...]:
    return option.name, option.help, _written(option.default), option.wanted


def _written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(_written, value))
    return "" if value is None else str(value)
