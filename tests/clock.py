"""Limits of time that hold beside busy programs too."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

_IDLE = 0.025
"""Seconds that :func:`_loop` takes on the idle machine that the limits were set on."""


def _loop() -> float:
    start = time.process_time()
    text = ""
    for number in range(150_000):
        text = f"{number}{text[:3]}"
    return time.process_time() - start


@contextmanager
def processor_seconds(limit: float) -> Iterator[None]:
    """Fail if the body takes more processor time than this; waiting is not counted.

    Programs beside it slow a processor down too. A body that took longer passes therefore if a loop
    of known work takes as many times longer as it takes on an idle machine.
    """
    start = time.process_time()
    yield
    taken = time.process_time() - start
    if taken >= limit:
        pace = max(1.0, *(_loop() / _IDLE for _ in range(5)))
        assert taken < limit * pace, f"{taken:.2f} s, at most {limit:g} times {pace:.1f}"
