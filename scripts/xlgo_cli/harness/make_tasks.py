"""``xlgo tasks``: the tasks that there are, and their files for lm-evaluation-harness.

Settings that tasks share stand in files that begin with ``_``, beside ``utils.py``; each family has
a folder with a small file for every task and one for its group. The tasks of one language lie in
``languages/`` below it: installing the package writes them (``setup.py``), git does not hold them.
"""

import argparse
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
from xlgo_lm_eval.tasks import utils
from xlgo_metric.core import Measure, grouped
from xlgo_metric.family import family as grading_family
from xlgo_metric.option import Option
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


class _Dumper(yaml.SafeDumper):
    """Writes functions as the harness reads them, and every list in full."""

    def ignore_aliases(self, data: Any) -> bool:
        """Never refer to another line."""
        return True


_Dumper.add_representer(
    FunctionType,
    lambda dumper, function: dumper.represent_scalar("!function", f"utils.{function.__name__}"),
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
