"""Long runs: one task and language at a time, resumable, each with its own cache and log.

The harness holds the prompts and responses of everything it was asked for in memory until the end,
and writes them at the end. One step at a time needs a fraction of that, and what is done is done.
Within a step, the responses are in the cache of the step, which the harness looks up first. The
caches are separate because their keys do not hold the model.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import json
import logging
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import xlgo_dataset as xd
from xlgo_dataset.family import known_texts

from ..folders import write_text
from .key_values import pairs
from .lm_eval_call import call, is_first_process, model_kept

if TYPE_CHECKING:
    from .run import Request

FOLDER = "one_by_one"
"""In the folder of the results: a log, a cache and a note of completion for every step."""

_SERVER = ("num_concurrent", "timeout", "max_retries", "details")
_ALIKE = {"xlgo-chat-completions": "local-chat-completions"}
"""Models that give the answers of another: what that one did is done."""

_MACHINE = ("--batch_size", "-b", "--max_batch_size", "--device", "--verbosity", "-v")
"""Arguments of a model and options that say how it is asked, not what: what is done stays done."""


def run_one_by_one(
    request: Request, tasks: Sequence[str], folders: Sequence[Path], *, only_these: bool
) -> int:
    """Run every task by itself, those left out that are done.

    Args:
        request: what is to be run.
        tasks: the steps.
        folders, only_these: see ``lm_eval_call.call``.

    Returns:
        0, or the exit code of the step that failed; the same request then goes on from there.
    """
    state = request.folder / FOLDER
    state.mkdir(parents=True, exist_ok=True)
    # Several processes that evaluate together must agree, so this is settled before any step.
    done = {task for task in tasks if _is_done(state, request, task)}
    with model_kept(request.model):
        for number, task in enumerate(tasks, start=1):
            print(f"[{number}/{len(tasks)}] {task}{': done' if task in done else ''}", flush=True)
            if task in done:
                continue
            began = time.monotonic()
            with _logged(state / f"{task}.log"):
                code = call(
                    request.arguments([task], _cache(state, request, task)),
                    folders,
                    only_these=only_these,
                    noted_in=(request.model, request.folder),
                )
            if code:
                print(
                    f"{task} failed (exit code {code}, log: {state / task}.log); "
                    "the same command goes on from here",
                    file=sys.stderr,
                )
                return code
            if is_first_process():
                seconds = round(time.monotonic() - began)
                note = {"schema": 1, "digest": _digest(request, task), "seconds": seconds}
                write_text(state / f"{task}.json", json.dumps(note))
    return 0


def _is_done(state: Path, request: Request, task: str) -> bool:
    """The step was run with the same arguments, and its samples are still there."""
    try:
        note = json.loads((state / f"{task}.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    samples = any(request.folder.rglob(f"samples_{task}_[0-9]*.jsonl"))
    return samples and isinstance(note, dict) and note.get("digest") == _digest(request, task)


def _digest(request: Request, task: str) -> str:
    """Changes with everything that the results of a step depend on."""
    asked = dataclasses.replace(
        request,
        model=_ALIKE.get(request.model, request.model),
        model_args=[_model(request)],
        others=_lasting(request),
    )
    what: list[Any] = [xd.DATA_VERSION, *asked.arguments([task], None)]
    text = request.metadata.get("text", "paper")
    if text not in known_texts():
        what.append(Path(text).read_text("utf-8"))
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()


def _cache(state: Path, request: Request, task: str) -> str:
    """Path of the cache: of this model, these arguments and this task."""
    name = _ALIKE.get(request.model, request.model)
    model = hashlib.sha256(json.dumps([name, _model(request)]).encode()).hexdigest()
    base = Path(request.use_cache) if request.use_cache else state / "cache"
    return f"{base}_{model[:8]}_{task}"


def _model(request: Request) -> str:
    """The arguments of the model, without those of ``_SERVER``."""
    given = pairs("--model_args", request.model_args)
    kept = {name: value for name, value in given.items() if name not in _SERVER}
    return json.dumps(kept, sort_keys=True, default=str)


def _lasting(request: Request) -> list[str]:
    """The options for the harness, without those of ``_MACHINE`` and their values."""
    kept: list[str] = []
    skipped = False
    for word in request.others:
        if word.startswith("-"):
            skipped = word.partition("=")[0] in _MACHINE
        if not skipped:
            kept.append(word)
    return kept


@contextlib.contextmanager
def _logged(path: Path) -> Iterator[None]:
    """Copy what the harness logs and prints to a file."""
    logger = logging.getLogger("lm_eval")
    with path.open("a", encoding="utf-8") as log:
        handler = logging.StreamHandler(log)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        logger.addHandler(handler)
        try:
            with contextlib.redirect_stdout(_Both(sys.stdout, log)):
                yield
        finally:
            logger.removeHandler(handler)


class _Both(io.TextIOBase):
    """A text stream that writes to two others."""

    def __init__(self, first: TextIO, second: TextIO) -> None:
        self._streams = (first, second)

    def write(self, text: str) -> int:
        for stream in self._streams:
            stream.write(text)
        return len(text)

    def flush(self) -> None:
        for stream in self._streams:
            stream.flush()
