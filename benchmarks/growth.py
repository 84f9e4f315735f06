"""How time and memory grow with complexity and with the number of prompts.

``python benchmarks/growth.py`` measures, in a process of its own each, the processor time of
drawing, solving and rendering one instance in seven languages, and the peak of memory beyond that
of an idle process; then the same for growing numbers of prompts. It prints the exponents of time
against the bytes of output (1 is linear), the growth of memory, and writes
``benchmarks/growth.svg``.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import xlgo_dataset as xd
from xlgo_dataset.families.xlgobench import instances

COMPLEXITIES = {
    "slt": [100, 400, 1600, 6400, 25600],
    "dsa": [100, 400, 1600, 6400, 25600],
    "prdsa": [9, 25, 61, 150, 400],
    "graph_sp": [70, 140, 280, 720, 1440, 2880],
    "t_rank": [100, 400, 1600, 6000],
}
COUNTS = [10, 40, 160, 640]


def one(task: str, complexity: int, count: int) -> dict[str, float]:
    """Measure here: seconds of processor time, bytes of text, bytes of memory beyond the start."""
    instances.render_all(xd.generate(task, complexity=complexity), ("en",))  # compile the sheet
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    best, size = float("inf"), 0
    for repeat in range(3 if count == 1 else 1):
        start = time.process_time()
        size = 0
        for index in range(count):
            instance = xd.generate(task, complexity=complexity, seed=repeat, index=index)
            instances.solve(instance)
            for language in xd.LANGUAGES:
                size += instances.render_all(instance, (language,)).nbytes
        best = min(best, time.process_time() - start)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": best, "bytes": size, "memory": 1024.0 * (after - before)}


def apart(task: str, complexity: int, count: int) -> dict[str, float]:
    """The same in a process of its own."""
    run = subprocess.run(
        [sys.executable, __file__, task, str(complexity), str(count)],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(run.stdout)
    return found


def exponent(rows: list[dict[str, float]], name: str) -> float:
    """Slope of log(name) against log(bytes), over the larger half of the sizes."""
    rows = rows[len(rows) // 3 :]
    x = np.log([row["bytes"] for row in rows])
    y = np.log([max(row[name], 1.0 if name == "memory" else 1e-6) for row in rows])
    return float(np.polyfit(x, y, 1)[0])


def main() -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5))
    print(f"{'':22}{'time exponent':>14}")
    for task, values in COMPLEXITIES.items():
        rows = [apart(task, complexity, 1) for complexity in values]
        left.loglog([r["bytes"] for r in rows], [r["seconds"] for r in rows], "o-", label=task)
        print(f"{task:22}{exponent(rows, 'seconds'):14.2f}")
    for task in ("dsa", "slt"):
        rows = [apart(task, 400, count) for count in COUNTS]
        right.loglog([r["bytes"] for r in rows], [r["seconds"] for r in rows], "o-", label=task)
        grown = rows[-1]["memory"] - rows[0]["memory"]
        print(
            f"{task + ', more prompts':22}{exponent(rows, 'seconds'):14.2f}   memory grows by "
            f"{grown / 1e6:.1f} MB over {rows[-1]['bytes'] / 1e6:.0f} MB of text"
        )
    for axes, title in ((left, "one instance, growing complexity"), (right, "more instances")):
        axes.set(title=title, xlabel="bytes of text (seven languages)", ylabel="seconds")
        axes.grid(alpha=0.3)
        axes.legend()
    figure.tight_layout()
    path = Path(__file__).with_name("growth.svg")
    figure.savefig(path)
    print(f"plot: {path.name}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(one(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
    else:
        main()
