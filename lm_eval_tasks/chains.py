"""Chains of requests, in which a prompt depends on the answers before it.

One engine for all of them: translations in series, self-correction, judging with repairs. The
engine asks the step of a chain for its next prompt, takes answers that are recorded out of the
ledger, sends the others in blocks (first requests of all chains, then second ones, and so on) and
records each answer when it arrives. A request that fails ends its chain and no other.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from . import manifest
from .ledger import ERROR, Ledger, digest, request_key
from .replies import Failed, Reply

BLOCK = 64
"""Requests between two times that everything is put on the disk."""

SEED = 1234
"""What the harness sends to servers by default; repetitions and fresh tries count from it."""

_PER_WORKER = 8
_FIRST_FAILURES = 8
_FRESH = 1_000_000

logger = logging.getLogger("xlgo")


@dataclass(frozen=True)
class Ask:
    """The next request of a chain.

    Attributes:
        prompt: a text, or the turns of a chat as ``{"role": ..., "content": ...}``.
        note: what else the ledger should say of it (JSON values), as ``{"src": "en"}``.
        fresh: above 0, the same prompt asked anew: the model gets another seed, if it takes any.
    """

    prompt: str | Sequence[Mapping[str, str]]
    note: Mapping[str, Any] = field(default_factory=dict)
    fresh: int = 0


@dataclass(frozen=True)
class Answer:
    """What came back.

    Attributes:
        text: as the model wrote it; empty if the request failed.
        status: ``ok``, ``empty``, ``length`` (cut off), ``refused`` or ``error``; where the model
            says nothing of it, never ``length`` or ``refused``.
        finish, reasoning, usage: see ``Reply``.
        error: why the request failed, in one line.
    """

    text: str
    status: str
    finish: str | None = None
    reasoning: str | None = None
    usage: Mapping[str, int] | None = None
    error: str | None = None


class Step(Protocol):
    """What a chain does next."""

    def __call__(self, history: Sequence[Answer]) -> Ask | str | None:
        """The next request after these answers, or ``None`` at the end.

        It must depend on nothing but the history, so that a chain can be taken up again.
        """

    def outcome(self, history: Sequence[Answer]) -> dict[str, Any]:
        """What became of a chain, as JSON values."""


@dataclass(frozen=True)
class Item:
    """A chain to be run.

    Attributes:
        chain: its name, the same in every run; part of the key of its answers.
        prompt_id: version of its wording; part of the key.
        step: what it does next.
        gen_kwargs: how answers are generated; part of the key.
        repeat: number of the repetition, from 0; part of the key.
        system: what is said before every prompt.
        chat: send chats, not plain texts.
        doc: the question it belongs to, for models that look at it.
    """

    chain: str
    prompt_id: str
    step: Step
    gen_kwargs: Mapping[str, Any]
    repeat: int = 0
    system: str | None = None
    chat: bool = True
    doc: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Chain:
    """A chain that has been run: its answers, in their order."""

    item: Item
    history: list[Answer] = field(default_factory=list)

    def outcome(self) -> dict[str, Any]:
        """What became of it, as JSON values."""
        return self.item.step.outcome(self.history)


@dataclass
class _Waiting:
    """A request that is not recorded, and the chains that need its answer."""

    key: str
    hop: int
    ask: Ask
    item: Item
    input_sha: str
    turns: tuple[dict[str, str], ...]
    chains: list[Chain] = field(default_factory=list)


def run_chains(
    lm: Any, items: Sequence[Item], ledger: Ledger, *, block: int = BLOCK
) -> list[Chain]:
    """Run chains to their ends.

    Args:
        lm: a model of the harness, or anything with its ``generate_until`` and cache hook. It must
            not be called from a running event loop.
        items: the chains. Two that ask the same under the same name share the answer.
        ledger: answers in it are not asked for again; new ones are added.
        block: requests that are sent together; at least eight for each that is answered at the
            same time.

    Returns:
        The chains, in the order of ``items``.

    Raises:
        ConnectionError: no answer comes any more; what is recorded is kept.
        OSError: the ledger cannot be written.
    """
    from .sending import concurrency

    size = max(block, _PER_WORKER * concurrency(lm))
    watch = _Watch(ledger)
    chains = [Chain(item) for item in items]
    active = chains
    hop = 0
    while active:
        hop += 1
        waiting, active = _next(active, hop, ledger)
        if waiting:
            logger.info("request %d of the chains: %d to be answered", hop, len(waiting))
            manifest.hop(hop, [request.key for request in waiting])
        for start in range(0, len(waiting), size):
            _answer(lm, waiting[start : start + size], ledger, watch)
        active = [chain for chain in active if chain.history[-1].status != ERROR]
    return chains


def _next(chains: Sequence[Chain], hop: int, ledger: Ledger) -> tuple[list[_Waiting], list[Chain]]:
    """The requests that are not recorded, and the chains that go on."""
    waiting: dict[str, _Waiting] = {}
    going_on = []
    for chain in chains:
        asked = chain.item.step(chain.history)
        if asked is None:
            continue
        going_on.append(chain)
        request = _waiting(chain.item, asked if isinstance(asked, Ask) else Ask(asked), hop, ledger)
        if row := ledger.get(request.key):
            chain.history.append(_from_row(row))
        else:
            waiting.setdefault(request.key, request).chains.append(chain)
    return list(waiting.values()), going_on


def _waiting(item: Item, ask: Ask, hop: int, ledger: Ledger) -> _Waiting:
    said = [{"role": "user", "content": ask.prompt}] if isinstance(ask.prompt, str) else ask.prompt
    turns = tuple({"role": turn["role"], "content": turn["content"]} for turn in said)
    if item.system:
        turns = ({"role": "system", "content": item.system}, *turns)
    input_sha = digest([item.chat, turns, ask.fresh])
    key = request_key(
        model=ledger.model,
        gen_kwargs=item.gen_kwargs,
        prompt_id=item.prompt_id,
        chain=item.chain,
        hop=hop,
        input_sha=input_sha,
        repeat=item.repeat,
    )
    return _Waiting(key, hop, ask, item, input_sha, turns)


def _answer(lm: Any, waiting: Sequence[_Waiting], ledger: Ledger, watch: _Watch) -> None:
    """Send one block; record what arrives, and tell the chains."""
    from .sending import Request, send, takes_seeds

    seeds = takes_seeds(lm)
    started = time.time()

    def arrived(number: int, reply: str) -> None:
        request = waiting[number]
        row = _row(request, reply, started)
        ledger.add(row)
        answer = _from_row(row)
        for chain in request.chains:
            chain.history.append(answer)
        watch.saw(reply)

    requests = [
        Request(each.turns, _gen_kwargs(each, seeds), each.item.chat, each.item.doc)
        for each in waiting
    ]
    try:
        send(lm, requests, arrived)
    finally:
        ledger.sync()
    watch.check()


def _gen_kwargs(request: _Waiting, seeds: bool) -> dict[str, Any]:
    given = dict(request.item.gen_kwargs)
    offset = request.item.repeat + _FRESH * request.ask.fresh
    if seeds and offset:
        given["seed"] = int(given.get("seed", SEED)) + offset
    return given


def _row(request: _Waiting, reply: str, started: float) -> dict[str, Any]:
    """A line of the ledger: ``started`` is when its block was sent, ``seconds`` the time from then
    until it arrived."""
    finish = reply.finish if isinstance(reply, Reply) else None
    return {
        "key": request.key,
        "chain": request.item.chain,
        "hop": request.hop,
        "repeat": request.item.repeat,
        "prompt_id": request.item.prompt_id,
        "gen_kwargs": dict(request.item.gen_kwargs),
        "input_sha": request.input_sha,
        **request.ask.note,
        "status": _status(reply),
        "output": str(reply),
        "reasoning": reply.reasoning if isinstance(reply, Reply) else None,
        "finish": finish,
        "usage": reply.usage if isinstance(reply, Reply) else None,
        "error": reply.reason if isinstance(reply, Failed) else None,
        "started": round(started, 3),
        "seconds": round(time.time() - started, 3),
    }


def _status(reply: str) -> str:
    if isinstance(reply, Failed):
        return ERROR
    if isinstance(reply, Reply) and reply.refused:
        return "refused"
    if isinstance(reply, Reply) and reply.finish == "length":
        return "length"
    return "ok" if reply.strip() else "empty"


def _from_row(row: Mapping[str, Any]) -> Answer:
    return Answer(
        text=row["output"],
        status=row["status"],
        finish=row["finish"],
        reasoning=row["reasoning"],
        usage=row["usage"],
        error=row["error"],
    )


class _Watch:
    """Notices that nothing is answered any more, as when a server has gone away."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._failures = 0
        self._last = ""

    def saw(self, reply: str) -> None:
        if isinstance(reply, Failed) and reply.outage:
            self._failures += 1
            self._last = reply.reason
        else:
            self._failures = 0

    def check(self) -> None:
        if self._failures >= (BLOCK if len(self._ledger) else _FIRST_FAILURES):
            raise ConnectionError(
                f"the model answered none of the last {self._failures} requests ({self._last}); "
                f"{len(self._ledger)} answers are kept in {self._ledger.path}: start the same run "
                "again to go on from there"
            )
