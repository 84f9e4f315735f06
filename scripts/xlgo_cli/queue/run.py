"""``xlgo run --models FILE``: several models one after the other, all asked the same questions.

Each model runs in a process of its own: its memory is free when it ends, and whatever ends it ends
no other. Finished models are not repeated; the same command resumes.
"""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..arguments import Argument, Parser
from ..folders import explained, locked
from ..harness import task_names
from ..harness.blocks import digest
from ..harness.options import RESULTS, parse
from ..harness.preflight import harness_tasks
from ..harness.preflight.size import Size, confirm, most_of, size_of
from ..harness.progress import Progress, note
from ..harness.request import SIMULATED
from .file import Entry, read_models
from .state import DONE, FAILED, LOCK, RUNNING, STOPPED, Standing, State, read_state, table

LOG = "run.log"
"""In the folder of each model: everything that its run said."""

PROGRAM = [sys.executable, "-m", "xlgo_cli", "run"]
"""What runs one model."""

_INTERRUPTED = 130
_PATIENCE = 60.0  # seconds that a model has to end after an interruption
_TAIL = 20_000  # bytes of a log in which the reason of a failure is looked for
_LONGEST = 300
_TOLD = re.compile(r"^([\d,]+) of [\d,]+ answers, ", re.MULTILINE)  # a line of its progress
_ERROR = re.compile(r"[A-Za-z_.]{1,100}(?:Error|Exception): ")


@dataclass(frozen=True)
class Queue:
    """What ``xlgo run --models`` was asked to do.

    Attributes:
        models: what is to be run, in this order.
        folder: of all results; each model has a folder in it.
        plan: the options that all of them share.
        status: only say where each stands.
    """

    models: list[Entry]
    folder: Path
    plan: list[str]
    status: bool

    def words(self, entry: Entry) -> list[str]:
        """The command line of ``xlgo run`` for one model."""
        own = entry.words()
        found = [*self.plan, *own, "--output_path", str(self.folder / entry.folder)]
        found += [] if "--yes" in found else ["--yes"]  # the queue has asked
        given = {word.partition("=")[0] for word in (*self.plan, *own)}
        if not given & {"--use_cache", "-c", "--design"}:
            # One cache for each way to make answers: its keys do not hold the model.
            state = self.folder / entry.folder / "cache"
            found += ["--use_cache", str(state / self.digest(entry)[:12])]
        return found

    def digest(self, entry: Entry) -> str:
        """Changes with everything that the answers of a model depend on."""
        request = parse([*self.plan, *entry.words(), "--output_path", "."])
        return digest(request, request.tasks)

    def plan_digest(self) -> str:
        """Changes with everything that the questions depend on."""
        request = parse([*self.plan, "--model", SIMULATED, "--output_path", "."])
        return digest(request, request.tasks)


_ARGUMENTS = (
    Argument("--models", type=Path, required=True),
    Argument("--status", action="store_true"),
    Argument("--out", "--output_path", "--output-path", "-o", dest="output_path", type=Path),
    Argument("--model", "-M", "--model_args", "-a", dest="refused", nargs="*"),
)


def is_queue(arguments: Sequence[str]) -> bool:
    """Whether a command line of ``xlgo run`` asks for several models."""
    return any(word.partition("=")[0] == "--models" for word in arguments)


def parse_queue(arguments: Sequence[str]) -> Queue:
    """Read the command line.

    Raises:
        ValueError: the file or an option is invalid.
    """
    parser = Parser(prog="xlgo run", add_help=False, allow_abbrev=False)
    args, plan = parser.made_of(_ARGUMENTS).parse_known_args(arguments)
    if args.refused is not None:
        raise ValueError("--models names the models: leave out --model and --model_args")
    folder = args.output_path or RESULTS / args.models.stem
    if folder.suffix == ".json":
        raise ValueError(f"--output_path {folder}: give a folder, in which each model gets its own")
    return Queue(read_models(args.models), folder, plan, args.status)


def run_queue(arguments: Sequence[str]) -> int:
    """Run every model that is not done.

    Returns:
        0; 1 if a model failed; 130 if interrupted.

    Raises:
        ValueError: a mistake in the file or the options, of whichever model; then none is run.
    """
    queue = parse_queue(arguments)
    size = _check_plan(queue)
    digests = [_checked(queue, entry) for entry in queue.models]
    if queue.status:
        _show(queue, read_state(queue.folder), digests, alive=_is_running(queue.folder))
        return 0
    _agree(queue, size)
    with explained("write", queue.folder):
        queue.folder.mkdir(parents=True, exist_ok=True)
    with locked(queue.folder / LOCK):
        state = read_state(queue.folder)
        plan = queue.plan_digest()
        if state.plan not in ("", plan):
            raise ValueError(
                f"{queue.folder} contains results for different questions, or a plan file has "
                "changed: choose another --output_path or repeat the original options"
            )
        state.plan = plan
        code = 0
        left = [
            (place, entry, now)
            for place, (entry, now) in enumerate(zip(queue.models, digests), start=1)
            if state.of(entry, now).state != DONE
        ]
        shown = Progress(size.prompts * len(left) or None)
        for finished, (place, entry, now) in enumerate(left, start=1):
            note(f"[{place}/{len(queue.models)}] {entry.name}")
            standing = _run_one(queue, state, entry, now, shown)
            if standing.state == STOPPED:
                code = _INTERRUPTED
                break
            shown.reach(size.prompts * finished)
            note(f"  {standing.state}{f': {standing.why}' if standing.why else ''}")
        shown.close()
        _show(queue, state, digests, alive=False)
        if code:
            print("interrupted; rerun the same command to resume", file=sys.stderr)
            return code
    return _finish(queue, state)


def _finish(queue: Queue, state: State) -> int:
    done = [e.folder for e in queue.models if state.models[e.folder].state == DONE]
    if len(done) > 1:
        print(f"compare them: xlgo leaderboard {' '.join(str(queue.folder / d) for d in done)}")
    if len(done) == len(queue.models):
        return 0
    print(
        f"xlgo: {len(queue.models) - len(done)} of {len(queue.models)} models failed (see the logs "
        f"{queue.folder}/*/{LOG}); rerun the same command to try them again",
        file=sys.stderr,
    )
    return 1


def _check_plan(queue: Queue) -> Size:
    """Refuse tasks and options of tasks that every model would refuse; the size of each run."""
    request = parse([*queue.plan, "--model", SIMULATED])
    names = task_names.harness_names(request.tasks)
    tasks, others = task_names.expand(names, strict=request.include is None)
    task_names.check_options(tasks, request.metadata, is_all=not others)
    harness_tasks.check_names(others, request.include, list(task_names.every_task()))
    if request.adaptive is None:
        return size_of(tasks, request.metadata, request.limit)
    from ..harness.adaptive import designs

    return most_of(designs(request, request.adaptive, tasks, others), request)


def _agree(queue: Queue, one: Size) -> None:
    """Announce the size of all runs together; see ``preflight.size.confirm``."""
    if real := [entry for entry in queue.models if entry.type != SIMULATED]:
        request = parse([*queue.plan, "--model", real[0].type])
        request.prices = None  # each model has its own
        times = len(real)
        total = replace(one, prompts=one.prompts * times, bytes=one.bytes * times)
        confirm(total, request)


def _checked(queue: Queue, entry: Entry) -> str:
    """The digest of an entry whose options can be read and whose type of model exists."""
    from ..harness.lm_eval_call import check_model

    try:
        found = queue.digest(entry)
        check_model(entry.type)
    except (ValueError, ModuleNotFoundError) as error:
        raise ValueError(f"model {entry.name!r}: {error}") from error
    return found


def _run_one(queue: Queue, state: State, entry: Entry, now: str, shown: Progress) -> Standing:
    folder = queue.folder / entry.folder
    with explained("write", folder):
        (folder / "cache").mkdir(parents=True, exist_ok=True)
        log = (folder / LOG).open("ab")
    state.put(entry, Standing(RUNNING, now))
    note(f"  log: {folder / LOG}")
    before = shown.done
    began = time.monotonic()
    with log:
        start = log.tell()
        process = subprocess.Popen(
            [*PROGRAM, *queue.words(entry)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            while (ended := _ended(process)) is None:
                shown.reach(before + _answers(folder / LOG, start))
            code = ended
        except KeyboardInterrupt:
            code = _INTERRUPTED
        finally:
            _end(process)
    seconds = round(time.monotonic() - began, 1)
    if code == _INTERRUPTED:
        standing = Standing(STOPPED, now, seconds)
    elif code == 0:
        standing = Standing(DONE, now, seconds)
    else:
        standing = Standing(FAILED, now, seconds, _why(folder / LOG, start, code))
    state.put(entry, standing)
    return standing


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    """Wait a second for a process; its exit code if it ended."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(1.0)
    return None


def _answers(log: Path, start: int) -> int:
    """The answers of a run, as far as its log tells of them."""
    told = _TOLD.findall(_tail(log, start))
    return int(told[-1].replace(",", "")) if told else 0


def _tail(log: Path, start: int) -> str:
    with log.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(start, size - _TAIL))
        return file.read().decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop a running process: send SIGINT, then SIGKILL after a timeout."""
    if process.poll() is not None:
        return
    with contextlib.suppress(KeyboardInterrupt):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
    if process.poll() is None:
        process.kill()
        process.wait()


def _why(log: Path, start: int, code: int) -> str:
    """The last line of xlgo in a run's output, else the last error, else the last line."""
    text = _tail(log, start)
    # A progress bar goes back to the beginning of its line, which splits it, too.
    lines = [line.strip() for line in text.splitlines() if line.strip() and "it/s]" not in line]
    ours = [line.removeprefix("xlgo: ") for line in lines if line.startswith("xlgo: ")]
    errors = [line for line in lines if _ERROR.match(line)]
    said = (ours or errors or lines or ["it said nothing"])[-1][:_LONGEST]
    if code < 0:
        return f"ended by signal {-code} ({_signal(-code)}): {said}"
    return f"exit code {code}: {said}"


def _signal(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return "unknown"
    return f"{name}, perhaps out of memory" if name == "SIGKILL" else name


def _is_running(folder: Path) -> bool:
    """Return whether another process is running this queue."""
    if not (folder / LOCK).exists():
        return False
    try:
        with locked(folder / LOCK):
            return False
    except ValueError:
        return True


def _standings(
    queue: Queue, state: State, digests: Sequence[str], alive: bool
) -> Iterator[Standing]:
    for entry, now in zip(queue.models, digests):
        found = state.of(entry, now)
        if found.state == RUNNING and not alive:
            found = Standing(STOPPED, found.digest, found.seconds)
        yield found


def _show(queue: Queue, state: State, digests: Sequence[str], *, alive: bool) -> None:
    from ..display.formats import show

    show(table(queue.models, list(_standings(queue, state, digests, alive))))
    print(f"results: {queue.folder}")
