"""Throughput of chains against the ideal: ``python -m benchmarks.chains_throughput``.

A server answers each request after a wait that is lognormal and known beforehand. The ideal time of
a run with so many connections is the sum of all waits by their number, or the longest chain, if
that takes longer. Printed are the shares of the ideal that runs reach, the share that a list
schedule reaches (longest remaining first, where nothing but the waits takes time), and the share of
that schedule: nothing that does not know the waits beforehand does better by more than luck
(``--chains``, ``--hops``, ``--sigma``, ``--mean`` in seconds, ``--connections``, ``--seeds``).
``--judge`` has two questions asked about each chain by another model with as many connections; the
ideal is then the longer of the two models' times.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import heapq
import json
import math
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from xlgo_lm_eval.answers import Answer, Answers
from xlgo_lm_eval.asking import Asker, asker, run
from xlgo_lm_eval.chains import _PART as PART, Ask, Item, follow

QUESTIONS = 2
"""That a judge is asked about a chain."""


class Numbered:
    """A chain of so many requests, each with a prompt of its own."""

    def __init__(self, name: str, hops: int) -> None:
        self._name = name
        self._hops = hops

    def __call__(self, history: Sequence[Answer]) -> Ask | None:
        """The next prompt."""
        return Ask(f"{self._name}/{len(history)}") if len(history) < self._hops else None

    def remaining(self, history: Sequence[Answer]) -> int:
        """Requests that follow."""
        return self._hops - len(history)

    def outcome(self, history: Sequence[Answer]) -> dict[str, Any]:
        """How many answers there are."""
        return {"answers": len(history)}


class Judged:
    """Asks another model about each chain when it ends."""

    def __init__(self, judge: Asker) -> None:
        self.asker = judge
        self.judged = 0

    async def judge(self, chain: Item, history: Sequence[Answer]) -> None:
        """Ask the questions about a chain."""
        names = [f"{chain.chain}/question {number}" for number in range(QUESTIONS)]
        items = [Item(name, Numbered(name, 1), chain.gen_kwargs) for name in names]
        await asyncio.gather(*(follow(self.asker, item) for item in items))
        self.judged += len(items)


def without_cost(waits: Sequence[Sequence[float]], slots: int) -> float:
    """Seconds of a list schedule, longest remaining first, where only waits take time."""
    ready = [(-len(own), n) for n, own in enumerate(waits)]
    heapq.heapify(ready)
    busy: list[tuple[float, int]] = []
    answered = [0] * len(waits)
    now = 0.0
    while ready or busy:
        while ready and len(busy) < slots:
            n = heapq.heappop(ready)[-1]
            heapq.heappush(busy, (now + waits[n][answered[n]], n))
        now, n = heapq.heappop(busy)
        answered[n] += 1
        if left := len(waits[n]) - answered[n]:
            heapq.heappush(ready, (-left, n))
    return now


def wait_of(prompt: str, mean: float, sigma: float) -> float:
    """Seconds that an answer takes: lognormal with that mean, the same for the same prompt."""
    sha = hashlib.sha256(prompt.encode()).digest()
    share = (int.from_bytes(sha[:8], "big") + 0.5) / 2**64
    normal = statistics.NormalDist().inv_cdf(share)
    return mean * math.exp(sigma * normal - sigma * sigma / 2)


def serve(port: Any, mean: float, sigma: float) -> None:
    """A server of chat completions in a process of its own."""
    from aiohttp import web

    async def answer(request: web.Request) -> web.Response:
        body = await request.json()
        prompt = body["messages"][-1]["content"]
        await asyncio.sleep(wait_of(prompt, mean, sigma))
        message = {"role": "assistant", "content": prompt}
        return web.json_response(
            {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
        )

    async def main() -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        sockets: Any = site._server
        port.send(sockets.sockets[0].getsockname()[1])
        await asyncio.Event().wait()

    asyncio.run(main())


def measured(
    url: str, seed: int, connections: int, args: argparse.Namespace
) -> tuple[float, float, float]:
    """Seconds of one run: the ideal, those of its order without any cost, and the real ones."""
    from lm_eval.models.openai_completions import LocalChatCompletion

    names = [f"{seed}/{number}" for number in range(args.chains)]
    waits = [
        [wait_of(f"{name}/{hop}", args.mean, args.sigma) for hop in range(args.hops)]
        for name in names
    ]
    ideal = max(sum(map(sum, waits)) / connections, *map(sum, waits))
    if args.judge:
        asked = [
            wait_of(f"{name}/question {number}/0", args.mean, args.sigma)
            for name in names
            for number in range(QUESTIONS)
        ]
        ideal = max(ideal, sum(asked) / connections)
    lm, judge = (
        LocalChatCompletion(
            base_url=url, model="waits", num_concurrent=connections, max_length=65536
        )
        for _ in range(2)
    )
    items = [
        Item(name, Numbered(name, args.hops), {"until": [], "max_gen_toks": 16}) for name in names
    ]
    with (
        tempfile.TemporaryDirectory() as folder,
        Answers(Path(folder) / "answers.ndjson", {"model": "waits"}) as answers,
        Answers(Path(folder) / "judge.ndjson", {"model": "judge"}) as replies,
    ):
        own = asker(lm, answers)
        beside = Judged(asker(judge, replies)) if args.judge else None
        ended = None if beside is None else beside.judge
        parts = max(1, len(items) // (PART * connections)) if beside else 1
        jobs = [
            partial(follow, own, item, place, ended, place * parts // len(items))
            for place, item in enumerate(items)
        ]
        begun = time.perf_counter()
        run(jobs, own, *([] if beside is None else [beside.asker]))
        real = time.perf_counter() - begun
    if beside is not None and beside.judged != QUESTIONS * args.chains:
        raise RuntimeError(f"{beside.judged} questions were answered")
    return ideal, without_cost(waits, connections), real


def main() -> None:
    """Measure and print a line for each number of connections."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chains", type=int, default=384)
    parser.add_argument("--hops", type=int, default=5)
    parser.add_argument("--mean", type=float, default=0.3, help="seconds")
    parser.add_argument("--sigma", type=float, default=0.5)
    parser.add_argument("--connections", default="8,16,32")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--judge", action="store_true")
    args = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(there, args.mean, args.sigma), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{here.recv()}/v1/chat/completions"
    try:
        for connections in map(int, args.connections.split(",")):
            runs = [measured(url, seed, connections, args) for seed in range(args.seeds)]
            shares = [ideal / real for ideal, _, real in runs]
            print(
                json.dumps(
                    {
                        "connections": connections,
                        "requests": args.chains * args.hops,
                        "ideal_seconds": round(statistics.median(i for i, _, _ in runs), 2),
                        "share_of_ideal": round(statistics.median(shares), 3),
                        "list_schedule": round(statistics.median(i / w for i, w, _ in runs), 3),
                        "share_of_schedule": round(statistics.median(w / r for _, w, r in runs), 3),
                        "shares": [round(share, 3) for share in shares],
                    }
                ),
                flush=True,
            )
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
