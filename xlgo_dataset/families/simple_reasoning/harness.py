"""The tasks of this family in lm-evaluation-harness: their names and settings."""

from __future__ import annotations

from ...family import HarnessTask
from . import questions, released, unpuzzles

GROUP = "simple_reasoning"
LANGUAGES_GROUP = "simple_reasoning_languages"
"""Of the tasks by language, all of them with the parallel text."""


def harness_tasks() -> tuple[HarnessTask, ...]:
    """A task for each generated one in English with the paper's text, one for each of its
    languages with the parallel text, one for each variant of UNPUZZLES, and one for the authors'
    fixed questions.

    The last two kinds need ``source`` to be given when they are run: no group runs them.
    """
    specs = [
        HarnessTask(
            f"simple_{name}", name, ("en",), GROUP, module.TEMPLATE,
            {"n": questions.PER_SETTING, **module.GRID},
        )
        for name, module in questions.GENERATED.items()
    ]  # fmt: skip
    for name, module in questions.GENERATED.items():
        if questions.has_parallel_text(name):
            codes, settings = (
                questions.languages(name),
                {"text": "parallel", **module.PARALLEL_GRID},
            )
        else:  # its own texts; English has its task already
            codes, settings = questions.languages(name)[1:], dict(module.GRID)
        specs += [
            HarnessTask(
                f"simple_{name}_{code}", name, (code,), LANGUAGES_GROUP, module.TEMPLATE,
                {"n": questions.PER_SETTING, **settings},
            )
            for code in codes
        ]  # fmt: skip
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
