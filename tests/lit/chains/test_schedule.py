"""Chains follow a list schedule, longest remaining first: checked where only waits take time."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from benchmarks.chains_throughput import Numbered, wait_of, without_cost
from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.asking import ApiAsker, Asker, _Request, run
from xlgo_lm_eval.chains import Item, follow
from xlgo_lm_eval.replies import Answer

CHAINS, HOPS = 96, 5


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time goes on to the next event when nothing is left to do."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self.now = max(self.now, self._scheduled[0].when())  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


class Model:
    """Its prompts are texts, so many at a time."""

    max_retries, timeout, verify_certificate = 1, 1, True

    def __init__(self, slots: int) -> None:
        self._concurrent = slots

    def apply_chat_template(self, turns: list[dict[str, str]]) -> str:
        return turns[-1]["content"]


class Waiting(ApiAsker):
    """Each answer takes as long as its prompt says."""

    opened = Asker.opened

    async def _send(self, request: _Request, is_free: asyncio.Semaphore) -> Answer:
        await asyncio.sleep(wait_of(request.context, 0.3, 0.5))
        return Answer(request.context)


@pytest.mark.parametrize("slots", [8, 16, 32])
def test_chains_take_as_long_as_a_list_schedule(
    slots: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(asyncio, "new_event_loop", lambda: clock)
    names = [f"{slots}/{number}" for number in range(CHAINS)]
    waits = [[wait_of(f"{name}/{hop}", 0.3, 0.5) for hop in range(HOPS)] for name in names]
    with Answers(tmp_path / "a.ndjson", {}) as answers:
        asker = Waiting(Model(slots), answers)
        jobs: list[Any] = [
            partial(follow, asker, Item(name, Numbered(name, HOPS), {}), place)
            for place, name in enumerate(names)
        ]
        run(jobs, asker)
    assert clock.now == pytest.approx(without_cost(waits, slots))
