"""How long grading takes: 35,000 mixed answers, and a million hostile characters.

Run: python benchmarks/bench_grading.py
"""

from __future__ import annotations

import json
import random
import time
from typing import Any

from xlgo_metric.families.xlgobench.grading import grade

PER_TASK = 7_000
MILLION = 1_000_000
HOSTILE = (
    *"{[\"'1१\\<-−`",
    "<think>",
    "</think>",
    '{"chain":',
    '{"chain":[1,',
    '{"chain":[]}',
    '{"chain":["\ufdfa"]}',
    '{"chain":"',
    '{"a":{',
    '{"{":',
    "{“",
    "{/*",
    "{//",
    "<|channel|>analysis<|message|>",
    "&quot;",
    "\\text{",
    '{\\"chain\\":',
    '{\\"chain\\":[1,',
    "{chain:('",
    "{chain: v0, ",
    "{chain:v}",
    "> ",
)
REFERENCE = {"task": "slt", "answer": {"chain": [1]}}


def answers(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Correct answers of the largest sizes of the paper, half as asked, half in other forms.

    The other forms are a code fence after prose, a thinking block of 2,000 characters, native
    digits with room words, and single quotes.
    """

    def ids(n: int) -> list[str]:
        numbers = rng.sample(range(9_000), n)
        return [f"{rng.choice('ABCDEFGH')}{1_000 + number}" for number in numbers]

    made: list[tuple[str, dict[str, Any]]] = []
    for number in range(PER_TASK):
        length = 10 + number * 590 // PER_TASK
        right: dict[str, Any] = {
            "slt": {"chain": [rng.randint(-9, 9) for _ in range(length)]},
            "dsa": {"state": ids(1)[0]},
            "prdsa": {"states": ids(8)},
            "graph_sp": {"path": ids(6)},
            "t_rank": {"ranking": ids(10 + number * 123 // PER_TASK)},
        }
        for task, answer in right.items():
            reference = {"task": task, "answer": answer}
            text = json.dumps(answer)
            form = number % 8
            if form == 0:
                text = f"The answer is:\n```json\n{text}\n```"
            elif form == 1:
                text = f"<think>{'Let me see. ' * 170}</think>\n\n{text}"
            elif form == 2:
                text = text.translate({ord("0") + d: chr(0x0C66 + d) for d in range(10)})
            elif form == 3:
                text = text.replace('"', "'")
            made.append((text, reference))
    return made


def main() -> None:
    made = answers(random.Random(1))
    start = time.process_time()
    right = sum(grade(text, reference).correct for text, reference in made)
    seconds = time.process_time() - start
    characters = sum(len(text) for text, _ in made)
    print(f"{len(made):,} answers, {characters:,} characters, {right:,} right: {seconds:.2f} s")

    times = []
    for unit in HOSTILE:
        text = unit * (MILLION // len(unit))
        start = time.process_time()
        grade(text, REFERENCE)
        times.append((time.process_time() - start, unit))
    print()
    for seconds, unit in sorted(times, reverse=True):
        print(f"a million characters of {unit!r}: {seconds:.3f} s")


if __name__ == "__main__":
    main()
