"""``xlgo tasks``: the tasks that there are, their names, and their files for the harness.

Settings that tasks share stand in files that begin with ``_``, beside ``utils.py``; each family has
a folder with a small file for every task and one for its group. The tasks of one language lie in
``languages/`` below it: installing the package writes them (``setup.py``), git does not hold them.
"""

import argparse
import difflib
import fnmatch
import logging
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import yaml

import xlgo_dataset as xd
import xlgo_lm_eval
from xlgo_dataset.families import BUILT_IN
from xlgo_dataset.text.languages import check_readable
from xlgo_lm_eval.arguments import ANSWERS, CHALLENGE, Settings, check_names
from xlgo_lm_eval.tasks import utils
from xlgo_metric.core import Measure, grouped
from xlgo_metric.family import family as grading_family
from xlgo_metric.option import Option, codes
from xlgo_metric.table import Column, Table

from ..arguments import Argument
from ..display.formats import show
from ..folders import write_text

FOLDER = Path(xlgo_lm_eval.__file__).parent / "tasks"
"""Where the task files are installed: the folder for ``lm-eval run --include_path``."""

STOP = "<|end of the answer|>"
"""A stop sequence that no model writes: without one, the harness stops at a blank line."""

MAX_TOKENS = 16_384
"""Room for long reasoning; ``--gen_kwargs max_gen_toks=...`` sets another."""

_SHARED = "_yaml"
"""How names of shared files end, as in lm-eval itself."""
_HEADER = "# Written by `xlgo tasks`; do not edit.\n"
_CLASS = "class: !function utils.Task\n"
"""In shared files: a class that needs the harness, which need not be there to write them."""
_AGGREGATE = ("acc", "truncated")
_OF_RUNS = (CHALLENGE, ANSWERS)
"""Metadata that this command sets."""

_LOGGER = logging.getLogger("xlgo")

Config = dict[str, Any]
"""The settings of a task or a group, by their names in task files."""


@dataclass(frozen=True)
class FoundTask:
    """A task of the harness and the family that it belongs to."""

    family: str
    spec: xd.HarnessTask

    @property
    def metadata(self) -> dict[str, object]:
        """The arguments of ``utils.load``, each of which ``--metadata`` can set."""
        task = self.spec.task
        names = [option.name for option in xd.family(self.family).task_options(task)]
        languages = self.spec.languages
        values = {
            "xlgo_family": self.family,
            "xlgo_task": task,
            "xlgo_options": ",".join(names),
            "xlgo_language": languages[0] if len(languages) == 1 else None,
            "languages": ",".join(languages) if len(languages) > 1 else None,
            # By a name of its own, because models have an argument ``seed``.
            "xlgo_seed": 0 if "seed" in names else None,
            "chain_step": self.spec.step or None,
            "stop_without_chat": [*self.spec.stop] or None,
        }
        known = {name: value for name, value in values.items() if value is not None}
        return known | dict(self.spec.options)

    @property
    def path(self) -> str:
        """Where the task's file lies in the folder of task files."""
        folder = "languages/" if self.spec.name.endswith(f"_{self.spec.languages[0]}") else ""
        return f"{self.family}/{folder}{self.spec.name}.yaml"


ARGUMENTS = (
    Argument("task", nargs="?", help="task whose options are listed (default: list all tasks)"),
    Argument(
        "--check", action="store_true",
        help="write nothing; exit 1 if a task file in the folder is not current (default: the "
        "installed ones)",
    ),
    Argument(
        "--out", "--folder", type=Path, dest="folder", metavar="FOLDER",
        help="write the task files into this folder, for `lm-eval run --include_path`",
    ),
    Argument(
        "--upstream", type=Path, metavar="FOLDER",
        help="write the files of a pull request to the harness: README, sample, tasks",
    ),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks; 0 if it went well, 1 if files are not current."""
    if args.task is not None:
        if args.check or args.folder is not None:
            raise ValueError("give a task, whose options are listed, or --check or --out, not both")
        show(*option_tables(args.task))
        return 0
    if args.upstream is not None:
        from .upstream import write_upstream

        written = write_upstream(args.upstream)
        print(f"{written[0].parent}: {len(written)} files")
        return 0
    if not args.check and args.folder is None:
        show(*listing())
        print(
            "xlgo run --tasks NAME, or NAME_CODE for one language, as in slt_te.\n"
            "xlgo tasks NAME lists the options of a task."
        )
        return 0
    folder: Path = args.folder or FOLDER
    files = task_files(BUILT_IN if folder.resolve() == FOLDER.resolve() else None)
    stale = stale_files(folder, files)
    if args.check:
        for name in stale:
            print(f"{folder / name}: not current: `xlgo tasks --out {folder}`", file=sys.stderr)
        return 1 if stale else 0
    write_files(folder, files, stale)
    print(f"{folder}: {len(files)} task files, {len(stale)} of them changed")
    return 0


def listing() -> list[Table]:
    """Every task with its number of languages and what is asked, a table for each family."""
    columns = (Column("task"), Column("languages", "count"), Column("what is asked"))
    by_family = {
        family: tuple(
            (task, len(family.languages(task)), family.labels[task].about) for task in family.TASKS
        )
        for family in xd.FAMILIES.values()
    }
    return [Table(own.name, own.title, columns, rows) for own, rows in by_family.items()]


def write_files(folder: Path, files: Mapping[str, str], names: Sequence[str]) -> None:
    """Write the files of these names, and remove those that are no task files any more."""
    functions = FOLDER / "utils.py"  # what the task files call
    if not (folder / functions.name).exists():
        write_text(folder / functions.name, functions.read_text("utf-8"))
    for name in names:
        if name in files:
            write_text(folder / name, files[name])
        else:
            (folder / name).unlink()


def stale_files(folder: Path, files: Mapping[str, str]) -> list[str]:
    """Names of the task files in ``folder`` that are missing, differ or should not be there.

    Only what was written here once should not be there: other task files are somebody's own.
    """
    present = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8", "replace")
        for path in folder.rglob("*yaml")
        if path.is_file()
    }
    present = {k: text for k, text in present.items() if k in files or text.startswith(_HEADER)}
    return sorted(
        name for name in present.keys() | files.keys() if present.get(name) != files.get(name)
    )


def task_files(families: Iterable[str] | None = None) -> dict[str, str]:
    """The text of every task file of some families, by default all, by its path in the folder.

    Raises:
        ValueError: a default language has no table of words for the reader.
    """
    check_readable(xd.LANGUAGES)
    files: dict[str, str] = {}
    for family, tasks in tasks_by_family(families).items():
        templates, shared = _templates(tasks)
        files |= {f"_{name}{_SHARED}": text + _CLASS for name, text in shared.items()}
        for name, task in tasks.items():
            include = f"{'../' * task.path.count('/')}_{templates[name]}{_SHARED}"
            metadata = task_config(task)["metadata"]
            files[task.path] = _text({"task": name, "include": include, "metadata": metadata})
        for group, members in grouped(tasks.values(), lambda task: task.spec.group).items():
            of_group = [task for task in members if task.spec.in_group]
            files[f"{family}/{group}.yaml"] = _text(group_config(group, of_group))
    return files


def tasks_by_family(families: Iterable[str] | None = None) -> dict[str, dict[str, FoundTask]]:
    """Every task of some families, by default all, by family and name, as these say now."""
    names = xd.FAMILIES if families is None else families
    return {name: _tasks_of(xd.family(name)) for name in names}


@cache
def _tasks_of(family: xd.Family) -> dict[str, FoundTask]:
    """The tasks of a family by name: made once, for a run asks for them a dozen times."""
    return {spec.name: FoundTask(family.name, spec) for spec in family.harness_tasks()}


def _measures(task: FoundTask) -> list[Measure]:
    """The measures that a task can have, whatever languages it is asked in."""
    languages: Sequence[str] = task.spec.languages
    if len(languages) > 1:  # --languages may name others than the default ones
        languages = xd.family(task.family).languages(task.spec.task)
    every = grading_family(task.family).measures(task.spec.task, languages)
    return [measure for measure in every if measure.in_harness]


def _templates(tasks: Mapping[str, FoundTask]) -> tuple[dict[str, str], dict[str, str]]:
    """The file of shared settings that each task includes, and the text of each such file.

    A family names a template; tasks of it that differ get a file by their own name.
    """
    of_task: dict[str, str] = {}
    shared: dict[str, str] = {}
    for name, task in tasks.items():
        text, first = _text(_shared(task)), task.spec.template
        for template in (first, f"{first}_{task.spec.task}", f"{first}_{name}"):
            if shared.setdefault(template, text) == text:
                of_task[name] = template
                break
    return of_task, shared


def task_config(task: FoundTask) -> Config:
    """A task as the harness is given it: what its task file and the shared file of that say."""
    return {
        "task": task.spec.name,
        **_shared(task),
        "metadata": {"version": _version(task), **task.metadata},
    }


def _shared(task: FoundTask) -> Config:
    """What a task has in common with others of its template."""
    return {
        "custom_dataset": utils.load,
        "test_split": "test",
        "output_type": "generate_until",
        "num_fewshot": 0,
        "doc_to_text": utils.doc_to_text,
        "doc_to_target": utils.doc_to_target,
        "process_results": utils.process_results,
        "generation_kwargs": {
            "until": [STOP],
            "max_gen_toks": MAX_TOKENS,
            "do_sample": False,
            "temperature": 0.0,
            **task.spec.generation,
        },
        "metric_list": [
            {
                "metric": measure.name,
                "aggregation": "mean" if measure.is_number else utils.aggregate,
                "higher_is_better": measure.higher_is_better,
            }
            for measure in _measures(task)
        ],
    }


def group_config(name: str, tasks: Sequence[FoundTask]) -> Config:
    """A group as the harness is given it; it has the mean of a measure that all its tasks have."""
    names = [{measure.name for measure in _measures(task)} for task in tasks]
    means = [
        {"metric": metric, "aggregation": "mean", "weight_by_size": False}
        for metric in _AGGREGATE
        if all(metric in measures for measures in names)
    ]
    return {
        "group": name,
        "task": [task.spec.name for task in tasks],
        **({"aggregate_metric_list": means} if means else {}),
        "metadata": {"version": _version(tasks[0])},
    }


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # of libyaml
    """Writes functions as the harness reads them, and every list in full."""

    def ignore_aliases(self, data: Any) -> bool:
        """Never refer to another line."""
        return True


_Dumper.add_representer(
    FunctionType,
    lambda dumper, function: dumper.represent_scalar(
        "!function", f"utils.{function.__name__}", style="'"
    ),
)


def _text(config: Config) -> str:
    """The text of a task file."""
    return _HEADER + str(yaml.dump(config, Dumper=_Dumper, sort_keys=False))


def _version(task: FoundTask) -> float:
    return float(xd.family(task.family).DATA_VERSION)


def option_tables(task: str) -> list[Table]:
    """The options of a task's questions, and of the score of its family.

    Raises:
        ValueError: an unknown task.
    """
    family = xd.family_of(task)
    named = {
        f"{'xlgo_' if option.name in utils.OF_MODELS else ''}{option.name}": option
        for option in family.task_options(task)
    }
    of_score = {option.name: option for option in grading_family(family.name).options}
    options = {
        f"Options of {task}, for --metadata": named,
        "Options of its score, for --options": of_score,
    }
    columns = tuple(map(Column, ("option", "what it does", "default", "value")))
    return [
        Table("options", title, columns, tuple(_row(*item) for item in by_name.items()))
        for title, by_name in options.items()
        if by_name
    ]


def _row(name: str, option: Option) -> tuple[str, ...]:
    value = option.default
    values = value if isinstance(value, list | tuple) else [value]
    return name, option.help, "" if value is None else ",".join(map(str, values)), option.wanted


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
        if not matches and strict:
            meant = [task for task in tasks if task.endswith(f"_{name}")][:3]
            if not meant and name.startswith(tuple(f"{group}_" for group in groups)):
                meant = difflib.get_close_matches(name, [*groups, *tasks], n=3) or list(groups)
            if meant:
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

    from xlgo_lm_eval.chains import Task

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
    options = {option for task in tasks.values() for option in utils.known_options(task.metadata)}
    names = [name for name in metadata if name not in _OF_RUNS] if tasks else []
    anywhere = {
        name for task in every_task().values() for name in utils.known_options(task.metadata)
    }
    check_names("--metadata", names, anywhere, is_open=not is_all)
    for name in sorted({*names} - options):
        _LOGGER.warning("no task that is asked has the option %r (see xlgo tasks NAME)", name)
    for name, task in tasks.items():
        merged = {**task.metadata, **metadata}
        family = xd.family(merged["xlgo_family"])
        language_codes = codes(merged.get("xlgo_language") or merged.get("languages", ""))
        try:
            family.check_asked(merged["xlgo_task"], language_codes)
            family.check(merged["xlgo_task"], language_codes, **utils.task_options(merged))
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
