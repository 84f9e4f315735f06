"""Chains of requests, in which a prompt depends on the answers before it.

Translations in series, self-correction and judging with repairs are chains. The step of a chain
decides from its answers alone what is asked next, so a chain is resumed by replaying the answers
that are kept. No chain waits for another: whenever the model can take a request, it gets that of
the chain that has most requests left, so that all chains end at about the same time. A request
that fails for good ends its chain and no other.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from .asking import SEED, Asker, context_of, is_api
from .replies import MISSING, Answer

SCHEMA = 1
"""Of the outcomes, which are what responses look like in the harness's logs."""

_FRESH = 1_000_000


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
    asker: Asker, item: Item, number: int = 0, ended: Ended | None = None, part: int = 0
) -> list[Answer]:
    """Run a chain to its end; return its answers, in their order.

    Args:
        asker: asks the model.
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
        settings = dict(item.gen_kwargs)
        if (offset := item.repeat + _FRESH * ask.fresh) and is_api(asker.lm):
            settings["seed"] = int(str(settings.get("seed", SEED))) + offset
        answer = await asker.ask(
            context_of(asker.lm, turns, chat=item.chat),
            settings,
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
