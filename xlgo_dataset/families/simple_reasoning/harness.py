"""The tasks of this family in lm-evaluation-harness: their names and settings."""

from __future__ import annotations

from ...declared import HarnessTask
from . import questions, released, unpuzzles
from .base import Json, Task

GROUP = "simple_reasoning"
LANGUAGES_GROUP = "simple_reasoning_languages"
"""Of the tasks by language, all of them with the parallel text."""


def harness_tasks() -> tuple[HarnessTask, ...]:
    """A task for each generated one in English with the paper's text, one for each of its
    languages with the parallel text, one for each variant of UNPUZZLES, and one for the authors'
    fixed questions.

    The last two kinds need ``source`` to be given when they are run: no group runs them.
    """

    def spec(task: Task, code: str, grid: Json, name: str, group: str) -> HarnessTask:
        options = {"n": questions.PER_SETTING, **grid}
        return HarnessTask(name, task.name, (code,), group, task.template, options)

    specs = [
        spec(task, "en", task.grid, f"simple_{name}", GROUP)
        for name, task in questions.GENERATED.items()
    ]
    for name, task in questions.GENERATED.items():
        codes, grid = questions.languages(name), task.grid
        if questions.has_parallel_text(name):
            grid = {"text": "parallel", **(task.parallel_grid or task.grid)}
        else:  # its own texts; English has its task already
            codes = codes[1:]
        specs += [
            spec(task, code, grid, f"simple_{name}_{code}", LANGUAGES_GROUP) for code in codes
        ]
    specs += [
        HarnessTask(
            f"unpuzzles_{variant}", unpuzzles.TASK, ("en",), GROUP, "simple_unpuzzles",
            {"variant": variant, "items": "shifted", "source": ""}, in_group=False,
        )
        for variant in unpuzzles.VARIANTS
    ]  # fmt: skip
    specs.append(
        HarnessTask(
            "simple_released", released.TASK, ("en",), GROUP, "simple", {"source": ""},
            in_group=False,
        )
    )  # fmt: skip
    return tuple(specs)
