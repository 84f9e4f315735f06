"""The published tables against this package, cell by cell.

``python benchmarks/published_cells.py`` takes the curves that ``derive_profiles`` finds in Tables 4
and 6-9 of XLGoBench and

1. computes SMD from them and compares it with Table 2, which was not used to derive them;
2. simulates answers of the paper's size (20 levels of 50 questions), sums them up as any results
   are, and prints ours beside Table 2 with both standard deviations.

A simulated data set differs from the published one by chance, so about two cells in three lie
within one standard deviation; ``--repeats`` averages over data sets. ``--pipeline`` sends the
questions of one model through generation, the simulated model, parsing and grading.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from derive_profiles import LANGUAGES, PROFILES, derive, published

from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import gamma_accuracy
from xlgo_metric.statistics.gaps import whole_divergence

ALL = ("en", *LANGUAGES)
HEAD = f"{'model':22}{'task':10}{'lang':6}{'curves':>8}{'ours':>9}{'sd':>7}{'Table 2':>10}{'sd':>7}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    models = tuple(published()["models"])
    parser.add_argument("--model", choices=models, action="append", help="default: all four")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=1, help="simulated data sets")
    parser.add_argument("--pipeline", action="store_true", help="through prompts and parsing")
    parser.add_argument("--per-level", type=int, default=50)
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for model in args.model or models:
        profile = derive(model)
        for seed in range(args.seed, args.seed + args.repeats):
            if args.pipeline:
                graded: Iterable[Record] = answered(model, profile, seed, args.per_level)
            else:
                graded = simulated(profile, seed, args.per_level)
            section = summarize(list(graded), seed=seed, permutations=99)
            rows += compared(model, profile, section)
    if args.repeats == 1:
        print(HEAD)
        for row in rows:
            print(line(row))
    report(rows)


def levels(low: float, high: float) -> np.ndarray:
    return np.rint(np.linspace(low, high, published()["levels"])).astype(int)


def simulated(profile: dict[str, Any], seed: int, per_level: int) -> Iterator[Record]:
    """Answers that are right with the probability of the profile's curve, graded already."""
    for task, curves in profile["tasks"].items():
        for language, curve in curves.items():
            stream = Stream("published cells", profile["model"], seed, task, language)
            for c in levels(*profile["ranges"][task]).tolist():
                chance = gamma_accuracy(c, curve["q"], curve["r"])
                for index, draw in enumerate(stream.uniforms((per_level,)).tolist()):
                    correct = draw < chance
                    name = f"{task}-test-s{seed}-c{c}-i{index}"
                    reference = {
                        "task": task,
                        "language": language,
                        "complexity": c,
                        "instance_id": name,
                    }
                    status = "correct" if correct else "wrong"
                    yield Record(Grade(correct, status, correct), reference)


def answered(model: str, profile: dict[str, Any], seed: int, per_level: int) -> Iterator[Record]:
    """Generated questions, answered by the simulated model from their text, parsed and graded."""
    import xlgo_dataset as xd
    import xlgo_metric as xm
    from xlgo_cli.simulate.simulator import Simulator

    simulator = Simulator(str(PROFILES / f"{model}.json"), seed=seed)
    family = xd.family("xlgobench")
    for task in profile["tasks"]:
        low, high = profile["ranges"][task]
        options = {
            "levels": published()["levels"],
            "c_min": int(low),
            "c_max": int(high),
            "per_level": per_level,
            "seed": seed,
        }
        for done, row in enumerate(family.rows(task, ALL, split="test", **options)):
            yield from xm.grade_all([simulator.answer(row["prompt"])], [row["reference"]])
            if done % 100 == 0:
                print(f"\r{model} {task} {done}    ", end="", file=sys.stderr)
    print(file=sys.stderr)


def compared(
    model: str, profile: dict[str, Any], section: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Each cell in percent: from the curves, simulated, and printed."""
    table = published()["models"][model]["tasks"]
    for task, curves in profile["tasks"].items():
        english = (curves["en"]["q"], curves["en"]["r"])
        for language in LANGUAGES:
            other = (curves[language]["q"], curves[language]["r"])
            exact = whole_divergence(english, other, *profile["ranges"][task])
            cell = section["tasks"][task]["languages"][language]
            value, sd = table[task]["smd"][language]
            yield {
                "model": model, "task": task, "language": language, "value": value, "sd": sd,
                "exact": 100 * float(exact.smd), "ours": 100 * cell["smd"],
                "our_sd": 100 * cell["smd_sd"],
                "rd": 100 * float(exact.rd), "rd_value": table[task]["rd"][language][0],
                "average_sd": 100 * cell["avg_acc_sd"] / table[task]["avg_acc"][language][1],
            }  # fmt: skip


def line(row: dict[str, Any]) -> str:
    apart = abs(row["ours"] - row["value"]) / row["sd"]
    mark = "" if apart <= 1 else " >1" if apart <= 2 else " >2"
    return (
        f"{row['model']:22}{row['task']:10}{row['language']:6}{row['exact']:8.2f}"
        f"{row['ours']:9.2f}{row['our_sd']:7.2f}{row['value']:10.2f}{row['sd']:7.2f}{mark}"
    )


def report(rows: list[dict[str, Any]]) -> None:
    column = {
        key: np.array([row[key] for row in rows])
        for key in ("value", "sd", "exact", "ours", "our_sd", "rd", "rd_value")
    }
    many = len(rows)
    cells = len({(row["model"], row["task"], row["language"]) for row in rows})
    exact = np.abs(column["exact"] - column["value"])
    rd = np.abs(column["rd"] - column["rd_value"])
    near = round(cells * float(np.mean(exact <= column["sd"])))
    print(
        f"\ncurves alone: {near} of {cells} cells within one published sd of Table 2; largest "
        f"difference {exact.max():.2f} points (reciprocal divergence and Table 5: {rd.max():.2f})"
    )
    apart = np.abs(column["ours"] - column["value"]) / column["sd"]
    ratio = column["our_sd"] / column["sd"]
    clear = np.abs(column["value"]) > 1.96 * column["sd"]
    for name, chosen in (("all", np.ones(many, bool)), ("marked", clear), ("unmarked", ~clear)):
        if chosen.any():
            print(
                f"simulated answers, {name} cells ({chosen.sum()}): within one sd "
                f"{np.mean(apart[chosen] <= 1):.1%}, within two {np.mean(apart[chosen] <= 2):.1%}; "
                f"our sd / published sd: median {np.median(ratio[chosen]):.2f}"
            )
    print("our sd / published sd, of SMD and of the average accuracy (which has one per language):")
    for pair in dict.fromkeys((row["model"], row["task"]) for row in rows):
        chosen = np.array([(row["model"], row["task"]) == pair for row in rows])
        average = np.array([row["average_sd"] for row in rows])[chosen]
        print(f"  {pair[0]:22}{pair[1]:10}{np.median(ratio[chosen]):6.2f}{np.median(average):6.2f}")


if __name__ == "__main__":
    main()
