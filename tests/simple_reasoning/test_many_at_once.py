"""Several tasks, languages, settings and unequal numbers of responses, counted by fractions."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from statistics import stdev
from typing import Any

import pytest

from xlgo_metric.core import Grade, Record
from xlgo_metric.families.simple_reasoning.summary import summarize

K = 3
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "proof_tree": [{"depth": 3}, {"depth": 6}, {"depth": 9}],
    "logic_eval": [
        {"depth": depth, "vocabulary": words} for depth in (4, 8) for words in ("letters", "words")
    ],
    "travel": [{"cities": 4}, {"cities": 6}],
}
"""Of the vocabulary the paper averages, so that it parts no cells."""
CELLS = {"proof_tree": 3, "logic_eval": 2, "travel": 2}
VARIANTS = ("original", "unpuzzle", "context_shifted")
STATUSES: Any = ("wrong", "wrong", "truncated", "no_answer")
GONE = ("empty", "too long", None)


@cache
def records() -> tuple[Record, ...]:
    """Two to five responses to a question; of UNPUZZLES, one each, of which some wait."""
    rng = random.Random(31)
    made = []
    for task, settings in SETTINGS.items():
        for code in ("en", "te", "ja"):
            for params in settings:
                for index in range(4):
                    for repeat in range(3 - (task == "travel") + (index + len(code)) % 3):
                        right = rng.random() < 0.6 - 0.2 * (code == "te") - 0.05 * repeat
                        status: Any = "correct" if right else rng.choice(STATUSES)
                        details = {"violation": rng.choice(GONE)} if not right else {}
                        reference: dict[str, Any] = {
                            "family": "easy", "task": task, "language": code, "params": params,
                            "instance_id": f"{task}-{index}", "answer": {"choice": "A"},
                            "options": ["x", "y", "z", "w"], "budget": 1,
                        }  # fmt: skip
                        grade = Grade(right, status, rng.random() < 0.5, None, details)
                        made.append(Record(grade, reference))
    for code in ("en", "te"):
        for variant in VARIANTS:
            for item in range(9):
                if (variant, item) == ("unpuzzle", 8):
                    continue
                right = rng.random() < (0.8 if variant == "original" else 0.4)
                waits = (item + len(variant)) % 5 == 0
                status = "needs_judge" if waits else "correct" if right else "wrong"
                made.append(Record(
                    Grade(right and not waits, status, False, None, {}),
                    {"family": "easy", "task": "unpuzzles", "language": code, "item": f"i{item}",
                     "instance_id": f"{variant}-{item}", "params": {"variant": variant}},
                ))  # fmt: skip
    return tuple(made)


@pytest.fixture(scope="module")
def section() -> Any:
    """What shortcuts score is tested elsewhere, on questions with all their parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "xlgo_metric.families.simple_reasoning.summary.shortcuts",
            lambda reference: {"guess": 0.25} if reference["task"] == "logic_eval" else {},
        )
        return summarize(list(records()), k=K, draws=10)


def of(task: str, code: str) -> list[Record]:
    return [
        one for one in records()
        if (one.reference["task"], one.reference["language"]) == (task, code)
    ]  # fmt: skip


def by_question(rows: Sequence[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for one in rows:
        found[f"{one.reference['instance_id']} {one.reference['params']}"].append(one)
    return found


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def check(block: dict[str, Any], rows: Sequence[Record]) -> None:
    """All numbers of a block, from its responses."""
    questions = by_question(rows)
    assert (block["questions"], block["responses"]) == (len(questions), len(rows))
    judged = [
        own for own in questions.values() if all(r.grade.status != "needs_judge" for r in own)
    ]
    assert block["needs_judge"] == len(questions) - len(judged)
    shares = [Fraction(sum(r.grade.correct for r in own), len(own)) for own in judged]
    exact = float(mean(shares))
    assert block["accuracy"] == pytest.approx(exact)
    half = 2 * stdev(map(float, shares)) / sqrt(len(shares))
    assert block["half_width"] == pytest.approx(half)
    z = 1.959963984540054**2
    n = len(shares)
    for end in (block["low"], block["high"]):  # both ends solve Wilson's quadratic equation
        assert n * (exact - end) ** 2 == pytest.approx(z * end * (1 - end), abs=1e-9)
    assert block["low"] < exact < block["high"]
    statuses = Counter(one.grade.status for one in rows)
    assert {name: n for name, n in block["statuses"].items() if n} == dict(statuses)
    read = statuses["correct"] + statuses["wrong"]
    assert block["parsed"] == pytest.approx(read / len(rows))
    assert block["strict"] == pytest.approx(sum(r.grade.strict for r in rows) / len(rows))
    if min(map(len, questions.values())) < K:
        assert block["pass_at"] == {}
        return
    chances = [
        1 - Fraction(comb(sum(not r.grade.correct for r in own), K), comb(len(own), K))
        for own in judged
    ]
    assert block["pass_at"].keys() == {str(K)}
    assert block["pass_at"][str(K)]["accuracy"] == pytest.approx(float(mean(chances)))


def test_every_task_language_and_cell(section: Any) -> None:
    for task in SETTINGS:
        for code in ("en", "te", "ja"):
            block = section["tasks"][task]["languages"][code]
            rows = of(task, code)
            check(block, rows)
            assert block["floors"] == ({"guess": 0.25} if task == "logic_eval" else {})
            assert len(block["cells"]) == CELLS[task]
            for cell in block["cells"]:
                assert "vocabulary" not in cell["params"]
                check(cell, [
                    one for one in rows
                    if cell["params"].items() <= one.reference["params"].items()
                ])  # fmt: skip
            if task == "travel":
                told = Counter(one.grade.details.get("violation") for one in rows)
                del told[None]
                assert block["violations"] == dict(told)
            cut = sum(one.grade.status == "truncated" for one in rows)
            assert f"{task} ({code}): {cut} responses were truncated" in section["warnings"]


def test_variants_are_paired_by_item_in_each_language(section: Any) -> None:
    for code in ("en", "te"):
        block = section["tasks"]["unpuzzles"]["languages"][code]
        rows = of("unpuzzles", code)
        check(block, rows)
        right = {
            (one.reference["params"]["variant"], one.reference["item"]): one.grade.correct
            for one in rows
            if one.grade.status != "needs_judge"
        }
        cells = {(cell["baseline"], cell["other"]): cell for cell in block["variants"]}
        assert cells.keys() == set(combinations(VARIANTS, 2))
        for (one, other), cell in cells.items():
            pairs = [
                (right[one, f"i{item}"], right[other, f"i{item}"])
                for item in range(9)
                if (one, f"i{item}") in right and (other, f"i{item}") in right
            ]
            assert cell["n"] == len(pairs)
            assert cell["discordant"] == [pairs.count((True, False)), pairs.count((False, True))]
        (told,) = (text for text in section["warnings"] if text.startswith(f"unpuzzles ({code})"))
        assert f": {block['needs_judge']} questions of free form" in told
