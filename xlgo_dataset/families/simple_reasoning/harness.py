"""The tasks of this family in lm-evaluation-harness: their names and settings."""

from __future__ import annotations

from typing import Any

from ...family import HarnessTask
from . import counting, prompts, questions, released, text, unpuzzles

GROUP = "simple_reasoning"
LANGUAGES_GROUP = "simple_reasoning_languages"
"""Of the tasks by language, all of them with the parallel text."""

_LOGIC: dict[str, Any] = {
    "depth": [4, 8, 12],
    "size": ["small", "medium"],
    "vocabulary": ["letters", "movies", "rand20"],
}
_TASKS: dict[str, dict[str, Any]] = {
    "word_count": {"k": [1, 3, 6], "m": [50, 150], "source": text.WIKITEXT},
    "char_count": {"m": [50, 150], "source": text.WIKITEXT},
    "logic_eval": _LOGIC,
    "logic_negation": {**_LOGIC, "distractors": "star"},
    "proof_tree": {"depth": [3, 6, 9], "diverse": [False, True], "compeq_style": "explicit"},
    "irrelevant": {"trees": [1, 2, 4, 6], "sentences": [0, 60], "compeq_style": "explicit"},
    "travel": {"cities": [10, 20], "visit": [5, 8], "modes": 4, "budget": "path"},
}
"""The paper's grid, as options of ``rows``."""


SMALL: dict[str, dict[str, Any]] = {
    "word_count": {"k": 3, "m": 50, "min_length": 3},
    "char_count": {"m": 50},
    "logic_eval": {"depth": 3, "size": "small", "vocabulary": "movies"},
    "logic_negation": {"depth": 3, "size": "small", "vocabulary": "movies"},
    "proof_tree": {"depth": 5, "diverse": True},
    "irrelevant": {"trees": 1, "sentences": 12, "depth": 2},
    "travel": {"cities": 4, "visit": 3, "modes": 2},
}
"""A small question of every task, as options of ``rows``."""

FORMER_NAMES: dict[str, str] = {
    "easy": GROUP,
    **{f"easy_{name}": f"simple_{name}" for name in _TASKS},
    **{f"easy_unpuzzles_{variant}": f"unpuzzles_{variant}" for variant in unpuzzles.VARIANTS},
}
"""The family was called ``easy`` in version 0.1."""


def harness_tasks() -> tuple[HarnessTask, ...]:
    """A task for each generated one in English with the paper's text, one for each of its
    languages with the parallel text, one for each variant of UNPUZZLES, and one for the authors'
    fixed questions.

    The last two kinds need ``source`` to be given when they are run: no group runs them.
    """
    found = [
        HarnessTask(f"simple_{name}", name, ("en",), GROUP, _template(name), {"n": 20, **settings})
        for name, settings in _TASKS.items()
    ]
    found += [
        HarnessTask(
            f"simple_{name}_{code}",
            name,
            (code,),
            LANGUAGES_GROUP,
            _template(name),
            {"n": 20, "text": "parallel", **_parallel(name, settings)},
        )
        for name, settings in _TASKS.items()
        if name in prompts.frame(prompts.PARALLEL) or name in prompts.frame(counting.FOLDER)
        for code in questions.languages(name)
    ]
    found += [
        HarnessTask(
            f"unpuzzles_{variant}", unpuzzles.TASK, ("en",), GROUP, "simple_unpuzzles",
            {"variant": variant, "items": "shifted", "source": ""}, in_group=False,
        )
        for variant in unpuzzles.VARIANTS
    ]  # fmt: skip
    found.append(
        HarnessTask(
            "simple_released", released.TASK, ("en",), GROUP, "simple", {"source": ""},
            in_group=False,
        )
    )  # fmt: skip
    return tuple(found)


def _parallel(task: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The paper's grid without the style that only its own text has.

    The texts of languages are short: passages of 150 words would be few. Their words may be short
    too, as in Hindi.
    """
    found = {name: value for name, value in settings.items() if name != "compeq_style"}
    if task in prompts.frame(counting.FOLDER):
        found |= {"m": [50, 100], "source": text.OWN}
    return found | ({"min_length": 3} if task == "word_count" else {})


def _template(task: str) -> str:
    """The settings that a task shares: those with options A to D also report what guesses get."""
    if task in ("logic_eval", "logic_negation"):
        return "simple_choice"
    return "simple_travel" if task == "travel" else "simple"
