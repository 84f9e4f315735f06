"""Would an adaptive run save questions by stopping when "no gap" can be claimed?

``python benchmarks/equivalence_stop.py [--repeats 4000]``

The smallest rule that is blind to direction: after each batch the number D of questions that
exactly one of two languages answers correctly is counted, and the run stops when, if the languages
were equal, the exact interval of the difference would lie within ±5 points with 80% probability
given D. It never sees which language was right. Beside it stands a budget planned once
(``xlgo plan --no-gap 5``, which takes the correlation of two answers to be .4). Questions lie where
the adaptive design asks. Size: share of "no gap" at a true gap of 5 points.
"""

from __future__ import annotations

import argparse
from functools import cache

import numpy as np

from xlgo_metric.statistics.adaptive import BATCH, TARGETS, WEIGHTS
from xlgo_metric.statistics.differences import MARGIN, POWER, _edge, questions_needed

PLANNED_FOR = 0.4
_MOST = 40 * BATCH


@cache
def claims(differ: int, n: int) -> tuple[int, float]:
    """The most discordant pairs on one side that allow the claim (-1: none), and its probability
    for equal languages."""
    from scipy.stats import binom

    edge = _edge(differ, n, MARGIN)
    if edge is None:
        return -1, 0.0
    return edge, float(binom.cdf(edge, differ, 0.5) - binom.cdf(differ - edge - 1, differ, 0.5))


def run(rng: np.random.Generator, share: float, gap: float, planned: int) -> tuple[bool, int, bool]:
    """Whether a planned budget claims; how many questions the rule takes, and whether it claims."""
    first = 0.5 + 0.5 * gap / share
    differ = rng.binomial(planned, share)
    ahead = rng.binomial(differ, first)
    fixed = max(ahead, differ - ahead) <= claims(int(differ), planned)[0]
    n = differ = ahead = 0
    while n < _MOST:
        n += BATCH
        more = rng.binomial(BATCH, share)
        differ += int(more)
        ahead += int(rng.binomial(more, first))
        edge, chance = claims(differ, n)
        if chance >= POWER:
            break
    return fixed, n, max(ahead, differ - ahead) <= edge


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=4000, help="runs of each row")
    args = parser.parse_args()
    rng = np.random.default_rng(28)
    f = np.array(TARGETS)
    apart = float((np.array(WEIGHTS) * 2.0 * f * (1.0 - f)).sum())
    planned = questions_needed(apart * (1.0 - PLANNED_FOR))
    print("| correlation | planned | claims | size | with the rule | claims | size | saving |")
    print("|---|---|---|---|---|---|---|---|")
    for correlation in (0.0, 0.2, 0.4, 0.6, 0.8):
        share = apart * (1.0 - correlation)
        rows = {}
        for gap in (0.0, MARGIN):
            found = [run(rng, share, gap, planned) for _ in range(args.repeats)]
            rows[gap] = np.array(found, dtype=float).mean(axis=0)
        fixed, n, ruled = rows[0.0]
        print(
            f"| {correlation:g} | {planned} | {fixed:.1%} | {rows[MARGIN][0]:.1%} | {n:.0f} "
            f"| {ruled:.1%} | {rows[MARGIN][2]:.1%} | {1 - n / questions_needed(share):.0%} |"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
