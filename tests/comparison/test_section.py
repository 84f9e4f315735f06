"""Families without a comparison of their own get that of their languages."""

from __future__ import annotations

import random

import pytest

import xlgo_metric as xm
from xlgo_cli.report.findings import family_findings
from xlgo_metric.comparison.section import KEY
from xlgo_metric.core import Grade, Record
from xlgo_metric.scoring import tables_of

CHANCES = {"en": 0.9, "te": 0.3, "zh": 0.85}


def records(chances: dict[str, float] = CHANCES, **more: str) -> list[Record]:
    rng = random.Random(5)
    found = []
    for language, chance in chances.items():
        for level in ("low", "medium", "high", "top"):
            for index in range(25):
                right = rng.random() < chance
                reference = {
                    "family": "polymath", "task": "polymath", "language": language, "level": level,
                    "index": index, "instance_id": f"polymath-{level}-i{index}", "control": "none",
                }  # fmt: skip
                grade = Grade(right, "correct" if right else "wrong", True)
                found.append(Record(grade, reference | more))
    return found


def test_polymath_says_which_language_is_behind() -> None:
    answers = records()
    section = xm.summarize(answers)["families"]["polymath"]
    cells = {cell["other"]: cell for cell in section[KEY]["cells"]}
    assert set(cells) == {"te", "zh"}
    for code, cell in cells.items():
        right = {
            language: [r.grade.correct for r in answers if r.reference["language"] == language]
            for language in ("en", code)
        }
        pairs = list(zip(right["en"], right[code], strict=True))
        assert cell["n"] == 100
        assert cell["discordant"][0] == pairs.count((True, False))
        assert cell["difference"] == pytest.approx((sum(right["en"]) - sum(right[code])) / 100)
    assert cells["te"]["is_significant"]
    assert cells["te"]["ci_low"] > 0.3
    (table,) = [table for table in tables_of("polymath", section) if table.name == KEY]
    assert len(table.rows) == 2
    told = [sentence for kind, sentence in family_findings("polymath", section) if kind == "behind"]
    overall, telugu = told
    assert "behind English in 1 of 2 language-task pairs." in overall
    assert telugu.startswith("Telugu")


def test_another_baseline_and_one_that_nobody_asked() -> None:
    section = xm.summarize(records(), baseline="zh")["families"]["polymath"]
    assert section[KEY]["baseline"] == "zh"
    assert {cell["other"] for cell in section[KEY]["cells"]} == {"en", "te"}
    with pytest.raises(ValueError, match=r"baseline=xx: nothing .* allowed are en, te, zh"):
        xm.summarize(records(), baseline="xx")


def test_a_family_without_the_baseline_is_not_compared() -> None:
    """A run of two families, of which one alone was asked in the baseline."""
    puzzles = [
        Record(
            Grade(True, "correct", True),
            {"task": "slt", "language": language, "complexity": 4, "instance_id": "a"},
        )
        for language in ("en", "sw")
    ]
    families = xm.summarize([*records(), *puzzles], baseline="sw")["families"]
    assert KEY not in families["polymath"]
    assert families["xlgobench"]["baseline"] == "sw"


def test_controls_are_compared_apart() -> None:
    answers = records() + records({"en": 0.5, "te": 0.5}, control="english")
    cells = xm.summarize(answers)["families"]["polymath"][KEY]["cells"]
    assert {(cell["where"]["model"], cell["other"]) for cell in cells} == {
        ("", "te"),
        ("", "zh"),
        ("english", "te"),
    }
    assert all(cell["n"] == 100 for cell in cells)


def test_one_language_has_nothing_to_compare() -> None:
    assert KEY not in xm.summarize(records({"te": 0.5}))["families"]["polymath"]
