"""Work in several processes, which joblib starts, feeds and ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from joblib import Parallel

PATIENCE = 1.0
WORTHWHILE = 0.0005
_AHEAD = 128
"""Items of ``in_order`` that each process gets before the next are read."""
_IDLE = 10
"""Seconds after which a process without work ends, also where the one that started it was killed:
joblib starts it again when it is needed."""

Kept = TypeVar("Kept")
Item = TypeVar("Item")
Result = TypeVar("Result")


def available_processors() -> int:
    """Processors that this process may use: fewer than the machine's in a container."""
    from joblib import cpu_count

    return int(cpu_count())


def each(
    function: Callable[[Item], Result], items: Sequence[Item], processes: int
) -> Iterator[tuple[int, Result]]:
    """Yield the position and result of every item as soon as it is done.

    Args:
        function: a function of a module, called with one item.
        items: begun in this order.
        processes: how many work.

    Raises:
        ValueError: a process was killed.
    """
    if min(processes, len(items)) < 2:
        yield from enumerate(map(function, items))
        return
    from joblib import delayed

    with _pool(min(processes, len(items)), "generator_unordered") as pool:
        yield from pool(delayed(_placed)(function, *pair) for pair in enumerate(items))


def in_order(
    function: Callable[[Item], Result], items: Iterable[tuple[Kept, Item]], processes: int
) -> Iterator[tuple[Kept, Result]]:
    """Yield the result of every item, in order, with what was kept here meanwhile.

    Quick work stays in this process: others are started once ``PATIENCE`` seconds have been spent
    on it, if an item takes ``WORTHWHILE`` seconds or more, the time that sending it takes.

    Args:
        function: a function of a module, called with one item.
        items: pairs of what is kept and what the function is called with, taken as needed.
        processes: how many work at most.

    Raises:
        ValueError: a process was killed.
    """
    iterator = iter(items)
    spent = 0.0
    for number, (kept, item) in enumerate(iterator, 1):
        start = time.perf_counter()
        result = function(item)
        spent += time.perf_counter() - start
        yield kept, result
        if processes > 1 and spent >= max(PATIENCE, WORTHWHILE * number):
            break
    else:
        return
    from joblib import delayed

    with _pool(processes, "generator") as pool:
        while batch := list(islice(iterator, _AHEAD * processes)):
            done = pool(delayed(function)(item) for _, item in batch)
            yield from zip((kept for kept, _ in batch), done)


def _placed(function: Callable[[Item], Result], place: int, item: Item) -> tuple[int, Result]:
    return place, function(item)


@contextmanager
def _pool(processes: int, order: str) -> Iterator[Parallel]:
    from joblib import Parallel

    try:
        with Parallel(
            processes, return_as=order, max_nbytes=None, idle_worker_timeout=_IDLE
        ) as pool:
            yield pool
    except BrokenExecutor:
        raise ValueError(
            "a worker process was killed, perhaps for lack of memory: try fewer --processes"
        ) from None
