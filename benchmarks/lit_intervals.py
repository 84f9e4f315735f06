"""Coverage of LiT's intervals where texts are few: ``python -m benchmarks.lit_intervals``.

Texts have probabilities of their own (a beta distribution), and eight chains each; the truth is the
mean of that distribution. Printed are the shares of runs whose 95 % interval holds it: of one
subcategory of so many texts, and of the average of four such subcategories.
"""

from __future__ import annotations

import argparse
import json

import numpy as np

from xlgo_metric.families.lit.spread import spreads
from xlgo_metric.families.lit.views import Layout, replicates

SEQUENCES = tuple(f"s{number}" for number in range(8))


def coverage(
    texts: int, mean: float, *, runs: int = 400, draws: int = 300, strata: int = 4, seed: int = 0
) -> dict[str, float]:
    """Shares of runs whose interval holds the truth, and of runs without an interval."""
    rng = np.random.default_rng([seed, texts, round(100 * mean)])
    names = tuple(f"k{h}" for h in range(strata) for _ in range(texts))
    layout = Layout(
        tuple(f"t{i:03d}" for i in range(len(names))), names, SEQUENCES, ("",) * len(SEQUENCES)
    )
    held = {"subcategory:k0": 0, "macro_category": 0}
    none = 0
    for run in range(runs):
        own = rng.beta(4 * mean, 4 * (1 - mean), size=len(names))
        cells = 100.0 * (rng.random((len(names), len(SEQUENCES))) < own[:, None])
        drawn = replicates(layout, {"m": cells}, draws, run)["m"]
        found = spreads(layout, cells, drawn, ends=(0.0, 100.0))
        for view in held:
            low, high = found[view]["low"], found[view]["high"]
            if low is None or high is None:
                none += view != "macro_category"
                continue
            held[view] += low <= 100 * mean <= high
    return {
        "subcategory": held["subcategory:k0"] / max(1, runs - none),
        "average": held["macro_category"] / runs,
        "without": none / runs,
    }


def main() -> None:
    """Print a line for each number of texts and truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    args = parser.parse_args()
    for texts in (2, 4, 6, 12, 24):
        for mean in (0.3, 0.5, 0.7, 0.9):
            found = coverage(texts, mean, runs=args.runs)
            print(json.dumps({"texts": texts, "truth": mean, **found}), flush=True)


if __name__ == "__main__":
    main()
