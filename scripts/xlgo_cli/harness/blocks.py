"""Long runs: block after block with the model held open, each with its log, cache and note.

The harness holds the prompts and responses of everything it was asked for in memory until the end,
and writes them at the end. One block at a time needs a fraction of that, and what is done is done.
Within a block, the responses are in a cache, which the harness looks up first.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, cast

import xlgo_dataset as xd
from xlgo_dataset.family import known_texts
from xlgo_lm_eval.redaction import RedactingStream, redacted_json

from ..logs.lines import SAME_BACKEND, pairs
from .lm_eval_call import INTERRUPTED, call, model_kept
from .preflight.options_given import given
from .progress import note
from .request import Request

_SERVER = ("num_concurrent", "timeout", "max_retries", "details")
_MACHINE = ("--batch_size", "-b", "--max_batch_size", "--device", "--verbosity", "-v")
"""Execution-only options; changing them does not invalidate finished work."""


@dataclass(frozen=True)
class Block:
    """What is asked in one go.

    Attributes:
        name: of what failed, for a message.
        title: printed before it.
        arguments: the command line of the harness.
        log: where what the harness says is added.
        after: called when the harness has written its results.
    """

    name: str
    title: str
    arguments: Sequence[str]
    log: Path
    after: Callable[[], None]


def run_blocks(
    request: Request, blocks: Iterable[Block], folders: Sequence[Path], *, only_these: bool
) -> int:
    """Run blocks one after the other; the model is loaded once.

    Args:
        request: of which they are.
        blocks: what is to be run; the next one is taken when the one before is done, so that it
            may depend on the answers to that.
        folders, only_these: see ``lm_eval_call.call``.

    Returns:
        0, or the exit code of the block that failed; the same request then goes on from there.
    """
    gen_kwargs = given(request).gen_kwargs
    with model_kept(request.model):
        for block in blocks:
            if not request.quiet:
                note(block.title)
            with logged(block.log, shown=request.is_verbose):
                code = call(
                    block.arguments,
                    folders,
                    only_these=only_these,
                    noted_in=(request.model, request.folder),
                    gen_kwargs=gen_kwargs,
                )
            if code:
                what = "was stopped" if code == INTERRUPTED else f"failed (exit code {code})"
                print(
                    f"xlgo: {block.name} {what}, its log is {block.log}; rerun the same "
                    "command to resume",
                    file=sys.stderr,
                )
                return code
            block.after()
    return 0


def digest(request: Request, tasks: Sequence[str]) -> str:
    """Changes with everything that the answers to some tasks depend on."""
    asked = dataclasses.replace(
        request,
        model=SAME_BACKEND.get(request.model, request.model),
        model_args=[_model(request)],
        others=_lasting(request),
    )
    what: list[Any] = [xd.DATA_VERSION, *asked.arguments(tasks, None)]
    text = request.metadata.get("text", "paper")
    if text not in known_texts():
        what.append(Path(text).read_text("utf-8"))
    plan = request.metadata.get("plan")
    if isinstance(plan, str) and not plan.lstrip().startswith("{"):
        what.append(Path(plan).read_text("utf-8"))
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()


def cache(state: Path, request: Request, name: str) -> str:
    """Path of a cache: of this model and these arguments, for the questions of ``name``.

    Caches are separate because their keys do not hold the model.
    """
    found = identity(request)
    model = hashlib.sha256(json.dumps([found["type"], found["arguments"]]).encode()).hexdigest()
    base = Path(request.use_cache) if request.use_cache else state / "cache"
    return f"{base}_{model[:8]}_{name}"


def identity(request: Request) -> dict[str, object]:
    """What answers, and how: the type of model, its arguments and options of the harness."""
    return {
        "type": SAME_BACKEND.get(request.model, request.model),
        "arguments": _model(request),
        "options": _lasting(request),
    }


def _model(request: Request) -> str:
    """The arguments of the model, without those of ``_SERVER``."""
    given = pairs("--model_args", request.model_args)
    kept = {name: value for name, value in given.items() if name not in _SERVER}
    return json.dumps(redacted_json(kept), sort_keys=True, default=str)


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
def logged(path: Path, *, shown: bool) -> Iterator[None]:
    """Copy the harness's log and output to a file; unless ``shown``, print only there."""
    logger = logging.getLogger("lm_eval")
    with path.open("a", encoding="utf-8") as file:
        log = cast("TextIO", RedactingStream(file))
        handler = logging.StreamHandler(log)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        logger.addHandler(handler)
        try:
            with contextlib.redirect_stdout(_Both(sys.stdout, log) if shown else log):
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
