"""What the adaptive design saves, and whether its statistics hold, by simulation.

``python benchmarks/adaptive.py savings`` (and ``location``, ``size``, ``spread``, ``shapes``,
``profiles``) simulates languages whose answers to one question are correlated, lets the product's
own planner choose the questions and the product's own statistics judge the answers. ``--cells`` and
``--repetitions`` set how much is simulated. RESULTS.md has the figures.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence

import numpy as np
from adaptive_simulation import (
    LEVELS,
    PER_LEVEL,
    Language,
    Run,
    adaptive_runs,
    even_runs,
    true_gap,
)
from derive_profiles import PROFILES, published
from scipy.special import gammaincinv

from xlgo_dataset.family import family_of
from xlgo_metric.statistics.adaptive import Design, central_spread, draws_interval, paired_draws
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import fit_curves, fit_weighted
from xlgo_metric.statistics.gaps import divergence, gap
from xlgo_metric.statistics.paired import exchange_test

LEVEL = 0.05
RANGE = (2, 2090)
PERMUTATIONS = 1999
STEEPNESSES = (3.0, 10.0, 30.0, 60.0)
CORRELATIONS = (0.0, 0.4, 0.6)
CLOSE = (300, 320, 290, 280, 330, 270, 310)
"""Half-accuracies of seven languages, English first; and some that are far apart."""
WIDE = (300, 330, 250, 210, 290, 170, 320)


def gaps_of(run: Run, low: float, high: float, *, even: bool = False) -> np.ndarray:
    """The estimated SMD of every language but English, as the report has it of the design."""
    found = []
    for other in range(1, len(run.right)):
        pairs = run.pairs(other)
        fits = [
            fit_curves(pairs.c, k / pairs.n, n=pairs.n)
            if even
            else fit_weighted(pairs.c, k, pairs.n)[:2]
            for k in (pairs.k_base, pairs.k_other)
        ]
        found.append(float(divergence(*fits, low, high).smd) if len(pairs.c) > 1 else 0.0)
    return np.array(found)


def errors(
    runs: Sequence[Run], languages: Sequence[Language], ends: tuple[int, int], *, even: bool = False
) -> np.ndarray:
    """Root mean square error of the SMD of each language but English."""
    truth = np.array([true_gap(languages[0], other, *ends) for other in languages[1:]])
    found = np.array([gaps_of(run, *ends, even=even) for run in runs])
    return np.sqrt(((found - truth) ** 2).mean(axis=0))


def savings(args: argparse.Namespace) -> None:
    """Prompts that 20 even levels x 50 need for the error of this design, over its own."""
    print(f"{'q':>4} {'gaps':>6} {'even':>7} {'adaptive':>9} {'prompts':>8} {'saving':>7}")
    for name, halves in (("close", CLOSE), ("wide", WIDE)):
        for q in args.q:
            rng = np.random.default_rng(int(q))
            languages = [Language(q, half) for half in halves]
            design = Design(100, 600, len(languages), args.budget)
            ours = adaptive_runs(design, languages, args.phi, args.repetitions, rng)
            even = even_runs((100, 600), languages, args.phi, args.repetitions, rng)
            a = errors(ours, languages, (100, 600))
            e = errors(even, languages, (100, 600), even=True)
            prompts = np.mean([len(run.c) for run in ours])
            saving = np.exp(np.log(e**2 * LEVELS * PER_LEVEL / (a**2 * prompts)).mean())
            print(
                f"{q:4.0f} {name:>6} {e.mean():7.4f} {a.mean():9.4f} {prompts:8.0f} {saving:7.2f}",
                flush=True,
            )


def location(args: argparse.Namespace) -> None:
    """Error of the SMD where nothing is known of the location, range 2..2090."""
    print(f"{'q':>4} {'half':>6} {'even':>7} {'adaptive':>9} {'prompts':>8}")
    for q in (10.0, 30.0):
        for half in (20, 100, 500, 1500):
            rng = np.random.default_rng(half)
            languages = [Language(q, half * x / 300) for x in CLOSE]
            design = Design(2, 2090, len(languages), args.budget)
            ours = adaptive_runs(design, languages, args.phi, args.repetitions, rng)
            even = even_runs((32, 2090), languages, args.phi, args.repetitions, rng)
            a = errors(ours, languages, RANGE).mean()
            e = errors(even, languages, RANGE, even=True).mean()
            prompts = np.mean([len(run.c) for run in ours])
            print(f"{q:4.0f} {half:6d} {e:7.3f} {a:9.4f} {prompts:8.0f}", flush=True)


def rejected(run: Run, other: int, seed: int) -> bool:
    """The paired test of English and a language says that they differ."""
    pairs = run.pairs(other)
    return exchange_test(pairs, draws=PERMUTATIONS, seed=seed) <= LEVEL


FAR = (300, 80)
"""Half-accuracies of ten languages and of three, English one of these: where "the language changes
nothing" holds of languages that fall far from the others."""


def size(args: argparse.Namespace) -> None:
    """How often the paired test rejects where no language differs."""
    print(f"{'languages':>10} {'q':>4} {'phi':>5} {'cells':>6} {'rejected':>9} {'prompts':>8}")
    for setting in args.settings:
        for q in args.q:
            many, few = (Language(q, half) for half in FAR)
            alike = setting == "alike"
            languages = [many] * args.languages if alike else [few] * 3 + [many] * 10
            others = range(1, len(languages) if alike else 3)
            for phi in args.phis:
                rng = np.random.default_rng(int(100 * q + 10 * phi) + 7 * alike)
                _size_row(args, languages, others, (setting, q, phi), rng)


def _size_row(
    args: argparse.Namespace,
    languages: Sequence[Language],
    others: range,
    row: tuple[str, float, float],
    rng: np.random.Generator,
) -> None:
    setting, q, phi = row
    design = Design(2, 2090, len(languages), args.budget)
    runs = -(-args.cells // len(others))
    found = adaptive_runs(design, languages, phi, runs, rng)
    cells = [
        rejected(run, other, 100 * number + other)
        for number, run in enumerate(found)
        for other in others
    ]
    print(
        f"{setting:>10} {q:4.0f} {phi:5.1f} {len(cells):6d} "
        f"{np.mean(cells):9.3f} {np.mean([len(run.c) for run in found]):8.0f}",
        flush=True,
    )


HEADINGS = f"{'gap':>6} {'true sd':>8} {'printed':>8} {'ratio':>6} {'covered':>8}"


def spread(args: argparse.Namespace) -> None:
    """Printed over true standard deviation, coverage of the interval."""
    print(f"{'q':>4} {'phi':>5} {HEADINGS}")
    for q in args.q:
        for phi in args.phis:
            for shift in (1.0, 0.9, 0.75):
                rng = np.random.default_rng(int(1000 * q + 10 * phi + 100 * shift))
                languages = [Language(q, 300)] * 3 + [Language(q, 300 * shift)]
                report(f"{q:4.0f} {phi:5.1f}", languages, phi, rng, args)


def report(
    label: str, languages: Sequence[Language], phi: float, rng: np.random.Generator,
    args: argparse.Namespace, *, failed: float = 0,
) -> None:  # fmt: skip
    """A line of ``spread``: of English and the last language."""
    low, high = RANGE
    last = len(languages) - 1
    design = Design(low, high, len(languages), args.budget)
    truth = true_gap(languages[0], languages[-1], low, high)
    found, printed, covered = [], [], []
    runs = adaptive_runs(design, languages, phi, args.repetitions, rng, failed=failed)
    for number, run in enumerate(runs):
        counts = run.pairs(last)
        draws = paired_draws(counts, stream=Stream(label, number))
        smd = gap(*draws, low, high, sd=central_spread).smd
        interval = draws_interval(*draws, low, high, pairs=int(counts.n.sum()))
        found.append(smd.value)
        printed.append(smd.sd)
        covered.append(interval.low - 1e-9 <= truth <= interval.high + 1e-9)
    true_sd = float(np.std(found))
    print(
        f"{label} {truth:6.3f} {true_sd:8.4f} {np.mean(printed):8.4f} "
        f"{np.mean(printed) / true_sd:6.2f} {np.mean(covered):8.3f}",
        flush=True,
    )


SHAPES: dict[str, list[Language]] = {
    "ceiling .97": [Language(20, 300, 0.97)] * 3 + [Language(20, 250, 0.97)],
    "ceiling .92": [Language(20, 300, 0.92)] * 3 + [Language(20, 250, 0.92)],
    "floor .04": [Language(20, 300, 1.0, 0.04)] * 3 + [Language(20, 250, 1.0, 0.04)],
    "other q": [Language(30, 300)] * 3 + [Language(6, 270)],
    "crossing": [Language(30, 300)] * 3 + [Language(5, 320)],
    "one far, of 7": [Language(20, 300)] * 6 + [Language(20, 200)],
    "one farther, of 7": [Language(20, 300)] * 6 + [Language(20, 120)],
    "farther yet, of 7": [Language(20, 300)] * 6 + [Language(20, 60)],
    "one far, of 2": [Language(20, 300), Language(20, 120)],
    "q 10, one far, of 7": [Language(10, 300)] * 6 + [Language(10, 100)],
    "q 60, one far, of 7": [Language(60, 300)] * 6 + [Language(60, 220)],
}


def shapes(args: argparse.Namespace) -> None:
    """What the design was not made for; the columns are those of ``spread``."""
    print(f"{'':>22} {HEADINGS}")
    for name, languages in SHAPES.items():
        report(f"{name:>22}", languages, args.phi, np.random.default_rng(len(name)), args)
    for share in (0.1, 0.3):
        languages = [Language(20, 300)] * 3 + [Language(20, 250)]
        name = f"{share:.0%} of a batch fail"
        rng = np.random.default_rng(len(name))
        report(f"{name:>22}", languages, args.phi, rng, args, failed=share)


def profiles(args: argparse.Namespace) -> None:
    """The published models: how often the SMD is within two published sd of the published one."""
    tables = published()["models"]
    print(
        f"{'model':>22} {'task':>9} {'cells':>6} {'adaptive':>9} {'fixed':>6} {'size':>6} "
        f"{'prompts':>8}"
    )
    every: list[tuple[float, ...]] = []
    for model, table in tables.items():
        profile = json.loads((PROFILES / f"{model}.json").read_text("utf-8"))
        for task, cells in profile["tasks"].items():
            ends = profile["ranges"][task]
            names = [name for name in cells if name != "en"]
            halves = {name: half_accuracy(cell["q"], cell["r"]) for name, cell in cells.items()}
            languages = [Language(cells[name]["q"], halves[name]) for name in ("en", *names)]
            least, top = family_of(task).complexity_range(task)
            design = Design(least, max(top, ends[1]), len(languages), args.budget)
            rng = np.random.default_rng(7)
            ours = adaptive_runs(design, languages, args.phi, args.sets, rng)
            even = even_runs(tuple(ends), languages, args.phi, args.sets, rng)
            printed = np.array([table["tasks"][task]["smd"][name] for name in names]) / 100
            near = [
                np.mean(
                    [
                        np.abs(gaps_of(run, *ends, even=fixed) - printed[:, 0]) <= 2 * printed[:, 1]
                        for run in runs
                    ]
                )
                for runs, fixed in ((ours, False), (even, True))
            ]
            size = np.mean([asked_size(run) for run in even])
            size /= np.mean([asked_size(run) for run in ours])
            prompts = np.mean([len(run.c) for run in ours])
            every.append((*near, len(names), prompts))
            print(
                f"{model:>22} {task:>9} {len(names) * args.sets:6d} {near[0]:9.3f} {near[1]:6.3f} "
                f"{size:6.1f} {prompts:8.0f}",
                flush=True,
            )
    a, e, weight, prompts = np.array(every).T
    print(
        f"all: adaptive {np.average(a, weights=weight):.3f}, fixed "
        f"{np.average(e, weights=weight):.3f}, prompts in a language "
        f"{np.average(prompts, weights=weight):.0f}"
    )


def asked_size(run: Run) -> float:
    """The sum of the complexities asked, over all languages: prompts and tokens grow with it."""
    return float(run.c.sum() * len(run.right))


def half_accuracy(q: float, r: float) -> float:
    """The complexity at which the curve is one half."""
    return float(np.sqrt(q / (2 * r * gammaincinv(q / 2, 0.5))))


WHAT: dict[str, Callable[[argparse.Namespace], None]] = {
    "savings": savings,
    "location": location,
    "size": size,
    "spread": spread,
    "shapes": shapes,
    "profiles": profiles,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", choices=[[], *WHAT], default=[])
    parser.add_argument("--repetitions", type=int, default=100, help="runs of each row")
    parser.add_argument("--cells", type=int, default=600, help="null cells of each row of size")
    parser.add_argument("--q", type=float, nargs="+", default=STEEPNESSES, help="steepnesses")
    parser.add_argument("--phis", type=float, nargs="+", default=CORRELATIONS)
    parser.add_argument("--languages", type=int, default=7, help="asked together, of size")
    parser.add_argument("--budget", type=int, default=300, help="prompts per language")
    parser.add_argument(
        "--settings", nargs="+", choices=("alike", "far"), default=("alike", "far"), help="of size"
    )
    parser.add_argument("--sets", type=int, default=10, help="data sets of each profile")
    parser.add_argument("--phi", type=float, default=0.5, help="correlation of two answers")
    args = parser.parse_args()
    for name in args.what or WHAT:
        print(f"\n{name}: {vars(args)}")
        began = time.perf_counter()
        WHAT[name](args)
        print(f"({time.perf_counter() - began:.0f} s)")


if __name__ == "__main__":
    main()
