"""The family PolyMath: mathematical problems of four levels in eighteen languages."""

from __future__ import annotations

from xlgo_metric.option import Option

from ...family import Family, HarnessTask, TaskLabels
from . import problems

_SOURCE = """\
The problems {tasks} are those of PolyMath (https://huggingface.co/datasets/Qwen/PolyMath).
"""


class PolyMath(Family):
    """PolyMath (Wang et al. 2025): loaded, not generated."""

    name = problems.NAME
    title = "Mathematics (PolyMath)"
    DATA_VERSION = problems.DATA_VERSION
    labels = {  # noqa: RUF012 (read only)
        "polymath": TaskLabels(
            "PolyMath",
            "PolyMath",
            "Mathematical problems of four levels, from school to research.",
            "weight of the level",
            loaded=(problems.SPLIT,),
        )
    }
    source = _SOURCE

    def languages(self, task: str) -> tuple[str, ...]:
        self.check_task(task)
        return problems.LANGUAGES

    def task_options(self, task: str) -> tuple[Option, ...]:
        self.check_task(task)
        return problems.OPTIONS

    rows = staticmethod(problems.rows)

    def harness_tasks(self) -> tuple[HarnessTask, ...]:
        return tuple(
            HarnessTask(f"polymath_{code}", problems.NAME, (code,), "polymath", "polymath")
            for code in problems.LANGUAGES
        )


FAMILY = PolyMath()
