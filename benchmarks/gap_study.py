"""Size, coverage and power of the one procedure of gaps, and of contrasts of gaps.

``python benchmarks/gap_study.py [--reports 400] [--only TEXT]``

Answers to a question are correlated at .5 over languages and models. Every row has a true gap of
each language (or a true contrast), and prints in percent how often some language without a gap is
marked (or some contrast without a difference), how often one with a gap is, and how often all
intervals together hold the truth.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from xlgo_metric.statistics.differences import Contrast, Inference, infer

ALIKE = 0.5
Draw = Callable[[np.random.Generator], tuple[list[Contrast], np.ndarray]]


def right(rng: np.random.Generator, chances: np.ndarray, cluster: int = 1) -> np.ndarray:
    """Correct answers, shape of the chances (questions, sides); whole clusters share their luck."""
    n, sides = chances.shape
    groups = -(-n // cluster)
    common = np.repeat(rng.standard_normal((groups, 1)), cluster, axis=0)[:n]
    own = np.repeat(rng.standard_normal((groups, sides)), cluster, axis=0)[:n]
    alone = rng.standard_normal((n, sides))
    own = own * np.sqrt(0.5) + alone * np.sqrt(0.5) if cluster > 1 else alone
    lean = np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * own
    return lean < ndtri(np.clip(chances, 1e-9, 1 - 1e-9))


def languages(
    n: int, accuracy: float, gaps: list[float], *, slope: float = 0.0, cluster: int = 1
) -> Draw:
    """A report of languages against a baseline, over eight levels; ``slope`` turns their curves."""
    level = np.arange(n) * 8 // n
    tilt = slope * (level / 7.0 - 0.5)
    chances = np.stack([np.full(n, accuracy), *(accuracy - gap + tilt for gap in gaps)], axis=1)

    def draw(rng: np.random.Generator) -> tuple[list[Contrast], np.ndarray]:
        found = right(rng, chances, cluster).astype(float)
        named = np.arange(n) // cluster
        columns = found[:, :1] - found[:, 1:]
        return [Contrast.of(d, named, level=level) for d in columns.T], np.array(gaps)

    return draw


def repeated(n: int, repeats: int) -> Draw:
    """Two languages without a gap in two tasks; every question is asked several times."""
    level = np.arange(n) * 8 // n
    bars = ndtri(np.repeat(0.95 - 0.8 * level / 7.0, repeats))[:, None]

    def draw(rng: np.random.Generator) -> tuple[list[Contrast], np.ndarray]:
        cells = []
        for task in range(2):
            common, own = rng.standard_normal((n, 1)), rng.standard_normal((n, 3))
            question = np.sqrt(ALIKE) * common + np.sqrt((1 - ALIKE) / 2) * own
            luck = np.sqrt((1 - ALIKE) / 2) * rng.standard_normal((n * repeats, 3))
            right = np.repeat(question, repeats, axis=0) + luck < bars
            means = right.reshape(n, repeats, 3).mean(axis=1)
            names = np.arange(n) + n * task
            cells += [Contrast.of(d, names, level=level) for d in (means[:, :1] - means[:, 1:]).T]
        return cells, np.zeros(4)

    return draw


def contrasts(n: int, first: float, second: float, changes: list[float], cluster: int = 1) -> Draw:
    """Gaps of 20 points of two models with these accuracies, one changed by so much."""
    chances = np.array(
        [first, second, *(first - 0.2 for _ in changes), *(second - 0.2 + x for x in changes)]
    )

    def draw(rng: np.random.Generator) -> tuple[list[Contrast], np.ndarray]:
        found = right(rng, np.broadcast_to(chances, (n, len(chances))), cluster).astype(float)
        k = len(changes)
        gaps = found[:, :1] - found[:, 2 : 2 + k], found[:, 1:2] - found[:, 2 + k :]
        named = np.arange(n) // cluster
        columns = [Contrast.of(d, named, reach=2.0) for d in (gaps[0] - gaps[1]).T]
        return columns, np.array(changes)

    return draw


ROWS: dict[str, Draw] = {
    "six languages, no gap, 80, .9": languages(80, 0.9, [0.0] * 6),
    "six languages, no gap, 400, .98": languages(400, 0.98, [0.0] * 6),
    "one language, no gap, 80, .5": languages(80, 0.5, [0.0]),
    "20 languages, no gap, 80, .9": languages(80, 0.9, [0.0] * 20),
    "six languages, gap 10, 80, .9": languages(80, 0.9, [0.1] * 6),
    "six languages, gap 5, 400, .9": languages(400, 0.9, [0.05] * 6),
    "one of six behind by 20, 80, .5": languages(80, 0.5, [0.2, *[0.0] * 5]),
    "opposite slopes, mean 0, 80": languages(80, 0.5, [0.0] * 6, slope=0.8),
    "rare failures, gap 3, 400, .98": languages(400, 0.98, [0.03] * 6),
    "30 clusters of 10, no gap, .7": languages(300, 0.7, [0.0] * 6, cluster=10),
    "two languages in two tasks, no gap, 80, six answers each": repeated(80, 6),
    "contrast, models 95 and 50, 40": contrasts(40, 0.95, 0.5, [0.0]),
    "contrasts, models 95 and 50, 80, six": contrasts(80, 0.95, 0.5, [0.0] * 6),
    "contrasts, models 95 and 50, 400, six": contrasts(400, 0.95, 0.5, [0.0] * 6),
    "contrasts, models 95 and 50, 2000, six": contrasts(2000, 0.95, 0.5, [0.0] * 6),
    "contrasts, 20 clusters of 10": contrasts(200, 0.95, 0.5, [0.0] * 3, cluster=10),
    "contrasts, 50 clusters of 10": contrasts(500, 0.95, 0.5, [0.0] * 3, cluster=10),
    "a gap smaller by 15, 400": contrasts(400, 0.8, 0.8, [0.15, 0.0, 0.0]),
}


def _covers(one: Inference, true: float) -> bool:
    return not one.ci_low > true + 1e-9 and not one.ci_high < true - 1e-9


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=400)
    parser.add_argument("--draws", type=int, default=1999)
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name has this text")
    args = parser.parse_args()
    print("| data | marked without a gap | marked with one | all intervals hold |")
    print("|---|---|---|---|")
    for name, draw in ((name, draw) for name, draw in ROWS.items() if args.only in name):
        rng, false, power, held = np.random.default_rng(47), 0, [], 0
        for _ in range(args.reports):
            columns, truth = draw(rng)
            found = infer(columns, draws=args.draws)
            marks = np.array([one.is_significant for one in found])
            false += bool(marks[truth == 0].any())
            power += marks[truth != 0].tolist()
            held += all(_covers(one, true) for one, true in zip(found, truth))
        shares = [false / args.reports, np.mean(power) if power else None, held / args.reports]
        cells = " | ".join("–" if x is None else f"{100 * x:.1f}" for x in shares)
        print(f"| {name} | {cells} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
