"""One run: ask everything, write what came of it, judge it, and write the report."""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..display.formats import megabytes
from ..folders import explained
from ..logs.graded_run import GradedRun, score_folder
from ..logs.results import find_run
from ..page.findings import brief
from ..page.write import write_all
from .adaptive import run_adaptive
from .evaluation import (
    INTERRUPTED,
    Evaluator,
    begin_again,
    check_folder,
    failure,
    task_manager,
)
from .judging.asking import judge_run, judging, tell, try_judge
from .models import is_api, is_first_process
from .options import LARGE
from .preflight.size import Size, announce
from .prepared import Prepared, prepared
from .progress import Progress, harness_heard, note

Done = tuple[GradedRun, Path]
"""A run that went through: its scores and the page with its report."""


def evaluate(arguments: Sequence[str]) -> tuple[int, Done | None]:
    """Do what the command line asks; who calls it redacts what is printed.

    Returns:
        0, or 1 if the harness or a judge failed, 2 for options that it refused, 130 if
        interrupted; and what came of it, in the process that writes it.

    Raises:
        ValueError: an option has a value that is not allowed, or the results cannot be written.
    """
    run = prepared(arguments)
    request = run.request
    manager = task_manager(run)
    size = announce(run)
    # The harness would find out when everything has been answered.
    with explained("write", request.folder):
        request.folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=request.folder).close()
    judge = run.judge if is_first_process() else None
    if is_first_process():
        if request.fresh:
            begin_again(request.folder)
        check_folder(run)
        if judge is not None and is_api(judge.model):
            try_judge(judge, [task.family for task in run.tasks.values()], request.folder)
    if not request.quiet:
        print(f"results: {request.folder}", flush=True)
    parts = _parts(run, size)
    # Nobody knows how many requests chains take whose data is not here.
    total = None if any(run.tasks[name].spec.step for name in size.unknown) else size.prompts
    progress = Progress(total, is_shown=not request.quiet and not request.is_verbose)
    try:
        with (
            progress.bar,
            judging(judge, request.folder) as beside,
            harness_heard(request.verbosity, bars=request.is_verbose),
        ):
            session = Evaluator(run, manager, progress, beside)
            with session.answers:
                run_adaptive(session) if run.designs else _ask(session, parts)
    except (Exception, KeyboardInterrupt) as error:  # the words of a model say it best
        print(f"xlgo: {failure(error, request)}", file=sys.stderr)
        return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1, None
    if not is_first_process():
        return 0, None
    return _finish(run)


def _parts(run: Prepared, size: Size) -> dict[str, list[str]]:
    """The tasks that are evaluated together: all of them, or each alone where they are large."""
    alone = run.request.one_by_one
    if alone is None and run.request.limit is None and size.bytes > LARGE:
        alone = True
        print(
            f"about {megabytes(size.bytes)} of prompts: one task and language at a time "
            "(--no-one-by-one runs all at once)"
        )
    return run.parts(alone=bool(alone))


def _ask(session: Evaluator, parts: Mapping[str, list[str]]) -> None:
    """Evaluate tasks, part by part, and write what came of each.

    The harness holds prompts and responses of a part in memory until its end.
    """
    session.plan(parts)
    # Several processes that evaluate together must agree, so this is settled before any part.
    done = [session.is_done(command) for command in parts]
    for number, (command, part) in enumerate(parts.items()):
        if len(parts) > 1:
            ending = ": done" if done[number] else ""
            note(f"[{number + 1}/{len(parts)}] {', '.join(part)}{ending}")
            if ending:
                continue
        results = session.evaluate(part, session.run.request.metadata)
        if results is not None:
            session.save(results, command)


def _finish(run: Prepared) -> tuple[int, Done]:
    """Judge what needs a judge, and write the report; 1 if a judge did not answer."""
    request, folder, outcome = run.request, run.request.folder, None
    if run.judge is not None:
        outcome = judge_run(find_run(folder), folder, run.judge, quiet=request.quiet)
    if outcome is not None:
        tell(outcome, quiet=request.quiet)
    scored = score_folder(
        request.folder,
        judge=outcome.judge if outcome and outcome.read else None,
        quiet=request.quiet,
        partial=request.partial,
    )
    page = write_all(scored, request.folder)
    scored.problems.tell(lost_only=True)
    if not request.quiet:
        print(brief(scored.score), end="\n\n")
    print(f"report: {page}", flush=True)
    if scored.waiting:
        print(
            f"{scored.waiting} answers wait for a judge: xlgo judge {request.folder} --model ... "
            "(or --judge MODEL with this command)"
        )
    is_lacking = scored.absent and not request.partial
    return 1 if is_lacking or (outcome and outcome.code) else 0, (scored, page)
