"""Tasks of this package in lm-evaluation-harness, the model it is given, and chains of requests.

In a chain a prompt depends on the answers before it: translations in series, self-correction and
judging with repairs. The step of a chain decides from its answers alone what is asked next, so a
chain is resumed by replaying the answers that are kept. No chain waits for another: whenever the
model can take a request, it gets that of the chain that has most requests left, so that all chains
end at about the same time. A request that fails for good ends its chain and no other.

Chains are a request type of our own, ``generate_chain``. The harness calls the method of a model
that is named like the request type. Importing this module gives every model that method; nothing
that was there is changed. So a plain ``lm-eval run --include_path`` runs chains with any type of
model, and resumes them from their file of answers.
"""

import importlib
import json
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.task import ConfigurableTask
from lm_eval.filters import build_filter_ensemble

from .answers import ASKED, MISSING, Answer, Answers, Line, digest, files_in, own_file
from .arguments import ANSWERS, TABLE, Settings, answer_arguments, model_name, repeats_of
from .asking import Arrived, Asker, asker, context_of, is_api, run

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

REQUEST_TYPE = "generate_chain"
STEP = "chain_step"
"""In the metadata of a task file: the name of its kind of chain."""
STOP = "stop_without_chat"
"""In the metadata of a task file: texts at which an answer ends where no chat template tells the
model to stop."""
FAMILY = "xlgo_family"
"""In the metadata of a task file: the family whose module ``chains`` knows that kind of chain."""
FOLDER = Path("xlgo_answers")
"""Where these are if no folder is given, by model, below the working directory."""

logger = logging.getLogger("xlgo")


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
        """Return what became of chains, as JSON; see ``generate_chain`` below."""
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


Start = tuple[str, Step]
"""What a kind of chain makes of a question: a name, the same in every run, and what it does."""

StepMaker = Callable[[Mapping[str, object], Mapping[str, object]], Start]
"""Makes a chain out of a question and the metadata of its task."""

_MAKERS: dict[str, StepMaker] = {}


def register_step(name: str, maker: StepMaker) -> None:
    """Make a kind of chain known, for ``chain_step`` in task files."""
    _MAKERS[name] = maker


def find_step(name: Any, family: Any) -> StepMaker:
    """The maker of a kind of chain.

    Args:
        name: of the kind.
        family: of the task; the kinds of a family are registered by the module ``chains`` in its
            folder beside this file, which is imported when it is first needed.

    Raises:
        ValueError: there is no such kind.
    """
    has_steps = (Path(__file__).parent / str(family) / "chains.py").is_file()
    if name not in _MAKERS and has_steps and str(family).isidentifier():
        importlib.import_module(f"{__package__}.{family}.chains")
    if name not in _MAKERS:
        raise ValueError(
            f"family {family!r}: metadata needs {STEP}, one of {', '.join(sorted(_MAKERS))}, got "
            f"{name!r}"
        )
    return _MAKERS[name]


@dataclass
class ChainInstance(Instance):
    """A request of the harness that stands for a chain.

    Attributes:
        item: the chain; always there.
        metadata_of_task: the arguments of the model, among the metadata of the task.
    """

    item: Item | None = None
    metadata_of_task: Mapping[str, object] | None = None


class Task(ConfigurableTask):
    """A task of this package; in a task file ``class: !function utils.Task``.

    The harness reads ``repeats`` from task files only, and keeps the first answer unless a filter
    says otherwise. Here the task's metadata may say it, and all answers are kept.

    A base model goes on with the text, often with a question of its own: the stops of the metadata
    end its answer. A chat ends by itself and may use the same words within its answer.

    Where the metadata name a kind of chain as ``chain_step``, the questions are chains, and the
    response to one is what became of its chain, as JSON: see ``outcome`` of the steps.

    Raises:
        ValueError: ``repeats`` is not an integer from 1, or an unknown kind of chain.
    """

    def __init__(self, config: Mapping[str, object] | None = None) -> None:
        super().__init__(config={k: v for k, v in (config or {}).items() if k != "class"})
        self._own: dict[str, Any] = dict(self.config.metadata or {})
        if (repeats := repeats_of(self._own)) > 1:
            self.config.repeats = repeats
            keep_all = ["take_first_k", {"k": repeats}]
            self._filters = [build_filter_ensemble("none", [keep_all])]
        name = self._own.get(STEP)
        self._maker = None if name is None else find_step(name, self._own.get(FAMILY))
        self._system: str | None = None

    def build_all_requests(self, **options: Any) -> None:
        """As in the harness, but never out of its cache, where chains would keep the model of
        another run."""
        options |= {"cache_requests": False, "rewrite_requests_cache": False}
        super().build_all_requests(**options)

    def fewshot_context(
        self,
        doc: Any,
        num_fewshot: int = 0,
        system_instruction: str | None = None,
        *arguments: Any,
        **more: Any,
    ) -> Any:
        """As in the harness; of a chain the first prompt, for the logs.

        Raises:
            ValueError: examples are asked for, which a chain has not.
        """
        if self._maker is None:
            return super().fewshot_context(doc, num_fewshot, system_instruction, *arguments, **more)
        if num_fewshot:
            raise ValueError(
                f"{self.config.task} has no examples: leave out --num_fewshot, or give 0"
            )
        self._system = system_instruction  # which holds for all prompts
        return str(self.doc_to_text(doc))

    def construct_requests(self, doc: Any, ctx: Any, **options: Any) -> Any:
        """As in the harness, with the stops, or one chain for each question."""
        is_chat = bool(options.get("apply_chat_template"))
        if self._maker is not None:
            settings = with_stops(self.config.generation_kwargs or {}, self._own, chat=is_chat)
            item = Item(*self._maker(doc, self._own), settings, 0, self._system, is_chat, doc)
            return ChainInstance(
                REQUEST_TYPE, doc, (ctx, settings), 0, metadata=options["metadata"], item=item,
                metadata_of_task=self._own,
            )  # fmt: skip
        request = super().construct_requests(doc, ctx, **options)
        context, settings, *more = request.arguments
        request.arguments = (context, with_stops(settings, self._own, chat=is_chat), *more)
        if self._own.get(STOP) and not is_chat:
            doc[ASKED] = "completion"
        return request


def with_stops(gen_kwargs: Settings, metadata: Settings, *, chat: bool) -> dict[str, Any]:
    """Settings of generation with the stops of a task, unless the model is asked in a chat."""
    stops = [] if chat else list(metadata.get(STOP) or [])
    until = gen_kwargs.get("until") or []
    before = [until] if isinstance(until, str) else list(until)
    more = {"until": [*dict.fromkeys([*before, *stops])]} if stops else {}
    return {**gen_kwargs, **more}


def generate_chain(lm: Any, requests: Sequence[ChainInstance]) -> list[Answer]:
    """Run chains to their ends; the method of models that the harness calls.

    ``xlgo run`` gives the harness a ``Recorded`` model, whose own method runs chains; here any
    other model is made one.

    Args:
        lm: the model.
        requests: the chains. One that is there several times is repeated.

    Returns:
        For each what became of it, as JSON.

    Raises:
        ValueError: the file of answers is in use or damaged.
        ConnectionError: no answer comes any more.
    """
    metadata = requests[0].metadata_of_task or {}
    arguments = answer_arguments({name: metadata[name] for name in TABLE if name in metadata})
    name = model_name(metadata) or str(lm.model if is_api(lm) else type(lm).__name__)
    run = {"type": type(lm).__name__, "name": name, "arguments": arguments}
    slug = re.sub(r"[^\w.-]+", "_", name)[-60:]
    folder = Path(str(metadata.get(ANSWERS) or FOLDER / f"{slug}-{digest(run)[:12]}"))
    path = own_file(folder, lm.rank, lm.world_size)
    with Answers(path, run, siblings=files_in(folder)) as answers:
        logger.info("answers: %s (%d kept)", path, len(answers))
        return Recorded(lm, answers).generate_chain(requests)


LM.generate_chain = generate_chain  # type: ignore[attr-defined]
