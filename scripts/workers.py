"""Work in several processes that end with the one that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def available_processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(
    function: Callable[[Item], Result], items: Sequence[Item], processes: int
) -> Iterator[tuple[int, Result]]:
    """Yield the position and result of every item as soon as it is done.

    Args:
        function: a function of a module, called with one item.
        items: begun in this order.
        processes: 1 does the work in this process.

    Raises:
        ValueError: a process was killed.
    """
    processes = min(processes, len(items))
    if processes <= 1:
        for position, item in enumerate(items):
            yield position, function(item)
        return
    # A forked child would inherit locks that other threads of this process (Arrow's) hold.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_start) as pool:
        places = {pool.submit(function, item): place for place, item in enumerate(items)}
        try:
            for done in as_completed(places):
                yield places[done], done.result()
        except BrokenProcessPool:
            raise ValueError(
                "a worker process was killed, perhaps for lack of memory: try fewer --processes"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _start() -> None:
    """Leave Ctrl-C to the parent, and end when the parent ends, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)
