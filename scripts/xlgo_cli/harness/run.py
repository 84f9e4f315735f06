"""``xlgo run``: lm-evaluation-harness on the tasks of this package, with a report at the end."""

from __future__ import annotations

import argparse
import contextlib
import io
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xlgo_lm_eval import manifest
from xlgo_lm_eval.redaction import redacted_output

from ..arguments import Argument
from .request import Request

if TYPE_CHECKING:
    from pathlib import Path

    from ..logs.graded_run import GradedRun
    from .judging.asking import JudgeModel
    from .make_tasks import FoundTask
    from .preflight.options_given import Given

from .options import LARGE, parse

LEDGERS = "ledgers"
"""In the folder of the results: the answers of chains, by model, from which a run resumes."""


PARSER = {"prefix_chars": "\0", "add_help": False}
"""No character begins an option, so that all of them are left to ``parse``."""

ARGUMENTS = (Argument("arguments", nargs=argparse.REMAINDER),)


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks, for one model or a queue of them; see :func:`evaluate`."""
    from ..queue.run import is_queue, run_queue

    arguments: list[str] = args.arguments
    if is_queue(arguments) and not {"-h", "--help"} & set(arguments):
        return run_queue(arguments)
    return evaluate(arguments)[0]


@dataclass(frozen=True)
class Done:
    """A run that went through: its scores and the page with its report."""

    scored: GradedRun
    page: Path


def evaluate(arguments: Sequence[str]) -> tuple[int, Done | None]:
    """Do what the command line asks.

    Returns:
        0, or 1 if the harness or a judge failed, 2 for options that it refused, 130 if
        interrupted; and what came of it, in the process that writes it.

    Raises:
        ValueError: an option has a value that is not allowed, or the results cannot be written.
    """
    with redacted_output(arguments):
        return _evaluate(arguments)


def _evaluate(arguments: Sequence[str]) -> tuple[int, Done | None]:
    from ..verification.challenge import check_challenged
    from . import task_names
    from .harness_output import harness_heard
    from .judging.beside import judging, try_judge
    from .lm_eval_call import check_model, is_first_process, keeping_replies
    from .make_tasks import check_files, task_folders
    from .preflight import harness_tasks, options_given, size
    from .recorded import recorded

    request = parse(arguments)
    request.tasks = task_names.harness_names(request.tasks)
    tasks, others = task_names.expand(request.tasks, strict=request.include is None)
    task_names.check_options(tasks, request.metadata, is_all=not others)
    check_challenged(request.metadata, [task.spec.task for task in tasks.values()])
    if (asked := task_names.in_languages(tasks, request.metadata)) != tasks:
        tasks, request.tasks = asked, [*asked, *others]
    harness_options = options_given.given(request)
    options_given.check_known(request.arguments(request.tasks, request.use_cache))
    check_model(request.model, request.model_args)
    options_given.check(harness_options, request.model, list(tasks))
    harness_tasks.check_names(others, request.include, list(task_names.every_task()))
    if request.judge is not None:
        _judge_of(request)  # a mistake in its options must not wait for the end of the run
    task_designs = None
    if request.adaptive is not None:
        from .adaptive import designs

        task_designs = designs(request, request.adaptive, tasks, others)
    steps = task_names.one_language_each(tasks, request.metadata)
    check_files(steps)
    total = size.agree(tasks, request, task_designs)
    _make_folders(request, tasks)
    families = [task.family for task in tasks.values()]
    judge = _judge_of(request) if request.judge is not None and is_first_process() else None
    if judge is not None:
        try_judge(families, judge)
    request.model, request.model_args = keeping_replies(
        request.model, request.model_args, request.folder
    )
    if not request.quiet:
        print(f"results: {request.output}", flush=True)
    task_by_task = request.adaptive is None and _is_one_by_one(
        request, task_names.prompt_bytes(steps, request.metadata)
    )
    with recorded(request, list(steps if task_by_task else tasks)):
        with (
            judging(families, judge, request.folder) as beside,
            task_folders(task.family for task in tasks.values()) as own,
            harness_heard(request.level, quiet=request.quiet, model=request.model, total=total),
        ):
            folders = [*own, *([request.include] if request.include else [])]
            if request.adaptive is not None and task_designs is not None:
                from .adaptive import run_adaptive

                code = run_adaptive(request, request.adaptive, task_designs, folders)
            elif task_by_task:
                from .task_by_task import run_one_by_one

                code = run_one_by_one(request, [*steps, *others], folders, only_these=not others)
            else:
                code = _run_at_once(request, harness_options, folders, only_these=not others)
        if code or not is_first_process():
            return code, None
        return _finish(request, tasks, None if beside is None else beside.stopped)


def _make_folders(request: Request, tasks: Mapping[str, FoundTask]) -> None:
    """Make the folder of the results, and that of the ledgers of chains.

    Raises:
        ValueError: it cannot be written.
    """
    from ..folders import explained

    # The harness would find out when everything has been answered, and lose it.
    with explained("write", request.folder):
        request.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=request.folder):
            pass
        if any(task.spec.step for task in tasks.values()):
            ledgers = request.folder / LEDGERS
            ledgers.mkdir(exist_ok=True)
            request.metadata.setdefault("xlgo_ledger", str(ledgers))


def _run_at_once(
    request: Request, given: Given, folders: Sequence[Path], *, only_these: bool
) -> int:
    """Run all tasks in one call; show the harness's output if requested."""
    from .lm_eval_call import call

    shown = request.is_verbose or given.shows
    with contextlib.nullcontext() if shown else contextlib.redirect_stdout(io.StringIO()):
        return call(
            request.arguments(request.tasks, request.use_cache),
            folders,
            only_these=only_these,
            noted_in=(request.model, request.folder),
            gen_kwargs=given.gen_kwargs,
        )


def _finish(
    request: Request, tasks: Mapping[str, FoundTask], stopped: str | None
) -> tuple[int, Done]:
    """Judge what needs a judge, and write the report; 1 if a judge did not answer everything.

    ``stopped`` is the reply after which judging beside the run stopped.
    """
    from xlgo_cli.logs.costs import read_prices
    from xlgo_metric.family import family as grading_family

    from ..logs.graded_run import score_folder
    from ..report.brief.screen import brief
    from ..report.choice import tell
    from ..report.write import write_all

    manifest.done()
    failed = 0
    judge = None
    judged = {task.family for task in tasks.values() if grading_family(task.family).judge}
    if judged and request.judge is not None:
        failed, judge = _judge(request, stopped)
    prices = None if request.prices is None else read_prices(request.prices)
    scored = score_folder(request.folder, judge=judge, prices=prices, quiet=request.quiet)
    page = write_all(scored, request.folder)
    if not request.quiet:
        tell(scored, lost_only=True)
        print(brief(scored.score), end="\n\n")
    print(f"report: {page}", flush=True)
    if scored.waiting:
        print(
            f"{scored.waiting} answers wait for a judge: xlgo judge {request.folder} --model ... "
            "(or --judge MODEL with this command)"
        )
    if scored.missing:
        failed = 1
        there, asked = scored.answered
        print(
            f"{there} of {asked} chains: {asked - there} are missing, since requests failed; the "
            "same command asks for them again"
        )
    return failed, Done(scored, page)


def _judge(request: Request, stopped: str | None) -> tuple[int, str | None]:
    """Have the judge judge; 1 if not everything was answered, and its name if it could be read."""
    from ..logs.results import find_run
    from .judging.asking import tell
    from .judging.command import judge_run

    outcome = judge_run(
        find_run(request.folder),
        request.folder,
        _judge_of(request),
        stopped=stopped,
        quiet=request.quiet,
    )
    if outcome is None:
        return 0, None
    tell(outcome, quiet=request.quiet)
    return outcome.code, outcome.judge if outcome.read else None


def _judge_of(request: Request) -> JudgeModel:
    from .judging.command import judge_model

    return judge_model(str(request.judge), request.judge_args, request.judge_gen_kwargs)


def _is_one_by_one(request: Request, size: int) -> bool:
    if request.one_by_one is not None:
        return request.one_by_one
    if size <= LARGE or request.limit is not None:
        return False
    from ..display.formats import megabytes

    print(
        f"about {megabytes(size)} of prompts: one task and language at a time "
        "(--no-one-by-one runs all at once)"
    )
    return True
