"""A run whose options were checked, before anything is loaded or written."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_lm_eval.arguments import answer_arguments, written
from xlgo_lm_eval.redaction import redacted, redacted_json
from xlgo_lm_eval.replies import digest

from ..logs.challenge import check_challenged
from ..logs.lines import SAME_BACKEND
from . import task_names
from .designs import TaskDesign, designs
from .judging.asking import JudgeModel, judge_model
from .make_tasks import FoundTask
from .models import check_model
from .options import RESULTS, parse
from .preflight import harness_options
from .request import Request

PLAN = "plan.json"
"""The one part of an adaptive run, and the name of its plan."""

_EXTENDED = ("languages", "per_level", "repeats")
"""Options of tasks by which a run is extended in its folder; with any other, it is another run."""


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
    tasks, foreign = task_names.expand(request.tasks, strict=request.include is None)
    task_names.check_options(tasks, request.metadata, is_all=not foreign)
    check_challenged(request.metadata, [task.spec.task for task in tasks.values()])
    if (selected := task_names.in_languages(tasks, request.metadata)) != tasks:
        tasks, request.tasks = selected, [*selected, *foreign]
    config = harness_options.harness_config(request)
    check_model(request.model, request.model_args)
    if not request.has_folder:
        request.output = _default_folder(request, config)
    harness_options.check(config, request.model, list(tasks))
    steps = task_names.one_language_each(tasks, request.metadata)
    by_task, judge = designs(request, tasks, foreign), None
    if request.judge is not None:
        judge = judge_model(request.judge, request.judge_args, request.judge_gen_kwargs)
    return Prepared(request, config, tasks, foreign, steps, by_task, judge)


def run_of(request: Request, config: Any) -> dict[str, Any]:
    """Return what must not change in a folder: the model, how it answers, and the design."""
    design = {k: v for k, v in request.metadata.items() if k not in _EXTENDED}
    adaptive = request.adaptive  # its budget may change on the way
    ends = adaptive and [adaptive.c_min, adaptive.c_max]
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
            "design": {**design, "data": xd.DATA_VERSION, "adaptive": ends},
        }
    )


def _default_folder(request: Request, config: Any) -> Path:
    """The folder of results where none is given: the same whenever the same is asked."""
    asked = [run_of(request, config), request.metadata, request.limit, sorted({*request.tasks})]
    kind = "adaptive" if request.adaptive else request.metadata.get("preset", "own")
    which = digest(json.loads(json.dumps(asked, default=str)))[:8]
    return RESULTS / re.sub(r"[^\w.-]+", "_", f"{redacted(request.model_name)}-{kind}-{which}")
