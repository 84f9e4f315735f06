"""Whether several questions about one puzzle would give the same error for less money.

``python benchmarks/questions_per_instance.py [--repetitions 200]``. Questions about one puzzle
share 93% of their tokens (other keys, another pair of people), and a cached token costs a tenth.
But their answers are correlated, so that more of them are needed. Answers are simulated and go
through the planner of adaptive designs, which asks k questions of every puzzle that it chooses.
Printed are the variance of the gap against one question a puzzle at equally many prompts, and the
price of the same variance, by how many tokens a model thinks (a share of the prompt's tokens, each
at the price of five tokens of input).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from adaptive import CLOSE, gaps_of
from adaptive_simulation import Answers, Language, _latent, adaptive_runs, true_gap

from xlgo_metric.statistics.adaptive.design import Design

ENDS = (100, 600)
SHARED, CACHED, OUTPUT = 0.93, 0.1, 5.0
"""Share of a prompt that questions about one puzzle have in common; the price of a cached token and
of a token of output, both in tokens of input."""
THINKING = (0.0, 0.05, 0.2, 1.0)
GOAL = 0.5


class OfInstances(Answers):
    """Answers to ``k`` questions a puzzle, correlated by ``rho`` in one language.

    What a question has in common in all languages, and what it has in one alone, belongs to the
    puzzle by the same share.
    """

    def __init__(
        self,
        languages: Sequence[Language],
        phi: float,
        rng: np.random.Generator,
        k: int,
        rho: float,
    ) -> None:
        super().__init__(languages, phi, rng)
        self.k, self.of_instance = k, _latent(rho)

    def ask(self, c: np.ndarray, of: Sequence[int] | None = None) -> np.ndarray:
        limits = np.stack([self._limit(int(size)) for size in c], axis=1)
        limits = limits if of is None else limits[list(of)]
        shared = self._drawn(c, 1) * np.sqrt(self.share)
        own = self._drawn(c, len(limits)) * np.sqrt(1 - self.share)
        return shared + own < limits

    def _drawn(self, c: np.ndarray, rows: int) -> np.ndarray:
        """Standard normal values, shape (rows, questions), correlated within puzzles."""
        starts = np.flatnonzero(np.r_[True, c[1:] != c[:-1]])
        within = np.arange(len(c)) - np.repeat(starts, np.diff(np.r_[starts, len(c)]))
        puzzle = np.cumsum(within % self.k == 0) - 1  # k of one complexity after the other
        instances = self.rng.standard_normal((rows, int(puzzle[-1]) + 1))[:, puzzle]
        questions = self.rng.standard_normal((rows, len(c)))
        found: np.ndarray = np.sqrt(self.of_instance) * instances
        return found + np.sqrt(1 - self.of_instance) * questions


def price(k: int, thinking: float) -> float:
    """Of a prompt with its answer, in prompts without a cache."""
    return SHARED * (1 + CACHED * (k - 1)) / k + (1 - SHARED) + OUTPUT * thinking


def variance(k: int, rho: float, args: argparse.Namespace) -> float:
    """Mean squared error of the gaps times the prompts asked."""
    rng = np.random.default_rng(1)
    languages = [Language(args.q, half) for half in CLOSE]
    design = Design(*ENDS, len(languages), args.budget)
    answers = OfInstances(languages, args.phi, rng, k, rho)
    runs = adaptive_runs(design, languages, args.phi, args.repetitions, rng, answers=answers)
    truth = np.array([true_gap(languages[0], other, *ENDS) for other in languages[1:]])
    off = np.array([gaps_of(run, *ENDS) for run in runs]) - truth
    return float((off**2).mean() * np.mean([len(run.c) for run in runs]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--q", type=float, default=10.0)
    parser.add_argument("--phi", type=float, default=0.5)
    parser.add_argument("--budget", type=int, default=300)
    args = parser.parse_args()
    one = variance(1, 0.0, args)
    print(
        "| k | correlation | variance | " + " | ".join(f"price, {t:.0%}" for t in THINKING) + " |"
    )
    print("|" + "---|" * (3 + len(THINKING)))
    best = np.inf
    for k in (2, 3, 5, 10):
        for rho in (0.2, 0.4, 0.6, 0.8):
            more = variance(k, rho, args) / one
            prices = [more * price(k, t) / price(1, t) for t in THINKING]
            best = min(best, *prices)
            print(
                f"| {k} | {rho} | {more:.2f} | " + " | ".join(f"{p:.2f}" for p in prices) + " |",
                flush=True,
            )
    print(f"\nlowest price of the same error: {best:.2f} (worth building at {GOAL} or less)")


if __name__ == "__main__":
    main()
