"""What the report claims against what is true: steep curves on few whole complexities.

``python benchmarks/claims.py`` simulates answers in two languages at 2 to 8 levels and sums them up
as the report does. Curves have q from 30 to 200; the second language's one-half accuracy lies 0, 3,
10 or 20% below English's, and half of its curves are half as steep; two answers to one question are
independent or correlated (Gaussian copula, .5). It prints, for each number of questions a level,

1. how often a headline states a gap above the largest of the levels' exact upper 95% limits (the
   SMD, where it is not marked, and the difference that is counted);
2. how often the interval covers the largest gap that whole complexities have, and its median
   width;
3. how often a crossing is claimed, of curves that do not cross on the range.

Levels are consecutive whole numbers, or 3 to 30 apart with ``--apart``. There the drop may lie
between two levels, and the interval of such data sets is model-free; it is counted by itself.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.statistics.differences import paired_limits
from xlgo_metric.statistics.gamma import gamma_accuracy

LEVELS = (2, 3, 4, 6, 8)
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Case:
    """One dataset: levels, correct answers of every question (levels, questions), and the truth."""

    c: np.ndarray
    english: np.ndarray
    other: np.ndarray
    gap: np.ndarray
    """True differences at all whole complexities of the range."""

    @property
    def truth(self) -> float:
        """The largest gap that whole complexities have, with its sign."""
        return float(self.gap[np.abs(self.gap).argmax()])

    @property
    def crosses(self) -> bool:
        """Whether the other language is ahead at some whole complexity."""
        return bool(self.gap.min() < -_ROUNDING and self.gap.max() > _ROUNDING)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=60, help="data sets a number of levels")
    parser.add_argument("--questions", type=int, nargs="+", default=[10, 25, 50, 250])
    parser.add_argument("--levels", type=int, nargs="+", default=list(LEVELS))
    parser.add_argument("--apart", action="store_true", help="levels far apart")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    random = np.random.default_rng(args.seed)
    for n in args.questions:
        found: dict[str, list[float]] = defaultdict(list)
        for levels in args.levels:
            for _ in range(args.repeats):
                for key, value in judged(case(random, levels, n, args.apart), levels):
                    found[key].append(value)
        print_line(n, found)


def case(random: np.random.Generator, levels: int, n: int, apart: bool) -> Case:
    """A data set of random curves."""
    step = int(random.integers(3, 31)) if apart else 1
    first = int(random.choice([1, 2, 5, 12]))
    c = first + step * np.arange(levels, dtype=float)
    q = float(np.exp(random.uniform(np.log(30), np.log(200))))
    half = float(random.uniform(c[0], c[-1] + 0.5 * step))
    fewer = float(random.choice([1.0, 0.97, 0.9, 0.8]))
    flatter = float(random.choice([1.0, 0.5]))
    curves = (q, half**-2), (flatter * q, (fewer * half) ** -2)
    common = float(random.choice([0.0, 0.5]))
    shared, *own = random.standard_normal((3, levels, n))
    right = [
        np.sqrt(common) * shared + np.sqrt(1 - common) * each
        < ndtri(np.asarray(gamma_accuracy(c, *curve)))[:, None]
        for each, curve in zip(own, curves)
    ]
    whole = np.arange(c[0], c[-1] + 1)
    f_en, f_l = (np.asarray(gamma_accuracy(whole, *curve)) for curve in curves)
    return Case(c, right[0], right[1], f_en - f_l)


def records(found: Case) -> Iterator[Record]:
    for language, right in (("en", found.english), ("te", found.other)):
        for level, c in enumerate(found.c.astype(int).tolist()):
            for index, correct in enumerate(right[level].tolist()):
                reference = {
                    "task": "slt",
                    "language": language,
                    "complexity": c,
                    "instance_id": f"{c}-{index}",
                }
                yield Record(Grade(correct, "correct" if correct else "wrong", correct), reference)


def judged(found: Case, levels: int) -> Iterator[tuple[str, float]]:
    """What the report says of a data set, and whether it is so."""
    section = summarize(list(records(found)), permutations=999)
    cell = section["tasks"]["slt"]["languages"]["te"]
    only_en = (found.english & ~found.other).sum(axis=1)
    only_l = (~found.english & found.other).sum(axis=1)
    n = found.english.shape[1]
    limits = np.array([paired_limits(int(a), int(b), n) for a, b in zip(only_en, only_l)])
    pooled = cell["pooled"]
    stated = [pooled["k_en"] / pooled["n_en"] - pooled["k_l"] / pooled["n_l"]]
    if cell["smd"] is not None:
        stated.append(cell["smd"])
    too_large = (gap > limits[:, 1].max() or gap < limits[:, 0].min() for gap in stated)
    yield "too large", float(any(too_large))
    yield "marked", float(cell["supported"] is False)
    crossing = cell["crossing"]
    if not found.crosses:
        yield "false crossing", float(crossing is not None)
    yield from covered(found, cell, levels)


def covered(found: Case, cell: dict[str, Any], levels: int) -> Iterator[tuple[str, float]]:
    """The report's interval against the truth."""
    low, high = cell["paired"]["low"], cell["paired"]["high"]
    yield "given", float(low is not None)
    if not cell["identified"]:
        yield "given without curves", float(low is not None)
    if low is not None:
        inside = float(low - _ROUNDING <= found.truth <= high + _ROUNDING)
        yield "covers", inside
        yield f"covers at {levels} levels", inside
        yield "width", high - low
        if cell["coarse"]:
            yield "coarse covers", inside
            yield "coarse width", high - low


def print_line(n: int, found: dict[str, list[float]]) -> None:
    def mean(key: str) -> str:
        return f"{np.mean(found[key]):.1%}" if found[key] else "–"

    def median(key: str) -> str:
        return f"{np.median(found[key]):.3f}" if found[key] else "–"

    by_levels = ", ".join(
        f"{key.split()[2]}: {mean(key)}" for key in sorted(found) if key.startswith("covers at")
    )
    print(
        f"{n} questions a level, {len(found['too large'])} data sets\n"
        f"  stated above every level's limit {sum(found['too large']):.0f}, "
        f"marked not supported {mean('marked')}, false crossings {mean('false crossing')} of "
        f"{len(found['false crossing'])}\n"
        f"  interval given {mean('given')}, where no curve is identified "
        f"{mean('given without curves')} of {len(found['given without curves'])}\n"
        f"  covers {mean('covers')} ({by_levels}), median width {median('width')}\n"
        f"  of {len(found['coarse covers'])} with too coarse levels covers "
        f"{mean('coarse covers')}, median width {median('coarse width')}",
        flush=True,
    )


if __name__ == "__main__":
    main()
