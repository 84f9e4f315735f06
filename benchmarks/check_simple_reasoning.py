"""Confirm the simple reasoning tasks at every setting.

Run it: ``python benchmarks/check_simple_reasoning.py``.

For each setting ``--n`` instances (200 by default) are drawn, and their prompts are read and
solved by the checkers of ``tests/easy``, which share no code with the generators. Then the shortcut
baselines are measured. Exits with 1 if anything is not confirmed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import xlgo_dataset as xd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.simple_reasoning.checks.confirm import confirm, grids
from tests.simple_reasoning.checks.logic import token_medoid
from xlgo_dataset.families.simple_reasoning import prompts, questions
from xlgo_metric.families.simple_reasoning.tasks import shortcuts as floors

simple_reasoning: Any = xd.family("simple_reasoning")


def settings(task: str | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """All settings, or those of one task."""
    for name, grid in grids().items():
        if task in (None, name):
            for params in grid:
                yield name, params


def check(name: str, params: dict[str, Any], n: int, seed: int) -> str:
    """One line about a setting; raises ``AssertionError`` at the first unconfirmed instance."""
    started = time.process_time()
    below: dict[str, list[float]] = {}
    tokens = []
    for index in range(n):
        instance = simple_reasoning.generate(name, seed=seed, index=index, **params)
        prompt, answer = confirm(instance)
        reference: dict[str, Any] = {"task": name, "answer": answer}
        reference["covariates"] = instance.covariates
        if name == "travel":
            task = questions.GENERATED[name]
            reference.update(task.reference(instance.structure, prompts.load("en")))
        for floor, value in floors(reference).items():
            below.setdefault(floor, []).append(value)
        if name == "logic_negation" and params["depth"] < 12 and index < 60:
            least = token_medoid(prompt)
            tokens.append((answer["choice"] in least) / len(least))
    told = ", ".join(f"{floor} {fmean(values):.3f}" for floor, values in below.items())
    told += f", medoid by tokens {fmean(tokens):.3f}" if tokens else ""
    shown = " ".join(f"{key}={value}" for key, value in params.items())
    return f"{name:15} {n} confirmed  {time.process_time() - started:6.1f} s  {shown}  {told}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=200, help="instances per setting")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--task", choices=tuple(questions.GENERATED))
    chosen = parser.parse_args()
    failed = 0
    for name, params in settings(chosen.task):
        try:
            print(check(name, params, chosen.n, chosen.seed), flush=True)
        except AssertionError as error:
            failed += 1
            print(f"{name:15} NOT CONFIRMED  {params}: {error}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
