"""One progress bar over everything that a run asks, whatever backend answers."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from xlgo_lm_eval.patching import patched

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
        what: the word for them.
    """

    def __init__(
        self,
        total: int | None,
        *,
        what: str = "answers",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.total, self.done, self.what = total, 0, what
        self._clock = clock
        self._start = self._told = clock()
        self._bar: Any = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=total, desc=what, unit=f" {what}", dynamic_ncols=True)

    def expect(self, more: int) -> None:
        """Raise the total if more requests are made than were foreseen."""
        if self.total is not None and self.done + more > self.total:
            self.total = self.done + more
            if self._bar is not None:
                self._bar.total = self.total

    def answered(self, number: int = 1) -> None:
        """Count answers."""
        self.done += number
        if self._bar is not None:
            self._bar.update(number)
        elif (now := self._clock()) - self._told >= LINE_SECONDS:
            self._told = now
            print(self.line(now), file=sys.stderr, flush=True)

    def reach(self, done: int) -> None:
        """Count the answers that are new where so many are there now."""
        if done > self.done:
            self.answered(done - self.done)

    def line(self, now: float) -> str:
        """The state in words, such as "1,200 of 2,800 answers, 12.1 a second, 2 min left"."""
        rate = self.done / max(now - self._start, 1e-9)
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
def progress(model: str, total: int | None, *, what: str = "answers") -> Iterator[Progress]:
    """Show how many answers a model of the harness has given, until the end of the block.

    Every backend tells the harness's cache of each answer; what a backend does not tell is counted
    when it returns.

    Args:
        model: its name, as for ``--model``.
        total: answers that are expected; ``None`` where nobody knows.
        what: the word for them.
    """
    from lm_eval.api.model import CacheHook
    from lm_eval.api.registry import get_model

    shown = Progress(total, what=what)
    model_class = get_model(model)
    add, generate = CacheHook.add_partial, model_class.generate_until

    def add_partial(self: Any, *arguments: Any, **options: Any) -> Any:
        shown.answered()
        return add(self, *arguments, **options)

    def generate_until(self: Any, requests: Any, *arguments: Any, **options: Any) -> Any:
        before = shown.done
        shown.expect(len(requests))
        responses = generate(self, requests, *arguments, **options)
        if (untold := len(requests) - (shown.done - before)) > 0:
            shown.answered(untold)
        return responses

    try:
        with (
            patched(CacheHook, "add_partial", add_partial),
            patched(model_class, "generate_until", generate_until),
        ):
            yield shown
    finally:
        shown.close()
