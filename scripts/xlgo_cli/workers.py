"""Work in several processes, which joblib starts, feeds and ends."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from itertools import islice
from typing import TypeVar

PATIENCE = 4.0
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


def in_order(
    function: Callable[[Item], Result],
    items: Iterable[tuple[Kept, Item]],
    processes: int = 0,
    patience: float | None = None,
) -> Iterator[tuple[Kept, Result]]:
    """Yield the result of every item, in order, with what was kept here meanwhile.

    Quick work stays in this process: others are started once ``patience`` seconds (default:
    ``PATIENCE``) have been spent on it, if an item takes ``WORTHWHILE`` seconds or more, the time
    that sending it takes.

    Args:
        function: a function of a module, called with one item.
        items: pairs of what is kept and what the function is called with, taken as needed.
        processes: how many work at most; 0 for one per processor.
        patience: seconds; 0 begins with other processes.

    Raises:
        ValueError: a process was killed.
    """
    iterator, number, spent = iter(items), 0, 0.0
    patience = PATIENCE if patience is None else patience
    while (
        spent < max(patience, WORTHWHILE * number)
        or (processes := processes or available_processors()) == 1
    ):
        if (pair := next(iterator, None)) is None:
            return
        start = time.perf_counter()
        result = function(pair[1])
        number, spent = number + 1, spent + time.perf_counter() - start
        yield pair[0], result
    from joblib import Parallel, delayed

    pool = Parallel(processes, return_as="generator", max_nbytes=None, idle_worker_timeout=_IDLE)
    try:
        with pool:
            while batch := list(islice(iterator, _AHEAD * processes)):
                done = pool(delayed(function)(item) for _, item in batch)
                yield from zip((kept for kept, _ in batch), done)
    except BrokenExecutor:
        raise ValueError(
            "a worker process was killed, perhaps for lack of memory: try fewer --processes"
        ) from None


def with_bar(
    function: Callable[[Item], Result], items: Sequence[Item], processes: int | None, name: str
) -> Iterator[Result]:
    """Yield the result of every item, in order, under a progress bar.

    Args:
        function: a function of a module, called with one item.
        items: blocks of an export.
        processes: how many work at a time; one per processor by default.
        name: of the work.

    Raises:
        ValueError: a process was killed.
    """
    from tqdm import tqdm

    several = min(len(items), processes or available_processors())
    pairs = in_order(function, zip(items, items), several, patience=0)
    yield from (result for _, result in tqdm(pairs, total=len(items), desc=name, unit="block"))
