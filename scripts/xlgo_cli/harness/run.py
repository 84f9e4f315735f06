"""``xlgo run``: lm-evaluation-harness on the tasks of this package, with a report at the end."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xlgo_lm_eval.redaction import redacted_output

from ..arguments import Argument
from .request import Request

if TYPE_CHECKING:
    from pathlib import Path

    from ..logs.graded_run import GradedRun
    from .evaluation import Evaluator
    from .judging.asking import JudgeModel
    from .make_tasks import FoundTask
    from .preflight.size import Size
    from .progress import Progress

from .options import LARGE
from .prepared import Prepared, judge_of, prepared

PARSER = {"prefix_chars": "\0", "add_help": False}
"""No character begins an option, so that all of them are left to ``parse``."""

ARGUMENTS = (Argument("arguments", nargs=argparse.REMAINDER),)


def run(args: argparse.Namespace) -> int:
    """Do what the command line asks, for one model or several; see :func:`evaluate`."""
    from . import several

    arguments: list[str] = args.arguments
    if several.is_asked_for(arguments) and not {"-h", "--help"} & set(arguments):
        return several.run_models(arguments)
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
    from .evaluation import INTERRUPTED, begin_again, check_folder, failure
    from .judging.beside import try_judge
    from .models import is_first_process
    from .preflight.size import agree
    from .progress import Progress

    run = prepared(arguments)
    request = run.request
    size = agree([run])
    _make_folder(request)
    judge = None
    if is_first_process():
        if request.fresh:
            begin_again(request.folder)
        check_folder(request, run.config)
        judge = judge_of(request) if request.judge is not None else None
    if judge is not None:
        try_judge([task.family for task in run.tasks.values()], judge)
    if not request.quiet:
        print(f"results: {request.output}", flush=True)
    # Nobody knows how many requests chains take whose data is not here.
    total = None if any(run.tasks[name].spec.step for name in size.unknown) else size.prompts
    progress = Progress(total, shown=not request.quiet and not request.is_verbose)
    kept: list[int] = []
    try:
        is_saved, stopped = _ask(run, judge, progress, kept, _parts(run, size))
    except (Exception, KeyboardInterrupt) as error:  # the words of a model say it best
        print(f"xlgo: {failure(error, request, sum(kept))}", file=sys.stderr)
        return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1, None
    finally:
        progress.close()
    if not is_saved:
        print("xlgo: not all results could be written: see above for the reason", file=sys.stderr)
        return 1, None
    return _finish(request, run.tasks, stopped) if is_first_process() else (0, None)


def _make_folder(request: Request) -> None:
    """Make the folder of the results.

    Raises:
        ValueError: it cannot be written.
    """
    from ..folders import explained

    # The harness would find out when everything has been answered.
    with explained("write", request.folder):
        request.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=request.folder):
            pass


def _ask(
    run: Prepared,
    judge: JudgeModel | None,
    progress: Progress,
    kept: list[int],
    parts: Sequence[Sequence[str]],
) -> tuple[bool, str | None]:
    """Ask everything, and write what came of it.

    Args:
        run: what is to be run.
        judge: who judges beside it, if anybody.
        progress: counts answers.
        kept: gets the number of answers that are kept, whatever happens.
        parts: the tasks that are evaluated together.

    Returns:
        Whether everything was written, and the reply after which judging beside the run stopped.
    """
    from .adaptive import run_adaptive
    from .evaluation import evaluator
    from .harness_output import harness_heard
    from .judging.beside import judging
    from .make_tasks import task_folders

    request = run.request
    families = [task.family for task in run.tasks.values()]
    with (
        judging(families, judge, request.folder) as beside,
        task_folders(families) as folders,
        harness_heard(request.level, bars=request.is_verbose),
        evaluator(
            request,
            run.config,
            [*folders, *([request.include] if request.include else [])],
            only_these=not run.others,
            progress=progress,
            ended=None if beside is None else beside.judge,
            beside=None if beside is None else beside.asker,
        ) as session,
    ):
        try:
            if request.adaptive is not None and run.designs is not None:
                is_saved = run_adaptive(request, request.adaptive, run.designs, session)
            else:
                is_saved = _ask_parts(request, session, parts)
        finally:
            kept.append(len(session.answers))
    return is_saved, None if beside is None else beside.stopped


def _parts(run: Prepared, size: Size) -> list[list[str]]:
    """The tasks that are evaluated together: all of them, or each alone where they are large."""
    from ..display.formats import megabytes

    alone = run.request.one_by_one
    if alone is None:
        alone = run.request.limit is None and size.bytes > LARGE
        if alone:
            print(
                f"about {megabytes(size.bytes)} of prompts: one task and language at a time "
                "(--no-one-by-one runs all at once)"
            )
    return [[name] for name in (*run.steps, *run.others)] if alone else [run.request.tasks]


def _ask_parts(request: Request, session: Evaluator, parts: Sequence[Sequence[str]]) -> bool:
    """Evaluate tasks, part by part, and write what came of each; whether all was written.

    The harness holds prompts and responses of a part in memory until its end.
    """
    from .evaluation import command_of, is_done
    from .progress import note

    commands = [command_of(request, part) for part in parts]
    session.plan({command: list(part) for command, part in zip(commands, parts)})
    # Several processes that evaluate together must agree, so this is settled before any part.
    done = [is_done(session.answers, request.folder, command) for command in commands]
    for number, part in enumerate(parts, start=1):
        if len(parts) > 1:
            ending = ": done" if done[number - 1] else ""
            note(f"[{number}/{len(parts)}] {', '.join(part)}{ending}")
            if ending:
                continue
        results = session.evaluate(part, request.metadata)
        if results is None:
            continue
        if not session.save(results, commands[number - 1]):
            return False
        if request.is_verbose:
            session.show(results)
    return True


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

    failed = 0
    judge = None
    judged = {task.family for task in tasks.values() if grading_family(task.family).judge}
    if judged and request.judge is not None:
        failed, judge = _judge(request, stopped)
    prices = None if request.prices is None else read_prices(request.prices)
    scored = score_folder(
        request.folder, judge=judge, prices=prices, quiet=request.quiet, partial=request.partial
    )
    page = write_all(scored, request.folder)
    tell(scored, lost_only=True)
    if not request.quiet:
        print(brief(scored.score), end="\n\n")
    print(f"report: {page}", flush=True)
    if scored.waiting:
        print(
            f"{scored.waiting} answers wait for a judge: xlgo judge {request.folder} --model ... "
            "(or --judge MODEL with this command)"
        )
    if scored.absent.total and not request.partial:
        failed = 1
    return failed, Done(scored, page)


def _judge(request: Request, stopped: str | None) -> tuple[int, str | None]:
    """Have the judge judge; 1 if not everything was answered, and its name if it could be read."""
    from ..logs.results import find_run
    from .judging.asking import tell
    from .judging.command import judge_run

    outcome = judge_run(
        find_run(request.folder),
        request.folder,
        judge_of(request),
        stopped=stopped,
        quiet=request.quiet,
    )
    if outcome is None:
        return 0, None
    tell(outcome, quiet=request.quiet)
    return outcome.code, outcome.judge if outcome.read else None
