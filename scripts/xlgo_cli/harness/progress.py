"""What a terminal shows of a run: one bar over all that is asked, and the harness's words."""

import contextlib
import functools
import logging
import os
import sys
from collections.abc import Iterator
from typing import Any

from xlgo_lm_eval.patches import patched

LINE_SECONDS = 60
"""Between two lines of progress where standard error is no terminal, such as in a log."""
_LINE = "{n_fmt} of {total_fmt} {desc},{rate_noinv_fmt}, {remaining} left\n"


def note(text: str) -> None:
    """Print a line, above the bar if one is shown."""
    from tqdm import tqdm

    tqdm.write(text)
    sys.stdout.flush()


class Progress:
    """Answers so far, of how many, and how fast: a bar on a terminal, a line a minute in a log.

    Args:
        total: answers that are expected; ``None`` where nobody knows.
        what: the word for them.
        shown: show them.

    Attributes:
        is_paused: answers are not counted, since they were before.
    """

    is_paused = False

    def __init__(self, total: int | None, *, what: str = "answers", is_shown: bool = True) -> None:
        from tqdm import tqdm

        options: dict[str, Any] = {"dynamic_ncols": True}
        if not sys.stderr.isatty():
            options = {
                "delay": LINE_SECONDS, "mininterval": LINE_SECONDS, "maxinterval": LINE_SECONDS,
                "bar_format": _LINE,
            }  # fmt: skip
        self.bar = tqdm(
            total=total, desc=what, unit=f" {what}", smoothing=0, disable=not is_shown, **options
        )

    def arrived(self, answer: object, is_kept: bool = False) -> None:
        """Count an answer; one that was there before says nothing of the speed."""
        if self.is_paused or self.bar.disable:
            return
        self.bar.initial += is_kept
        if self.bar.total is not None:  # more may come than were foreseen
            self.bar.total = max(self.bar.total, self.bar.n + 1)
        self.bar.update(1)


@contextlib.contextmanager
def harness_heard(level: str, *, bars: bool) -> Iterator[None]:
    """Show the harness's log from a level on; its files are not affected.

    Args:
        level: as ``logging`` names it.
        bars: show the harness's own progress bars, too.
    """
    from lm_eval import evaluator
    from lm_eval.loggers.utils import get_commit_from_path
    from lm_eval.utils import setup_logging

    # Its handlers are made now, so that they can be told; the logger itself stays open, because
    # logs of long runs are written from it too.
    setup_logging("DEBUG" if level == "DEBUG" else "INFO")
    # Outside a repository, git would print "fatal".
    commit = functools.partial(get_commit_from_path, os.getcwd())
    with contextlib.ExitStack() as stack:
        for handler in {*logging.getLogger("lm_eval").handlers, *logging.getLogger().handlers}:
            if type(handler) is logging.StreamHandler:
                stack.enter_context(patched(handler, "level", getattr(logging, level)))
        stack.enter_context(patched(evaluator, "get_git_commit_hash", commit))
        stack.enter_context(no_bars(unless=bars))
        yield


@contextlib.contextmanager
def no_bars(*, unless: bool = False) -> Iterator[None]:
    """Show no progress bars, whatever their makers say."""
    from tqdm import tqdm

    start = tqdm.__init__

    def start_hidden(bar: Any, *arguments: Any, **options: Any) -> None:
        start(bar, *arguments, **{**options, "disable": True})

    with contextlib.nullcontext() if unless else patched(tqdm, "__init__", start_hidden):
        yield
