"""Are the sentences true? Every kind of claim, counted on data of known truth.

``python benchmarks/sentences.py [--sets 1000] [--questions 50]``

Answers are made with known accuracies in two tasks and three languages, the answers to a question
correlated at .5; report and terminal are asked for their sentences. For every kind of sentence that
asserts something (``scripts/xlgo_cli/display/formats.py``) and every scenario, the table says in
how many data sets it was printed although its assertion is false (at most 5%), with exact 95%
limits, and how often it was printed at all. ``MUST`` lists what a large true effect must lead to,
so that a report that says nothing does not pass.

All scenarios are looked at after 1/8, 1/4, 1/2 and all of the data sets. One ends at the first look
at which every kind of sentence is decided: its upper limit is at most 5%, or its lower limit above.
Each look has a quarter of the error, so the printed limits hold although the looks decide when to
stop; ``--whole`` does not stop early and has one look. ``--brief`` prints of each scenario the two
kinds that are most often false.

What is said of families without curves, parallel benchmarks, two models, a leaderboard and
conditions is made by ``sentence_kinds.py``. What no sentence states (signatures) is
left out of the summary to save time. With ``--jsonl`` every data set is appended to a file, and
data sets that stand there are not made again.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import sentence_kinds
from adaptive_simulation import adaptive_runs
from scipy.special import betaincinv, ndtri
from sentence_kinds import Judged

from xlgo_cli.display.formats import COUNTS, SENTENCES, Statement
from xlgo_cli.page.findings import findings, verdict
from xlgo_cli.page.grid import about_cell, base_name, compared_cells, gaps_of
from xlgo_metric.comparison.table import AnswerTable
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.statistics.adaptive import NAME, Design
from xlgo_metric.statistics.gamma import gamma_accuracy

TASKS = ("slt", "t_rank")
LANGUAGES = ("en", "ar", "zh")
LOW, HIGH = 100, 600
ALL = np.arange(LOW, HIGH + 1)
ALIKE = 0.5
MOST = 0.05
"""The largest share of data sets that may print a false sentence."""

LOOKS = 4
_ROUNDING = 1e-9

Curve = Callable[[np.ndarray], np.ndarray]


def gamma(half: float, q: float = 15.0) -> Curve:
    return lambda c: np.asarray(gamma_accuracy(c, q, half**-2.0))


def step(at: float) -> Curve:
    return lambda c: np.where(c < at, 0.95, 0.05)


def raised(floor: float, half: float) -> Curve:
    return lambda c: floor + (1 - floor) * np.asarray(gamma_accuracy(c, 15.0, half**-2.0))


def near_margin(c: np.ndarray) -> np.ndarray:
    """A little more than 5 points below at every complexity where that can be."""
    return np.maximum(gamma(300)(c) - 0.075, 0.0)


def two_stages(share: float, half: float) -> Curve:
    return lambda c: share * gamma(450, 40.0)(c) + (1 - share) * gamma(half, 40.0)(c)


def straight(first: float, last: float) -> Curve:
    """A line over the range; it may rise."""
    return lambda c: first + (last - first) * (np.asarray(c) - LOW) / (HIGH - LOW)


def rare(share: float) -> Curve:
    """Right but for a few questions, whatever their complexity."""
    return lambda c: np.full(np.shape(c), 1.0 - share)


@dataclass(frozen=True, eq=False)
class Scenario:
    """Known accuracies by task and language, the levels and questions of each.

    Attributes:
        repeats: answers to each question; those to one question differ in luck alone.
        cluster: questions of a level that are one structure, whose answers are the same.
        budget: prompts of an adaptive run, whose answers choose the questions; 0 asks the levels.
    """

    curves: Mapping[str, Mapping[str, Curve]]
    levels: int = 20
    questions: int | None = None
    repeats: int = 1
    cluster: int = 1
    budget: int = 0

    @property
    def sizes(self) -> np.ndarray:
        return np.round(np.linspace(LOW, HIGH, self.levels)).astype(int)


def alike(**changed: Curve) -> dict[str, dict[str, Curve]]:
    """Two tasks in which all languages are the same, but those named."""
    return {task: {code: changed.get(code, gamma(300)) for code in LANGUAGES} for task in TASKS}


def only_slt(**changed: Curve) -> dict[str, dict[str, Curve]]:
    """The first of these tasks alone."""
    return {"slt": alike(**changed)["slt"]}


SCENARIOS = {
    "no gap": Scenario(alike()),
    "one behind": Scenario(alike(zh=gamma(200))),
    "all behind alike": Scenario(alike(zh=gamma(240), ar=gamma(240))),
    "crossing": Scenario(alike(zh=gamma(310, 2.0))),
    "floors": Scenario(alike(**dict.fromkeys(LANGUAGES, raised(0.6, 300)))),
    "steps": Scenario(alike(en=step(330), **dict.fromkeys(LANGUAGES[1:], step(270)))),
    "few answers": Scenario(alike(zh=gamma(240)), levels=8, questions=10),
    "few answers, no gap": Scenario(alike(), levels=8, questions=10),
    "near the margin": Scenario(alike(zh=near_margin, ar=near_margin)),
    "floors apart": Scenario(alike(en=raised(0.2, 250), zh=raised(0.05, 250))),
    "two stages": Scenario(alike(en=two_stages(0.6, 200), zh=two_stages(0.35, 170))),
    # Outside the assumptions of curves and of independent questions
    "rising": Scenario(
        alike(en=straight(0.95, 0.0), zh=straight(0.0, 0.95)), levels=8, questions=30
    ),
    "opposite slopes": Scenario(
        alike(zh=straight(0.5, 0.5), ar=straight(0.5, 0.5), en=straight(0.9, 0.1)),
        levels=8,
        questions=20,
    ),
    "rare clusters": Scenario(
        alike(**dict.fromkeys(LANGUAGES, rare(0.02))), levels=8, questions=30, cluster=10
    ),
    "unlike tasks": Scenario(
        {
            "slt": {code: gamma(300) for code in LANGUAGES},
            "t_rank": {"en": gamma(300), "ar": gamma(150)},
        }
    ),
    "repeats": Scenario(alike(), levels=8, questions=10, repeats=6),
    # Answers choose the questions
    "adaptive, no gap": Scenario(only_slt(), budget=300),
    "adaptive, one behind": Scenario(only_slt(zh=gamma(200)), budget=300),
    "adaptive, opposite slopes": Scenario(
        only_slt(en=straight(0.9, 0.1), zh=straight(0.5, 0.5), ar=straight(0.5, 0.5)), budget=300
    ),
}
MUST = {
    ("one behind", "verdict.most"): 0.9,
    ("one behind", "pairs.behind"): 0.95,
    ("one behind", "gap.difference"): 0.95,
    ("all behind alike", "verdict.behind"): 0.8,
    ("crossing", "gap.reverses"): 0.5,
}
"""The least share of data sets in which a large true effect is said."""


class Truth:
    """What is true of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        sizes = scenario.sizes
        self.gaps = {
            (task, code): curves["en"](ALL) - curves[code](ALL)
            for task, curves in scenario.curves.items()
            for code in curves
            if code != "en"
        }
        self.asked = {key: gap[sizes - LOW] for key, gap in self.gaps.items()}
        tasks = [task for task, curves in scenario.curves.items() if len(curves) == len(LANGUAGES)]
        self.mean = {
            code: float(np.mean([self.asked[task, code].mean() for task in tasks]))
            for code in LANGUAGES[1:]
        }

    def holds(self, kind: str, fields: Mapping[str, Any]) -> bool | None:
        """Whether what was said is true; ``None`` where it asserts nothing that is known here."""
        checks: dict[str, Callable[[Mapping[str, Any]], bool]] = {
            "verdict.most": self._most,
            "verdict.behind": lambda f: self._mean_held(f) and self.mean[f["code"]] > _ROUNDING,
            "verdict.none": self._mean_held,
            "verdict.equal": lambda f: all(abs(self.mean[code]) <= 0.05 for code in f["codes"]),
            "pairs.behind": self._ways,
            "gap.reverses": lambda f: all(self._is((f["task"], f["code"]), s) for s in (1, -1)),
            "gap.difference": self._gap_held,
            "gap.chosen": self._gap_held,
        }
        return checks[kind](fields) if kind in checks else None

    def _most(self, fields: Mapping[str, Any]) -> bool:
        rest = [gap for code, gap in self.mean.items() if code != fields["code"]]
        first = self.mean[fields["code"]] > max(*rest, 0.0) + _ROUNDING
        return first and self._mean_held(fields)

    def _mean_held(self, fields: Mapping[str, Any]) -> bool:
        return _inside(self.mean[fields["code"]], fields["limits"])

    def _ways(self, fields: Mapping[str, Any]) -> bool:
        means = ((self.asked[task, code].mean(), behind) for task, code, behind in fields["ways"])
        return all(bool((mean if behind else -mean) > _ROUNDING) for mean, behind in means)

    def _gap_held(self, fields: Mapping[str, Any]) -> bool:
        return _inside(self.asked[fields["where"]].mean(), fields["limits"])

    def _is(self, cell: tuple[str, str], sign: int) -> bool:
        return bool((sign * self.gaps[cell]).max() > _ROUNDING)


def _inside(true: float, limits: tuple[float, float] | None) -> bool:
    return limits is None or bool(limits[0] - _ROUNDING <= true <= limits[1] + _ROUNDING)


def said(scenario: Scenario, questions: int, seed: int) -> list[tuple[str, dict[str, Any]]]:
    """The parts of all sentences that one data set leads to."""
    rng = np.random.default_rng([seed, 28])
    n = scenario.questions or questions
    right = []
    for curves in scenario.curves.values():
        bars = {
            code: ndtri(np.clip(curve(scenario.sizes), 1e-9, 1 - 1e-9)).tolist()
            for code, curve in curves.items()
        }
        for level in range(scenario.levels):
            groups = n // scenario.cluster
            common = rng.standard_normal((groups, 1))
            for code in curves:
                # Of the spread of a question half is shared by the languages, and of the rest half
                # by its repeats, where it is asked again.
                own = rng.standard_normal((groups, scenario.repeats))
                if scenario.repeats > 1:
                    own = (own + rng.standard_normal((groups, 1))) * np.sqrt(0.5)
                lean = np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * own
                right.append(np.repeat(lean < bars[code][level], scenario.cluster, axis=0).ravel())
    table = _answered(scenario, n, np.concatenate(right))
    with patch.object(AnswerTable, "of_records", lambda _: table):
        return parts_of(list(table.frame["record"]), seed)


def parts_of(records: Sequence[Record], seed: int) -> list[tuple[str, dict[str, Any]]]:
    """The parts of all sentences about some answers."""
    section = summarize(records, permutations=999, draws=100, seed=seed)
    every = [text for _, text in [*verdict(section), *findings(section)]]
    gaps, base = gaps_of(section), base_name(section)
    every += [
        about_cell(name, code, cell, gaps.get((name, code)), base)
        for name, code, cell in compared_cells(section)
    ]
    return [part for text in every if isinstance(text, Statement) for part in text.parts]


def _answered(scenario: Scenario, n: int, right: np.ndarray) -> AnswerTable:
    """The table of the answers to all questions of a scenario, with n of each level."""
    every = _tables(scenario, n)
    known = every[True].frame.copy()
    for column in ("correct", "strict", "in_form", "status", "record"):
        values = [table.frame[column].to_numpy(dtype=object) for table in every.values()]
        known[column] = np.where(right, *values).tolist()
    return AnswerTable(known)


@cache
def _tables(scenario: Scenario, n: int) -> dict[bool, AnswerTable]:
    """The tables in which all answers are right, and wrong: made once, for they take long."""
    references = [
        {
            "task": task, "language": code, "complexity": size, "index": index, "text": "paper",
            "instance_id": f"{task}-c{size}-i{index}", "seed": 0, "split": "test", "data": 1,
            "structure": f"{task}-c{size}-s{index // scenario.cluster}",
        }
        for task, curves in scenario.curves.items() for size in scenario.sizes.tolist()
        for code in curves for index in range(n) for _ in range(scenario.repeats)
    ]  # fmt: skip
    return {
        right: AnswerTable.of_records(
            Record(Grade(right, "correct" if right else "wrong", right, None, {}), reference)
            for reference in references
        )
        for right in (True, False)
    }


def chosen(scenario: Scenario, seed: int) -> tuple[np.ndarray, list[Record]]:
    """The complexities that an adaptive run asks, a question each, and the graded answers."""
    ((task, curves),) = scenario.curves.items()
    languages: list[Any] = [SimpleNamespace(accuracy=curve) for curve in curves.values()]
    design = Design(LOW, HIGH, len(languages), budget=scenario.budget)
    [run] = adaptive_runs(design, languages, ALIKE, 1, np.random.default_rng([seed, 47]))
    seen: Counter[int] = Counter()
    records = []
    for size, right in zip(run.c.tolist(), run.right.T.tolist()):
        for code, is_right in zip(curves, right):
            reference = {
                "task": task, "language": code, "complexity": size, "index": seen[size],
                "instance_id": f"{task}-c{size}-i{seen[size]}", "seed": 0, "split": "test",
                "data": 1, "text": "paper", "design": NAME, "range": [LOW, HIGH],
            }  # fmt: skip
            grade = Grade(is_right, "correct" if is_right else "wrong", is_right, None, {})
            records.append(Record(grade, reference))
        seen[size] += 1
    return run.c, records


def one_set(name: str, questions: int, seed: int) -> Judged:
    """The kinds of sentences of one data set, and whether each is true."""
    if name in sentence_kinds.SCENARIOS:
        return sentence_kinds.SCENARIOS[name].judged(seed)
    scenario = SCENARIOS[name]
    truth = Truth(scenario)
    if scenario.budget:
        asked, records = chosen(scenario, seed)
        truth.asked = {key: gap[asked - LOW] for key, gap in truth.gaps.items()}
        told = parts_of(records, seed)
    else:
        told = said(scenario, questions, seed)
    return [(kind, truth.holds(kind, fields)) for kind, fields in told]


Drawn = dict[tuple[str, int, int], Judged]
"""What data sets lead to, by scenario, questions and seed."""


def audit(
    name: str, sets: int, questions: int, made: Drawn, stored: Path | None = None
) -> tuple[Counter[str], Counter[str]]:
    """Data sets of a scenario that print each kind of sentence, and that print it falsely."""
    printed: Counter[str] = Counter()
    false: Counter[str] = Counter()
    for seed in range(sets):
        if (name, questions, seed) not in made:
            judged = made[name, questions, seed] = one_set(name, questions, seed)
            row = {"scenario": name, "questions": questions, "seed": seed, "said": judged}
            if stored is not None:
                with stored.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
        found: dict[str, bool] = defaultdict(bool)
        for kind, held in made[name, questions, seed]:
            if SENTENCES[kind].asserts != COUNTS or held is not None:
                found[kind] |= held is False
        printed.update(found.keys())
        false.update(kind for kind, wrong in found.items() if wrong)
    return printed, false


def read(stored: Path | None) -> Drawn:
    """The data sets that an earlier run stored."""
    if stored is None or not stored.is_file():
        return {}
    rows = map(json.loads, stored.read_text("utf-8").splitlines())
    return {(row["scenario"], row["questions"], row["seed"]): row["said"] for row in rows}


def looks(sets: int) -> tuple[int, ...]:
    """After how many data sets a scenario is looked at."""
    return tuple(sets // parts for parts in (8, 4, 2, 1))


def limits(k: int, n: int, looked: int) -> tuple[float, float]:
    """Clopper and Pearson's 95% limits of a share, over so many looks together (Bonferroni)."""
    ends = [
        1.0 if j == n else float(betaincinv(j + 1.0, n - j, 1.0 - 0.025 / looked))
        for j in (n - k, k)
    ]
    return 1.0 - ends[0], ends[1]


def decided(false: Counter[str], printed: Counter[str], n: int) -> bool:
    """Whether the share of every kind, seen or not, is surely at most 5% or surely above."""
    every = [limits(false[kind], n, LOOKS) for kind in ("", *printed)]
    return all(high <= MOST or low > MOST for low, high in every)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1000, help="data sets of each scenario")
    parser.add_argument("--questions", type=int, default=50, help="of each level")
    parser.add_argument("--scenarios", default=";".join([*sentence_kinds.SCENARIOS, *SCENARIOS]))
    parser.add_argument("--jsonl", type=Path, help="where data sets are kept")
    parser.add_argument("--whole", action="store_true", help="do not stop a scenario early")
    parser.add_argument("--brief", action="store_true", help="the two kinds most often false")
    args = parser.parse_args()
    print("| scenario | data sets | sentence | printed | printed and false | 95% limits |")
    print("|---|---|---|---|---|---|")
    made, failed = read(args.jsonl), 0
    names = args.scenarios.split(";")
    planned = looks(args.sets)[-1:] if args.whole else looks(args.sets)
    for sets in planned:
        for name in list(names):
            printed, false = audit(name, sets, args.questions, made, args.jsonl)
            if sets == args.sets or decided(false, printed, sets):
                names.remove(name)
                shown = sorted(printed, key=lambda kind: (-false[kind], kind))
                shown = shown[:2] if args.brief else sorted(shown)
                rows = [(kind, printed[kind], false[kind]) for kind in shown]
                failed += told(name, sets, rows, len(planned)) + unsaid(name, sets, printed)
    return failed


def told(name: str, n: int, rows: Sequence[tuple[str, int, int]], looked: int) -> int:
    """Print the rows of a scenario; how many kinds of sentence are surely too often false.

    Args:
        rows: kinds, how often they were printed, and how often falsely.
        looked: how many looks decide when to stop.
    """
    failed = 0
    for kind, printed, false in rows:
        low, high = limits(false, n, looked)
        rates = f"{printed / n:.1%} | {false / n:.1%} | {low:.1%} to {high:.1%}"
        print(f"| {name} | {n} | {kind} | {rates} |", flush=True)
        failed += low > MOST
    return failed


def unsaid(name: str, n: int, printed: Counter[str]) -> int:
    """Print which large true effects of a scenario are said too seldom; how many."""
    failed = 0
    for (scenario, kind), least in (MUST | sentence_kinds.MUST).items():
        if scenario == name and printed[kind] / n < least:
            print(f"| {name} | {n} | {kind} | said too seldom: at least {least:.0%} | | |")
            failed += 1
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
