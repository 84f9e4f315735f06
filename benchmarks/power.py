"""Power of the paired test beside McNemar's, at 15 questions a level.

``python benchmarks/power.py [--repeats 4000]``

20 levels from 100 to 600, a curve of steepness 8 that is one half at 300, answers to a question
independent or correlated at .1 or .4. The other language has its half earlier (shift), a lower
steepness, or a ceiling; the sizes are those that give McNemar's exact test, which counts all
discordant pairs alike, a power of .68, .15 and .28. With ``--repeats 4000`` a power is known to
about ±.015.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.special import gammaincinv
from scipy.stats import binomtest
from simulation_study import C

from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.statistics.paired import paired_test

QUESTIONS, LEVEL = 15, 0.05


def curve(q: float, half: float, ceiling: float = 1.0) -> np.ndarray:
    return ceiling * np.asarray(gamma_accuracy(C, q, q / 2 / (gammaincinv(q / 2, 0.5) * half**2)))


ENGLISH = curve(8, 300)
OTHERS = {
    (alike, name): other
    for alike, half, q, ceiling in (
        (0.0, 268.8, 3.61, 0.910),
        (0.1, 270.4, 3.74, 0.915),
        (0.4, 275.1, 4.22, 0.928),
    )
    for name, other in (
        ("no gap", ENGLISH),
        (f"one half at {half}", curve(8, half)),
        (f"steepness {q}", curve(q, 300)),
        (f"a ceiling of {ceiling}", curve(8, 300, ceiling)),
    )
}
"""The other language, by the correlation of the answers."""


def power(alike: float, other: np.ndarray, repeats: int) -> tuple[float, float]:
    """How often the paired test and McNemar's reject at 5%."""
    rng, f = np.random.default_rng(28), ENGLISH
    both = f * other + alike * np.sqrt(f * (1 - f) * other * (1 - other))
    both = np.clip(both, np.maximum(0, f + other - 1), np.minimum(f, other))
    chances = np.stack([both, f - both, other - both, 1 - f - other + both], axis=1)
    found = np.zeros(2)
    for seed in range(repeats):
        right, first, second, _ = rng.multinomial(QUESTIONS, chances.clip(0, 1)).T
        counts = (right + first, right + second, first + second, QUESTIONS, C)
        found += [
            paired_test(*counts, draws=999, seed=seed) <= LEVEL,
            binomtest(int(first.sum()), max(int((first + second).sum()), 1)).pvalue <= LEVEL,
        ]
    return tuple(found / repeats)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=4000)
    args = parser.parse_args()
    print("| correlation | the other language | paired test | McNemar's exact test |")
    print("|---|---|---|---|")
    for (alike, name), other in OTHERS.items():
        paired, mcnemar = power(alike, other, args.repeats)
        print(f"| {alike:g} | {name} | {paired:.3f} | {mcnemar:.3f} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
