"""``xlgo plan``: costs against the rows themselves, precision against simulated runs."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, norm

import xlgo_cli.report.gap_marks  # noqa: F401
import xlgo_dataset as xd
from xlgo_cli.cli import main
from xlgo_cli.plan.command import _expected, _selected_curves, _tasks
from xlgo_cli.plan.costs import common_cells, cost
from xlgo_metric import gaps
from xlgo_metric.statistics.adaptive.design import Design
from xlgo_metric.statistics.claims import claim_power

CURVES = {"en": (10.0, 1e-4), "te": (10.0, 1.2e-4)}


def test_costs_are_those_of_the_rows(folder: Path, capsys) -> None:
    line = ["plan", "--tasks", "slt", "--languages", "en,te", "--preset", "smoke", "--json"]
    assert main(line) == 0
    (fixed,) = json.loads(capsys.readouterr().out)
    rows = list(xd.family("xlgobench").rows("slt", ["en", "te"], preset="smoke", text="revised"))
    for code in ("en", "te"):
        true = sum(len(row["prompt"]) for row in rows if row["language"] == code)
        assert fixed["characters"][code] == pytest.approx(true, rel=0.01)
    assert fixed["prompts"] == len(rows) / 2
    assert sum(fixed["cells"].values()) == fixed["prompts"]


def test_tokenizers_without_a_download_have_the_names_of_conditions(capsys) -> None:
    line = ["plan", "--tasks", "slt", "--languages", "en,te", "--preset", "smoke", "--json"]
    assert main([*line, "--tokenizer", "characters"]) == 0
    for found in json.loads(capsys.readouterr().out):
        assert found["tokens"] == found["characters"]
    pytest.importorskip("mistral_common")
    assert main([*line, "--tokenizer", "tekken"]) == 0
    for found in json.loads(capsys.readouterr().out):
        assert 0 < found["tokens"]["en"] < found["characters"]["en"]


def test_the_table_fits_eighty_columns(capsys) -> None:
    languages = ["--languages", "en", "te"]
    assert main(["plan", "--tasks", "xlgo_slt", "graph_sp", *languages]) == 0
    table = capsys.readouterr().out.partition("prompts: in each language")[0]
    assert "graph_sp" in table
    assert max(len(line.rstrip()) for line in table.splitlines()) <= 80


def test_a_common_plan_asks_new_questions_where_each_model_tells() -> None:
    design = Design(2, 2090, 2, 200)
    weak = {"en": (10.0, 1e-2), "te": (10.0, 1e-2)}
    used = {10: 50}
    cells = common_cells(design, [CURVES, weak], used)
    assert sum(map(len, cells.values())) == 200
    below = sum(len(of) for size, of in cells.items() if size < 33)
    assert below == 100  # the weak model's half
    near = min(cells, key=lambda size: abs(size - 10))
    assert cells[near][0] == used.get(near, 0)


def test_a_common_plan_from_runs(folder: Path, capsys) -> None:
    for seed in ("0", "1"):
        profile = {"tasks": {"slt": {"en": {"q": 8, "r": 0.01}, "te": {"q": 8, "r": 0.02}}}}
        (folder / "p.json").write_text(json.dumps(profile))
        assert main([
            "run", "--model", "xlgo-sim", "--model_args", f"profile=p.json,seed={seed}",
            "--tasks", "xlgo_slt", "--languages", "en,te", "--complexities", "3,6,9,12,18,25",
            "--per-level", "6", "-o", f"out{seed}",
        ]) == 0  # fmt: skip
    assert main(["plan", "--from", "out0", "out1", "-o", "plan.json", "--budget", "80"]) == 0
    rows = xd.family("xlgobench").rows("slt", ["en", "te"], plan="plan.json")
    found = [(row["complexity"], row["index"]) for row in rows]
    assert len(found) == 160
    assert not [1 for size, index in found if size in (3, 6, 9, 12, 18, 25) and index < 6]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--tasks", "chess"], "no curves of 'chess'"),
        (["--languages", "xx"], "no curve of 'xx'"),
        (["--gap", "0"], "--gap must lie between"),
        (["--correlation", "1"], "--correlation must lie in"),
        (["-o", "plan.json"], "--out needs --from RUN"),
        (["--budget", "3"], "--budget needs --out FILE"),
        (["--tasks", "slt", "--limit", "3"], "--limit: only for tasks without complexities"),
        (["--tasks", "slt", "--metadata", "levels=3"], "--metadata: only for tasks without"),
        (["--tasks", "slt", "--model", "x"], "--model needs --prices FILE"),
        (["--no-gap", "200"], "--no-gap must lie between"),
        (["--tasks", "lit_africa", "--no-gap", "5"], "--no-gap: only for tasks with complexities"),
        (["--save", "x.json", "--judge", "none"], "--judge: only for tasks without"),
        (["--save", "x.json", "--gap", "5"], "--gap: does nothing with --save"),
        (["--save", "x.json", "--json"], "--json: does nothing with --save"),
        (["--save", "x.json", "--from", "y"], "--from: does nothing with --save"),
    ],
)
def test_mistakes_are_told(given, message: str, folder: Path, capsys) -> None:
    assert main(["plan", *given]) == 2
    assert message in capsys.readouterr().err


def test_a_gap_is_marked_as_often_as_the_plan_says() -> None:
    """Answers of three languages beside English: .4 of the questions share their draw."""
    draw = np.random.default_rng(1)
    cells = {10: 40, 60: 40, 90: 40, 110: 40, 140: 40}
    curves = {"en": (10.0, 1.2e-4), "te": (10.0, 1.2e-4), "hi": (10.0, 1.2e-4)}
    found = cost("slt", "x", cells, curves, alike=0.4)
    right = chi2.cdf(10.0 / (1.2e-4 * np.array(list(cells), dtype=float) ** 2), 10.0)
    chances = np.repeat(right, 40)
    apart, marked, gap = [], [], 0.1
    for _ in range(60):
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
    found = cost("dsa", "x", dict.fromkeys(range(1000, 2000, 500), 50), CURVES, alike=0.4)
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


def test_a_common_plan_gives_three_models_a_third_each_beyond_all_that_was_asked() -> None:
    halves = {"weak": 8.0, "middle": 60.0, "strong": 700.0}
    models = [
        {code: (20.0, chi2.ppf(0.5, 20.0) / 20.0 / half**2) for code in ("en", "te")}
        for half in halves.values()
    ]
    design = Design(2, 2090, 2, 100)
    used = {size: 3 + size % 5 for size in design.grid[::2]}
    cells = common_cells(design, models, used)
    assert sum(map(len, cells.values())) == 100
    assert list(cells) == sorted(cells)
    for size, indexes in cells.items():
        first = used.get(size, 0)
        assert indexes == tuple(range(first, first + len(indexes)))
    between = [
        sum(len(of) for size, of in cells.items() if low <= size < high)
        for low, high in ((0, 22), (22, 205), (205, 9999))
    ]
    assert sorted(between) == [33, 33, 34]  # each model's are near the drop of its own curve


def test_curves_and_questions_of_several_runs_are_taken_task_by_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the questions at a complexity that of several languages and runs the most count."""

    def cell(q: float | None, levels: dict[int, int]) -> dict[str, Any]:
        fit = None if q is None else {"q": abs(q), "r": 0.1 * abs(q), "identified": q > 0}
        return {"fit": fit, "levels": [{"complexity": c, "n": n} for c, n in levels.items()]}

    runs = {
        "one": {
            "slt": {
                "en": cell(3.0, {4: 10, 9: 10}),
                "te": cell(5.0, {4: 12}),
                "hi": cell(-7.0, {}),
            },
            "dsa": {"en": cell(-2.0, {5: 6}), "te": cell(None, {5: 8})},
        },
        "two": {"slt": {"en": cell(4.0, {4: 11, 9: 30})}, "dsa": {"en": cell(6.0, {5: 7, 8: 2})}},
    }  # fmt: skip
    monkeypatch.setattr(
        "xlgo_cli.logs.graded_run.score_folder",
        lambda path, **_: SimpleNamespace(score={"run": path}),
    )
    monkeypatch.setattr("xlgo_cli.plan.repeats.repeated", lambda score: [score["run"]])
    monkeypatch.setattr(
        sys.modules["xlgo_cli.report.gap_marks"], "with_gaps",
        lambda score: {
            "xlgobench": {"tasks": {
                task: {"languages": cells} for task, cells in runs[score["run"]].items()
            }}
        },
    )  # fmt: skip
    models, used, again = _expected(Namespace(runs=["one", "two"]))
    assert models == [
        {"slt": {"en": (3.0, pytest.approx(0.3)), "te": (5.0, 0.5)}},
        {"slt": {"en": (4.0, 0.4)}, "dsa": {"en": (6.0, pytest.approx(0.6))}},
    ]
    assert used == {"slt": {4: 12, 9: 30}, "dsa": {5: 8, 8: 2}}
    assert again == ["one", "two"]
    named = Namespace(tasks=[], languages=[])
    assert _tasks(named, models) == ["slt", "dsa"]
    assert _tasks(Namespace(tasks=["xlgo_dsa"]), models) == ["dsa"]
    assert _selected_curves(Namespace(languages=["te"]), "slt", models[0]["slt"]) == {
        "te": (5.0, 0.5)
    }
    runs["two"] = {"slt": {"en": cell(-1.0, {4: 1})}}
    with pytest.raises(ValueError, match="two: no curve of any puzzle is identified there"):
        _expected(Namespace(runs=["one", "two"]))
