"""Corrections for many tests: how often a report claims a gap that is none.

``python benchmarks/multiplicity.py [--reports 4000]``

Five tasks and six languages against one baseline, 200 questions each. The answers to a question
share their luck by an amount that differs between languages (correlation .1 to .8), and the
baseline's answers make false claims come together. One language may be truly behind in all tasks or
in two, and the pair of one language may have had twice as many questions (a second stage). A cell's
p is that of the exact sign test. Compared are Holm over all cells, the step-down correction over
what each test can reach (``exchange_holm``), and exchanging all languages of a question at once
(max over cells), which has no strong control.
"""

from __future__ import annotations

import argparse
from functools import cache

import numpy as np
from scipy.special import ndtri
from scipy.stats import binom

from xlgo_metric.statistics.differences import exchange_holm, holm, sign_test

TASKS, LANGUAGES, QUESTIONS, LEVEL = 5, 6, 200, 0.05
CORRELATIONS = np.array([0.1, 0.25, 0.4, 0.55, 0.7, 0.8])
EXCHANGES = 199
SCENARIOS = {"no gap": 0, "one language behind in all tasks": TASKS, "behind in two tasks": 2}


@cache
def attainable(differ: int) -> np.ndarray:
    """The p values that a sign test of so many pairs can have, rising."""
    half = np.arange(differ // 2 + 1)
    return np.unique(np.minimum(2.0 * binom.cdf(half, differ, 0.5), 1.0))


def report(rng: np.random.Generator, behind: int, *, second: bool) -> tuple[np.ndarray, list]:
    """Differences by language and task, and their answers: (only baseline, only language)."""
    rates = rng.uniform(0.1, 0.9, TASKS)
    cells, answers = np.zeros((LANGUAGES, TASKS, 2), dtype=int), []
    for task in range(TASKS):
        n = QUESTIONS * (2 if second else 1)
        common, own = rng.standard_normal(n), rng.standard_normal((LANGUAGES + 1, n))
        rho = np.concatenate([[0.6], CORRELATIONS])[:, None]
        luck = np.sqrt(rho) * common + np.sqrt(1.0 - rho) * own
        p = np.full(LANGUAGES + 1, rates[task])
        if task < behind:
            p[1] = max(rates[task] - 0.25, 0.02)
        right = luck < ndtri(p)[:, None]
        for language in range(LANGUAGES):
            used = n if second and language == 0 else QUESTIONS
            a, b = right[0, :used], right[1 + language, :used]
            cells[language, task] = (a & ~b).sum(), (b & ~a).sum()
        answers.append(right[:, :QUESTIONS])
    return cells, answers


def all_at_once(rng: np.random.Generator, answers: list[np.ndarray]) -> np.ndarray:
    """Cells claimed by exchanging every language of a question: the largest |z| of any cell."""

    def statistic(each: list[np.ndarray]) -> np.ndarray:
        found = [(r[0].astype(int) - r[1:].astype(int)).sum(axis=1) for r in each]
        return np.abs(np.array(found).T)

    observed, most = statistic(answers), []
    for _ in range(EXCHANGES):
        moved = [np.take_along_axis(r, rng.random(r.shape).argsort(axis=0), axis=0)
                 for r in answers]  # fmt: skip
        most.append(statistic(moved).max())
    p: np.ndarray = (1 + (np.array(most)[:, None, None] >= observed).sum(axis=0)) / (EXCHANGES + 1)
    return p


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=4000)
    parser.add_argument("--at-once", type=int, default=200, help="reports of the last column")
    args = parser.parse_args()
    print("| scenario | second stage | Holm | step-down | all languages at once | found: Holm | "
          "found: step-down |\n|---|---|---|---|---|---|---|")  # fmt: skip
    for name, behind in SCENARIOS.items():
        for second in (False, True):
            rng = np.random.default_rng([28, behind, second])
            false = {"holm": 0, "step": 0, "once": 0}
            found = {"holm": 0.0, "step": 0.0}
            for number in range(args.reports):
                cells, answers = report(rng, behind, second=second)
                truly = np.zeros((LANGUAGES, TASKS), dtype=bool)
                truly[0, :behind] = True
                p = np.array([[sign_test(*c) for c in row] for row in cells.tolist()])
                lists = [attainable(int(c.sum())) for row in cells for c in row]
                group = np.repeat(np.arange(LANGUAGES), TASKS).tolist()
                claims = {"holm": holm(p), "step": exchange_holm(p.ravel(), group, lists)}
                for kind, adjusted in claims.items():
                    claimed = adjusted.reshape(p.shape) < LEVEL
                    false[kind] += bool((claimed & ~truly).any())
                    found[kind] += claimed[truly].mean() if behind else 0.0
                if number < args.at_once:
                    false["once"] += bool(((all_at_once(rng, answers) < LEVEL) & ~truly).any())
            n = args.reports
            print(f"| {name} | {'yes' if second else 'no'} | {false['holm'] / n:.1%} | "
                  f"{false['step'] / n:.1%} | {false['once'] / min(n, args.at_once):.1%} | "
                  f"{found['holm'] / n:.1%} | {found['step'] / n:.1%} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
