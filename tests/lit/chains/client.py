"""Runs chains in a process of its own.

``python -m tests.lit.chains.client URL ANSWERS OUT CHAINS CONCURRENT``
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from lm_eval.models.openai_completions import LocalChatCompletion

import xlgo_dataset as xd
from tests.lit.chains.running import run_chains
from xlgo_lm_eval.answers import Answers
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


def main(url: str, path: str, out: str, count: int, concurrent: int) -> None:
    with Answers(Path(path), RUN) as answers:
        chains = run_chains(model(url, concurrent), items(count), answers)
    outcomes = [chain.outcome() for chain in chains]
    Path(out).write_text(json.dumps(outcomes, ensure_ascii=False, indent=1), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
