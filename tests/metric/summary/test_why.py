"""Contrasts of conditions: counted by hand, exact tests, and plain figures that stay."""

import random
from typing import Any

import pytest

from xlgo_metric.comparison import AnswerTable, Cell
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.xlgobench.conditions import contrasts

LEVELS = (10, 20, 30, 40)
PER_LEVEL = 40


def asked(chances: dict[str, float], *, seed: int = 1) -> list[Record]:
    """Answers under conditions; ``en`` stands for plain English, the others are Telugu."""
    rng = random.Random(seed)
    found = []
    for name, chance in chances.items():
        for c in LEVELS:
            for i in range(PER_LEVEL):
                reference = {
                    "task": "slt",
                    "language": "en" if name == "en" else "te",
                    "complexity": c,
                    "instance_id": f"slt-test-s0-c{c}-i{i}",
                    "data": 1,
                    "text": "paper",
                }
                if name not in ("en", "plain"):
                    reference["condition"] = name
                right = rng.random() < chance
                grade = Grade(right, "correct" if right else "wrong", right)
                found.append(Record(grade, reference))
    return found


def cells(records: list[Record], baseline: str = "en") -> dict[str, Cell]:
    """By condition; ``plain`` is the gap."""
    found, _ = contrasts(AnswerTable.of_records(records), baseline)
    return {one["other"]: Cell.of_json(one) for one in found["contrasts"]}


FACTORIAL: dict[str, Any] = {"en": 0.85, "plain": 0.4, "english_rules": 0.45, "english_lines": 0.8}


def test_questions_of_one_structure_count_as_one() -> None:
    """Where all questions of a level are one, four levels prove nothing, whatever they hold."""
    records = asked(FACTORIAL)
    for record in records:
        record.reference["structure"] = f"c{record.reference['complexity']}"
    found, alone = cells(records), cells(asked(FACTORIAL))
    assert found["plain"].difference == pytest.approx(alone["plain"].difference)
    assert alone["plain"].is_significant
    assert not any(one.is_significant for one in found.values())


def test_nothing_is_tested_on_questions_that_one_condition_chose() -> None:
    records = asked({name: FACTORIAL[name] for name in ("en", "plain", "english_lines")})
    p = cells(records)["plain"].p_value
    assert p is not None
    assert p < 0.001
    for record in records:
        if record.reference.get("condition") is None and record.reference["language"] == "te":
            record.reference["design"] = "adaptive"
    found = cells(records)
    assert found["plain"].p_value is found["english_lines"].p_value is None
    assert "chose the questions" in found["plain"].refused
    assert found["plain"].difference == pytest.approx(0.45, abs=0.1)
