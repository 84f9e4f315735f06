from typing import Any

import pytest

from xlgo_metric.families.lit.checks import (
    PLANTED,
    check_items,
    check_tables,
    plant,
    summarize_checks,
)
from xlgo_metric.families.lit.judge import rule_errors
from xlgo_metric.statistics.draws import Stream

TEXTS = {
    "ferry": "The ferry to Harwich left at 6 in the evening. It was not full, and the crew had "
    "time to talk. A man called Pieter said that he had crossed 40 times this year. Nobody "
    "believed him, but he kept a list in his coat.",
    "oven": "We can't repair the oven before Monday. Yesterday the baker Amina sold twelve loaves "
    "and kept two for us. The flour is stored in a dry room, and the cat must never sleep there.",
    "paper": "Our method is slower than the one of Chen by 3 percent. It does, however, need no "
    "labels. We tested it on 250 images, and errors were rare. Future work should look at video.",
}


def judged(items, judge=rule_errors):
    return {name: judge(*texts) for name, texts in items.items()}


@pytest.mark.parametrize(
    ("kind", "text", "output"),
    [
        ("negation", "It is not here.", "It is here."),
        ("negation", "They can't win.", "They can win."),
        ("negation", "They won't win.", "They will win."),
        ("negation", "She didn’t ask.", "She did ask."),
        ("negation", "He never asks.", "He asks."),
        ("negation", "It is here.", "It is not here."),
        ("negation", "Go home.", None),
        ("number", "No figures here.", None),
        ("number", "Version 1.5 of A12.", None),
        ("entity", "Nothing named.", None),
        ("omission", "One sentence only.", None),
    ],
)
def test_planted_errors_by_hand(kind, text, output):
    assert plant(kind, text, Stream("hand")) == output


@pytest.mark.parametrize(
    ("original", "output", "found"),
    [
        ("It rains a lot.", "It rains a lot.", []),
        ("It rains a lot.", "", ["critical non-translation"]),
        (
            "It rains a lot today.",
            "Сегодня идёт сильный дождь.",
            ["critical non-translation"],
        ),
        ("We sold 12 boats.", "We sold 13 boats.", ["major accuracy/mistranslation"]),
        ("It is not full.", "It is full.", ["major accuracy/mistranslation"]),
        ("We can't go home.", "We can go home.", ["major accuracy/mistranslation"]),
        ("He met Ada there.", "He met Ivan there.", ["major accuracy/mistranslation"]),
        ("It rains a lot today.", "It rains very much today.", ["minor style/awkward"]),
        ("Wait; it rains.", "Wait, it rains.", ["minor style/awkward"]),
        ("It rains and the sun is gone from us.", "It rains.", ["major accuracy/omission"]),
        ("It rains.", "It rains and the sun is gone from us.", ["critical accuracy/addition"]),
    ],
)
def test_the_judge_by_rule(original, output, found):
    errors = rule_errors(original, output)
    assert [f"{error.severity} {error.category}" for error in errors] == found


def test_a_good_judge_passes_its_checks():
    items = check_items(TEXTS)
    assert check_items(TEXTS) == items
    assert check_items(TEXTS, seed=1) != items
    found: Any = summarize_checks(items, judged(items))
    assert found["unread"] == 0
    assert found["identity"] == {"n": 3, "share": 1, "passed": True}
    assert {kind: cell["n"] for kind, cell in found["planted"].items()} == dict.fromkeys(PLANTED, 3)
    assert all(cell["detected"] == 1 for cell in found["planted"].values())
    assert found["planted"]["empty"]["severities"] == {"minor": 0, "major": 0, "critical": 1}
    assert found["planted"]["number"]["mean"] == 95
    assert found["repeat"] == {"n": 3, "deviation": 0, "flips": 0}
    checks, planted = check_tables(found)
    told = {row[0]: row[-1] for row in checks.rows}
    assert told["unchanged text scores 95 or more"] == "passed"
    assert [row[0] for row in planted.rows] == list(PLANTED)
