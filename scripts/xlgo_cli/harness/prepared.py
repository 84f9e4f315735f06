"""A run whose options were checked, before anything is loaded or written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .options import default_folder, parse
from .request import Request

if TYPE_CHECKING:
    from .adaptive import TaskDesign
    from .judging.asking import JudgeModel
    from .make_tasks import FoundTask


@dataclass(frozen=True)
class Prepared:
    """A run whose options were checked.

    Attributes:
        request: what is to be run.
        config: the harness's settings.
        tasks: those of this package, by their names in the harness.
        others: names of other tasks.
        steps: the tasks, each in one language.
        designs: of an adaptive run, by task of the dataset.
    """

    request: Request
    config: Any
    tasks: Mapping[str, FoundTask]
    others: Sequence[str]
    steps: Mapping[str, FoundTask]
    designs: Mapping[str, TaskDesign] | None = None


def prepared(arguments: Sequence[str]) -> Prepared:
    """Read a command line, and refuse mistakes in it before anything is loaded.

    Raises:
        ValueError: an option has a value that is not allowed.
    """
    from ..logs.challenge import check_challenged
    from . import task_names
    from .make_tasks import check_files
    from .models import check_model
    from .preflight import harness_options, harness_tasks

    request = parse(arguments)
    request.tasks = task_names.harness_names(request.tasks)
    tasks, others = task_names.expand(request.tasks, strict=request.include is None)
    task_names.check_options(tasks, request.metadata, is_all=not others)
    check_challenged(request.metadata, [task.spec.task for task in tasks.values()])
    if (asked := task_names.in_languages(tasks, request.metadata)) != tasks:
        tasks, request.tasks = asked, [*asked, *others]
    config = harness_options.harness_config(request)
    check_model(request.model, request.model_args)
    if not request.has_folder:
        from .evaluation import run_of

        request.output = default_folder(request, run_of(request, config))
    harness_options.check(config, request.model, list(tasks))
    harness_tasks.check_names(others, request.include, list(task_names.every_task()))
    steps = task_names.one_language_each(tasks, request.metadata)
    check_files(steps)
    if request.judge is not None:
        judge_of(request)
    if request.adaptive is None:
        return Prepared(request, config, tasks, others, steps)
    from .adaptive import designs

    by_task = designs(request, request.adaptive, tasks, others)
    return Prepared(request, config, tasks, others, steps, by_task)


def judge_of(request: Request) -> JudgeModel:
    """Return the judge that a run names."""
    from .judging.command import judge_model

    return judge_model(str(request.judge), request.judge_args, request.judge_gen_kwargs)
