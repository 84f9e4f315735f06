"""``xlgo plan``: costs against the rows themselves, precision against simulated runs."""

import json
import sys
from argparse import Namespace
from functools import partial
from math import sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, norm

import xlgo_cli.page.grid  # noqa: F401
from xlgo_cli.cli import main
from xlgo_cli.plan.command import _selected_curves
from xlgo_cli.plan.costs import cost, deviation, repeated, repeats_table
from xlgo_metric import gaps
from xlgo_metric.statistics.differences import claim_power

ALIKE = {"en": (10.0, 1e-4), "te": (10.0, 1.2e-4)}


def test_a_gap_is_marked_as_often_as_the_plan_says() -> None:
    """Answers of three languages beside English: .4 of the questions share their draw."""
    draw = np.random.default_rng(1)
    cells = {10: 40, 60: 40, 90: 40, 110: 40, 140: 40}
    curves = {"en": (10.0, 1.2e-4), "te": (10.0, 1.2e-4), "hi": (10.0, 1.2e-4)}
    found = cost("slt", "x", cells, curves)
    right = chi2.cdf(10.0 / (1.2e-4 * np.array(list(cells), dtype=float) ** 2), 10.0)
    chances = np.repeat(right, 40)
    apart, marked, gap = [], [], 0.1
    for _ in range(30):
        shared, common = draw.random(200) < 0.4, draw.random(200)
        rows = []
        for code in curves:
            solved = np.where(shared, common, draw.random(200)) < chances
            if code == "te":  # unlearns a share of what it solves
                solved &= draw.random(200) >= gap / chances.mean()
            rows += [(n, code, int(one)) for n, one in enumerate(solved)]
        answers = [dict(zip(("question", "language", "correct"), row)) for row in rows]
        cell = {one.other: one for one in gaps(answers).cells}
        apart.append(cell["hi"].difference)
        marked.append(cell["te"].is_significant)
    assert found.sd == pytest.approx(float(np.std(apart)), rel=0.3)
    assert found.power(gap) == pytest.approx(float(np.mean(marked)), abs=0.15)
    assert found.power(found.least_gap) == pytest.approx(0.8, abs=0.01)


def test_a_design_away_from_the_curve_is_blind() -> None:
    found = cost("dsa", "x", dict.fromkeys(range(1000, 2000, 500), 50), ALIKE)
    assert found.sd is found.least_gap is found.power(0.1) is None


def test_no_gap_takes_the_questions_of_its_claim(capsys) -> None:
    """The intervals hold for all languages together (Bonferroni, half of alpha a side)."""
    needed = []
    for languages in ("en,te", "en,te,hi,ta,ar"):
        asked = ["plan", "--tasks", "slt", "--languages", languages, "--no-gap", "2",
                 "--preset", "smoke"]  # fmt: skip
        assert main([*asked, "--json"]) == 0
        (found,) = json.loads(capsys.readouterr().out)
        share, n, compared = found["discordant"], found["no_gap"]["needed"], languages.count(",")
        assert claim_power(n, share, margin=0.02, languages=compared) >= 0.8
        far = norm.ppf(1 - 0.025 / compared)
        assert n == pytest.approx((far + norm.ppf(0.9)) ** 2 * share / 0.02**2, rel=0.15)
        needed.append(n / share)
        assert main(asked) == 0
        assert "claim no gap within" in capsys.readouterr().out
    assert needed[1] > 1.2 * needed[0]


def test_curves_of_a_run_are_those_that_its_answers_identify(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def cell(q: float | None) -> dict[str, Any]:
        return {"fit": None if q is None else {"q": abs(q), "r": 0.1 * abs(q), "identified": q > 0}}

    tasks = {
        "slt": {"en": cell(3.0), "te": cell(5.0), "hi": cell(-7.0)},
        "dsa": {"en": cell(-2.0), "te": cell(None)},
    }
    monkeypatch.setattr(
        "xlgo_cli.logs.graded_run.score_folder",
        lambda path, **_: SimpleNamespace(score={"families": {}}),
    )
    monkeypatch.setattr(
        sys.modules["xlgo_cli.page.grid"], "with_gaps",
        lambda score: {
            "xlgobench": {"tasks": {task: {"languages": cells} for task, cells in tasks.items()}}
        },
    )  # fmt: skip
    named = partial(Namespace, profile="demo", results="run")
    both = {"en": (3.0, pytest.approx(0.3)), "te": (5.0, 0.5)}
    assert _selected_curves(named(tasks=[], languages=[])) == ({"slt": both}, [])
    (chosen, _) = _selected_curves(named(tasks=["xlgo_slt"], languages=["te"]))
    assert chosen == {"slt": {"te": (5.0, 0.5)}}
    with pytest.raises(ValueError, match="no curves of 'dsa'"):
        _selected_curves(named(tasks=["dsa"], languages=[]))
    tasks.pop("slt")
    with pytest.raises(ValueError, match="run: no curve of any puzzle is identified there"):
        _selected_curves(named(tasks=[], languages=[]))


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
