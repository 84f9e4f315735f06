"""One run at a time in a folder, with a manifest of what it asks."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence

from xlgo_lm_eval.manifest import FILE, recording

from ..folders import explained, locked
from .blocks import identity
from .lm_eval_call import is_first_process
from .request import Request, model_name

LOCK = ".run.lock"
"""In the folder of the results; held while a run writes there."""


@contextlib.contextmanager
def recorded(request: Request, tasks: Sequence[str]) -> Iterator[None]:
    """Hold the folder of a run, and write down what it asks.

    Args:
        request: what is to be run.
        tasks: names of its tasks in the harness.

    Raises:
        ValueError: another run writes into the folder, or its manifest cannot be written.
    """
    if not is_first_process():  # of several that evaluate together, one writes
        yield
        return
    answered_by = {
        **identity(request),
        "name": model_name(request.model, request.model_args),
    }
    design = {
        "metadata": {k: v for k, v in request.metadata.items() if k != "xlgo_ledger"},
        "limit": request.limit,
        "adaptive": None if request.adaptive is None else dataclasses.asdict(request.adaptive),
    }
    with locked(request.folder / LOCK), contextlib.ExitStack() as stack:
        with explained("write", request.folder):
            planned = {"tasks": list(tasks), "design": design}
            stack.enter_context(recording(request.folder / FILE, answered_by, planned))
        yield
