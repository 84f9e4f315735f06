"""The model that the harness is given, and chains of requests, in which a prompt depends on the
answers before it.

Translations in series, self-correction and judging with repairs are chains. The step of a chain
decides from its answers alone what is asked next, so a chain is resumed by replaying the answers
that are kept. No chain waits for another: whenever the model can take a request, it gets that of
the chain that has most requests left, so that all chains end at about the same time. A request
that fails for good ends its chain and no other.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from lm_eval.api.model import LM

from .answers import Answers
from .asking import Arrived, Asker, asker, context_of, is_api, run
from .replies import MISSING, Answer, Line

SCHEMA = 1
"""Of the outcomes, which are what responses look like in the harness's logs."""

_FRESH = 1_000_000
_PART = 4
"""Chains for each connection that are under way together, where they are judged meanwhile: enough
that no connection waits, few enough that judging begins early (``benchmarks/chains_throughput.py
--judge``)."""

_OWN = frozenset({
    "lm", "asker", "_ended", "_judge", "generate_until", "generate_chain", "__class__", "__dict__",
})  # fmt: skip


@dataclass(frozen=True)
class Ask:
    """The next request of a chain.

    Attributes:
        prompt: a text, or the turns of a chat as ``{"role": ..., "content": ...}``.
        note: what else the file of answers should say of it (JSON values), as ``{"src": "en"}``.
        fresh: above 0, the same prompt asked again: the model gets another seed, if it takes any.
    """

    prompt: str | Sequence[Mapping[str, str]]
    note: Mapping[str, object] = field(default_factory=dict)
    fresh: int = 0


class Step(Protocol):
    """What a chain does next."""

    def __call__(self, history: Sequence[Answer]) -> Ask | None:
        """The next request after these answers, or ``None`` at the end.

        It must depend on nothing but the history, so that a chain can be resumed.
        """

    def remaining(self, history: Sequence[Answer]) -> int:
        """The most requests that the chain needs yet: chains that need most come first."""

    def outcome(self, history: Sequence[Answer]) -> dict[str, object]:
        """What became of a chain, as JSON values."""


@dataclass(frozen=True)
class Item:
    """A chain to be run.

    Attributes:
        chain: its name, the same in every run: two chains that ask the same get two answers.
        step: what it does next.
        gen_kwargs: how answers are generated.
        repeat: number of the repetition, from 0.
        system: what is said before every prompt.
        chat: send chats, not plain texts.
        doc: the question it belongs to.
    """

    chain: str
    step: Step
    gen_kwargs: Mapping[str, object]
    repeat: int = 0
    system: str | None = None
    chat: bool = True
    doc: Mapping[str, object] = field(default_factory=dict)


Ended = Callable[[Item, Sequence[Answer]], Awaitable[None]]
"""Hears of each chain and its answers at its end, while others go on."""


async def follow(
    client: Asker, item: Item, number: int = 0, ended: Ended | None = None, part: int = 0
) -> list[Answer]:
    """Run a chain to its end; return its answers, in their order.

    Args:
        client: asks the model.
        item: the chain.
        number: of chains with as many requests left, that with the least goes first.
        ended: see ``Ended``.
        part: chains of the first part come before those of the second.
    """
    history: list[Answer] = []
    while not (history and history[-1].state == MISSING):
        ask = item.step(history)
        if ask is None:
            break
        prompt = ask.prompt
        turns = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [*prompt]
        if item.system:
            turns.insert(0, {"role": "system", "content": item.system})
        answer = await client.ask(
            context_of(client.lm, turns, chat=item.chat),
            item.gen_kwargs,
            nth=item.repeat + _FRESH * ask.fresh,
            draw=[item.chain, len(history), item.repeat, ask.fresh],
            order=(part, -item.step.remaining(history), number),
            notes={"chain": item.chain, "hop": len(history) + 1, "repeat": item.repeat, **ask.note},
        )
        history.append(answer)
    if ended is not None:
        await ended(item, history)
    return history


def answer_fields(answer: Answer) -> dict[str, object]:
    """What came with an answer, as far as the model said."""
    names = ("finish", "usage", "counted_by", "error")
    return {name: value for name in names if (value := getattr(answer, name)) is not None}


class Recorded(LM):
    """A model of the harness that asks another one only for answers that are not kept.

    Args:
        lm: the other model.
        answers: those in it are not asked for again; new ones are added.
        arrived: is told of each answer, also of those that were there.
        ended: hears of each chain at its end; ``judge`` asks for it.
        judge: the asker of another model that is asked meanwhile.
    """

    loglikelihood = loglikelihood_rolling = None  # never looked up here, but ``LM`` wants them

    def __init__(
        self,
        lm: Any,
        answers: Answers,
        arrived: Arrived = lambda answer, is_kept: None,
        ended: Ended | None = None,
        judge: Asker | None = None,
    ) -> None:
        self.lm = lm
        self.asker = asker(lm, answers, arrived)
        self._ended, self._judge = ended, judge

    def __getattribute__(self, name: str) -> Any:
        """What is not said here is the other model's, also what the class ``LM`` has."""
        own = super().__getattribute__
        return own(name) if name in _OWN else getattr(own("lm"), name)

    def generate_until(self, requests: Sequence[Any], disable_tqdm: bool = False) -> list[Answer]:
        """Return the answers, in the order of the requests; one that failed is ``missing``."""
        jobs = [
            partial(
                self.asker.ask, *request.args[:2], draw=repeat, order=(number,), nth=repeat,
                notes=_notes(request.doc, repeat), doc=request.doc,
            )
            for number, (request, repeat) in enumerate(_repeats(requests))
        ]  # fmt: skip
        return run(jobs, self.asker)

    def generate_chain(self, requests: Sequence[Any]) -> list[Answer]:
        """Return what became of chains, as JSON; see ``task``."""
        # Where a judge is asked meanwhile, it should not have to wait for all chains to end.
        parts = 1
        if self._judge is not None and is_api(self.lm):
            parts = max(1, len(requests) // (_PART * max(1, self.lm._concurrent)))
        items = [replace(request.item, repeat=repeat) for request, repeat in _repeats(requests)]
        jobs = [
            partial(follow, self.asker, item, number, self._ended, number * parts // len(items))
            for number, item in enumerate(items)
        ]
        askers = filter(None, (self.asker, self._judge))
        return [_outcome(*chain) for chain in zip(items, run(jobs, *askers))]


def _repeats(requests: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    """Requests, each with the number of its repetition.

    Of several processes, those with fewer questions repeat their last one.
    """
    seen: Counter[int] = Counter()
    for request in requests:
        yield request, seen[id(request)] % max(1, request.repeats or 1)
        seen[id(request)] += 1


def _notes(doc: Any, repeat: int) -> Line:
    """What the file of answers says of a question."""
    known = doc if isinstance(doc, dict) else {}
    notes = {name: known[name] for name in ("id", "language") if isinstance(known.get(name), str)}
    return {**notes, "repeat": repeat} if repeat else notes


def _outcome(item: Item, history: Sequence[Answer]) -> Answer:
    """What became of a chain, as JSON; missing or refused as its last answer is."""
    last = history[-1] if history else Answer()
    text = json.dumps(item.step.outcome(history), ensure_ascii=False)
    return Answer(text, last.state, error=last.error)
