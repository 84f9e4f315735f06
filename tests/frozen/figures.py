"""Statistics on fixed inputs: counts that stand here, and tables of answers made of them."""

import contextlib
import io
import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

import xlgo_metric as xm
from xlgo_cli.cli import main
from xlgo_cli.plan.costs import cost
from xlgo_metric.comparison import gap_drafts, settle
from xlgo_metric.comparison.table import Answer
from xlgo_metric.statistics import adaptive, differences, gaps, levels, paired
from xlgo_metric.statistics.differences import Contrast, infer

from .stored import Part, Values, flat

C = [10.0, 16.0, 25.0, 40.0, 63.0, 100.0]
N = [20, 20, 20, 20, 20, 20]
COUNTS: dict[str, tuple[list[int], list[int], list[int]]] = {
    "alike": ([20, 19, 16, 9, 3, 0], [20, 18, 16, 10, 2, 0], [0, 3, 4, 5, 3, 0]),
    "behind": ([20, 20, 17, 12, 6, 1], [19, 14, 8, 3, 0, 0], [1, 6, 11, 9, 6, 1]),
    "ahead": ([18, 11, 5, 2, 0, 0], [20, 17, 12, 6, 1, 0], [2, 6, 9, 4, 1, 0]),
    "crossing": ([20, 20, 18, 4, 1, 0], [17, 15, 12, 9, 6, 4], [3, 5, 8, 7, 7, 4]),
    "steps": ([20, 20, 20, 20, 0, 0], [20, 20, 0, 0, 0, 0], [0, 0, 20, 20, 0, 0]),
    "floor": ([20, 16, 11, 10, 9, 10], [15, 9, 8, 6, 7, 5], [5, 9, 9, 8, 8, 9]),
    "nothing": ([0] * 6, [0] * 6, [0] * 6),
    "everything": ([20] * 6, [20] * 6, [0] * 6),
}
"""Correct answers in English and in the language by level, and the discordant pairs."""

CURVES = {"en": (12.0, 1e-4), "te": (12.0, 2e-4), "zh": (6.0, 1.1e-4)}
LANGUAGES = ("en", "ar", "te", "zh")
_BEHIND = {"en": 0, "ar": 1, "te": 4, "zh": 0}


def _curves() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, (k_en, k_l, _) in COUNTS.items():
        for side, k in (("en", k_en), ("l", k_l)):
            for method in ("ls", "wls"):
                fit = xm.fit_gamma(C, k, N, method=method)  # type: ignore[arg-type]
                found[f"{name} {side} {method}"] = {"curve": tuple(fit), "fit": vars(fit)}
        found[f"{name} draws"] = _gap(k_en, k_l)
        found[f"{name} isotonic"] = levels.isotonic(np.array(k_en) / 20, np.array(N))
    found["accuracy"] = [xm.gamma_accuracy(c, *CURVES["zh"]) for c in (0, 1, 30, 95, 300, 4000)]
    found["average"] = {code: xm.average_accuracy(*CURVES[code], 2, 900) for code in CURVES}
    for first, second in (("en", "te"), ("te", "en"), ("en", "zh"), ("en", "en")):
        curves = CURVES[first], CURVES[second]
        found[f"smd {first} {second}"] = xm.smd(*curves, 2, 900)
        found[f"divergence {first} {second}"] = xm.divergence(*curves, 2, 900)
        found[f"whole {first} {second}"] = gaps.whole_divergence(*curves, 2, 900)
    return found


def _gap(k_en: list[int], k_l: list[int]) -> Any:
    base, other = (
        xm.curve_draws(C, k, N, draws=40, stream=gaps.cell_stream("slt", code))
        for code, k in (("en", k_en), ("te", k_l))
    )
    return xm.gap(base, other, C[0], C[-1]), xm.gap(base, other, C[0], C[-1], integers=True)


def _paired() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, (k_en, k_l, apart) in COUNTS.items():
        found[f"test {name}"] = xm.paired_test(k_en, k_l, apart, N, C)
        pairs = paired.checked_counts(k_en, k_l, apart, N, C)
        found[f"interval {name}"] = paired.whole_intervals({"": pairs}, draws=100).get("")
        found[f"free {name}"] = levels.free_interval(pairs, draws=200)
        first = (np.array(apart) + np.array(k_en) - np.array(k_l)) // 2
        second = np.array(apart) - first
        found[f"scan {name}"] = levels.scan(first, second, draws=400)
        found[f"limits {name}"] = paired.pair_limits(first, second, np.array(N))
    return found


def _differences() -> dict[str, Any]:
    counts = [(0, 0, 10), (5, 0, 10), (1, 7, 40), (30, 12, 400), (6, 6, 12)]
    return {
        "holm": xm.holm([0.001, 0.02, 0.04, 0.2, 0.009, 1.0]),
        "paired_limits": [differences.paired_limits(*of) for of in counts],
        "wide_limits": [differences.paired_limits(*of, 0.99) for of in counts],
        "unpaired_limits": [differences.unpaired_limits(a, n, b, n) for a, b, n in counts],
    }


def _simultaneous() -> dict[str, Any]:
    """The one procedure of differences: one and several contrasts, tasks, levels, clusters."""
    values = np.array([1, 1, 0, -1, 1, 0, 0, 1, 1, -1, 1, 1, 0, 1, 1, 0, 1, -1, 1, 1] * 3)
    turned, task, level = np.roll(values, 7) - (values > 0), np.arange(60) // 20, np.arange(60) % 4
    pairs = np.arange(60) // 2
    one = Contrast.of(values)
    several = [
        Contrast.of(values, None, task, level),
        Contrast.of(np.clip(turned, -1, 1), None, task),
        Contrast.of(values[:20], np.arange(20)),
    ]
    return {
        "one": infer([one]),
        "listed": infer([Contrast.of(values[:12])]),
        "several": infer(several),
        "clusters": infer([Contrast.of(values, pairs), Contrast.of(values[::-1], pairs)]),
        "few clusters": infer([Contrast.of(values, np.arange(60) // 10)]),
        "gaps": infer([Contrast.of(values - turned, reach=3.0)]),
    }


def _answers(clustered: bool) -> Iterator[Answer]:
    """Answers of two models in four languages to two tasks: who is right is a fixed pattern."""
    for model, better in (("small", 0), ("large", 3)):
        for task, sizes in (("slt", C), ("t_rank", C[:4])):
            for level, size in enumerate(sizes):
                for index in range(12):
                    question = f"{task}-c{size:g}-i{index}"
                    cluster = f"{task}-{level}-{index // 3}" if clustered else question
                    for language in LANGUAGES:
                        hard = (7 * index + 5 * level + len(task)) % 12
                        skill = 11 + better - 2 * level - _BEHIND[language]
                        odd = (index * 5 + level * 3 + len(model) + ord(language[0])) % 11 == 0
                        correct = (hard < skill) != odd
                        yield Answer(
                            family="xlgobench", task=task, language=language, condition="plain",
                            level=level, complexity=size, question=question, cluster=cluster,
                            repeat=0, run="", model=model, design="fixed", split="test", seed=0,
                            wording="paper", status="correct" if correct else "wrong",
                            strict=correct, in_form=correct, correct=correct, record=None,
                            measures={},
                        )  # fmt: skip


def _compared() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, clustered in (("alone", False), ("clustered", True)):
        table = xm.AnswerTable.of_answers(_answers(clustered))
        ways: dict[str, dict[str, Any]] = {
            "language": {},
            "zh": {"baseline": "zh"},
            "model": {"by": "model", "within": ["language"]},
            "tasks": {"within": ["model"]},
            "strict": {"measure": "strict"},
            "ranked": {"by": "model", "within": [], "ranked": True},
        }
        for way, options in ways.items():
            found[f"{name} {way}"] = _cells(xm.compare(table, **options).cells)
        found[f"{name} gaps"] = _cells(settle(gap_drafts(table, "model", "en")))
    return found


def _cells(cells: Iterable[xm.Cell]) -> dict[str, Any]:
    return {
        f"{' '.join(cell.where.values())} {cell.baseline} {cell.other}": cell.as_json()
        for cell in cells
    }


def _designs() -> dict[str, Any]:
    """Whole adaptive plans on answers by a fixed pattern, costs."""
    found: dict[str, Any] = {}
    for name, half in (("far", 300), ("near", 12)):
        design = adaptive.Design(2, 2090, 4, 120)
        asked: list[tuple[int, int, int]] = []
        steps = []
        while True:
            step = adaptive.next_step(design, asked)
            steps.append(step)
            if step.reason is not None or not step.cells:
                break
            for size, indexes in step.cells.items():
                chance = float(xm.gamma_accuracy(size, 12.0, half**-2.0))
                asked += [(size, i, _right(chance, size, i)) for i in indexes]
        found[name] = steps
    expected = cost("slt", "x", dict.fromkeys((25, 63, 100, 160), 40), CURVES)
    found["cost"] = [expected.sd, *(expected.power(gap) for gap in (0.02, 0.05, 0.1, 0.2))]
    return found


def _right(chance: float, size: int, index: int) -> int:
    """How many of four languages are right on a question: about four times the chance."""
    return int(4 * chance + ((size * 7 + index * 13) % 10) / 10)


PLANS = {
    "smoke": ["--tasks", "slt,t_rank", "--languages", "en,te", "--preset", "smoke"],
    "paper": ["--tasks", "dsa", "--languages", "en,te,zh", "--preset", "paper", "--no-gap", "5"],
}  # fmt: skip


def _plans() -> dict[str, Any]:
    shares = [(0.2, 0.05), (0.5, 0.1), (0.3, 0.02)]
    found: dict[str, Any] = {
        "questions needed": differences.questions_needed(0.5, margin=0.1),
        "power": [differences.claim_power(600, share, margin=margin) for share, margin in shares],
    }
    for name, arguments in PLANS.items():
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert main(["plan", *arguments, "--json"]) == 0
        found[name] = json.loads(printed.getvalue())
    return found


def _computed(make: Callable[[], object], one_in: int) -> Values:
    return flat(make())


def parts() -> list[Part]:
    """A part for each group of functions."""
    made: dict[str, Callable[[], object]] = {
        "curves": _curves,
        "paired": _paired,
        "differences": _differences,
        "simultaneous": _simultaneous,
        "compare": _compared,
        "designs": _designs,
        "plans": _plans,
    }
    return [Part("statistics", name, partial(_computed, make)) for name, make in made.items()]
