"""Limit the harness's console output to the requested verbosity."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
from collections.abc import Iterator
from typing import Any

from xlgo_lm_eval.patches import patched


@contextlib.contextmanager
def harness_heard(level: str, *, bars: bool) -> Iterator[None]:
    """Show the harness's log from a level on; its files are not affected.

    Args:
        level: as ``logging`` names it.
        bars: show the harness's own progress bars, too.
    """
    from lm_eval import evaluator
    from lm_eval.utils import setup_logging

    # Its handlers are made now, so that they can be told; the logger itself stays open, because
    # logs of long runs are written from it too.
    setup_logging("DEBUG" if level == "DEBUG" else "INFO")
    shown = [
        handler
        for name in ("lm_eval", None)
        for handler in logging.getLogger(name).handlers
        if type(handler) is logging.StreamHandler
    ]
    before = [handler.level for handler in shown]
    for handler in shown:
        handler.setLevel(level)
    try:
        with contextlib.ExitStack() as stack:
            # Outside a repository, git would print "fatal".
            stack.enter_context(patched(evaluator, "get_git_commit_hash", _commit))
            if not bars:
                stack.enter_context(no_bars())
            yield
    finally:
        for handler, was in zip(shown, before):
            handler.setLevel(was)


def _commit() -> str | None:
    """The version of the working directory; unlike the harness's own, without words of git."""
    command = ["git", "describe", "--always"]
    with contextlib.suppress(OSError):  # no git at all
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        return said.strip() or None
    return None


@contextlib.contextmanager
def no_bars() -> Iterator[None]:
    """Show no progress bars, in this process and in those that it starts."""
    from tqdm import tqdm

    start = tqdm.__init__
    was = os.environ.get("TQDM_DISABLE")

    def start_hidden(bar: Any, *arguments: Any, **options: Any) -> None:
        start(bar, *arguments, **{**options, "disable": True})

    os.environ["TQDM_DISABLE"] = "1"
    try:
        with patched(tqdm, "__init__", start_hidden):
            yield
    finally:
        if was is None:
            del os.environ["TQDM_DISABLE"]
        else:
            os.environ["TQDM_DISABLE"] = was
