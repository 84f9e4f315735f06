"""How often is the fit of a curve rejected, and what do the intervals of the largest gap cover?

``python benchmarks/misfit.py [--repeats 200]``

Pairs of curves that the incomplete gamma fits (also with a ceiling) and pairs that it does not
(floors, steps, two stages, crossings); 20 levels of 50 questions and 8 of 10, answers correlated at
.4. Printed: how often ``fit.misfit`` flags either curve, what the printed interval and the
model-free one cover, and how wide they are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.statistics.gamma import gamma_accuracy

LOW, HIGH, ALIKE = 100, 600, 0.4
SIZES = ((20, 50), (8, 10))
Curve = Callable[[np.ndarray], np.ndarray]


def curve(half: float, q: float = 15.0, floor: float = 0.0, ceiling: float = 1.0) -> Curve:
    """The gamma curve between a ceiling and a floor."""
    return lambda c: floor + (ceiling - floor) * np.asarray(gamma_accuracy(c, q, half**-2.0))


def step(at: float) -> Curve:
    """A fall from .95 to .05 at one complexity."""
    return lambda c: np.where(c < at, 0.95, 0.05)


def stages(share: float, first: float, second: float) -> Curve:
    """A mixture of two steep curves."""
    return lambda c: share * curve(first, 40.0)(c) + (1 - share) * curve(second, 40.0)(c)


PAIRS: dict[str, tuple[Curve, Curve]] = {
    "same curve": (curve(300), curve(300)),
    "gamma": (curve(300), curve(230)),
    "steep": (curve(300, 60), curve(270, 60)),
    "crossing": (curve(300), curve(310, 2.0)),
    "ceiling .97": (curve(300, ceiling=0.97), curve(230, ceiling=0.97)),
    "ceiling .92": (curve(300, ceiling=0.92), curve(230, ceiling=0.92)),
    "floors .2 and .05": (curve(250, floor=0.2), curve(250, floor=0.05)),
    "floor .6": (curve(300, floor=0.6), curve(250, floor=0.6)),
    "step": (step(330), step(270)),
    "two stages": (stages(0.6, 450, 200), stages(0.35, 450, 170)),
}


def one(pair: tuple[Curve, Curve], levels: int, questions: int, seed: int) -> list[Record]:
    """Graded answers of one data set."""
    rng = np.random.default_rng([seed, 30])
    found = []
    for c in np.round(np.linspace(LOW, HIGH, levels)):
        common = rng.standard_normal(questions)
        for code, of in zip(("en", "hi"), pair):
            lean = np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * rng.standard_normal(questions)
            chance = np.clip(of(np.array([c]))[0], 1e-6, 1 - 1e-6)
            for index, right in enumerate((lean < ndtri(chance)).tolist()):
                reference = {
                    "task": "t_rank", "language": code, "complexity": int(c), "seed": 0,
                    "instance_id": f"t_rank-c{c:g}-i{index}", "split": "test", "data": 1,
                }  # fmt: skip
                grade = Grade(right, "correct" if right else "wrong", right, None, {})
                found.append(Record(grade, reference))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=200)
    args = parser.parse_args()
    print("| curves | data | flagged | interval covers | width | model-free covers | width |")
    print("|---|---|---|---|---|---|---|")
    every = np.arange(LOW, HIGH + 1)
    for title, pair in PAIRS.items():
        gap = pair[0](every) - pair[1](every)
        true = float(gap[np.abs(gap).argmax()])
        for levels, questions in SIZES:
            flagged = 0
            held: dict[str, list[tuple[bool, float]]] = {"": [], "free_": []}
            for seed in range(args.repeats):
                section = summarize(one(pair, levels, questions, seed), permutations=99)
                languages = section["tasks"]["t_rank"]["languages"]
                flagged += any(bool(cell["fit"]["misfit"]) for cell in languages.values())
                paired = languages["hi"]["paired"]
                for kind, each in held.items():
                    low, high = paired[f"{kind}low"], paired[f"{kind}high"]
                    if low is not None:
                        each.append((low - 1e-9 <= true <= high + 1e-9, high - low))
            row = f"| {title} | {levels} × {questions} | {flagged / args.repeats:.0%} |"
            for each in held.values():
                covers, width = (np.mean([x[i] for x in each]) for i in (0, 1))
                row += f" {covers:.1%} | {width:.2f} |"
            print(row, flush=True)


if __name__ == "__main__":
    main()
