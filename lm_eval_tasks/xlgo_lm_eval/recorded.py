"""The model that the harness is given: any other, each of whose answers is kept."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from lm_eval.api.model import LM

from .answers import Answers
from .asking import SEED, Arrived, Asker, asker, is_api, run
from .chains import Ended, Item, follow
from .replies import Answer

_PART = 4
"""Chains for each connection that are under way together, where they are judged meanwhile: enough
that no connection waits, few enough that judging begins early (``benchmarks/chains_throughput.py
--judge``)."""

_OWN = frozenset({
    "lm", "asker", "_ended", "_judge", "generate_until", "generate_chain", "__class__", "__dict__",
})  # fmt: skip


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
        jobs = []
        for number, (request, repeat) in enumerate(_repeats(requests)):
            context, settings, *_ = request.args
            settings = dict(settings)
            if repeat and is_api(self.lm):
                settings["seed"] = int(settings.get("seed", SEED)) + repeat
            doc = request.doc if isinstance(request.doc, dict) else None
            ask = partial(self.asker.ask, context, settings, draw=repeat, order=(number,))
            jobs.append(partial(ask, notes=_notes(doc or {}, repeat), doc=doc))
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


def _notes(doc: Mapping[str, object], repeat: int) -> Mapping[str, object]:
    """What the file of answers says of a question."""
    notes = {name: doc[name] for name in ("id", "language") if isinstance(doc.get(name), str)}
    return {**notes, "repeat": repeat} if repeat else notes


def _outcome(item: Item, history: Sequence[Answer]) -> Answer:
    """What became of a chain, as JSON; missing or refused as its last answer is."""
    last = history[-1] if history else Answer()
    text = json.dumps(item.step.outcome(history), ensure_ascii=False)
    return Answer(text, last.state, error=last.error)
