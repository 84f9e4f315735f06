"""``xlgo run --models FILE``: several models one after the other, all asked the same questions.

Each model runs in a process of its own: its memory is free when it ends, and whatever ends it ends
no other. Each run resumes from its file of answers, which also says where it stands.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from xlgo_lm_eval.answers import files_in, rows_of
from xlgo_lm_eval.replies import MISSING
from xlgo_metric.table import Column, Table

from ..arguments import Argument, Parser
from ..display.formats import show
from ..folders import explained
from ..harness.evaluation import run_of
from ..harness.options import RESULTS
from ..harness.preflight.size import confirm, most_of, size_of
from ..harness.prepared import prepared
from ..harness.request import SIMULATED
from ..logs.completeness import PLANNED, WROTE
from .file import Entry, read_models

LOG = "run.log"
"""In the folder of each model: everything that its run printed."""
WAITING, RUNNING, DONE, STOPPED, CHANGED = "waiting", "running", "done", "stopped", "changed"
"""Where a model stands. Changed: its folder holds answers to other settings or questions."""

PROGRAM = [sys.executable, "-m", "xlgo_cli", "run"]
"""What runs one model."""

_INTERRUPTED = 130
_LONGEST = 300


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
        # The queue has asked for consent.
        folder = str(self.folder / entry.folder)
        return [*self.plan, *entry.words(), "--output_path", folder, "--yes"]


@dataclass(frozen=True)
class Standing:
    """Where a model stands: its state, the answers that are kept, and why it ended."""

    state: str
    answers: int = 0
    why: str = ""


_ARGUMENTS = (
    Argument("--models", type=Path, required=True),
    Argument("--status", action="store_true"),
    Argument("--out", "--output_path", "--output-path", "-o", dest="output_path", type=Path),
    Argument("--model", "-M", "--model_args", "-a", dest="refused", nargs="*"),
)


def is_queue(arguments: Sequence[str]) -> bool:
    """Whether a command line of ``xlgo run`` asks for several models."""
    return any(word.partition("=")[0] == "--models" for word in arguments)


def run_queue(arguments: Sequence[str]) -> int:
    """Run every model that is not done.

    Returns:
        0; 1 if a model failed; 130 if interrupted.

    Raises:
        ValueError: a mistake in the file or the options, of whichever model; then none is run.
    """
    parser = Parser(prog="xlgo run", add_help=False, allow_abbrev=False)
    args, plan = parser.made_of(_ARGUMENTS).parse_known_args(arguments)
    if args.refused is not None:
        raise ValueError("--models names the models: leave out --model and --model_args")
    folder = args.output_path or RESULTS / args.models.stem
    if folder.suffix == ".json":
        raise ValueError(f"--output_path {folder}: give a folder, in which each model gets its own")
    queue = Queue(read_models(args.models), folder, plan, args.status)
    standings = [_standing(queue, entry) for entry in queue.models]
    if queue.status:
        _show(queue, standings)
        return 0
    _agree(queue)
    code = 0
    for place, entry in enumerate(queue.models):
        if standings[place].state == DONE:
            continue
        print(f"[{place + 1}/{len(queue.models)}] {entry.name}", flush=True)
        if (code := _run_one(queue, entry)) == _INTERRUPTED:
            break
        standings[place] = _standing(queue, entry)
    _show(queue, standings)
    if code == _INTERRUPTED:
        print("interrupted: the same command resumes", file=sys.stderr)
        return code
    done = [e.folder for e, standing in zip(queue.models, standings) if standing.state == DONE]
    if len(done) > 1:
        print(f"compare them: xlgo leaderboard {' '.join(str(queue.folder / d) for d in done)}")
    if len(done) == len(queue.models):
        return 0
    print(
        f"xlgo: {len(queue.models) - len(done)} of {len(queue.models)} models did not end (see "
        f"{queue.folder}/*/{LOG}): the same command resumes them",
        file=sys.stderr,
    )
    return 1


def _run_one(queue: Queue, entry: Entry) -> int:
    folder = queue.folder / entry.folder
    with explained("write", folder):
        folder.mkdir(parents=True, exist_ok=True)
        log = (folder / LOG).open("ab")
    with log:
        try:
            return subprocess.run(
                [*PROGRAM, *queue.words(entry)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, check=False,
            ).returncode  # fmt: skip
        except KeyboardInterrupt:  # the model's process was interrupted, too
            return _INTERRUPTED


def _standing(queue: Queue, entry: Entry) -> Standing:
    """Where a model stands, by its file of answers.

    Raises:
        ValueError: a mistake in its arguments or settings, or in the plan.
    """
    try:
        found = prepared(queue.words(entry))
    except (ValueError, ModuleNotFoundError) as error:
        raise ValueError(f"model {entry.name!r}: {error}") from error
    folder = found.request.folder
    answers, events, run = 0, [], {}
    for path in files_in(folder):
        for start, _, row in rows_of(path):
            if start == 0:
                run = row["run"]
            elif "key" in row:
                answers += row.get("state") != MISSING
            else:
                events.append(row)
    if not run:
        return Standing(WAITING, 0, _why(folder))
    if run != json.loads(json.dumps(run_of(found.request, found.config), default=str)):
        return Standing(CHANGED, answers, "other settings or questions: --fresh, or another name")
    if any(_is_open(path) for path in files_in(folder)):
        return Standing(RUNNING, answers)
    parts = next((event["parts"] for event in events[::-1] if event["kind"] == PLANNED), None)
    wrote = {event["command"]: event["missing"] for event in events if event["kind"] == WROTE}
    if parts and all(wrote.get(command, 1) == 0 for command in parts):
        return Standing(DONE, answers)
    return Standing(STOPPED, answers, _why(folder))


def _is_open(path: Path) -> bool:
    """Whether another process writes to a file of answers."""
    lock = FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def _why(folder: Path) -> str:
    """The last line of xlgo in the output of a run."""
    with contextlib.suppress(OSError):
        lines = (folder / LOG).read_text("utf-8", "replace").splitlines()
        own = [line for line in lines if line.startswith(("xlgo: ", "error: "))]
        return own[-1].partition(": ")[2][:_LONGEST] if own else ""
    return ""


def _agree(queue: Queue) -> None:
    """Announce the size of all runs together; see ``preflight.size.confirm``."""
    real = [entry for entry in queue.models if entry.type != SIMULATED]
    if not real:
        return
    found = prepared(queue.words(real[0]))
    request = found.request
    request.prices, request.sure = None, "--yes" in queue.plan  # each model has its own prices
    one = size_of(found.tasks, request.metadata, request.limit)
    if found.designs is not None:
        one = most_of(found.designs, request)
    total = replace(one, prompts=one.prompts * len(real), bytes=one.bytes * len(real))
    confirm(total, request)


def _show(queue: Queue, standings: Sequence[Standing]) -> None:
    done = sum(standing.state == DONE for standing in standings)
    rows = tuple(
        (entry.name, standing.state, standing.answers, entry.folder, standing.why)
        for entry, standing in zip(queue.models, standings)
    )
    columns = (
        Column("Model"), Column("State"), Column("Answers", "count"), Column("Folder"),
        Column("Why"),
    )  # fmt: skip
    show(Table("queue", f"{done} of {len(standings)} models are done", columns, rows))
    print(f"results: {queue.folder}")
