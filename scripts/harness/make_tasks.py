"""``xlgo tasks``: write the task files of lm-evaluation-harness, or check that they are current.

For every family there is a file ``_<family>.yaml`` with what its tasks share, a file per task, and
one for the group. The puzzles have a task per language, and one per puzzle that holds several
languages, so that the harness's own table can show their gap to English; the group holds the
latter, in the default languages.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
import xlgo_lm_eval
from xlgo_dataset.families.xlgobench.rows import OPTIONS
from xlgo_lm_eval.utils import SEPARATOR, metrics

FOLDER = Path(xlgo_lm_eval.__file__).parent
"""Where the task files are installed: the folder for ``lm-eval run --include_path``."""

GROUPS = {"xlgobench": "xlgo", "polymath": "polymath", "easy": "easy"}
"""The group of each family."""

STOP = "<|end of the answer|>"
"""A stop sequence that no model writes: without one, the harness stops at a blank line."""

MAX_TOKENS = 16_384
"""Room for long reasoning; ``--gen_kwargs max_gen_toks=...`` sets another."""


@dataclass(frozen=True)
class HarnessTask:
    """A task of the harness.

    Attributes:
        metadata: arguments of ``utils.load``.
        metrics: names of its metrics.
        in_group: it belongs to the group of its family, and can run without further options.
    """

    metadata: dict[str, Any]
    metrics: tuple[str, ...]
    in_group: bool = True


_HEADER = "# Written by `xlgo tasks`; do not edit.\n"
_MEANS = ("mean", "fmean")
_AGGREGATE = ("acc", "truncated")


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
    parser.add_argument(
        "--languages", default=",".join(xd.available()),
        help="languages of the puzzles that get tasks of their own (default: all there are)",
    )  # fmt: skip
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write")


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks; 0 if it went well, 1 if files are not current.

    Raises:
        ValueError: an unknown language.
    """
    files = task_files(args.languages.split(","))
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
            (args.folder / name).write_text(files[name], encoding="utf-8", newline="\n")
        else:
            (args.folder / name).unlink()
    print(f"{args.folder}: {len(files)} task files, {len(stale)} of them changed")
    return 0


def stale_files(folder: Path, files: Mapping[str, str]) -> list[str]:
    """Names of the task files in ``folder`` that are missing, differ or should not be there.

    Only what was written here once should not be there: other task files are somebody's own.
    """
    there = {path.name: path.read_text("utf-8", "replace") for path in folder.glob("*.yaml")}
    there = {k: text for k, text in there.items() if k in files or text.startswith(_HEADER)}
    return sorted(
        name for name in there.keys() | files.keys() if there.get(name) != files.get(name)
    )


def task_files(languages: Sequence[str]) -> dict[str, str]:
    """The text of every task file by its name.

    Args:
        languages: codes that the puzzles get tasks of their own for.

    Raises:
        ValueError: an unknown language.
    """
    files: dict[str, str] = {}
    for family, tasks in tasks_by_family(languages).items():
        names = list(dict.fromkeys(name for task in tasks.values() for name in task.metrics))
        for shared, chosen in _shared_files(family, names).items():
            files[shared] = _shared(family, chosen)
        for name, task in tasks.items():
            files[f"{name}.yaml"] = _task(name, _shared_name(family, task), task.metadata)
        members = [name for name, task in tasks.items() if task.in_group]
        common = [
            name for name in _AGGREGATE if all(name in task.metrics for task in tasks.values())
        ]
        files[f"{GROUPS[family]}.yaml"] = _group(GROUPS[family], members, common)
    return files


def tasks_by_family(languages: Sequence[str] | None = None) -> dict[str, dict[str, HarnessTask]]:
    """Every task of the harness by family and name.

    Args:
        languages: codes that the puzzles get tasks of their own for; all there are by default.

    Raises:
        ValueError: an unknown language.
    """
    found = {"xlgobench": _puzzle_tasks(xd.available() if languages is None else languages)}
    for family in GROUPS:
        make = getattr(xd.family(family), "lm_eval_tasks", None)
        if make is not None:
            found[family] = {entry["task"]: _family_task(family, entry) for entry in make()}
    return found


def _family_task(family: str, entry: Mapping[str, Any]) -> HarnessTask:
    """A task of another family than the puzzles, out of the family's own description."""
    task, options = entry["xlgo_task"], dict(entry["metadata"])
    package = xd.family(family)
    try:
        names, complete = list(package.options(task, **options)), True
    except ValueError:  # something must be given by whoever runs it
        names, complete = list(options), False
    seed = {"xlgo_seed": 0} if "seed" in names else {}
    metadata = _named(family, task, names) | _asked(entry["languages"])
    in_group = complete and entry.get("in_group", True)
    return HarnessTask(metadata | seed | options, tuple(entry["metrics"]), in_group)


def _named(family: str, task: str, options: Iterable[str]) -> dict[str, str]:
    """Metadata that says which task of the data set it is and what its options are."""
    return {"xlgo_family": family, "xlgo_task": task, "xlgo_options": ",".join(options)}


def _asked(languages: Sequence[str]) -> dict[str, str]:
    """Metadata for one language, or for several."""
    if len(languages) == 1:
        return {"xlgo_language": languages[0]}
    return {"languages": ",".join(languages)}


def _puzzle_tasks(languages: Sequence[str]) -> dict[str, HarnessTask]:
    for code in languages:
        if code not in (allowed := xd.available()):
            raise ValueError(f"unknown language {code!r}: allowed are {', '.join(allowed)}")
    every = tuple(metrics("xlgobench"))
    plain = tuple(name for name in every if not name.startswith("smd_"))
    # The seed goes by a name of its own, because models have an argument ``seed``.
    defaults = {f"xlgo_{k}" if k == "seed" else k: v for k, v in OPTIONS.items() if v is not None}
    tasks: dict[str, HarnessTask] = {}
    for task in xd.TASKS:
        head = _named("xlgobench", task, OPTIONS)
        codes = xd.family("xlgobench").languages(task)
        together = [code for code in xd.LANGUAGES if code in codes]
        tasks[f"xlgo_{task}"] = HarnessTask(head | _asked(together) | defaults, every)
        for code in languages:
            if code in codes:
                tasks[f"xlgo_{task}_{code}"] = HarnessTask(
                    head | _asked([code]) | defaults, plain, in_group=False
                )
    return tasks


def _shared_files(family: str, names: Sequence[str]) -> dict[str, list[str]]:
    """Files that tasks include, with the metrics in each."""
    if family != "xlgobench":
        return {f"_{family}.yaml": list(names)}
    plain = [name for name in names if not name.startswith("smd_")]
    return {f"_{family}.yaml": plain, f"_{family}_languages.yaml": list(names)}


def _shared_name(family: str, task: HarnessTask) -> str:
    several = family == "xlgobench" and "languages" in task.metadata
    return f"_{family}_languages.yaml" if several else f"_{family}.yaml"


def _shared(family: str, names: Sequence[str]) -> str:
    lines = [
        _HEADER + "custom_dataset: !function utils.load",
        "test_split: test",
        "output_type: generate_until",
        "num_fewshot: 0",
        "doc_to_text: !function utils.doc_to_text",
        "doc_to_target: !function utils.doc_to_target",
        "process_results: !function utils.process_results",
        "generation_kwargs:",
        f'  until: ["{STOP}"]',
        f"  max_gen_toks: {MAX_TOKENS}",
        "  do_sample: false",
        "  temperature: 0.0",
        "metric_list:",
    ]
    every = metrics(family)
    for name in names:
        function, higher_is_better = every[name]
        mean = getattr(function, "__name__", "") in _MEANS  # the harness knows its error
        aggregation = "mean" if mean else f"!function utils.{family}{SEPARATOR}{name}"
        lines += [
            f"  - metric: {name}",
            f"    aggregation: {aggregation}",
            f"    higher_is_better: {str(higher_is_better).lower()}",
        ]
    return "\n".join(lines) + "\n"


def _task(name: str, shared: str, metadata: Mapping[str, Any]) -> str:
    import yaml

    content = {"task": name, "include": shared, "metadata": {"version": _version(), **metadata}}
    text: str = yaml.safe_dump(content, sort_keys=False)
    return _HEADER + text


def _group(name: str, tasks: Sequence[str], names: Sequence[str]) -> str:
    lines = [f"{_HEADER}group: {name}", "task:", *(f"  - {task}" for task in tasks)]
    if names:
        lines.append("aggregate_metric_list:")
        for metric in names:
            lines += [f"  - metric: {metric}", "    aggregation: mean", "    weight_by_size: false"]
    return "\n".join([*lines, "metadata:", f"  version: {_version()}"]) + "\n"


def _version() -> float:
    return float(xd.DATA_VERSION)


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
