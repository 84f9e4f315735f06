"""Chains of translations, and a model behind an address that follows them."""

import json
from functools import partial
from typing import Any

from lm_eval.models.openai_completions import LocalChatCompletion

import xlgo_dataset as xd
from xlgo_lm_eval.chains import Item
from xlgo_lm_eval.lit.chains import Translation

rows: Any = partial(xd.family("lit").rows, languages=["en"])


RUN = {"model": "toy"}
GEN_KWARGS = {"temperature": 1.0, "max_gen_toks": 4096, "until": []}


def items(count: int, task: str = "lit_e_asia", **options: Any) -> list[Item]:
    found = []
    for row in list(rows(task, **options))[:count]:
        reference = json.loads(str(row["reference"]))
        step = Translation(
            reference["original"], reference["chain"]["codes"], reference["chain"]["names"]
        )
        found.append(Item(row["instance_id"], step, GEN_KWARGS))
    return found


def model(url: str, concurrent: int) -> Any:
    return LocalChatCompletion(
        base_url=url, model="toy", num_concurrent=concurrent, max_retries=2, max_length=65536
    )
