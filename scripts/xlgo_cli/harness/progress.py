"""What a terminal shows of a run: one bar over all that is asked, and the harness's words."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from xlgo_lm_eval.patches import patched

from ..display.formats import count, duration

LINE_SECONDS = 60.0
"""Between two lines of progress where standard error is no terminal, such as in a log."""


def note(text: str) -> None:
    """Print a line, above the bar if one is shown."""
    from tqdm import tqdm

    tqdm.write(text)
    sys.stdout.flush()


class Progress:
    """Answers so far, of how many, and how fast: a bar on a terminal, a line a minute in a log.

    Attributes:
        total: answers that are expected; ``None`` where nobody knows.
        done: answers so far.
        kept: those of them that were there before.
        what: the word for them.
        is_paused: answers are not counted, since they were before.
    """

    is_paused = False

    def __init__(
        self,
        total: int | None,
        *,
        what: str = "answers",
        shown: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.total, self.done, self.kept, self.what = total, 0, 0, what
        self._clock = clock
        self._shown = shown
        self._start = self._printed = clock()
        self._bar: Any = None
        if shown and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                total=total, desc=what, unit=f" {what}", dynamic_ncols=True, disable=False
            )

    def arrived(self, answer: object, is_kept: bool = False) -> None:
        """Count an answer; one that was there before says nothing of the speed."""
        if self.is_paused:
            return
        self.done += 1
        self.kept += is_kept
        if self.total is not None and self.done > self.total:  # more than were foreseen
            self.total = self.done
        if self._bar is not None:
            self._bar.total = self.total
            self._bar.initial = self.kept
            self._bar.update(1)
        elif self._shown and (now := self._clock()) - self._printed >= LINE_SECONDS:
            self._printed = now
            print(self.line(now), file=sys.stderr, flush=True)

    def line(self, now: float) -> str:
        """The state in words, such as "1,200 of 2,800 answers, 12.1 a second, 2 min left"."""
        rate = (self.done - self.kept) / max(now - self._start, 1e-9)
        of = "" if self.total is None else f" of {count(self.total)}"
        left = ""
        if self.total is not None and rate:
            left = f", {duration(max(self.total - self.done, 0) / rate)} left"
        return f"{count(self.done)}{of} {self.what}, {rate:.3g} a second{left}"

    def close(self) -> None:
        """End the bar."""
        if self._bar is not None:
            self._bar.close()


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
    handlers = [*logging.getLogger("lm_eval").handlers, *logging.getLogger().handlers]
    before = [(one, one.level) for one in handlers if type(one) is logging.StreamHandler]
    for handler, _ in before:
        handler.setLevel(level)
    # Outside a repository, git would print "fatal".
    commit = functools.partial(get_commit_from_path, os.getcwd())
    try:
        with patched(evaluator, "get_git_commit_hash", commit), no_bars(unless=bars):
            yield
    finally:
        for handler, was in before:
            handler.setLevel(was)


@contextlib.contextmanager
def no_bars(*, unless: bool = False) -> Iterator[None]:
    """Show no progress bars, in this process and in those that it starts."""
    from tqdm import tqdm

    start = tqdm.__init__
    was = {name: value for name, value in os.environ.items() if name == "TQDM_DISABLE"}

    def start_hidden(bar: Any, *arguments: Any, **options: Any) -> None:
        start(bar, *arguments, **{**options, "disable": True})

    if unless:
        yield
        return
    os.environ["TQDM_DISABLE"] = "1"
    try:
        with patched(tqdm, "__init__", start_hidden):
            yield
    finally:
        del os.environ["TQDM_DISABLE"]
        os.environ.update(was)
