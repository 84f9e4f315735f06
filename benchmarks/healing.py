"""How far the gap shrinks where errors heal: the same slips on dsa and on dsa_perm.

``python benchmarks/healing.py [--per-level 50]``: two simulated readers walk through
the same automata, 20 levels from 32 to 2,090 rooms. At each key a reader slips with a small
chance, the second one more often than the first: it takes one key for the other, or it goes on from
any room. The accuracies of both go through the fit and the SMD of the metric.
"""

from __future__ import annotations

import argparse

import numpy as np

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_dataset.core.rng import Stream
from xlgo_dataset.families.xlgobench.options import complexities

LEVELS = complexities(32, 2090, 20)
RATES = ((0.0005, 0.001), (0.001, 0.002), (0.001, 0.005))
SLIPS = ("other key", "any room")


def walks(task: str, complexity: int, index: int, rates: list[float], kind: str) -> list[bool]:
    """Whether readers with these slips a key end right, each in the same automaton."""
    data = xd.generate(task, complexity=complexity, index=index)
    rooms = np.unique(data.room)
    place = np.searchsorted(rooms, data.room)
    table = np.empty((len(rooms), 2), dtype=np.int64)
    table[place, data.key] = np.searchsorted(rooms, data.next)
    after, keys = table.tolist(), data.sequence.tolist()
    start = int(np.searchsorted(rooms, data.start))
    ends = []
    for rate in [0.0, *rates]:
        stream = Stream("healing", task, complexity, index, kind, str(rate))
        slips = {int(at) for at in range(len(keys)) if stream.uniform() < rate}
        room = start
        for at, key in enumerate(keys):
            if at in slips and kind == "any room":
                room = stream.integer(len(rooms))
            else:
                room = after[room][1 - key if at in slips else key]
        ends.append(room)
    return [end == ends[0] for end in ends[1:]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-level", type=int, default=50)
    args = parser.parse_args()
    rates = sorted({rate for pair in RATES for rate in pair})
    n = np.full(len(LEVELS), args.per_level)
    c = np.array(LEVELS, dtype=float)
    print(f"20 levels of {args.per_level}; accuracies are means over the levels")
    print("slip       rates a key       task       en     other   SMD     c*")
    for kind in SLIPS:
        for task in ("dsa", "dsa_perm"):
            right = {rate: np.zeros(len(LEVELS), dtype=int) for rate in rates}
            for level, complexity in enumerate(LEVELS):
                for index in range(args.per_level):
                    for rate, ok in zip(rates, walks(task, complexity, index, rates, kind)):
                        right[rate][level] += ok
            for first, second in RATES:
                fits = [xm.fit_gamma(c, right[rate], n) for rate in (first, second)]
                smd, c_star = xm.smd(*((fit.q, fit.r) for fit in fits), c[0], c[-1])
                means = [100 * right[rate].mean() / args.per_level for rate in (first, second)]
                print(
                    f"{kind:10s} {first:.4f} {second:.4f}    {task:9s} {means[0]:5.1f}%  "
                    f"{means[1]:5.1f}%  {100 * smd:5.1f}  {c_star:6.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
