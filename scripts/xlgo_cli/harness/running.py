"""A run: ask everything, write what came of it, judge it, and write the report; or such a run of
each model of a file.

``--design adaptive`` asks in rounds, each where the answers so far say: what is asked is settled by
:mod:`xlgo_metric.statistics.adaptive` from the answers alone. A run that was killed replays its
rounds out of the file of answers, which asks for nothing twice, and goes on with the same plan. At
the end one more evaluation of everything writes one samples file.

``--models FILE`` runs several models one after the other, all asked the same questions. In TOML (or
the same in YAML)::

    [[models]]
    name = "lingua-7b, thinking"
    type = "hf"
    arguments = { pretrained = "acme/lingua-7b", enable_thinking = true }
    settings = { apply_chat_template = true, batch_size = "auto" }

Each model runs in a process of its own: its memory is free when it ends, and whatever ends it ends
no other. Each run resumes from its file of answers, which also says where it stands.
"""

import itertools
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from xlgo_dataset.core.question_plan import TaskPlan, plan_json
from xlgo_lm_eval.answers import (
    ANSWERED,
    files_in,
    is_complete,
    is_open,
    kept_in,
    steps_of,
)
from xlgo_metric.comparison.compare import EXTENDED, PLAN_OF, slug
from xlgo_metric.statistics.adaptive import NAME, next_step
from xlgo_metric.table import Column, Table

from ..arguments import Argument, Parser
from ..display.formats import megabytes, show
from ..folders import check_table, explained, read_settings, write_text
from ..logs.graded_run import GradedRun, score_folder
from ..logs.results import find_run
from ..page.findings import brief
from ..page.write import default_folder, write_files
from .evaluation import (
    INTERRUPTED,
    Evaluator,
    Results,
    begin_again,
    check_folder,
    failure,
    task_manager,
)
from .judging.asking import judge_run, judging, tell, try_judge
from .options import ADAPTIVE, LARGE, RESULTS, is_api, is_first_process, words_of
from .prepared import PLAN, Prepared, Size, announce, prepared
from .progress import Progress, harness_heard, note

Done = tuple[GradedRun, Path]
"""A run that went through: its scores and the page with its report."""

_REASONS = {
    "right everywhere": "correct everywhere: nothing to compare; try higher complexities (--c-max)",
    "wrong everywhere": "wrong everywhere: nothing to compare; try lower complexities (--c-min)",
    "budget": "budget used up",
}
"""Why a task is asked no more."""

Cells = dict[int, tuple[int, ...]]
"""The indexes of the questions of each complexity."""

Outcome = tuple[int, int, dict[str, bool]]
"""A question, by complexity and index, and in which languages it was answered right. The design
hears only how many they are."""

LOG = "run.log"
"""In the folder of each model: everything that its run printed."""
WAITING, RUNNING, DONE, STOPPED, CHANGED = "waiting", "running", "done", "stopped", "changed"
"""Where a model stands. Changed: its folder holds answers to other settings or questions."""
PROGRAM = [sys.executable, "-m", "xlgo_cli", "run"]
"""What runs one model."""

_ENTRIES = {
    "name": "a text", "type": "a text", "arguments": "a text or a table", "settings": "a table",
}  # fmt: skip
"""Of a model."""
_LONGEST = 300

_REFUSED = {
    **dict.fromkeys(
        ["tasks", "preset", "levels", "per_level", "c_min", "c_max", "complexities", "plan",
         "xlgo_seed", "text", "languages", "limit", "metadata", "design", "budget",
         "include_path", "config", "challenge"],
        "says what is asked, and all models are asked the same: give it on the command line",
    ),
    "model": "use the entry 'type'", "model_args": "use the entry 'arguments'",
    **dict.fromkeys(["output_path", "out", "models", "status"], "use the entry 'name'"),
}  # fmt: skip
"""Settings that a model has not, and what to do."""

_ARGUMENTS = (
    Argument("--models", type=Path),
    Argument("--status", action="store_true"),
    Argument("--out", "--output_path", "--output-path", "-o", dest="output_path", type=Path),
    Argument("--model", "-M", "--model_args", "-a", dest="refused", nargs="*"),
)


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
                session.plan(parts)
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
    # Several processes that evaluate together must agree, so this is settled before any part.
    folder = session.run.request.folder
    done = [is_complete(folder, session.wrote.get(command)) for command in parts]
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
    page = write_files(scored, default_folder(request.folder))
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


def run_adaptive(session: Evaluator) -> None:
    """Ask round after round until every task has had enough, then write what came of it.

    Args:
        session: evaluates each round.

    Raises:
        OSError: not everything could be written.
    """
    run, request = session.run, session.run.request
    design = _design_of(session)
    answers: dict[str, list[Outcome]] = {name: [] for name in run.designs}
    for number in itertools.count(1):
        steps = {
            name: next_step(
                task.design,
                [(size, index, sum(right.values())) for size, index, right in answers[name]],
            )
            for name, task in run.designs.items()
        }
        cells = {name: step.cells for name, step in steps.items() if step.cells}
        if not cells:
            break
        sizes = (f"{task} {_in_words(of_task)}" for task, of_task in cells.items())
        _say(session, f"[round {number}] {'; '.join(sizes)}")
        results = _evaluate(session, cells, design)
        right = {} if results is None else outcomes(results["samples"], cells)
        for task, questions in _from_first(session.model, right).items():
            answers[task] += questions
    for name, step in steps.items():
        own = sorted((size, index) for size, index, _ in answers[name])
        by_size = itertools.groupby(own, key=itemgetter(0))
        cells[name] = {size: tuple(index for _, index in group) for size, group in by_size}
        _say(session, f"{name}: {len(answers[name])} questions, {_REASONS[step.reason or '']}")
    session.progress.is_paused = True  # these answers were counted
    results = _evaluate(session, cells, design)
    if results is not None:
        model, path = request.model_name, request.folder / ADAPTIVE / PLAN
        plan = _plan(run, cells, f"{PLAN_OF}{slug(model)}", made_by=model)
        write_text(path, json.dumps(plan) + "\n")
        _say(session, f"plan: {path}")
        session.save(results, PLAN, budget=request.budget, design=design)


def _say(session: Evaluator, text: str) -> None:
    if not session.run.request.quiet and is_first_process():
        note(text)


def _design_of(session: Evaluator) -> str:
    """The name of the design, which tells whether the budget was changed after its results."""
    earlier = session.wrote.get(PLAN, {})
    if earlier.get("budget", session.run.request.budget) == session.run.request.budget:
        return str(earlier.get("design", NAME))
    _say(
        session,
        "the budget was changed after answers had been seen: this is recorded, and the report says "
        "so",
    )
    return NAME + EXTENDED


def _evaluate(session: Evaluator, cells: Mapping[str, Cells], design: str) -> Results | None:
    """The harness's results on some questions."""
    run = session.run
    names = [name for task in cells for name in run.designs[task].names]
    return session.evaluate(names, {**run.request.metadata, "plan": _plan(run, cells, design)})


def _plan(
    run: Prepared, cells: Mapping[str, Cells], design: str, **extra: str
) -> Mapping[str, object]:
    ends = {name: (task.design.c_min, task.design.c_max) for name, task in run.designs.items()}
    tasks = {name: TaskPlan(of_task, *ends[name]) for name, of_task in cells.items()}
    return plan_json(
        tasks, design=design, seed=int(run.request.metadata.get("xlgo_seed", 0)), **extra
    )


def outcomes(
    samples: Mapping[str, Iterable[Results]], cells: Mapping[str, Cells]
) -> dict[str, list[Outcome]]:
    """Return the outcome of every question of a round.

    An answer that is missing or refused counts as not right here, where it is settled what is
    asked next; it is in no rate.

    Args:
        samples: of the harness, by task.
        cells: what the round asked.
    """
    right: dict[tuple[str, int, int], dict[str, bool]] = {}
    for sample in itertools.chain(*samples.values()):
        reference = json.loads(sample["doc"]["reference"])
        question = (reference["task"], reference["complexity"], reference["index"])
        is_there = sample["resps"][0][0].state == ANSWERED
        right.setdefault(question, {})[reference["language"]] = is_there and sample["acc"] == 1
    return {
        task: [
            (size, index, right[task, size, index])
            for size in task_cells
            for index in task_cells[size]
        ]
        for task, task_cells in cells.items()
    }


def _from_first(lm: Any, right: dict[str, list[Outcome]]) -> dict[str, list[Outcome]]:
    """What the first of several processes gives, in all of them."""
    if lm.world_size == 1:
        return right
    from torch import distributed

    sent = [right]
    distributed.broadcast_object_list(sent, device=lm.device)
    return sent[0]


def _in_words(cells: Cells) -> str:
    low, high = min(cells), max(cells)
    span = f"{low}" if low == high else f"{low}-{high}"
    return f"{sum(map(len, cells.values()))} at {span}"


def read_models(path: Path) -> dict[str, list[str]]:
    """The models of a file: by name, each one's part of the command line of ``xlgo run``.

    Raises:
        ValueError: it cannot be read, or an entry is invalid; the message says what to do.
    """
    data = read_settings(path, "--models")
    models = data.get("models") if isinstance(data, dict) else None
    if not isinstance(models, list) or not models or len(data) > 1:
        raise ValueError(
            f"--models {path}: it must hold a list `models` of at least one model and nothing "
            "else; give options for all models on the command line"
        )
    by_name = {}
    names: dict[str, str] = {}
    for number, content in enumerate(models, start=1):
        name, words = _entry(f"--models {path}: model {number}", content)
        namesake = names.setdefault(folder_name(name).casefold(), name)
        if namesake != name or name in by_name:
            raise ValueError(
                f"--models {path}: two models are called {name!r} and {namesake!r}, and their "
                f"results would share the folder {folder_name(name)}: give them other names"
            )
        by_name[name] = words
    return by_name


def folder_name(name: str) -> str:
    """The folder of a model's results."""
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "model"


def _entry(where: str, data: Any) -> tuple[str, list[str]]:
    check_table(where, data, _ENTRIES, ("name", "type"))
    settings = data.get("settings") or {}
    options = {str(option).replace("-", "_"): value for option, value in settings.items()}
    for option in options.keys() & _REFUSED.keys():
        raise ValueError(f"{where}: setting {option!r}: {_REFUSED[option]}")
    model = {"model": data["type"].strip(), "model_args": data.get("arguments") or None}
    return data["name"].strip(), words_of({**model, **options})


def run_models(arguments: Sequence[str]) -> int:
    """Run every model that is not done.

    Returns:
        0; 1 if a model failed; 130 if interrupted.

    Raises:
        ValueError: a mistake in the file or the options, of whichever model; then none is run.
    """
    parser = Parser(prog="xlgo run", add_help=False, allow_abbrev=False).made_of(_ARGUMENTS)
    args, plan = parser.parse_known_args(arguments)
    if args.refused is not None:
        raise ValueError("--models names the models: leave out --model and --model_args")
    folder = args.output_path or RESULTS / args.models.stem
    runs: dict[str, Prepared] = {}
    commands = {
        name: [*plan, *words, "--output_path", str(folder / folder_name(name))]
        for name, words in read_models(args.models).items()
    }
    for name, command in commands.items():
        try:
            runs[name] = prepared(command)
        except (ValueError, ModuleNotFoundError) as error:
            raise ValueError(f"model {name!r}: {error}") from error
    code = 0 if args.status else _run_all(commands, runs)
    rows = tuple(
        (name, state, kept_in(run.request.folder), run.request.folder.name, why)
        for name, run in runs.items()
        for state, why in [standing(run)]
    )
    done = [str(folder / row[3]) for row in rows if row[1] == DONE]
    columns = (
        Column("Model"), Column("State"), Column("Answers", "count"), Column("Folder"),
        Column("Why"),
    )  # fmt: skip
    show(Table("models", f"{len(done)} of {len(runs)} models are done", columns, rows))
    print(f"results: {folder}")
    if len(done) > 1:
        print(f"compare them: xlgo leaderboard {' '.join(done)}")
    if args.status or len(done) == len(runs):
        return 0
    print(
        f"xlgo: {len(runs) - len(done)} of {len(runs)} models did not end (see {folder}/*/{LOG}): "
        f"the same command{' without --fresh' * ('--fresh' in plan)} resumes them",
        file=sys.stderr,
    )
    return code if code == INTERRUPTED else 1


def _run_all(commands: Mapping[str, Sequence[str]], runs: Mapping[str, Prepared]) -> int:
    """Run what is not done, in the order of the file; the last exit code."""
    task_manager(next(iter(runs.values())))  # all are asked the same
    code = 0
    for number, (name, run) in enumerate(runs.items(), start=1):
        folder = run.request.folder
        if code == INTERRUPTED or (standing(run)[0] == DONE and not run.request.fresh):
            continue
        print(f"[{number}/{len(runs)}] {name}", flush=True)
        words = [*PROGRAM, *commands[name]]
        with explained("write", folder):
            folder.mkdir(parents=True, exist_ok=True)
            log = (folder / LOG).open("ab")
        with log:
            try:
                code = subprocess.run(
                    words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                    check=False,
                ).returncode  # fmt: skip
            except KeyboardInterrupt:  # the model's process was interrupted, too
                code = INTERRUPTED
    return code


def standing(run: Prepared) -> tuple[str, str]:
    """Where a model stands, by its file of answers, and why it ended."""
    folder = run.request.folder
    files = files_in(folder)
    if any(map(is_open, files)):
        return RUNNING, ""
    try:
        check_folder(run)
    except ValueError as error:
        return CHANGED, str(error)
    planned, wrote = steps_of(folder)
    if planned and all(is_complete(folder, wrote.get(part)) for part in planned):
        return DONE, ""
    log = folder / LOG
    text = log.read_text("utf-8", "replace") if log.is_file() else ""
    reasons = re.findall(r"^(?:xlgo|error): (.*)$", text, re.MULTILINE) or [""]
    return STOPPED if files else WAITING, reasons[-1][:_LONGEST]
