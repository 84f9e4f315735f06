"""Causes that are known, and what a decomposition makes of them.

``python benchmarks/causes.py`` puts one cause, or two, into the simulated model (``causes`` of a
profile), asks the ledger in English and in Hindi under all conditions that tell causes apart, and
takes the gap apart as a report does. Each cause alone makes a gap of 20 points. It prints, for
every number of the decomposition,

1. the truth, and the mean estimate as a share of it;
2. how often its 95% interval covers the truth;
3. how often it is claimed, and how often any is claimed that is not there.

The chance of a right answer is that which the simulated model has for the real prompt
(``Simulator.chance``); the prompt that is matched in length has blanks instead of sentences,
because that model sees its bytes alone. Answers to one question under several conditions are
correlated (Gaussian copula, .5). The truth of a cause is its Shapley value over the causes that
were put in, on the plain prompt; that of native digits, which no plain prompt has, is what they
cost in ``native_ids``. What a condition changes beside its cause (a format in the language is
longer too) is part of the truth of a cause that was not put in.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri

import xlgo_dataset as xd
from xlgo_cli.simulate.identify import Identified
from xlgo_cli.simulate.simulator import Simulator
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.why.section import why

TASK, LANGUAGE = "slt", "hi"
CURVE = {"q": 2.0, "r": 0.0006}
LEVELS, PER_LEVEL = (12, 16, 20, 24, 28, 32, 36, 40), 50
GAP = 0.20
CORRELATION = 0.5
CONDITIONS = (
    "plain", "english_rules", "english_lines", "native_format", "length_matched", "native_ids",
)  # fmt: skip
STEPS = {
    "lines": "lines", "rules": "rules", "format": "format", "length": "length",
    "native_digits": "identifiers",
}  # fmt: skip
"""What a decomposition calls each cause of a profile."""

SCENARIOS: tuple[tuple[str, ...], ...] = (
    (), ("lines",), ("rules",), ("length",), ("format",), ("native_digits",),
    ("lines", "rules"), ("lines", "length"), ("rules", "length"), ("rules", "format"),
)  # fmt: skip

Floats = np.ndarray[Any, np.dtype[np.float64]]
Costs = dict[str, float]
Key = tuple[str, str]
"""Language and condition."""


class Study:
    """Prompts of all questions under all conditions, and what a model with causes makes of them."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "profile.json"
        self.sizes = np.repeat(LEVELS, PER_LEVEL)
        self.prompts: dict[Key, list[tuple[Identified, str]]] = defaultdict(list)
        self.keys = [("en", "plain"), *((LANGUAGE, name) for name in CONDITIONS)]
        for size in LEVELS:
            for index in range(PER_LEVEL):
                instance = xd.generate(TASK, complexity=size, index=index)
                for language, name in self.keys:
                    found = Identified(TASK, language, "paper", instance, name)
                    self.prompts[language, name].append((found, render(instance, language, name)))
        self._bytes = {k: [len(text.encode()) for _, text in of] for k, of in self.prompts.items()}
        self._scale: dict[str, float] = {}

    def chances(self, costs: Costs) -> dict[Key, Floats]:
        """The chance of a right answer to each question, shape (questions,), by condition."""
        of_all = ("length", "native_digits")
        causes = {
            LANGUAGE: {name: cost for name, cost in costs.items() if name not in of_all},
            "all": {name: cost for name, cost in costs.items() if name in of_all},
        }
        profile = {"tasks": {TASK: {"en": CURVE}}, "causes": causes}
        self._path.write_text(json.dumps(profile), "utf-8")
        simulator = Simulator(str(self._path))
        english = [prompt for _, prompt in self.prompts["en", "plain"]]
        return {
            key: np.array([simulator.chance(*one, plain) for one, plain in zip(of, english)])
            for key, of in self.prompts.items()
        }

    def cost(self, cause: str) -> float:
        """How much a cause must take for a gap of 20 points at all levels together."""
        if cause not in self._scale:
            compared = (("en", "plain"), (LANGUAGE, "plain"))
            if cause == "native_digits":
                compared = ((LANGUAGE, "plain"), (LANGUAGE, "native_ids"))

            def apart(cost: float) -> float:
                found = self.chances({cause: cost})
                return float((found[compared[0]] - found[compared[1]]).mean()) - GAP

            self._scale[cause] = float(brentq(apart, 1e-4, 0.9, xtol=1e-4))
        return self._scale[cause]

    def truths(self, costs: Costs) -> dict[str, Floats]:
        """The true effect of each cause on each question, shape (questions,)."""
        plain = (LANGUAGE, "plain")
        if "native_digits" in costs:
            return {}  # no plain prompt has any: see ``contrasts``
        if len(costs) < 2:
            none = self.chances({})[plain]
            return {name: none - self.chances({name: cost})[plain] for name, cost in costs.items()}
        first, second = costs
        none, both = self.chances({})[plain], self.chances(costs)[plain]
        only = {name: self.chances({name: costs[name]})[plain] for name in costs}
        return {
            one: ((none - only[one]) + (only[other] - both)) / 2
            for one, other in ((first, second), (second, first))
        }

    def contrasts(self, chances: dict[Key, Floats]) -> dict[str, Floats]:
        """What the prompts of two conditions differ in, whatever makes it, shape (questions,)."""
        plain = chances[LANGUAGE, "plain"]
        return {
            "gap": chances["en", "plain"] - plain,
            "format": chances[LANGUAGE, "native_format"] - plain,
            "identifiers": chances[LANGUAGE, "native_ids"] - plain,
        }

    def records(self, right: dict[Key, Any]) -> Iterator[Record]:
        for (language, name), answers in right.items():
            sizes = zip(answers.tolist(), self._bytes[language, name])
            for place, (correct, size) in enumerate(sizes):
                reference = {
                    "task": TASK, "language": language, "complexity": int(self.sizes[place]),
                    "instance_id": str(place), "condition": name,
                }  # fmt: skip
                status = "correct" if correct else "wrong"
                yield Record(Grade(correct, status, correct), reference, prompt_bytes=size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=200, help="data sets of each scenario")
    parser.add_argument("--only", nargs="+", help="scenarios, as lines or lines+length")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    random = np.random.default_rng(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        study = Study(Path(folder))
        for causes in SCENARIOS:
            if args.only is None or ("+".join(causes) or "none") in args.only:
                simulate(study, causes, args.repeats, random)


def render(instance: Any, language: str, condition: str) -> str:
    """The prompt; one that is matched in length has as many UTF-8 bytes as that of the language."""
    if condition != "length_matched":
        return xd.render(instance, language, "paper", condition)
    english, own = xd.render(instance, "en"), xd.render(instance, language)
    return english + " " * (len(own.encode()) - len(english.encode()))


def simulate(
    study: Study, causes: tuple[str, ...], repeats: int, random: np.random.Generator
) -> None:
    """Data sets of one scenario, and what the decomposition says of them."""
    costs = {name: study.cost(name) for name in causes}
    chances, truths = study.chances(costs), study.truths(costs)
    found: dict[str, list[tuple[float, float, bool, bool]]] = defaultdict(list)
    others, nothing = 0, np.zeros(len(study.sizes))
    for _ in range(repeats):
        common = random.standard_normal(len(study.sizes))
        right = {
            key: np.sqrt(CORRELATION) * common
            + np.sqrt(1 - CORRELATION) * random.standard_normal(len(common))
            < ndtri(chance)
            for key, chance in chances.items()
        }
        entry = why(list(study.records(right)), "en")[0]["tasks"][TASK][LANGUAGE]
        used = np.isin(study.sizes, entry["levels"])
        known = study.contrasts(chances) | {STEPS[name]: truth for name, truth in truths.items()}
        for name, one in (("gap", entry["gap"]), *entry["causes"].items()):
            truth = float(known[name][used].mean()) if name in known else 0.0
            covers = one["low"] <= truth <= one["high"]
            found[name].append((truth, one["estimate"], covers, one["claimed"]))
        absent = [name for name in entry["causes"] if not known.get(name, nothing)[used].any()]
        others += any(entry["causes"][name]["claimed"] for name in absent)
    print(f"{' + '.join(causes) or 'no cause'}: others claimed in {others / repeats:.1%}")
    for name, rows in found.items():
        truth, estimate, covers, claimed = np.mean(np.array(rows, dtype=float), axis=0)
        share = f"{estimate / truth:5.0%}" if abs(truth) > 1e-6 else "    –"
        print(
            f"  {name:12} truth {100 * truth:+6.1f}  mean {100 * estimate:+6.1f} ({share})  "
            f"covers {covers:6.1%}  claimed {claimed:6.1%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
