"""One progress bar over everything that a run asks, whatever backend answers."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

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
