"""Two tasks, three languages and five conditions with lost answers: every contrast by fractions."""

import random
from fractions import Fraction
from functools import cache
from statistics import mean
from typing import Any

import pytest

from xlgo_metric.comparison import AnswerTable
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.conditions import contrasts

SIZES = {"slt": {10: 6, 20: 9, 30: 4}, "dsa": {5: 8, 6: 5}}
"""Questions of each complexity."""
ASKED: dict[str, dict[str, float]] = {
    "en": {"plain": 0.9},
    "te": {"plain": 0.4, "english_rules": 0.5, "english_lines": 0.7, "length_matched": 0.8},
    "hi": {"plain": 0.6, "native_format": 0.3, "romanised": 0.5},
}


@cache
def records() -> tuple[Record, ...]:
    """Of the questions under one condition only a half was asked plainly; some answers are lost."""
    rng = random.Random(41)
    return tuple(
        Record(Grade(status == "correct", status, status == "correct"), {
            "family": "xlgobench", "task": task, "language": code, "complexity": size,
            "instance_id": f"{task}-{size}-{index}", "data": 1, "text": "paper",
            **({} if name == "plain" else {"condition": name}),
        })
        for task, sizes in SIZES.items()
        for code, chances in ASKED.items()
        for name, chance in chances.items()
        if (task, name) != ("dsa", "native_format")
        for size, n in sizes.items()
        for index in range(n)
        if (task, code, name) != ("slt", "hi", "plain") or index % 2 == 0
        if rng.random() > 0.05
        for status in [STATUSES[2] if rng.random() < chance else rng.choice(STATUSES[:2])]
    )  # fmt: skip


STATUSES: Any = ("wrong", "no_answer", "correct")


@cache
def found() -> tuple[dict[str, Any], list[str]]:
    return contrasts(AnswerTable.of_records(records()), "en")


def of(task: str, code: str, name: str) -> dict[tuple[int, str], Record]:
    return {
        (one.reference["complexity"], one.reference["instance_id"]): one
        for one in records()
        if (one.reference["task"], one.reference["language"]) == (task, code)
        and one.reference.get("condition", "plain") == name
    }


def levels_alike(right: dict[tuple[int, str], int]) -> Fraction:
    sizes = {size for size, _ in right}
    return mean(mean(Fraction(n) for key, n in right.items() if key[0] == size) for size in sizes)


def expected() -> dict[tuple[str, str, str], tuple[str, dict[Any, Record], dict[Any, Record]]]:
    """Of each contrast what it is against, and the answers of both on common questions."""
    made = {}
    for task in SIZES:
        for code, names in ASKED.items():
            for name in names if code != "en" else ():
                if not (other := of(task, code, name)):
                    continue
                is_english = name in ("plain", "length_matched")
                base = of(task, "en", "plain") if is_english else of(task, code, "plain")
                common = base.keys() & other.keys()
                made[task, code, name] = (
                    "english" if is_english else "plain",
                    {key: base[key] for key in common},
                    {key: other[key] for key in common},
                )
    return made


def test_every_contrast_is_on_the_questions_of_its_own_task_and_language() -> None:
    cells = {
        (one["where"]["task"], one["where"]["language"], one["other"]): one
        for one in found()[0]["contrasts"]
    }
    assert cells.keys() == expected().keys()
    for key, (against, base, other) in expected().items():
        cell = cells[key]
        first, second = (
            {name: int(one.grade.correct) for name, one in side.items()} for side in (base, other)
        )
        assert (cell["baseline"], cell["n"]) == (against, len(base))
        assert cell["baseline_accuracy"] == pytest.approx(float(levels_alike(first)))
        assert cell["accuracy"] == pytest.approx(float(levels_alike(second)))
        gains = [first[name] - second[name] for name in first]
        assert cell["discordant"] == [gains.count(1), gains.count(-1)]


def test_every_condition_is_counted() -> None:
    counts = found()[0]["asked"]
    for task in SIZES:
        for code, names in ASKED.items():
            own = counts[task][code]
            assert own.keys() == {name for name in names if of(task, code, name)}
            for name, numbers in own.items():
                every = list(of(task, code, name).values())
                right = sum(one.grade.correct for one in every)
                assert (numbers["n"], numbers["correct"]) == (len(every), right)
                assert numbers["accuracy"] == pytest.approx(right / len(every))
                read = sum(one.grade.status != "no_answer" for one in every)
                assert numbers["parsed"] == pytest.approx(read / len(every))


def test_warnings_name_the_conditions_with_few_plain_questions() -> None:
    warnings = found()[1]
    few = {
        (task, code, name): (len(base), len(of(task, code, name)))
        for (task, code, name), (_, base, _) in expected().items()
        if name != "plain" and len(base) < 0.8 * len(of(task, code, name))
    }
    assert few.keys() == {("slt", "hi", "native_format"), ("slt", "hi", "romanised")}
    assert warnings == [
        f"{task}/{code}: {common} of {n} questions under {name} were answered plainly, too: only "
        "these are compared; ask all conditions together with plain"
        for (task, code, name), (common, n) in few.items()
    ]
