"""The family PolyMath: mathematical problems of four levels in eighteen languages."""

from ...declared import HarnessTask, TaskLabels
from ...family import Family
from . import problems

FAMILY = Family(
    name=problems.NAME,
    package=__name__,
    title="Mathematics (PolyMath)",
    DATA_VERSION=problems.DATA_VERSION,
    labels={
        problems.NAME: TaskLabels(
            "PolyMath",
            "PolyMath",
            "Mathematical problems of four levels, from school to research.",
            "weight of the level",
            loaded=(problems.SPLIT,),
        )
    },
    source="""\
The problems {tasks} are those of PolyMath (https://huggingface.co/datasets/Qwen/PolyMath).
""",
    languages_of=lambda task: problems.LANGUAGES,
    options_of=lambda task: problems.OPTIONS,
    make_rows=problems.rows,
    half_right=lambda task: 1.0,
    response=lambda answer, task: f"\\boxed{{{answer}}}",
    harness_tasks=lambda: tuple(
        HarnessTask(f"polymath_{code}", problems.NAME, (code,), "polymath", "polymath")
        for code in problems.LANGUAGES
    ),
)
"""PolyMath (Wang et al. 2025): loaded, not generated."""
