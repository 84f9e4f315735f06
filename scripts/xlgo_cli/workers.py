"""Work in several processes that end with the one that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TypeVar

PATIENCE = 1.0
WORTHWHILE = 0.0005
_BATCH = 10
_HELD = 50
"""Batches that are taken ahead of the one whose results come next."""
_SENT = 8
"""Batches that another process has at a time: few of them may take long here."""
_AHEAD = 2
"""Items of ``each`` that another process has at a time: one to do, and the next."""

Kept = TypeVar("Kept")
Item = TypeVar("Item")
Result = TypeVar("Result")


_most: ContextVar[int | None] = ContextVar("most", default=None)


@contextmanager
def at_most(processes: int | None) -> Iterator[None]:
    """Have ``available_processors`` say no more than this; ``None`` changes nothing."""
    before = _most.set(processes)
    try:
        yield
    finally:
        _most.reset(before)


def available_processors() -> int:
    """Processors that this process may use."""
    there = _processors()
    most = _most.get()
    return there if most is None else min(there, most)


def _processors() -> int:
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
        processes: how many work, this one among them.

    Raises:
        ValueError: a process was killed.
    """
    others = min(processes, len(items)) - 1
    waiting = deque(enumerate(items))
    if others < 1:
        yield from ((place, function(item)) for place, item in waiting)
        return
    with _pool(others) as pool:
        sent: dict[Future[Result], int] = {}
        while waiting or sent:
            while waiting and len(sent) < _AHEAD * others:
                place, item = waiting.popleft()
                sent[pool.submit(function, item)] = place
            if waiting:  # the others have work for as long as this takes
                place, item = waiting.popleft()
                yield place, function(item)
            else:
                wait(sent, return_when=FIRST_COMPLETED)
            for done in [future for future in sent if future.done()]:
                yield sent.pop(done), done.result()


def in_order(
    function: Callable[[Item], Result], items: Iterable[tuple[Kept, Item]], processes: int
) -> Iterator[tuple[Kept, Result]]:
    """Yield the result of every item, in order, with what was kept here meanwhile.

    Quick work stays in this process: others are started once ``PATIENCE`` seconds have been spent
    on it, if an item takes ``WORTHWHILE`` seconds or more, the time that sending it takes. They
    are never more than a few hundred items ahead.

    Args:
        function: a function of a module, called with one item.
        items: pairs of what is kept and what the function is called with, taken as needed.
        processes: how many work at most, this one among them.

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
    with _pool(processes - 1) as pool:
        waiting: deque[tuple[list[Kept], Future[list[Result]]]] = deque()
        while batch := list(islice(iterator, _BATCH)):
            work = [item for _, item in batch]
            if sum(not future.done() for _, future in waiting) < _SENT * (processes - 1):
                future = pool.submit(_each, function, work)
            else:  # the others have work for as long as this takes
                future = Future()
                future.set_result(_each(function, work))
            waiting.append(([kept for kept, _ in batch], future))
            while waiting and (waiting[0][1].done() or len(waiting) > _HELD):
                done, future = waiting.popleft()
                yield from zip(done, future.result())
        for done, future in waiting:
            yield from zip(done, future.result())


def _each(function: Callable[[Item], Result], items: list[Item]) -> list[Result]:
    return [function(item) for item in items]


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    # A forked child would inherit locks that other threads of this process (Arrow's) hold.
    with ProcessPoolExecutor(processes, mp_context=_Context(), initializer=_start) as pool:
        try:
            yield pool
        except BrokenProcessPool:
            raise ValueError(
                "a worker process was killed, perhaps for lack of memory: try fewer --processes"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class _Process(SpawnProcess):
    """A process that hears of no Ctrl-C before ``_start`` either, where the system can do that."""

    def start(self) -> None:
        if sys.platform == "win32":
            super().start()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # children inherit it
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _Process


def _start() -> None:
    """Leave Ctrl-C to the parent, and end when the parent ends, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)
