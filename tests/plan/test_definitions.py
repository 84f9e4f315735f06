"""The numbers of ``xlgo plan``, each by its definition, for several sizes and languages."""

from __future__ import annotations

import argparse
import json
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from scipy.stats import norm

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.cli import main
from xlgo_cli.plan.command import table
from xlgo_cli.plan.costs import cost, deviation, repeated, repeats_table

CURVES = {"en": (9.0, 2e-3), "te": (5.0, 4e-3), "hi": (7.0, 3e-3)}
CELLS = {4: 3, 9: 2, 20: 5}


def test_a_design_costs_its_prompts_and_shows_what_a_normal_test_shows() -> None:
    alike = 0.4  # of two languages' answers to one question, as docs say
    found = cost("slt", "smoke", CELLS, CURVES, count=lambda text: len(text.split()))
    for units, measure in ((found.characters, len), (found.tokens, lambda text: len(text.split()))):
        for code in CURVES:
            prompts = {
                size: xd.render(xd.generate("slt", complexity=size), code, "revised")
                for size in CELLS
            }
            assert units[code] == sum(CELLS[size] * measure(text) for size, text in prompts.items())
    n, compared = sum(CELLS.values()), len(CURVES) - 1
    assert (found.prompts, found.compared) == (n, compared)
    q, r = (9.0 * 5.0 * 7.0) ** (1 / 3), (2e-3 * 4e-3 * 3e-3) ** (1 / 3)
    right = [float(xm.gamma_accuracy(size, q, r)) for size in CELLS]
    discordant = fmean(2 * p * (1 - p) for p in right) * (1 - alike)
    assert found.discordant == pytest.approx(discordant)
    assert found.sd == pytest.approx(sqrt(discordant / n))
    far = norm.isf(0.025 / compared)
    for gap in (0.01, 0.1, 0.4):
        size = gap / sqrt((discordant + gap) / n)
        assert found.power(gap) == pytest.approx(norm.sf(far - size) + norm.cdf(-far - size))
    least = found.least_gap
    assert least is not None
    assert least / sqrt((discordant + least) / n) == pytest.approx(far + norm.ppf(0.8))
    alone = cost("slt", "smoke", CELLS, {"en": (9.0, 2e-3)})
    assert (alone.compared, alone.tokens) == (1, {})
    args = argparse.Namespace(gap=10.0, no_gap=None, preset="smoke")
    (row,) = table([found], args).rows
    assert row[:5] == ("slt", 4, 20, n, sum(found.tokens.values()))
    assert row[5:9] == pytest.approx((discordant, found.sd, found.power(0.1), least))


GAP: dict[str, Any] = {
    "task": "slt",
    "language": "te",
    "questions": 40,
    "gap_between": 0.2,
    "gap_within": 0.12,
}


def test_more_answers_take_off_what_is_within_and_more_questions_both() -> None:
    for answers, questions in ((1, 1), (3, 1), (1, 4), (2, 2)):
        variance = (0.2 + 0.12 / answers) / (questions * 40)
        assert deviation(GAP, answers=answers, questions=questions) == pytest.approx(sqrt(variance))
    other = {**GAP, "task": "dsa", "language": "hi", "questions": 9, "gap_within": None}
    score = {
        "families": {
            "a": {"repeats": [GAP, {**GAP, "gap_between": None}]},
            "b": {},
            "c": {"repeats": [other]},
        }
    }
    assert [*repeated(score)] == [GAP, other]
    rows = repeats_table([GAP, other]).rows
    assert [row[:3] for row in rows] == [("slt", "te", 40), ("dsa", "hi", 9)]
    for row, gap in zip(rows, (GAP, other), strict=True):
        expected = [deviation(gap, answers=k) for k in (1, 2, 4)] + [
            deviation(gap, questions=k) for k in (2, 4)
        ]
        assert row[3:] == pytest.approx(expected)


def test_each_task_has_its_own_preset_levels_and_languages(folder: Path, capsys: Any) -> None:
    curve = {"q": 5.0, "r": 4e-3}
    profile = {
        "tasks": {
            "slt": {"en": curve, "te": curve, "hi": curve},
            "t_rank": {"en": curve, "hi": curve},
        }
    }
    (folder / "p.json").write_text(json.dumps(profile))

    def plan(*more: str) -> dict[str, Any]:
        assert main(["plan", "--profile", "p.json", "--preset", "smoke", "--json", *more]) == 0
        return {one["task"]: one for one in json.loads(capsys.readouterr().out)}

    whole = plan("--gap", "7")
    assert {task: [*one["characters"]] for task, one in whole.items()} == {
        "slt": ["en", "te", "hi"], "t_rank": ["en", "hi"],
    }  # fmt: skip
    for task, one in whole.items():
        levels = xd.family_of(task).levels(task, preset="smoke")
        assert one["cells"] == {str(size): n for size, n in levels.items()}
        assert (one["gap"], one["prompts"], one["tokens"]) == (0.07, sum(levels.values()), None)
    some = plan("--languages", "hi,en", "--tasks", "t_rank,slt")
    assert [*some] == ["t_rank", "slt"]
    assert [[*one["characters"]] for one in some.values()] == [["hi", "en"], ["hi", "en"]]
    assert some["slt"]["characters"]["hi"] == whole["slt"]["characters"]["hi"]
    for words, message in (
        ("--languages en,te", "no curve of 'te' for t_rank"),
        ("--tasks slt dsa", "no curves of 'dsa'"),
    ):
        assert main(["plan", "--profile", "p.json", "--preset", "smoke", *words.split()]) == 2
        assert message in capsys.readouterr().err
