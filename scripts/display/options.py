"""The options of a task, for ``xlgo tasks`` and for the pages of the docs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.option import Option
from xlgo_lm_eval.utils import OF_MODELS
from xlgo_metric.core import Option as ScoreOption
from xlgo_metric.family import family as grading_family
from xlgo_metric.table import Column, Table


def option_tables(task: str) -> list[Table]:
    """The options of a task's questions, and of the score of its family.

    Raises:
        ValueError: an unknown task.
    """
    of = xd.family_of(task)
    found: dict[str, Sequence[Option | ScoreOption]] = {
        f"Options of {task}, for --metadata": of.task_options(task),
        "Options of its score, for --options": grading_family(of.name).options,
    }
    columns = tuple(map(Column, ("option", "what it does", "default", "value")))
    return [
        Table("options", title, columns, tuple(map(option_row, options)))
        for title, options in found.items()
        if options
    ]


def option_row(one: Option | ScoreOption) -> tuple[str, str, str, str]:
    """An option: its name on the command line, what it does, its default and its values."""
    name = f"xlgo_{one.name}" if one.name in OF_MODELS and isinstance(one, Option) else one.name
    return name, one.help, _written(one.default), one.wanted


def _written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(_written, value))
    return "" if value is None else str(value)
