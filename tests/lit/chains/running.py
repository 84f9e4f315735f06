"""Chains of requests, run to their ends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.asking import asker, run
from xlgo_lm_eval.chains import Item, follow
from xlgo_lm_eval.replies import Answer


class Chain(NamedTuple):
    """A chain that was run."""

    item: Item
    history: Sequence[Answer]

    def outcome(self) -> dict[str, object]:
        return self.item.step.outcome(self.history)


def run_chains(lm: Any, items: Sequence[Item], answers: Answers) -> list[Chain]:
    client = asker(lm, answers)
    jobs = [partial(follow, client, item, number) for number, item in enumerate(items)]
    return [Chain(*pair) for pair in zip(items, run(jobs, client))]
