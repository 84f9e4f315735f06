"""Work shared among processes."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from xlgo_cli import workers


def squared(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def slowly(number: int) -> tuple[int, int]:
    time.sleep(0.002)
    return squared(number)


def fatal(number: int) -> None:
    time.sleep(0.002)
    if number >= 150 and multiprocessing.parent_process() is not None:
        os._exit(9)


def pairs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    return ((-number, number) for number in numbers)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("count", [0, 1, 49, 1000])
def test_results_come_in_order_with_their_items(count: int) -> None:
    found = list(workers.in_order(slowly, pairs(range(count)), 2))
    assert [(kept, square) for kept, (square, _) in found] == [(-n, n * n) for n in range(count)]


@pytest.mark.usefixtures("impatient")
def test_slow_work_goes_to_other_processes_after_a_while() -> None:
    homes = [home for _, (_, home) in workers.in_order(slowly, pairs(range(1000)), 2)]
    begun = homes.count(os.getpid())
    assert begun < 100  # 0.1 s of 0.002 s each
    assert set(homes[:begun]) == {os.getpid()}
    assert len(set(homes)) == 3


@pytest.mark.usefixtures("impatient")
def test_work_on_one_process_or_of_no_weight_stays_here() -> None:
    for function, processes, count in ((slowly, 1, 200), (squared, 2, 300_000)):
        homes = {
            home for _, (_, home) in workers.in_order(function, pairs(range(count)), processes)
        }
        assert homes == {os.getpid()}


@pytest.mark.usefixtures("impatient")
def test_items_are_taken_only_a_little_ahead() -> None:
    taken = 0

    def items():
        nonlocal taken
        for number in range(100_000):
            taken += 1
            yield None, number

    results: Any = workers.in_order(slowly, items(), 2)
    for _ in range(500):
        next(results)
    results.close()
    assert taken <= 500 + 700


@pytest.mark.usefixtures("impatient")
def test_a_killed_process_is_one_clear_line() -> None:
    with pytest.raises(ValueError, match="a worker process was killed"):
        list(workers.in_order(fatal, pairs(range(1000)), 2))
