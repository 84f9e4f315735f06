"""Speed of the fits and of a whole summary, as ratios of one run.

``python benchmarks/bench_fits.py`` times 35 x 300 least-squares fits (five puzzles, seven
languages, 300 Beta draws) against a loop of ``scipy.optimize.curve_fit``, compares the curves,
and times ``summarize`` on 35,000 graded answers. The medians of interleaved rounds are printed,
in processor seconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from goals import tell
from scipy.optimize import curve_fit
from scipy.special import gammainc

from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import fit_curves, gamma_accuracy

TASKS = ("slt", "dsa", "prdsa", "graph_sp", "t_rank")
LANGUAGES = ("en", "ar", "hi", "ja", "ta", "te", "zh")
C = np.linspace(100, 600, 20)
PER_LEVEL = 50
DRAWS = 300
GOAL = 8.0
ALLOWED = 1e-4
FIRST = 7  # scipy fits every seventh draw; its time is scaled


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def curve(c, q, r):
    return gammainc(q / 2, q / (2 * r * c * c))


def data() -> tuple[np.ndarray, np.ndarray]:
    """Correct answers of 35 cells, shape (35, 20), and their Beta draws, shape (35, 300, 20)."""
    stream = Stream("bench fits")
    shape = (len(TASKS) * len(LANGUAGES), 1)
    q = 3.0 * 20.0 ** stream.uniforms(shape)
    half = 200.0 + 200.0 * stream.uniforms(shape)
    accuracy = gamma_accuracy(C, q, half**-2)
    right = (stream.uniforms((*accuracy.shape, PER_LEVEL)) < accuracy[..., None]).sum(axis=-1)
    n = np.full(len(C), float(PER_LEVEL))
    draws = [Stream("bench fits", i).betas(k.astype(float), n, DRAWS) for i, k in enumerate(right)]
    return right, np.array(draws)


def looped(p: np.ndarray, start: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    fits = [
        [curve_fit(curve, C, row, p0=begin)[0] for row in rows[::FIRST]]
        for rows, begin in zip(p, zip(*start))
    ]
    return np.array(fits)


def records(right: np.ndarray) -> list[Record]:
    """35,000 graded answers with the correct answers of :func:`data`."""
    found = []
    cells = [(task, language) for task in TASKS for language in LANGUAGES]
    for (task, language), counts in zip(cells, right):
        for level, (c, k) in enumerate(zip(np.rint(C).astype(int).tolist(), counts.tolist())):
            for index in range(PER_LEVEL):
                correct = (index + 7 * level) % PER_LEVEL < k
                reference = {
                    "task": task, "language": language, "complexity": c, "level": level,
                    "instance_id": f"{task}-test-s0-c{c}-i{index}", "seed": 0, "data": 1,
                }  # fmt: skip
                status = "correct" if correct else "wrong"
                found.append(Record(Grade(correct, status, correct), reference))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    right, p = data()
    base = fit_curves(C, right / PER_LEVEL)
    start = base[0][:, None], base[1][:, None]
    graded = records(right)
    ours, scipys, summaries = [], [], []
    for _ in range(rounds):
        ours.append(seconds(lambda: fit_curves(C, p, start=start)))
        scipys.append(FIRST * seconds(lambda: looped(p, base)) * _share(p))
        summaries.append(seconds(lambda: summarize(graded)))
    q, r = fit_curves(C, p, start=start)
    reference = looped(p, base)
    grid = np.linspace(C.min(), C.max(), 101)
    apart = np.abs(
        gamma_accuracy(grid, q[:, ::FIRST, None], r[:, ::FIRST, None])
        - gamma_accuracy(grid, reference[..., :1], reference[..., 1:])
    ).max(axis=-1)
    batch, loop = statistics.median(ours), statistics.median(scipys)
    print(f"{p[..., 0].size} fits: batched {batch:.3f} s, scipy loop {loop:.2f} s")
    tell("fits in a loop of scipy / batched fits", loop / batch, least=GOAL)
    print(f"curves apart by at most {apart.max():.1e} (allowed {ALLOWED:.0e})")
    print(f"summarize, {len(graded)} answers, all statistics: {statistics.median(summaries):.2f} s")


def _share(p: np.ndarray) -> float:
    """Corrects for rows that do not divide by FIRST."""
    draws = p.shape[1]
    return draws / (FIRST * len(range(0, draws, FIRST)))


if __name__ == "__main__":
    main()
