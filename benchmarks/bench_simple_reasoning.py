"""Speed of the simple reasoning tasks: ``python benchmarks/bench_simple_reasoning.py``.

Instances per second of processor time in one process, at the largest setting of each task's grid,
for drawing, rendering and solving together; then responses graded per second, and the time that
grading takes on hostile output. The solver of logic negation searches an interpretation for each
distractor while it draws, which is a check within the generation.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import xlgo_dataset as xd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from xlgo_metric.families.simple_reasoning.tasks import grade

simple_reasoning: Any = xd.family("simple_reasoning")


LARGEST: dict[str, dict[str, Any]] = {
    "word_count": {"k": 6, "m": 150},
    "char_count": {"m": 150},
    "logic_eval": {"depth": 12, "size": "medium", "vocabulary": "rand20"},
    "logic_negation": {"depth": 12, "size": "medium", "vocabulary": "rand20"},
    "proof_tree": {"depth": 9, "diverse": True},
    "irrelevant": {"trees": 6, "sentences": 60},
    "travel": {"cities": 20, "visit": 8},
}
GOAL = 300

HOSTILE: dict[str, tuple[str, str]] = {
    "a million legs": ("travel", "[" + "('A', 'B', 'bus'), " * 1_000_000),
    "nested brackets": ("travel", "[(" * 500_000),
    "unbalanced quotes": ("travel", "[('" * 330_000),
    "open boxes": ("proof_tree", "\\boxed{" * 140_000),
    "open tags": ("logic_eval", "<answer>" * 125_000),
    "open lists": ("word_count", "appears [" * 110_000),
    "digits": ("char_count", "appears " + "9" * 1_000_000),
    "hashes": ("char_count", "#1" * 500_000),
}


def speed(task: str, n: int) -> float:
    """Instances per second of drawing, rendering and solving."""
    simple_reasoning.render(simple_reasoning.generate(task, index=n, **LARGEST[task]), "en")
    started = time.process_time()
    for index in range(n):
        instance = simple_reasoning.generate(task, index=index, **LARGEST[task])
        simple_reasoning.render(instance, "en")
        simple_reasoning.solve(instance)
    return n / (time.process_time() - started)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=300, help="instances per task")
    chosen = parser.parse_args()
    references = {}
    for task, params in LARGEST.items():
        rate = speed(task, chosen.n)
        row = next(simple_reasoning.rows(task, ["en"], n=1, **params))
        references[task] = json.loads(row["reference"])
        verdict = "" if rate >= GOAL else f"  below {GOAL}"
        print(f"{task:15} {rate:8.0f} instances/s  {len(row['prompt']):6d} characters{verdict}")
    for name, (task, output) in HOSTILE.items():
        started = time.process_time()
        found = grade(output, references[task])
        took = time.process_time() - started
        print(f"{name:18} {len(output):9d} characters  {took:6.3f} s  {found.status}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
