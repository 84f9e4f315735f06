"""What shortcuts get: heuristics that do not solve a puzzle, with their accuracy by complexity.

``python benchmarks/floors.py [--count 200] [--tasks dsa …] [--write]`` prints the accuracy of each
heuristic of ``heuristics.py`` at some complexities, with the standard error of the largest, and
with ``--write`` stores them where reports take them from
(``xlgo_metric/families/xlgobench/floors.json``). docs/puzzles.md tells what they mean.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import heuristics

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_dataset.core.rng import Stream

FILE = Path(xm.path()) / "families" / "xlgobench" / "floors.json"
SIZES = {
    "slt": (1, 2, 3, 4, 6, 10, 50, 100, 200, 400),
    "dsa": (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2090),
    "prdsa": (9, 10, 12, 14, 17, 20, 25, 35, 48, 61),
    "graph_sp": (12, 20, 30, 45, 70, 110, 160, 240, 400, 560, 720),
    "t_rank": (1, 3, 6, 10, 15, 25, 40, 60, 90, 150, 250),
}


def measure(task: str, complexity: int, count: int) -> dict[str, float]:
    """The share of ``count`` puzzles that each heuristic gets right, as the metric grades."""
    right = dict.fromkeys(heuristics.HEURISTICS[task], 0)
    for index in range(count):
        instance = xd.generate(task, complexity=complexity, index=index)
        answer = xd.solve(instance)
        (key,) = answer
        data = instance.to_json()
        reference = {"task": task, "answer": answer}
        for name, guess in heuristics.HEURISTICS[task].items():
            found = guess(data, Stream("floors", task, name, complexity, index))
            right[name] += xm.grade(json.dumps({key: found}), reference).correct
    return {name: number / count for name, number in right.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="puzzles at each complexity")
    parser.add_argument("--tasks", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    stored = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}
    for task in args.tasks:
        sizes = SIZES[task]
        levels = {size: measure(task, size, args.count) for size in sizes}
        print(f"\n{task}, {args.count} puzzles a complexity, in percent")
        print(f"{'':34s}" + "".join(f"{size:7d}" for size in sizes))
        for name in heuristics.HEURISTICS[task]:
            print(
                f"{name:34s}" + "".join(f"{100 * levels[c][name]:7.1f}" for c in sizes), flush=True
            )
        stored[task] = {
            name: [[size, levels[size][name]] for size in sizes]
            for name in heuristics.HEURISTICS[task]
        }
        if args.write:
            lines = (
                f' "{name}": {{\n'
                + ",\n".join(f'  "{h}": {json.dumps(p)}' for h, p in found.items())
                + "\n }"
                for name, found in stored.items()
            )
            FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"\nstandard error at 50%: {100 * 0.5 / args.count**0.5:.1f} points")


if __name__ == "__main__":
    main()
