"""PolyMath: 500 mathematical problems of four levels in 18 languages (Wang et al. 2025).

Its problems are not part of this package: they come from the data set ``Qwen/PolyMath`` of the Hub,
or from a local copy of it. The instructions that are put behind them are, see ``prompts.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from .loading import HUB_NAME, problems

NAME = "polymath"
TASKS: tuple[str, ...] = ("polymath",)
LANGUAGES: tuple[str, ...] = (
    "en", "zh", "ar", "bn", "de", "es", "fr", "id", "it", "ja", "ko", "ms", "pt",
    "ru", "sw", "te", "th", "vi",
)  # fmt: skip
LEVELS: tuple[str, ...] = ("low", "medium", "high", "top")
WEIGHTS: Mapping[str, int] = {"low": 1, "medium": 2, "high": 4, "top": 8}
"""The weight of a level in the benchmark score (the paper's equation 1)."""
CONTROLS: tuple[str, ...] = ("none", "query", "english", "preferred")
"""What a prompt asks of the language of the response (the paper's section 4.2)."""
SPLIT = "test"

_METRICS = ("acc", "parsed", "strict", "truncated")
_LEVEL_METRICS = (*_METRICS, "lc_thinking", "lc_answer")
_LANGUAGE_METRICS = (*_LEVEL_METRICS, "dw_acc")


def languages(task: str) -> tuple[str, ...]:
    """The 18 languages, English first, in the order of the paper's tables.

    Raises:
        ValueError: an unknown task.
    """
    _check_task(task)
    return LANGUAGES


def options(task: str, **given: Any) -> dict[str, Any]:
    """The options of ``rows``, checked and complete.

    ``levels`` (names joined by commas, or a list; all four by default), ``control`` (``none``,
    ``query``, ``english`` or ``preferred``) and ``polymath_path`` (the folder of a local copy; by
    default the data come from the Hub).

    Raises:
        ValueError: an unknown task, option, level or control; the allowed ones are named.
    """
    _check_task(task)
    defaults: dict[str, Any] = {"levels": ",".join(LEVELS), "control": "none", "polymath_path": ""}
    for name in given:
        if name not in defaults:
            raise ValueError(f"{task} has no option {name!r}: allowed are {', '.join(defaults)}")
    chosen = defaults | {name: value for name, value in given.items() if value is not None}
    names = chosen["levels"]
    if isinstance(names, int):
        raise ValueError(f"levels must be names of {', '.join(LEVELS)}, got {names}")
    names = names.split(",") if isinstance(names, str) else list(names)
    for level in names:
        if level not in LEVELS:
            raise ValueError(f"unknown level {level!r}: allowed are {', '.join(LEVELS)}")
    if chosen["control"] not in CONTROLS:
        raise ValueError(
            f"unknown control {chosen['control']!r}: allowed are {', '.join(CONTROLS)}"
        )
    chosen["levels"] = ",".join(level for level in LEVELS if level in names)
    chosen["polymath_path"] = str(chosen["polymath_path"])
    return chosen


def rows(
    task: str, languages: Sequence[str], *, split: str = SPLIT, **given: Any
) -> Iterator[dict[str, Any]]:
    """Questions with their prompts and references: by number, then level, then language.

    Args:
        task: ``polymath``.
        languages: codes of the languages.
        split: ``test``, which is all that PolyMath has.
        given: see ``options``.

    Yields:
        The columns of every family; ``complexity`` is the weight of the level, ``level`` its
        number.

    Raises:
        ValueError: an unknown language, split or option, or data that cannot be loaded.
    """
    chosen = options(task, **given)
    if split != SPLIT:
        raise ValueError(f"{task} has no split {split!r}: allowed is {SPLIT}")
    for language in languages:
        if language not in LANGUAGES:
            raise ValueError(f"unknown language {language!r}: allowed are {', '.join(LANGUAGES)}")
    levels = chosen["levels"].split(",")
    loaded = {
        (level, language): problems(language, level, chosen["polymath_path"])
        for level in levels
        for language in languages
    }
    for index in range(max(map(len, loaded.values()), default=0)):
        for (level, language), found in loaded.items():
            if index < len(found):
                yield _row(found[index], language, level, index, chosen["control"])


def generate(task: str, **_: Any) -> Any:
    """Problems are loaded, not generated.

    Raises:
        ValueError: always.
    """
    raise ValueError(f"{task} is loaded, not generated: use rows({task!r}, ...)")


def prompt(question: str, language: str, control: str = "none") -> str:
    """The prompt of a problem: the problem, the answer instruction, and what ``control`` asks.

    The paper appends the answer instruction as a paragraph of its own (appendix D.1); where the
    control sentence stands it does not say: here it is the last paragraph.

    Raises:
        ValueError: an unknown control.
    """
    texts = instructions()
    parts = [question.strip(), texts["answer"][language]]
    if control not in CONTROLS:
        raise ValueError(f"unknown control {control!r}: allowed are {', '.join(CONTROLS)}")
    if control != "none":
        parts.append(texts["control"][control][language])
    return "\n\n".join(parts)


@cache
def instructions() -> dict[str, Any]:
    """The instructions of every language, with notes on where each came from."""
    text = resources.files(__package__).joinpath("prompts.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def lm_eval_tasks() -> list[dict[str, Any]]:
    """One entry per lm-eval task: ``polymath_<language>`` and ``polymath_<language>_<level>``.

    The keys are ``task``, ``group``, ``xlgo_task``, ``languages``, ``metadata`` (options of
    ``rows``), ``metrics``, and ``in_group``: the tasks of one level only are not in the group, for
    they would be run twice.
    """
    found: list[dict[str, Any]] = []
    for language in LANGUAGES:
        shared = {"group": NAME, "xlgo_task": NAME, "languages": [language]}
        found.append(
            {
                "task": f"{NAME}_{language}", **shared, "in_group": True,
                "metadata": options(NAME), "metrics": list(_LANGUAGE_METRICS),
            }
        )  # fmt: skip
        for level in LEVELS:
            found.append(
                {
                    "task": f"{NAME}_{language}_{level}", **shared, "in_group": False,
                    "metadata": options(NAME, levels=level), "metrics": list(_LEVEL_METRICS),
                }
            )  # fmt: skip
    return found


def _row(
    problem: dict[str, Any], language: str, level: str, index: int, control: str
) -> dict[str, Any]:
    instance = f"{NAME}-{level}-i{index}" + ("" if control == "none" else f"-{control}")
    answer = json.dumps(str(problem["answer"]), ensure_ascii=False)
    reference = {
        "family": NAME, "task": NAME, "language": language, "instance_id": instance, "level": level,
        "index": index, "control": control, "split": SPLIT, "answer": str(problem["answer"]),
    }  # fmt: skip
    return {
        "id": f"{instance}-{language}", "instance_id": instance, "task": NAME, "language": language,
        "complexity": WEIGHTS[level], "level": LEVELS.index(level), "index": index, "seed": 0,
        "prompt": prompt(str(problem["question"]), language, control), "answer": answer,
        "reference": json.dumps(reference, ensure_ascii=False),
    }  # fmt: skip


def _check_task(task: str) -> None:
    if task not in TASKS:
        raise ValueError(f"unknown task {task!r}: allowed are {', '.join(TASKS)}")


__all__ = [
    "CONTROLS", "HUB_NAME", "LANGUAGES", "LEVELS", "NAME", "TASKS", "WEIGHTS", "generate",
    "instructions", "languages", "lm_eval_tasks", "options", "prompt", "rows",
]  # fmt: skip
