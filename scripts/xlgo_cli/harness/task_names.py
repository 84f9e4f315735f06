"""Names of tasks, as given to ``--tasks``, and the tasks they refer to."""

import difflib
import fnmatch
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.text.languages import check_readable
from xlgo_lm_eval.arguments import Settings, check_names
from xlgo_lm_eval.tasks.utils import known_options, task_options
from xlgo_metric.core import grouped
from xlgo_metric.option import codes

from ..logs.questions import OPTION
from .make_tasks import FoundTask, group_config, task_config, tasks_by_family

_OF_RUNS = (OPTION, "xlgo_answers")
"""Metadata that this command sets."""

_LOGGER = logging.getLogger("xlgo")


def every_task() -> dict[str, FoundTask]:
    """Every task of this package by its name in the harness."""
    return {name: task for tasks in tasks_by_family().values() for name, task in tasks.items()}


def _groups() -> dict[str, list[str]]:
    """The names of tasks by the group that they are in."""
    tasks = every_task()
    in_groups = [name for name, task in tasks.items() if task.spec.in_group]
    return grouped(in_groups, lambda name: tasks[name].spec.group)


def harness_names(names: Sequence[str]) -> list[str]:
    """The names of tasks in the harness; one may be given as in the dataset (``slt_te``)."""
    tasks = every_task()
    of_data = {
        short: name
        for name, task in reversed(tasks.items())
        for short in (task.spec.task, *(f"{task.spec.task}_{code}" for code in task.spec.languages))
        if name.endswith(f"_{short}")
    }
    in_harness = {*tasks, *(task.spec.group for task in tasks.values())}
    return [name if name in in_harness else of_data.get(name, name) for name in names]


def expand(names: Sequence[str], *, strict: bool = True) -> tuple[dict[str, FoundTask], list[str]]:
    """The tasks of this package behind some names, and the names that are not of this package.

    Args:
        names: of tasks or groups, or patterns such as ``xlgo_*_te``.
        strict: refuse a name that begins like ours but is none.

    Raises:
        ValueError: see ``strict``.
    """
    tasks, groups = every_task(), _groups()
    ours: dict[str, FoundTask] = {}
    foreign: list[str] = []
    for name in names:
        matches = groups.get(name) or fnmatch.filter(tasks, name)
        meant = [task for task in tasks if task.endswith(f"_{name}")][:3]
        if not meant and name.startswith(tuple(f"{group}_" for group in groups)):
            meant = difflib.get_close_matches(name, [*groups, *tasks], n=3) or list(groups)
        if not matches and strict and meant:
            raise ValueError(f"unknown task {name!r}: did you mean {' or '.join(meant)}?")
        ours |= {match: tasks[match] for match in matches}
        foreign += [] if matches else [name]
    return ours, list(dict.fromkeys(foreign))


def harness_tasks(names: Sequence[str], metadata: Settings) -> list[Any]:
    """The tasks and groups of this package behind some names, as the harness takes them.

    A task that several names mean is there once, in its group if that is asked for.

    Args:
        names: see ``expand``.
        metadata: options of the tasks and arguments of the model.

    Raises:
        ValueError: a default language has no table of words for the reader.
    """
    from lm_eval.api.group import Group
    from lm_eval.config.group import GroupConfig

    from xlgo_lm_eval.task import Task

    check_readable(xd.LANGUAGES)
    objects: list[Any] = []
    groups, before = _groups(), set[str]()
    for name in sorted(names, key=lambda name: name not in groups):
        expanded, _ = expand([name], strict=False)
        if not (tasks := {own: task for own, task in expanded.items() if own not in before}):
            continue
        before |= tasks.keys()
        configs = [task_config(task) for task in tasks.values()]
        made = [Task({**config, "metadata": config["metadata"] | metadata}) for config in configs]
        if name in groups:
            group = Group.from_config(GroupConfig(**group_config(name, list(tasks.values()))))
            for task in made:
                group.add(task)
        objects += [group] if name in groups else made
    return objects


def in_languages(tasks: Mapping[str, FoundTask], metadata: Settings) -> dict[str, FoundTask]:
    """The tasks, those of one language replaced by the same in the languages that were asked for.

    Args:
        tasks: of this package.
        metadata: what was given on the command line; nothing changes without ``languages``.

    Raises:
        ValueError: a task of one language does not exist in one that was asked for.
    """
    every = every_task()
    language_codes = codes(metadata.get("languages", ""))
    in_each: dict[str, FoundTask] = {}
    for name, task in tasks.items():
        if not language_codes or "languages" in task.metadata:
            in_each[name] = task
            continue
        for code in language_codes:
            own = name if code in task.spec.languages else None
            variant = f"{name}_{code}" if f"{name}_{code}" in every else own
            if variant is None:
                raise ValueError(
                    f"{name}: languages: there is no such task in {code!r}: name the tasks that "
                    "you want, or leave the languages out"
                )
            in_each[variant] = every[variant]
    return in_each


def check_options(
    tasks: Mapping[str, FoundTask], metadata: Settings, *, is_all: bool = False
) -> None:
    """Refuse options that a task does not allow, and names that are much like an option's.

    Args:
        tasks: of this package.
        metadata: what was given on the command line.
        is_all: no other tasks are asked, which may have options of their own.

    Raises:
        ValueError: with the task or the option.
    """
    options = {option for task in tasks.values() for option in known_options(task.metadata)}
    names = [name for name in metadata if name not in _OF_RUNS] if tasks else []
    anywhere = {name for task in every_task().values() for name in known_options(task.metadata)}
    check_names("--metadata", names, anywhere, is_open=not is_all)
    for name in sorted({*names} - options):
        _LOGGER.warning("no task that is asked has the option %r (see xlgo tasks NAME)", name)
    for name, task in tasks.items():
        merged = {**task.metadata, **metadata}
        family = xd.family(merged["xlgo_family"])
        language_codes = codes(merged.get("xlgo_language") or merged.get("languages", ""))
        try:
            family.check_asked(merged["xlgo_task"], language_codes)
            family.check(merged["xlgo_task"], language_codes, **task_options(merged))
        except ValueError as error:
            raise ValueError(f"{name}: {str(error).removeprefix(f'{task.spec.task}: ')}") from error


def one_language_each(tasks: Mapping[str, FoundTask], metadata: Settings) -> dict[str, FoundTask]:
    """The same questions as tasks of one language each.

    Args:
        tasks: of this package.
        metadata: what was given on the command line; ``languages`` overrides that of the tasks.
    """
    every = every_task()
    single: dict[str, FoundTask] = {}
    for name, task in tasks.items():
        of_task = task.metadata.get("languages")
        language_codes = [] if of_task is None else codes(metadata.get("languages", of_task))
        alone = [f"{name}_{code}" for code in language_codes]
        has_all = alone and every.keys() >= {*alone}  # not every task has them
        single |= {variant: every[variant] for variant in alone} if has_all else {name: task}
    return single
