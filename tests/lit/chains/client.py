"""Chains of translations, and a model behind an address that follows them."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from lm_eval.models.openai_completions import LocalChatCompletion

import xlgo_dataset as xd
from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.asking import asker, run
from xlgo_lm_eval.chains import Item, follow
from xlgo_lm_eval.lit.chains import Translation
from xlgo_lm_eval.replies import Answer

RUN = {"model": "toy"}
GEN_KWARGS = {"temperature": 1.0, "max_gen_toks": 4096, "until": []}


def items(count: int, task: str = "lit_e_asia") -> list[tuple[Item, Any]]:
    """Chains of a task, each with its reference."""
    found = []
    for row in list(xd.family("lit").rows(task, ["en"]))[:count]:
        reference = json.loads(str(row["reference"]))
        chain = reference["chain"]
        step = Translation(reference["original"], chain["codes"], chain["names"])
        found.append((Item(row["instance_id"], step, GEN_KWARGS), reference))
    return found


def model(url: str, concurrent: int) -> Any:
    return LocalChatCompletion(
        base_url=url, model="toy", num_concurrent=concurrent, max_retries=2, max_length=65536
    )


class Chain(NamedTuple):
    """A chain that was run."""

    item: Item
    history: Sequence[Answer]

    def outcome(self) -> dict[str, object]:
        return self.item.step.outcome(self.history)


def run_chains(lm: Any, items: Sequence[Item], answers: Answers) -> list[Chain]:
    """Chains of requests, run to their ends."""
    client = asker(lm, answers)
    jobs = [partial(follow, client, item, number) for number, item in enumerate(items)]
    return [Chain(*pair) for pair in zip(items, run(jobs, client))]
