"""Size of the paired tests and coverage of the intervals where questions share a structure.

``python benchmarks/structure_clusters.py [--repeats 2000] [--covers 200]``

Small puzzles have few structures. Structures are those of the test split; accuracy falls from .8 to
.3 over the levels; a structure is harder or easier in each language by chance (a fifth of the
latent variance, another fifth in both alike), the same on average: there is no gap. The table says
how often each test rejects at 5% if every question counts by itself, and if structures do.

The second table says how often the 95% intervals of a summary hold the truth, without a gap and
with one: of the difference over all questions, of that at informative levels, and of the largest
gap. The truth is that of all structures, of which the questions have some.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from scipy.special import ndtri

import xlgo_dataset as xd
from xlgo_metric.comparison import Cell
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.statistics.levels import scan
from xlgo_metric.statistics.paired import checked_counts, exchange_test

LEVELS = {
    "t_rank": (3, 6, 9, 12, 15, 18),
    "dsa": (2, 3, 4, 5, 6, 7),
    "graph_sp": (12, 16, 20, 24, 28, 32),
    "slt": (2, 3, 4, 5, 6, 7),
}
QUESTIONS = 50
OWN = ALIKE = 0.2


def structures(task: str) -> np.ndarray:
    """The structure of each question, by number, shape (levels, questions)."""
    names = [
        [
            xd.isomorphism_hash(xd.generate(task, complexity=size, split="test", index=i))
            for i in range(QUESTIONS)
        ]
        for size in LEVELS[task]
    ]
    return np.unique(names, return_inverse=True)[1].reshape(-1, QUESTIONS)


def rejected(rng: np.random.Generator, of: np.ndarray, sizes: np.ndarray, seed: int) -> np.ndarray:
    """Whether the paired test, the scan of levels and the verdict reject: alone, by structure."""
    bars = ndtri(np.linspace(0.8, 0.3, len(of)))[:, None]
    alike = np.sqrt(ALIKE) * rng.standard_normal(of.max() + 1)[of]
    right = [
        alike
        + np.sqrt(OWN) * rng.standard_normal(of.max() + 1)[of]
        + np.sqrt(1 - OWN - ALIKE) * rng.standard_normal(of.shape)
        < bars
        for _ in range(2)
    ]
    apart = right[0].astype(int) - right[1]
    differ = np.abs(apart).sum(axis=1)
    only = [(apart == sign).sum(axis=1) for sign in (1, -1)]
    rows = [
        (level, apart[level][of[level] == one].sum(), np.abs(apart[level][of[level] == one]).sum())
        for level in range(len(of))
        for one in np.unique(of[level])
        if (of[level] == one).sum() > 1
    ]
    nets = np.array(rows, dtype=np.int64).reshape(-1, 3)
    counts = checked_counts(right[0].sum(axis=1), right[1].sum(axis=1), differ, QUESTIONS, sizes)
    found = []
    for clusters, names in ((None, None), (nets, of.ravel())):
        p = exchange_test(counts, nets=clusters, draws=999, seed=seed)
        sides = scan(*only, nets=clusters, draws=999, seed=seed)
        whole = Cell.of(right[0].ravel(), right[1].ravel(), "en", "te", cluster=names)
        found.append([p <= 0.05, min(sides.p_first, sides.p_second) <= 0.025, whole.is_significant])
    return np.array(found)


def covered(
    rng: np.random.Generator, of: np.ndarray, sizes: np.ndarray, half: float, seed: int
) -> list[bool | None]:
    """Whether three intervals hold the truth, where the other language is one half at ``half``."""
    every = np.arange(sizes.min(), sizes.max() + 1)
    curves = [
        np.asarray(gamma_accuracy(every, 4.0, at**-2.0)) for at in (sizes[3], half * sizes[3])
    ]
    alike = np.sqrt(ALIKE) * rng.standard_normal(of.max() + 1)[of]
    records = []
    for code, curve in zip(("en", "hi"), curves):
        lean = alike + np.sqrt(OWN) * rng.standard_normal(of.max() + 1)[of]
        lean += np.sqrt(1 - OWN - ALIKE) * rng.standard_normal(of.shape)
        for (level, index), right in np.ndenumerate(
            lean < ndtri(curve[sizes - every[0]].clip(1e-9, 1 - 1e-9))[:, None]
        ):
            reference = {
                "task": "slt",
                "language": code,
                "complexity": int(sizes[level]),
                "text": "paper",
                "instance_id": f"{level} {index}",
                "structure": str(of[level, index]),
            }
            grade = Grade(bool(right), "correct" if right else "wrong", bool(right))
            records.append(Record(grade, reference))
    section = summarize(records, permutations=99, draws=100, seed=seed)
    cell: Any = section["tasks"]["slt"]["languages"]["hi"]
    gap = curves[0] - curves[1]
    asked = gap[sizes - every[0]]
    truths = (
        (cell["difference"], asked.mean()),
        (cell["pooled"], asked[np.isin(sizes, cell["pooled"]["levels"])].mean()),
        (cell["paired"], gap[np.abs(gap).argmax()]),
    )
    ends = [
        (one.get("ci_low", one.get("low")), one.get("ci_high", one.get("high")))
        for one, _ in truths
    ]
    return [
        None if low is None else bool(low - 1e-9 <= true <= high + 1e-9)
        for (low, high), (_, true) in zip(ends, truths)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=2000)
    parser.add_argument("--covers", type=int, default=200, help="data sets of the second table")
    args = parser.parse_args()
    print("| task | structures by level | test | every question | by structure |")
    print("|---|---|---|---|---|")
    for task, sizes in LEVELS.items():
        rng = np.random.default_rng(28)
        of = structures(task)
        each = ", ".join(str(len(np.unique(row))) for row in of)
        found = np.mean(
            [rejected(rng, of, np.array(sizes), seed) for seed in range(args.repeats)], axis=0
        )
        for place, test in enumerate(("paired", "scan of levels", "difference")):
            alone, together = found[:, place]
            print(f"| {task} | {each} | {test} | {alone:.3f} | {together:.3f} |", flush=True)
    print("\n| task | one half at | difference | informative levels | largest gap |")
    print("|---|---|---|---|---|")
    for task, sizes in LEVELS.items():
        rng, of = np.random.default_rng(29), structures(task)
        for half in (1.0, 0.7):
            held = np.array(
                [covered(rng, of, np.array(sizes), half, seed) for seed in range(args.covers)],
                dtype=np.float64,
            )
            shares = " | ".join(f"{share:.1%}" for share in np.nanmean(held, axis=0))
            print(f"| {task} | {half:.0%} of English | {shares} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
