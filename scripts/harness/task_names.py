"""Names of tasks, as ``--tasks`` has them, and what stands behind them."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Mapping, Sequence
from typing import Any

import xlgo_dataset as xd
from xlgo_lm_eval.utils import PUZZLES, codes, known_options, near_miss, task_options

from .make_tasks import GROUPS, HarnessTask, tasks_by_family


def expand(
    names: Sequence[str], *, strict: bool = True
) -> tuple[dict[str, HarnessTask], list[str]]:
    """The tasks of this package behind some names, and the names that are not of this package.

    Args:
        names: of tasks or groups, or patterns such as ``xlgo_*_te``.
        strict: refuse a name that begins like ours but is none.

    Raises:
        ValueError: see ``strict``.
    """
    families = tasks_by_family()
    known = {name: task for tasks in families.values() for name, task in tasks.items()}
    groups = {
        GROUPS[family]: [name for name, task in tasks.items() if task.in_group]
        for family, tasks in families.items()
    }
    found: dict[str, HarnessTask] = {}
    others: list[str] = []
    for name in names:
        matches = groups.get(name) or fnmatch.filter(known, name)
        if not matches and strict and f"xlgo_{name}" in known:
            raise ValueError(f"unknown task {name!r}: did you mean xlgo_{name}?")
        if not matches and strict and name.startswith(tuple(GROUPS.values())):
            near = difflib.get_close_matches(name, [*groups, *known], n=3) or list(groups)
            raise ValueError(f"unknown task {name!r}: did you mean {' or '.join(near)}?")
        found |= {match: known[match] for match in matches}
        others += [] if matches else [name]
    return found, list(dict.fromkeys(others))


def check_options(tasks: Mapping[str, HarnessTask], metadata: Mapping[str, Any]) -> None:
    """Refuse options that a task does not allow, and names that are much like an option's.

    Raises:
        ValueError: with the task or the option.
    """
    known = {option for task in tasks.values() for option in known_options(task.metadata)}
    for name in metadata if tasks else ():
        renamed = f"xlgo_{name}"  # ``seed`` and ``split``, as the data set calls them
        meant = renamed if renamed in known else near_miss(name, sorted(known), 0.8)
        if meant is not None:
            raise ValueError(f"--metadata: unknown option {name!r}: did you mean {meant!r}?")
    for name, task in tasks.items():
        merged = {**task.metadata, **metadata}
        family = xd.family(merged["xlgo_family"])
        try:
            family.options(merged["xlgo_task"], **task_options(merged))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
        allowed = family.languages(merged["xlgo_task"])
        if "languages" in task.metadata and not codes(merged["languages"]):
            raise ValueError(f"{name}: languages: give at least one code, as in 'en,te'")
        for code in codes(merged.get("languages", "")):
            if code not in allowed:
                raise ValueError(
                    f"{name}: unknown language {code!r}: allowed are {', '.join(allowed)}"
                )


def one_language_each(
    tasks: Mapping[str, HarnessTask], metadata: Mapping[str, Any]
) -> dict[str, HarnessTask]:
    """The same questions as tasks of one language each.

    Args:
        tasks: of this package.
        metadata: what was given on the command line; ``languages`` overrides that of the tasks.
    """
    known = {name: task for tasks in tasks_by_family().values() for name, task in tasks.items()}
    found: dict[str, HarnessTask] = {}
    for name, task in tasks.items():
        if "languages" not in task.metadata:
            found[name] = task
            continue
        for code in codes(metadata.get("languages", task.metadata["languages"])):
            found[f"{name}_{code}"] = known[f"{name}_{code}"]
    return found


def prompt_bytes(tasks: Mapping[str, HarnessTask], metadata: Mapping[str, Any]) -> int:
    """About how many bytes the prompts of tasks in one language each have in UTF-8.

    A prompt grows in proportion to its complexity, so the one in the middle stands for the mean.
    The prompts of the other families are short: they do not count.
    """
    total = 0.0
    for task in tasks.values():
        merged = {**task.metadata, **metadata}
        if merged["xlgo_family"] != PUZZLES:
            continue
        puzzle = merged["xlgo_task"]
        options = xd.family(PUZZLES).options(puzzle, **task_options(merged))
        low, high = options["c_min"], options["c_max"]
        middle = xd.generate(puzzle, complexity=(low + high) // 2, seed=options["seed"])
        prompt = xd.render(middle, merged["xlgo_language"], options["text"])
        total += len(prompt.encode()) * options["levels"] * options["per_level"]
    return round(total)
