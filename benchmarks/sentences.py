"""Are the sentences true? Every kind of claim, counted on data of known truth.

``python benchmarks/sentences.py [--sets 1000] [--questions 50]``

Answers are made with known accuracies in two tasks and four languages, the answers to a question
correlated at .5; report and terminal are asked for their sentences. For every kind of sentence
that asserts something (``scripts/display/sentences.py``) and every scenario, the table says in how
many data sets it was printed although its assertion is false (at most 5%; upper 95% limit beside
it), and how often it was printed at all. ``MUST`` lists what a large true effect must lead to, so
that a report that says nothing does not pass. What is said of several models, and of conditions, is
not made here.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaincinv, ndtri

from xlgo_cli.display.sentences import SENTENCES, Said
from xlgo_cli.report.brief.worst import worst_sentence
from xlgo_cli.report.findings import findings
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.statistics.gamma import gamma_accuracy

TASKS = ("slt", "t_rank")
LANGUAGES = ("en", "hi", "ta", "te")
LOW, HIGH = 100, 600
ALL = np.arange(LOW, HIGH + 1)
ALIKE = 0.5
_ROUNDING = 1e-9

Curve = Callable[[np.ndarray], np.ndarray]


def gamma(half: float, q: float = 15.0) -> Curve:
    return lambda c: np.asarray(gamma_accuracy(c, q, half**-2.0))


def step(at: float) -> Curve:
    return lambda c: np.where(c < at, 0.95, 0.05)


def raised(floor: float, half: float) -> Curve:
    return lambda c: floor + (1 - floor) * np.asarray(gamma_accuracy(c, 15.0, half**-2.0))


@dataclass(frozen=True)
class Scenario:
    """Known accuracies by task and language, the levels and questions of each."""

    curves: Mapping[str, Mapping[str, Curve]]
    levels: int = 20
    questions: int | None = None

    @property
    def sizes(self) -> np.ndarray:
        return np.round(np.linspace(LOW, HIGH, self.levels)).astype(int)


def alike(**changed: Curve) -> dict[str, dict[str, Curve]]:
    """Two tasks in which all languages are the same, but those named."""
    return {task: {code: changed.get(code, gamma(300)) for code in LANGUAGES} for task in TASKS}


SCENARIOS = {
    "no gap": Scenario(alike()),
    "one behind": Scenario(alike(te=gamma(200))),
    "all behind alike": Scenario(alike(te=gamma(240), ta=gamma(240), hi=gamma(240))),
    "crossing": Scenario(alike(te=gamma(310, 2.0))),
    "floors": Scenario(alike(**dict.fromkeys(LANGUAGES, raised(0.6, 300)))),
    "steps": Scenario(alike(en=step(330), **dict.fromkeys(LANGUAGES[1:], step(270)))),
    "few answers": Scenario(alike(te=gamma(240)), levels=8, questions=10),
    "few answers, no gap": Scenario(alike(), levels=8, questions=10),
}
MUST = {
    ("one behind", "verdict.most"): 0.9,
    ("one behind", "pairs.behind"): 0.95,
    ("one behind", "gap.difference"): 0.95,
    ("all behind alike", "verdict.lowest"): 0.8,
    ("crossing", "gap.reverses"): 0.5,
    ("floors", "gap.misfit"): 0.0,
    ("steps", "gap.misfit"): 0.9,
    ("few answers", "gap.small"): 0.1,
}
"""The least share of data sets in which a large true effect is said."""


class Truth:
    """What is true of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        sizes = scenario.sizes
        self.gaps = {
            (task, code): curves["en"](ALL) - curves[code](ALL)
            for task, curves in scenario.curves.items() for code in LANGUAGES[1:]
        }  # fmt: skip
        self.asked = {key: gap[sizes - LOW] for key, gap in self.gaps.items()}
        self.mean = {
            code: float(np.mean([self.asked[task, code].mean() for task in TASKS]))
            for code in LANGUAGES[1:]
        }

    def holds(self, kind: str, fields: Mapping[str, Any]) -> bool | None:
        """Whether what was said is true; ``None`` where it asserts nothing that is known here."""
        checks: dict[str, Callable[[Mapping[str, Any]], bool]] = {
            "verdict.most": self._most,
            "verdict.lowest": lambda f: self._mean_held(f) and self.mean[f["code"]] > _ROUNDING,
            "verdict.none": self._mean_held,
            "verdict.in_some": lambda f: all(self._is(cell, 1) for cell in f["cells"]),
            "verdict.equal": lambda f: all(abs(self.mean[code]) <= 0.05 for code in f["codes"]),
            "verdict.nowhere": self._nowhere,
            "pairs.behind": self._ways,
            "pairs.unclear": lambda f: all(self._differs(cell) for cell in f["cells"]),
            "gap.but_significant": lambda f: self._differs((f["task"], f["code"])),
            "gap.reverses": lambda f: all(self._is((f["task"], f["code"]), s) for s in (1, -1)),
            "gap.curves": self._largest_held,
            "gap.small": self._largest_held,
            "gap.difference": lambda f: self._levels_held(f, self.scenario.sizes),
            "gap.counted": lambda f: self._levels_held(f, f["levels"]),
        }
        return checks[kind](fields) if kind in checks else None

    def _most(self, fields: Mapping[str, Any]) -> bool:
        rest = [gap for code, gap in self.mean.items() if code != fields["code"]]
        first = self.mean[fields["code"]] > max(*rest, 0.0) + _ROUNDING
        return first and self._mean_held(fields)

    def _mean_held(self, fields: Mapping[str, Any]) -> bool:
        low, high = fields["limits"]
        return bool(low <= self.mean[fields["code"]] <= high)

    def _nowhere(self, fields: Mapping[str, Any]) -> bool:
        keys = [(task, code) for code in fields["codes"] for task in TASKS]
        return all(np.abs(self.asked[key]).max() <= 0.05 for key in keys)

    def _ways(self, fields: Mapping[str, Any]) -> bool:
        sides = {"behind": (1,), "ahead": (-1,), "crosses": (1, -1), "unclear": ()}
        said_of = [(cell, s) for way, cells in fields["ways"].items() for cell in cells
                   for s in sides[way]]  # fmt: skip
        return all(self._is(cell, sign) for cell, sign in said_of)

    def _largest_held(self, fields: Mapping[str, Any]) -> bool:
        gap, (low, high) = self.gaps[fields["task"], fields["code"]], fields["limits"]
        true = float(gap[np.abs(gap).argmax()])
        return bool(low - _ROUNDING <= true <= high + _ROUNDING)

    def _levels_held(self, fields: Mapping[str, Any], levels: Any) -> bool:
        key, (low, high) = (fields["task"], fields["code"]), fields["limits"]
        true = float(self.asked[key][np.isin(self.scenario.sizes, levels)].mean())
        return bool(low - _ROUNDING <= true <= high + _ROUNDING)

    def _differs(self, cell: tuple[str, str]) -> bool:
        return self._is(cell, 1) or self._is(cell, -1)

    def _is(self, cell: tuple[str, str], sign: int) -> bool:
        return bool((sign * self.gaps[cell]).max() > _ROUNDING)


def said(scenario: Scenario, questions: int, seed: int) -> list[tuple[str, dict[str, Any]]]:
    """The parts of all sentences that one data set leads to."""
    rng = np.random.default_rng([seed, 28])
    records = []
    for task, curves in scenario.curves.items():
        for size in scenario.sizes.tolist():
            n = scenario.questions or questions
            common = rng.standard_normal(n)
            for code, curve in curves.items():
                lean = np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * rng.standard_normal(n)
                right = lean < ndtri(np.clip(float(curve(np.array([size]))[0]), 1e-9, 1 - 1e-9))
                records += [_record(task, code, size, i, bool(right[i])) for i in range(n)]
    section = summarize(records, permutations=999, draws=100, seed=seed)
    every = [*worst_sentence(section), *findings(section)]
    return [part for _, text in every if isinstance(text, Said) for part in text.parts]


def _record(task: str, code: str, size: int, index: int, right: bool) -> Record:
    reference = {
        "task": task, "language": code, "complexity": size, "index": index, "text": "paper",
        "instance_id": f"{task}-c{size}-i{index}", "seed": 0, "split": "test", "data": 1,
    }  # fmt: skip
    return Record(Grade(right, "correct" if right else "wrong", right, None, {}), reference)


def audit(name: str, sets: int, questions: int) -> tuple[Counter[str], Counter[str]]:
    """Data sets of a scenario that print each kind of sentence, and that print it falsely."""
    truth = Truth(SCENARIOS[name])
    printed: Counter[str] = Counter()
    false: Counter[str] = Counter()
    for seed in range(sets):
        found: dict[str, bool] = defaultdict(bool)
        for kind, fields in said(SCENARIOS[name], questions, seed):
            held = truth.holds(kind, fields)
            if SENTENCES[kind].is_claim or held is not None or kind == "gap.misfit":
                found[kind] |= held is False
        printed.update(found.keys())
        false.update(kind for kind, wrong in found.items() if wrong)
    return printed, false


def upper(k: int, n: int) -> float:
    """Clopper and Pearson's upper 97.5% limit."""
    return 1.0 if k == n else float(betaincinv(k + 1.0, n - k, 0.975))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1000, help="data sets of each scenario")
    parser.add_argument("--questions", type=int, default=50, help="of each level")
    parser.add_argument("--scenarios", default=",".join(SCENARIOS))
    args = parser.parse_args()
    print(
        "| scenario | sentence | printed | printed and false | upper limit |\n|---|---|---|---|---|"
    )
    failed = 0
    for name in args.scenarios.split(","):
        printed, false = audit(name, args.sets, args.questions)
        for kind in sorted(printed):
            k, n = false[kind], args.sets
            rates = f"{printed[kind] / n:.1%} | {k / n:.1%} | {upper(k, n):.1%}"
            print(f"| {name} | {kind} | {rates} |", flush=True)
            failed += k / n > 0.05
        for (scenario, kind), least in MUST.items():
            if scenario == name and printed[kind] / args.sets < least:
                print(f"| {name} | {kind} | said too seldom: at least {least:.0%} | | |")
                failed += 1
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
