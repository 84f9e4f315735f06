"""Chains of requests, run to their ends."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.asking import asker, run
from xlgo_lm_eval.chains import Chain, Item, follow


def run_chains(lm: Any, items: Sequence[Item], answers: Answers) -> list[Chain]:
    client = asker(lm, answers)
    return run([partial(follow, client, item, number) for number, item in enumerate(items)], client)
