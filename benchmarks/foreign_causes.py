"""Causes of gaps that the decomposition does not assume: is what it says of them true?

``python benchmarks/foreign_causes.py [--repeats 200]``

Models answer by mechanisms of their own: a hazard of each token or step, a cost of the script,
parts that act only together, a cost of mixing languages, a window of context, thinking in the
language of the lines. Answers to one question are correlated at .5. For the gap, every contrast and
the shares of rules and lines it prints how often the 95% interval covers the truth at the levels
that were chosen (at least 90%), and how often any is claimed that is 0 (at most 5%).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
from scipy.special import ndtri

from xlgo_metric.comparison import AnswerTable
from xlgo_metric.comparison.table import sides
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.why.section import why

LEVELS, QUESTIONS, ALIKE = (10, 15, 20, 25, 30, 35, 40, 45), 50, 0.5
CONDITIONS = {
    "english": (0, 0, 0), "plain": (1, 1, 1), "english_rules": (0, 1, 1),
    "english_lines": (1, 0, 0), "think_english": (1, 1, 0),
}  # fmt: skip
"""Whether rules, lines and thinking are in the language."""

Asked = tuple[int, int, int]
Mechanism = Callable[[float, Asked], float]


def _tokens(c: float, of: Asked) -> float:
    return 200 * (1 + 0.8 * of[0]) + 12 * c * (1 + 0.8 * of[1])


def _fall(c: float) -> float:
    return float(1 / (1 + (c / 28) ** 4))


MECHANISMS: dict[str, Mechanism] = {
    "nothing": lambda c, of: _fall(c),
    "hazard of each token": lambda c, of: float(np.exp(-0.0013 * _tokens(c, of))),
    "hazard of each step": lambda c, of: float(np.exp(-0.02 * c * (1 + 0.8 * of[1]))),
    "script": lambda c, of: _fall(c) * (0.7 if of[0] or of[1] else 1.0),
    "only together": lambda c, of: _fall(c) * (0.6 if of[0] and of[1] else 1.0),
    "mixing": lambda c, of: _fall(c) * (0.7 if of[0] != of[1] else 1.0),
    "context window": lambda c, of: _fall(c) if _tokens(c, of) < 620 else 0.0,
    "thinking": lambda c, of: _fall(c) * (0.65 if of[2] else 1.0),
}


def records(mechanism: Mechanism, seed: int) -> list[Record]:
    """Graded answers of one data set."""
    rng = np.random.default_rng([seed, 29])
    found = []
    for c, index in product(LEVELS, range(QUESTIONS)):
        common = rng.standard_normal()
        for name, of in CONDITIONS.items():
            lean = np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * rng.standard_normal()
            right = bool(lean < ndtri(np.clip(mechanism(c, of), 1e-9, 1 - 1e-9)))
            reference = {
                "task": "slt", "language": "en" if name == "english" else "hi", "complexity": c,
                "instance_id": f"slt-c{c}-i{index}",
                "condition": "plain" if name == "english" else name,
            }  # fmt: skip
            grade = Grade(right, "correct" if right else "wrong", right, None, {})
            found.append(Record(grade, reference))
    return found


def truths(mechanism: Mechanism, levels: list[float]) -> dict[str, float]:
    """The true effects at some levels."""
    p = {
        name: float(np.mean([mechanism(c, of) for c in levels])) for name, of in CONDITIONS.items()
    }
    only_rules, only_lines = p["english_lines"], p["english_rules"]
    found = {"gap": p["english"] - p["plain"]}
    found |= {f"contrast {name}": p[name] - p["plain"] for name in p if name.startswith("english_")}
    found["contrast think_english"] = p["think_english"] - p["plain"]
    found["share rules"] = 0.5 * (p["english"] - only_rules + only_lines - p["plain"])
    found["share lines"] = 0.5 * (p["english"] - only_lines + only_rules - p["plain"])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=200)
    args = parser.parse_args()
    print("| mechanism | number | truth | covered | claimed |\n|---|---|---|---|---|")
    failed = 0
    for title, mechanism in MECHANISMS.items():
        covered: Counter[str] = Counter()
        claimed: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        mean: Counter[str] = Counter()
        for seed in range(args.repeats):
            table = AnswerTable.of_records(records(mechanism, seed))
            section, _ = why(sides(table), "en")
            entry = section["tasks"]["slt"]["hi"]
            true = truths(mechanism, entry["levels"])
            told = {"gap": entry["gap"]}
            told |= {f"contrast {name}": one for name, one in entry["contrasts"].items()}
            told |= {f"share {name}": one for name, one in entry["causes"].items()}
            for name, one in told.items():
                if name in true:
                    asked[name] += 1
                    mean[name] += true[name]
                    covered[name] += one["low"] <= true[name] <= one["high"]
                    claimed[name] += bool(one["claimed"])
        for name, n in asked.items():
            truth, share = mean[name] / n, (covered[name] / n, claimed[name] / n)
            print(
                f"| {title} | {name} | {truth:+.3f} | {share[0]:.1%} | {share[1]:.1%} |", flush=True
            )
            failed += share[0] < 0.9 or (abs(truth) < 1e-9 and share[1] > 0.05)
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
