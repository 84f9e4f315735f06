"""How often a puzzle of the train split is one of the test split under other names.

``python benchmarks/structures.py [--count 1000] [--held 50 1000]`` prints, for small complexities
of each puzzle, the share of ``count`` puzzles of the train split whose structure occurs among the
first ``held`` of the test split.
"""

from __future__ import annotations

import argparse

import xlgo_dataset as xd

SIZES = {
    "slt": (1, 2, 3, 4),
    "dsa": (2, 3, 4, 5, 6),
    "prdsa": (9,),
    "graph_sp": (12, 16, 20, 30),
    "t_rank": (1, 2, 3, 6, 9, 12, 20),
}


def structures(task: str, complexity: int, split: str, count: int) -> list[str]:
    return [
        xd.isomorphism_hash(xd.generate(task, complexity=complexity, split=split, index=index))
        for index in range(count)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--held", type=int, nargs="+", default=[50, 1000])
    args = parser.parse_args()
    print("task       complexity  different", *(f"in {held:5d} of test" for held in args.held))
    for task, sizes in SIZES.items():
        for complexity in sizes:
            train = structures(task, complexity, "train", args.count)
            test = structures(task, complexity, "test", max(args.held))
            shares = (sum(s in set(test[:held]) for s in train) / len(train) for held in args.held)
            print(
                f"{task:10s} {complexity:10d} {len(set(train)):10d}",
                *(f"{share:16.1%}" for share in shares),
                flush=True,
            )


if __name__ == "__main__":
    main()
