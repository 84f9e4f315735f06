"""Error rates of the published rule and of the paired statistics, by simulation.

``nice python benchmarks/simulation_study.py`` (about 20 minutes of one processor at the default
1,000 repetitions) simulates two languages on the paper's design: 20 levels from 100 to 600, 50
questions each, the same in both languages, half accuracy at 300 in English. A gap is a shift of r;
phi is the correlation of the two answers to one question. It prints

- how often the published rule marks a gap (|SMD| above 1.96 sd of 300 Beta draws), for the SMD of
  the fitted curves, which the paper prints, and for the mean over the draws;
- how often the paired test rejects at .05;
- how often the bias-corrected interval holds the true SMD;
- the size of the paired test in a larger run, and how often 30 cells without any gap lead to at
  least one claim: by the published rule, and by Holm's p values.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaincinv

from xlgo_metric.statistics.differences import holm
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.statistics.gaps import REACH, curve_draws, divergence, gap
from xlgo_metric.statistics.paired import checked_counts, paired_test, whole_intervals

C = np.linspace(100, 600, 20)
N = 50
HALF = 300.0
STEEPNESSES = (3.0, 10.0, 30.0, 60.0)
CORRELATIONS = (0.0, 0.4)
GAPS = (0.0, 0.10)
LEVEL = 0.05
CELLS = 30
PERMUTATIONS = 1999
Curve = tuple[float, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--size-repetitions", type=int, default=4000)
    parser.add_argument("--gap", type=float, action="append", help="true SMD; default: 0 and 0.1")
    args = parser.parse_args()
    print(
        f"{'q':>4}{'phi':>6}{'gap':>6}{'published':>11}{'of mean':>9}{'paired':>8}{'covered':>9}"
        f"{'mean |SMD|':>12}{'sd/true sd':>12}{'corrected':>11}",
        flush=True,
    )
    claims = []
    for q in STEEPNESSES:
        for phi in CORRELATIONS:
            for size in args.gap or GAPS:
                found = study(q, phi, size, args.repetitions)
                print(row(q, phi, size, found), flush=True)
                if size == 0:
                    claims.append((phi, found["published"], found["p"]))
    for phi in CORRELATIONS if claims else ():
        print(families(phi, [c[1:] for c in claims if c[0] == phi]))
    if not args.size_repetitions:
        return
    print(f"\nsize of the paired test at {LEVEL}, {args.size_repetitions} repetitions")
    for q in STEEPNESSES:
        for phi in CORRELATIONS:
            print(f"  q {q:3.0f}  phi {phi:.1f}  {size_of_test(q, phi, args.size_repetitions):.4f}")


def curves(q: float, size: float) -> tuple[Curve, Curve]:
    """English, and a language whose curve is ``size`` below it at the worst."""
    r = q / 2 / (gammaincinv(q / 2, 0.5) * HALF**2)
    if size == 0:
        return (q, r), (q, r)

    def short(log_shift: float) -> float:
        other = (q, r * np.exp(log_shift))
        return float(divergence((q, r), other, C[0], C[-1]).smd) - size

    return (q, r), (q, r * np.exp(brentq(short, 0.0, 6.0)))


def pairs(english: Curve, other: Curve, phi: float, stream: Stream) -> np.ndarray:
    """Right in both, in English only, in the language only, in neither: shape (levels, 4)."""
    f, g = np.asarray(gamma_accuracy(C, *english)), np.asarray(gamma_accuracy(C, *other))
    both = f * g + phi * np.sqrt(f * (1 - f) * g * (1 - g))
    both = np.clip(both, np.maximum(0, f + g - 1), np.minimum(f, g))
    edges = np.stack([both, f, f + g - both], axis=1)
    draws = stream.uniforms((len(C), N))
    category = (draws[:, :, None] >= edges[:, None, :]).sum(axis=2)
    return np.stack([(category == i).sum(axis=1) for i in range(4)], axis=1)


def counts(table: np.ndarray) -> tuple[np.ndarray, ...]:
    """Arguments of the paired statistics."""
    k_en, k_l = table[:, 0] + table[:, 1], table[:, 0] + table[:, 2]
    return k_en, k_l, table[:, 1] + table[:, 2], np.full(len(C), N), C


def study(q: float, phi: float, size: float, repetitions: int) -> dict[str, Any]:
    english, other = curves(q, size)
    found: dict[str, list[float]] = {
        key: [] for key in ("published", "of_mean", "p", "covered", "smd", "sd", "estimate")
    }
    for repetition in range(repetitions):
        key = ("study", q, phi, size, repetition)
        data = counts(pairs(english, other, phi, Stream(*key)))
        k_en, k_l = data[0], data[1]
        fits = [curve_draws(C, k, N, stream=Stream(*key, i)) for i, k in enumerate((k_en, k_l))]
        smd = gap(fits[0], fits[1], C[0], C[-1]).smd
        mean = float(divergence(fits[0].curves, fits[1].curves, C[0], C[-1]).smd.mean())
        interval = whole_intervals({"": checked_counts(*data)}, seed=repetition).get("")
        found["published"].append(abs(smd.value) > REACH * smd.sd)
        found["of_mean"].append(abs(mean) > REACH * smd.sd)
        found["p"].append(paired_test(*data, draws=PERMUTATIONS, seed=repetition))
        found["smd"].append(smd.value)
        found["sd"].append(smd.sd)
        if interval is not None:
            found["covered"].append(interval.low <= size <= interval.high)
            found["estimate"].append(interval.estimate)
    return {key: np.array(values) for key, values in found.items()}


def row(q: float, phi: float, size: float, found: dict[str, Any]) -> str:
    spread = found["sd"].mean() / found["smd"].std()
    return (
        f"{q:4.0f}{phi:6.1f}{size:6.2f}{found['published'].mean():11.3f}"
        f"{found['of_mean'].mean():9.3f}{np.mean(found['p'] <= LEVEL):8.3f}"
        f"{found['covered'].mean():9.3f}{np.abs(found['smd']).mean():12.3f}{spread:12.2f}"
        f"{found['estimate'].mean():11.3f}"
    )


def families(phi: float, claims: list[tuple[np.ndarray, np.ndarray]]) -> str:
    """Reports of 30 independent cells without a gap: how many of them claim something."""
    published = np.concatenate([found for found, _ in claims])
    p = np.concatenate([found for _, found in claims])
    # Steepnesses alternate, so that every report holds all of them.
    published, p = (x.reshape(len(claims), -1).T.ravel() for x in (published, p))
    reports = len(p) // CELLS
    raw = published[: reports * CELLS].reshape(reports, CELLS).any(axis=1).mean()
    test = p[: reports * CELLS].reshape(reports, CELLS)
    corrected = np.mean([(holm(cells) <= LEVEL).any() for cells in test])
    return (
        f"phi {phi:.1f}: of {reports} reports of {CELLS} cells without a gap, the published rule "
        f"claims something in {raw:.1%}, Holm's p in {corrected:.1%}"
    )


def size_of_test(q: float, phi: float, repetitions: int) -> float:
    english, other = curves(q, 0.0)
    rejected = 0
    for repetition in range(repetitions):
        data = counts(pairs(english, other, phi, Stream("size", q, phi, repetition)))
        rejected += paired_test(*data, draws=PERMUTATIONS, seed=repetition) <= LEVEL
    return rejected / repetitions


if __name__ == "__main__":
    main()
