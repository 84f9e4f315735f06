"""``xlgo tasks``: the task files for lm-evaluation-harness, from what the families say of them.

Settings that tasks share stand in files that begin with ``_``, beside ``utils.py``; each family has
a folder with a small file for every task and one for its group.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
import xlgo_lm_eval
from xlgo_metric.family import HarnessMetric
from xlgo_metric.family import family as grading_family

FOLDER = Path(xlgo_lm_eval.__file__).parent
"""Where the task files are installed: the folder for ``lm-eval run --include_path``."""

STOP = "<|end of the answer|>"
"""A stop sequence that no model writes: without one, the harness stops at a blank line."""

MAX_TOKENS = 16_384
"""Room for long reasoning; ``--gen_kwargs max_gen_toks=...`` sets another."""

_SHARED = "_yaml"
"""How names of shared files end, as in lm-eval itself: version 0.4.9 takes ``*.yaml`` for tasks."""
_HEADER = "# Written by `xlgo tasks`; do not edit.\n"
_AGGREGATE = ("acc", "truncated")


@dataclass(frozen=True)
class FoundTask:
    """A task of the harness and the family that it belongs to."""

    family: str
    spec: xd.HarnessTask

    @property
    def metadata(self) -> dict[str, Any]:
        """The arguments of ``utils.load``, each of which ``--metadata`` can set."""
        task = self.spec.task
        family = xd.family(self.family)
        names = family.option_names(task)
        found: dict[str, Any] = {
            "xlgo_family": self.family, "xlgo_task": task, "xlgo_options": ",".join(names),
        }  # fmt: skip
        if len(self.spec.languages) == 1:
            found["xlgo_language"] = self.spec.languages[0]
        else:
            found["languages"] = ",".join(self.spec.languages)
        if "seed" in names:  # by a name of its own, because models have an argument ``seed``
            found["xlgo_seed"] = 0
        if self.spec.step:
            found["chain_step"] = self.spec.step
        if self.spec.stop:
            found["stop_without_chat"] = list(self.spec.stop)
        return found | dict(self.spec.options)


@dataclass(frozen=True)
class _Settings:
    """What a file of shared settings holds.

    Attributes:
        metrics: of the harness.
        task_class: in ``utils``; empty for that of the harness.
        generation: what differs from the settings of all.
    """

    metrics: Mapping[str, HarnessMetric]
    task_class: str
    generation: Mapping[str, Any]


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Add ``tasks`` to the command line."""
    parser = subparsers.add_parser(
        "tasks", help="write the task files for lm-evaluation-harness, or check them"
    )
    _add_arguments(parser)
    parser.set_defaults(func=run)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a file is not current"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write")


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks; 0 if it went well, 1 if files are not current."""
    files = task_files()
    stale = stale_files(args.folder, files)
    if args.check:
        for name in stale:
            print(f"{args.folder / name}: not current: run `xlgo tasks`", file=sys.stderr)
        return 1 if stale else 0
    args.folder.mkdir(parents=True, exist_ok=True)
    functions = FOLDER / "utils.py"  # what the task files call
    if not (args.folder / functions.name).exists():
        shutil.copy(functions, args.folder)
    for name in stale:
        if name in files:
            (args.folder / name).parent.mkdir(exist_ok=True)
            (args.folder / name).write_text(files[name], encoding="utf-8", newline="\n")
        else:
            (args.folder / name).unlink()
    print(f"{args.folder}: {len(files)} task files, {len(stale)} of them changed")
    return 0


def stale_files(folder: Path, files: Mapping[str, str]) -> list[str]:
    """Names of the task files in ``folder`` that are missing, differ or should not be there.

    Only what was written here once should not be there: other task files are somebody's own.
    """
    there = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8", "replace")
        for path in folder.rglob("*yaml")
        if path.is_file()
    }
    there = {k: text for k, text in there.items() if k in files or text.startswith(_HEADER)}
    return sorted(
        name for name in there.keys() | files.keys() if there.get(name) != files.get(name)
    )


def task_files() -> dict[str, str]:
    """The text of every task file by its path in the folder."""
    files: dict[str, str] = {}
    for family, tasks in tasks_by_family().items():
        for template, settings in _templates(tasks).items():
            files[f"_{template}{_SHARED}"] = _shared(settings)
        groups: dict[str, list[FoundTask]] = {}
        for name, task in tasks.items():
            files[f"{family}/{name}.yaml"] = _task(name, task)
            groups.setdefault(task.spec.group, []).append(task)
        for group, found in groups.items():
            files[f"{family}/{group}.yaml"] = _group(group, [t for t in found if t.spec.in_group])
    return files


def tasks_by_family() -> dict[str, dict[str, FoundTask]]:
    """Every task of the harness by family and name, as the families say now."""
    return {
        name: {spec.name: FoundTask(name, spec) for spec in family.harness_tasks()}
        for name, family in xd.FAMILIES.items()
    }


def _metrics(task: FoundTask) -> Mapping[str, HarnessMetric]:
    """The metrics that a task can have, whatever languages it is asked in."""
    languages: Sequence[str] = task.spec.languages
    if len(languages) > 1:  # --languages may name others than the default ones
        languages = xd.family(task.family).languages(task.spec.task)
    return grading_family(task.family).harness_metrics(task.spec.task, languages)


def _templates(tasks: Mapping[str, FoundTask]) -> dict[str, _Settings]:
    """What each file of shared settings holds."""
    found: dict[str, _Settings] = {}
    for name, task in tasks.items():
        settings = _Settings(_metrics(task), _class(task.spec), dict(task.spec.generation))
        if found.setdefault(task.spec.template, settings) != settings:
            raise TypeError(
                f"{name}: other metrics or settings than other tasks with {task.spec.template!r}"
            )
    return found


def _class(spec: xd.HarnessTask) -> str:
    if spec.step:
        return "ChainTask"
    return "StopTask" if spec.stop else "RepeatTask"


def _shared(settings: _Settings) -> str:
    generation = {
        "until": [STOP], "max_gen_toks": MAX_TOKENS, "do_sample": False, "temperature": 0.0,
        **settings.generation,
    }  # fmt: skip
    lines = [
        _HEADER + "custom_dataset: !function utils.load",
        *([f"class: !function utils.{settings.task_class}"] if settings.task_class else []),
        "test_split: test",
        "output_type: generate_until",
        "num_fewshot: 0",
        "doc_to_text: !function utils.doc_to_text",
        "doc_to_target: !function utils.doc_to_target",
        "process_results: !function utils.process_results",
        "generation_kwargs:",
        *(f"  {name}: {json.dumps(value)}" for name, value in generation.items()),
        "metric_list:",
    ]
    for name, metric in settings.metrics.items():
        lines += [
            f"  - metric: {name}",
            f"    aggregation: {'mean' if metric.mean else '!function utils.aggregate'}",
            f"    higher_is_better: {str(metric.higher_is_better).lower()}",
        ]
    return "\n".join(lines) + "\n"


def _task(name: str, task: FoundTask) -> str:
    import yaml

    content = {
        "task": name,
        "include": f"../_{task.spec.template}{_SHARED}",
        "metadata": {"version": _version(task), **task.metadata},
    }
    text: str = yaml.safe_dump(content, sort_keys=False)
    return _HEADER + text


def _group(name: str, tasks: Sequence[FoundTask]) -> str:
    lines = [f"{_HEADER}group: {name}", "task:", *(f"  - {task.spec.name}" for task in tasks)]
    common = [metric for metric in _AGGREGATE if all(metric in _metrics(task) for task in tasks)]
    if common:
        lines.append("aggregate_metric_list:")
        for metric in common:
            lines += [f"  - metric: {metric}", "    aggregation: mean", "    weight_by_size: false"]
    return "\n".join([*lines, "metadata:", f"  version: {_version(tasks[0])}"]) + "\n"


def _version(task: FoundTask) -> float:
    return float(xd.family(task.family).DATA_VERSION)


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m xlgo_cli.harness.make_tasks``."""
    parser = argparse.ArgumentParser(prog="xlgo tasks", description=__doc__)
    _add_arguments(parser)
    try:
        return run(parser.parse_args(arguments))
    except ValueError as error:
        print(f"xlgo tasks: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
