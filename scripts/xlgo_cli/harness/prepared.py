"""A run whose options were checked, before anything is loaded or written."""

import functools
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.family import has_few
from xlgo_lm_eval.arguments import answer_arguments, written
from xlgo_lm_eval.redaction import redacted, redacted_json
from xlgo_lm_eval.replies import digest
from xlgo_metric.family import family as grading_family
from xlgo_metric.option import codes
from xlgo_metric.statistics.adaptive import Design

from ..logs.lines import SAME_BACKEND
from ..logs.questions import check_challenged
from . import task_names
from .judging.asking import JudgeModel, judge_model
from .make_tasks import FoundTask
from .models import check_harness, check_model, harness_config
from .options import ADAPTIVE, RESULTS, Request, parse

PLAN = "plan.json"
"""The one part of an adaptive run, and the name of its plan."""

_EXTENDED = ("languages", "per_level", "repeats")
"""Options of tasks by which a run is extended in its folder; with any other, it is another run."""


@dataclass(frozen=True)
class TaskDesign:
    """A task of the dataset, and how it is asked.

    Attributes:
        names: of the harness's tasks that ask it.
        languages: codes, in all of which every question is asked.
        design: the settings.
    """

    names: tuple[str, ...]
    languages: tuple[str, ...]
    design: Design


@dataclass(frozen=True)
class Prepared:
    """A run whose options were checked.

    Attributes:
        request: what is to be run.
        config: the harness's settings.
        tasks: those of this package, by their names in the harness.
        foreign: names of other tasks.
        steps: the tasks, each in one language.
        designs: of an adaptive run, by task of the dataset; else empty.
        judge: whom to ask where an answer needs a judge; ``None`` where no task of these has such
            answers.
    """

    request: Request
    config: Any
    tasks: Mapping[str, FoundTask]
    foreign: Sequence[str]
    steps: Mapping[str, FoundTask]
    designs: Mapping[str, TaskDesign]
    judge: JudgeModel | None

    def parts(self, *, alone: bool) -> dict[str, list[str]]:
        """The tasks that are evaluated together, by a digest of what they ask.

        Args:
            alone: each of this package by itself; rounds of an adaptive run always ask all.
        """
        if self.designs:
            return {PLAN: [name for task in self.designs.values() for name in task.names]}
        each = [*([name] for name in self.steps), *([[*self.foreign]] if self.foreign else [])]
        parts = each if alone else [self.request.tasks]
        options = [self.request.metadata, self.request.limit]
        return {
            digest(json.loads(json.dumps([sorted(part), *options], default=str))): part
            for part in parts
        }


def prepared(arguments: Sequence[str]) -> Prepared:
    """Read a command line, and refuse mistakes in it before anything is loaded.

    Raises:
        ValueError: an option has a value that is not allowed.
    """
    request = parse(arguments)
    request.tasks = task_names.harness_names(request.tasks)
    tasks, foreign = task_names.expand(request.tasks, strict=request.include_path is None)
    task_names.check_options(tasks, request.metadata, is_all=not foreign)
    check_challenged(request.metadata, [task.spec.task for task in tasks.values()])
    if (selected := task_names.in_languages(tasks, request.metadata)) != tasks:
        tasks, request.tasks = selected, [*selected, *foreign]
    config = harness_config(request)
    check_model(request.model, request.model_args)
    if request.folder is None:
        request.folder = _default_folder(request, config)
    if request.folder.is_file():
        raise ValueError(f"--out {request.folder}: is a file: give the name of a folder")
    check_harness(config, request, list(tasks))
    steps = task_names.one_language_each(tasks, request.metadata)
    is_adaptive, judge = request.design == ADAPTIVE, None
    by_task = designs(request, tasks, foreign) if is_adaptive else {}
    if request.judge is not None:
        judge = judge_model(request.judge, request.judge_args, request.judge_gen_kwargs)
    if not any(grading_family(task.family).judge for task in tasks.values()):
        judge = None
    return Prepared(request, config, tasks, foreign, steps, by_task, judge)


def run_of(request: Request, config: Any) -> dict[str, Any]:
    """Return what must not change in a folder: the model, how it answers, and the design."""
    design = {k: v for k, v in request.metadata.items() if k not in _EXTENDED}
    is_adaptive = request.design == ADAPTIVE
    adaptive = [request.c_min, request.c_max] if is_adaptive else None  # a budget may grow
    return redacted_json(
        {
            "model": request.model_name,
            "type": SAME_BACKEND.get(request.model, request.model),
            "arguments": written(answer_arguments(request.model_args)),
            "generation": {
                "gen_kwargs": config.gen_kwargs,
                "chat_template": config.apply_chat_template,
                "system_instruction": config.system_instruction,
                "seed": config.seed,
            },
            "design": {**design, "data": xd.DATA_VERSION, "adaptive": adaptive},
        }
    )


def _default_folder(request: Request, config: Any) -> Path:
    """The folder of results where none is given: the same whenever the same is asked."""
    asked = [run_of(request, config), request.metadata, request.limit, sorted({*request.tasks})]
    is_adaptive = request.design == ADAPTIVE
    kind = ADAPTIVE if is_adaptive else request.metadata.get("preset", "own")
    which = digest(json.loads(json.dumps(asked, default=str)))[:8]
    return RESULTS / re.sub(r"[^\w.-]+", "_", f"{redacted(request.model_name)}-{kind}-{which}")


def designs(
    request: Request, tasks: Mapping[str, FoundTask], foreign: Sequence[str]
) -> dict[str, TaskDesign]:
    """The adaptive design of every task of the dataset.

    Args:
        request: what is to be run.
        tasks: of the harness, of this package.
        foreign: tasks that are not of this package.

    Raises:
        ValueError: a task without complexities to choose, or a value that is not allowed.
    """
    unable = [
        name
        for name, task in tasks.items()
        if xd.family(task.family).complexity_range(task.spec.task) is None
    ]
    if unable or foreign:
        raise ValueError(
            f"--design adaptive: {[*unable, *foreign][0]} has no complexities to choose: leave it "
            "out, or run it with --design fixed"
        )
    by_task = {}
    for key in dict.fromkeys(task.spec.task for task in tasks.values()):
        same_task = {name: task for name, task in tasks.items() if task.spec.task == key}
        merged = [{**task.metadata, **request.metadata} for task in same_task.values()]
        listed = [codes(str(m.get("xlgo_language") or m["languages"])) for m in merged]
        languages = list(dict.fromkeys(itertools.chain(*listed)))
        family = xd.family_of(key)
        ends, own = (request.c_min, request.c_max), family.complexity_range(key) or ()
        low, high = (default if end is None else end for default, end in zip(own, ends))
        if low >= high:
            raise ValueError(f"--design adaptive: {key}: c_min {low} must be below c_max {high}")
        family.options(key, complexities=[low, high])
        try:
            avoided = functools.partial(has_few, key)
            design = Design(low, high, len(languages), request.budget, avoided)
        except ValueError as error:
            raise ValueError(f"--design adaptive: {key}: {error}") from error
        by_task[key] = TaskDesign(tuple(same_task), tuple(languages), design)
    return by_task
