"""Chains of requests, in which a prompt depends on the answers before it.

One engine for all of them: translations in series, self-correction, judging with repairs. The
engine asks the step of a chain for its next prompt, takes answers that are recorded out of the
ledger, and sends the others. No chain waits for another: whenever the model can take a request,
it gets the next one of the chain that has most requests left, so that all chains end at about the
same time; of many chains a part is finished before the next is begun. Each answer is recorded when
it arrives. A request that fails for good ends its chain and no other.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from . import manifest
from .ledger import ERROR, Ledger, Row, request_key
from .replies import Failed, Reply, digest

BLOCK = 64
"""Requests that a model of this machine is given together, and answers between two times that
everything is put on the disk."""

SEED = 1234
"""What the harness sends to servers by default; repetitions and fresh tries count from it."""

_FAILURES = 64
_FIRST_FAILURES = 8
_FRESH = 1_000_000


@dataclass(frozen=True)
class Ask:
    """The next request of a chain.

    Attributes:
        prompt: a text, or the turns of a chat as ``{"role": ..., "content": ...}``.
        note: what else the ledger should say of it (JSON values), as ``{"src": "en"}``.
        fresh: above 0, the same prompt asked again: the model gets another seed, if it takes any.
    """

    prompt: str | Sequence[Mapping[str, str]]
    note: Mapping[str, object] = field(default_factory=dict)
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
    """What a chain does next.

    A step may also have ``remaining(history)``, how many requests the chain is likely to need yet:
    chains that need most come first. Without it, those with the fewest answers do.
    """

    def __call__(self, history: Sequence[Answer]) -> Ask | str | None:
        """The next request after these answers, or ``None`` at the end.

        It must depend on nothing but the history, so that a chain can be taken up again.
        """

    def outcome(self, history: Sequence[Answer]) -> dict[str, object]:
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
    gen_kwargs: Mapping[str, object]
    repeat: int = 0
    system: str | None = None
    chat: bool = True
    doc: Mapping[str, object] = field(default_factory=dict)


@dataclass
class Chain:
    """A chain that has been run.

    Attributes:
        item: what was asked for.
        history: its answers, in their order.
        sent: how many of them were not recorded before.
        part: chains of the first part come before those of the second.
        place: its number in the run; of chains with as many requests left, the first comes first.
    """

    item: Item
    history: list[Answer] = field(default_factory=list)
    part: int = 0
    place: int = 0
    sent: int = 0

    def outcome(self) -> dict[str, object]:
        """What became of it, as JSON values."""
        return self.item.step.outcome(self.history)


@dataclass(eq=False)
class Waiting:
    """A request that is not recorded.

    Attributes:
        key: its name in the ledger.
        hop: its number in its chain, from 1.
        ask, item: what is asked, and of which chain.
        input_sha: digest of what is sent.
        turns: the chat, its system message included.
        chains: those that need its answer.
        started: when it was sent, in seconds since 1970.
        failed: it failed before, and is asked a last time.
    """

    key: str
    hop: int
    ask: Ask
    item: Item
    input_sha: str
    turns: tuple[dict[str, str], ...]
    chains: list[Chain] = field(default_factory=list)
    started: float = 0.0
    failed: bool = False

    def gen_kwargs(self, seeds: bool) -> dict[str, object]:
        """How it is to be answered; repetitions and fresh tries with seeds of their own."""
        given = dict(self.item.gen_kwargs)
        offset = self.item.repeat + _FRESH * self.ask.fresh
        if seeds and offset:
            given["seed"] = int(str(given.get("seed", SEED))) + offset
        return given


Finished = Callable[[Chain], None]
"""Hears of each chain at its end; what it raises ends the run."""


class Beside(Protocol):
    """Another model that is asked about each chain when it ends, as a judge is.

    Attributes:
        lm: that model.
        ledger: of its answers.
    """

    lm: Any
    ledger: Ledger

    def items(self, chain: Chain) -> Sequence[Item]:
        """The chains that a chain at its end gives rise to."""

    def finished(self, chain: Chain) -> None:
        """Hears of each of these at its end; what it raises ends them all, and no other chain."""

    def ended(self, error: Exception) -> None:
        """Hears why they ended before their time."""


class Board:
    """The requests that can be sent now, and what becomes of their answers.

    Args:
        ledger: answers in it are not asked for again; new ones are added.
        finished: is told of each chain at its end.
        after: a board whose chains may add to this one when they end.
    """

    def __init__(
        self, ledger: Ledger, finished: Finished | None = None, after: Board | None = None
    ) -> None:
        self._ledger = ledger
        self._after = after
        self._finished = finished
        self._watch = _Watch(ledger)
        self._ready: list[tuple[int, int, int, int, Waiting]] = []
        self._last: list[Waiting] = []
        self._open: dict[str, Waiting] = {}
        self._added = 0
        self._in_flight = 0
        self._unsynced = 0

    def add(self, chains: Sequence[Chain]) -> None:
        """Take chains on; what is recorded of them is replayed.

        Raises:
            Exception: whatever ``finished`` raises.
        """
        for chain in chains:
            self._go_on(chain)

    def take(self, most: int = 1) -> list[Waiting]:
        """Requests to be sent now; none while all chains wait for answers, or at the end.

        Requests that failed come back when nothing else is left to be asked.
        """
        if not self._ready and not self._in_flight:
            for waiting in self._last:
                waiting.failed = True
                self._push(waiting)
            self._last = []
        found = [heapq.heappop(self._ready)[-1] for _ in range(min(most, len(self._ready)))]
        self._in_flight += len(found)
        for waiting in found:
            waiting.started = time.time()
        manifest.sent([waiting.key for waiting in found])
        return found

    @property
    def done(self) -> bool:
        """Nothing is left to be sent or to arrive, and nothing can be added any more."""
        own = not (self._ready or self._in_flight or self._last)
        return own and (self._after is None or self._after.done)

    def arrived(self, waiting: Waiting, reply: str) -> None:
        """Record an answer, and go on with the chains that needed it.

        Raises:
            ConnectionError: too many requests failed, one after the other.
            OSError: the ledger cannot be written.
            Exception: whatever ``finished`` raises.
        """
        self._in_flight -= 1
        if not waiting.failed:
            self._watch.saw(reply)
        if isinstance(reply, Failed) and reply.outage and not waiting.failed:
            self._last.append(waiting)
            self._watch.check()
            return
        row = _row(waiting, reply)
        self._ledger.add(row)
        self._unsynced += 1
        if self._unsynced >= BLOCK:
            self._ledger.sync()
            self._unsynced = 0
        del self._open[waiting.key]
        answer = _from_row(row)
        for chain in waiting.chains:
            chain.history.append(answer)
            chain.sent += 1
        for chain in waiting.chains:
            self._go_on(chain)
        self._watch.check()

    def _go_on(self, chain: Chain) -> None:
        """Replay what is recorded; put the next request on the board, or end the chain."""
        while not (chain.history and chain.history[-1].status == ERROR):
            asked = chain.item.step(chain.history)
            if asked is None:
                break
            ask = asked if isinstance(asked, Ask) else Ask(asked)
            waiting = _waiting(chain.item, ask, len(chain.history) + 1, self._ledger)
            if row := self._ledger.get(waiting.key):
                chain.history.append(_from_row(row))
                continue
            if (same := self._open.get(waiting.key)) is not None:
                same.chains.append(chain)
            else:
                waiting.chains.append(chain)
                self._open[waiting.key] = waiting
                self._push(waiting)
            return
        if self._finished is not None:
            self._finished(chain)

    def _push(self, waiting: Waiting) -> None:
        chain = waiting.chains[0]
        told = getattr(chain.item.step, "remaining", None)
        left = told(chain.history) if told is not None else -len(chain.history)
        self._added += 1
        heapq.heappush(self._ready, (chain.part, -left, chain.place, self._added, waiting))


def _waiting(item: Item, ask: Ask, hop: int, ledger: Ledger) -> Waiting:
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
    return Waiting(key, hop, ask, item, input_sha, turns)


def _row(request: Waiting, reply: str) -> Row:
    """A line of the ledger: ``started`` is when the request was sent (with those beside it, to a
    model of this machine), ``seconds`` the time from then until the answer arrived."""
    finish = reply.finish if isinstance(reply, Reply) else None
    row: Row = {
        "key": request.key,
        "chain": request.item.chain,
        "hop": request.hop,
        "repeat": request.item.repeat,
        "prompt_id": request.item.prompt_id,
        "gen_kwargs": dict(request.item.gen_kwargs),
        "input_sha": request.input_sha,
        "status": _status(reply),
        "output": str(reply),
        "reasoning": reply.reasoning if isinstance(reply, Reply) else None,
        "finish": finish,
        "usage": reply.usage if isinstance(reply, Reply) else None,
        "error": reply.reason if isinstance(reply, Failed) else None,
        "started": round(request.started, 3),
        "seconds": round(time.time() - request.started, 3),
    }
    return {**row, **request.ask.note}  # type: ignore[typeddict-item]


def _status(reply: str) -> str:
    if isinstance(reply, Failed):
        return ERROR
    if isinstance(reply, Reply) and reply.refused:
        return "refused"
    if isinstance(reply, Reply) and reply.finish == "length":
        return "length"
    return "ok" if reply.strip() else "empty"


def _from_row(row: Row) -> Answer:
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
        if self._failures >= (_FAILURES if len(self._ledger) else _FIRST_FAILURES):
            raise ConnectionError(
                f"the model answered none of the last {self._failures} requests ({self._last}); "
                f"{len(self._ledger)} answers are kept in {self._ledger.path}: start the same run "
                "again to go on from there"
            )
