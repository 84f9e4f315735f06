"""Long runs: one task and language at a time, resumable, each with its own cache and log."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..folders import write_text
from .blocks import Block, cache, digest, run_blocks
from .lm_eval_call import is_first_process
from .progress import note
from .request import Request

FOLDER = "one_by_one"
"""In the folder of the results: a log, a cache and a note of completion for every step."""


def run_one_by_one(
    request: Request, tasks: Sequence[str], folders: Sequence[Path], *, only_these: bool
) -> int:
    """Run every task in a step of its own; skip finished ones.

    Args:
        request: what is to be run.
        tasks: the steps.
        folders, only_these: see ``lm_eval_call.call``.

    Returns:
        0, or the exit code of the step that failed; the same request then resumes there.
    """
    state = request.folder / FOLDER
    state.mkdir(parents=True, exist_ok=True)
    # Several processes that evaluate together must agree, so this is settled before any step.
    done = {task for task in tasks if _is_done(state, request, task)}
    blocks = _blocks(request, tasks, state, done)
    return run_blocks(request, blocks, folders, only_these=only_these)


def _blocks(request: Request, tasks: Sequence[str], state: Path, done: set[str]) -> Iterator[Block]:
    for number, task in enumerate(tasks, start=1):
        title = f"[{number}/{len(tasks)}] {task}"
        if task in done:
            note(f"{title}: done")
            continue
        began = time.monotonic()

        def after(task: str = task, began: float = began) -> None:
            if is_first_process():
                seconds = round(time.monotonic() - began)
                found = {"schema": 1, "digest": digest(request, [task]), "seconds": seconds}
                write_text(state / f"{task}.json", json.dumps(found))

        arguments = request.arguments([task], cache(state, request, task))
        yield Block(task, title, arguments, state / f"{task}.log", after)


def _is_done(state: Path, request: Request, task: str) -> bool:
    """The step was run with the same arguments, and its samples are still there."""
    try:
        note = json.loads((state / f"{task}.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    samples = any(request.folder.rglob(f"samples_{task}_[0-9]*.jsonl"))
    return samples and isinstance(note, dict) and note.get("digest") == digest(request, [task])
