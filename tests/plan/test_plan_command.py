"""``xlgo plan``: costs against the rows themselves, precision against simulated runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, norm

import xlgo_dataset as xd
from xlgo_cli.cli import main
from xlgo_cli.plan.costs import adaptive_cells, common_cells, cost, second_cells
from xlgo_cli.plan.decomposition import _sd
from xlgo_metric.statistics.adaptive.design import Design, next_step
from xlgo_metric.statistics.adaptive.second_stage import next_pair_cells
from xlgo_metric.statistics.gamma import fit_curves, gamma_accuracy
from xlgo_metric.statistics.gaps import divergence

CURVES = {"en": (10.0, 1e-4), "te": (10.0, 1.2e-4)}


def test_costs_are_those_of_the_rows(folder: Path, capsys) -> None:
    line = ["plan", "--tasks", "slt", "--languages", "en,te", "--preset", "smoke", "--json"]
    assert main(line) == 0
    fixed, adaptive = json.loads(capsys.readouterr().out)
    rows = list(xd.family("xlgobench").rows("slt", ["en", "te"], preset="smoke", text="revised"))
    for code in ("en", "te"):
        true = sum(len(row["prompt"]) for row in rows if row["language"] == code)
        assert fixed["characters"][code] == pytest.approx(true, rel=0.01)
    assert fixed["prompts"] == len(rows) / 2
    assert adaptive["prompts"] == sum(adaptive["cells"].values()) == 300


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


def test_the_expected_sd_is_about_that_of_simulated_gaps() -> None:
    rng = np.random.default_rng(0)
    curves = {"en": (12.0, 1e-4), "te": (12.0, 1.4e-4)}
    design = Design(2, 2090, 2)
    cells = adaptive_cells(design, curves)
    found = cost("slt", "adaptive", cells, curves, alike=0.0, ends=(2, 2090))
    c, n = np.array(list(cells), dtype=float), np.array(list(cells.values()))
    f = np.stack([gamma_accuracy(c, *curve) for curve in curves.values()])
    k = rng.binomial(n, f, size=(400, *f.shape))
    q, r = fit_curves(c, k / n, n=n)
    smd = divergence((q[:, 0], r[:, 0]), (q[:, 1], r[:, 1]), 2, 2090).smd
    assert found.sd == pytest.approx(float(smd.std()), rel=0.3)
    detected = (np.abs(smd) > 1.96 * smd.std()).mean()
    assert found.power(abs(float(np.median(smd)))) == pytest.approx(float(detected), abs=0.15)


def test_a_design_away_from_the_curve_is_blind(capsys) -> None:
    even = dict.fromkeys(range(1000, 2000, 50), 50)
    found = cost("dsa", "fixed", even, CURVES, alike=0.4, ends=(2, 2090))
    assert found.sd == float("inf")
    assert found.power(0.1) == pytest.approx(0.05, abs=1e-3)


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
        (["--budget", "3"], "40 prompts per language or more"),
    ],
)
def test_mistakes_are_told(given, message: str, folder: Path, capsys) -> None:
    assert main(["plan", *given]) == 2
    assert message in capsys.readouterr().err


def test_a_decomposition_costs_the_rows_under_its_conditions(folder: Path, capsys) -> None:
    asked = "plain,english_rules,english_lines"
    line = ["plan", "--tasks", "slt", "--languages", "en,te", "--preset", "smoke", "--json"]
    assert main([*line, "--conditions", asked]) == 0
    fixed = json.loads(capsys.readouterr().out)[0]["decomposition"]
    given: dict[str, Any] = {
        "preset": "smoke",
        "conditions": asked,
        "text": "revised",
    }  # as `xlgo run` asks
    rows = list(xd.family("xlgobench").rows("slt", ["en", "te"], **given))
    assert fixed["prompts"] == len(rows)
    for language, of in fixed["characters"].items():
        for name, characters in of.items():
            true = [
                len(row["prompt"])
                for row in rows
                if row["language"] == language
                and json.loads(row["reference"]).get("condition", "plain") == name
            ]
            assert characters == pytest.approx(sum(true), rel=0.01)
    assert fixed["tests"] == 3  # the gap and two contrasts


def test_the_expected_sd_of_a_condition_is_that_of_simulated_answers() -> None:
    rng = np.random.default_rng(1)
    cells = {10: 40, 60: 40, 90: 40, 110: 40, 400: 40}
    sd, telling = _sd(cells, CURVES, 0.4)
    p = np.asarray(gamma_accuracy(np.array(list(cells), dtype=float), 10.0, 1.2e-4**0.5 * 1e-2))
    inside = np.flatnonzero((p >= 0.1) & (p <= 0.9))
    assert telling == 40 * len(inside)
    shared = rng.random((2000, len(inside), 40)) < 0.4  # both take one draw: correlated .4
    draws = rng.random((3, 2000, len(inside), 40))
    first, second = (np.where(shared, draws[0], one) < p[inside][:, None] for one in draws[1:])
    apart = first.mean(axis=(1, 2)) - second.mean(axis=(1, 2))
    assert sd == pytest.approx(float(apart.std()), rel=0.1)


def test_a_second_stage_is_foreseen_where_simulated_runs_have_one() -> None:
    """One language of seven far behind: the planner of the runs, on answers drawn from curves."""
    q, halves = 20.0, {"en": 300.0, "zh": 300.0, "hi": 290.0, "ar": 310.0, "te": 120.0}
    curves = {code: (q, (chi2.ppf(0.5, q) / q) / half**2) for code, half in halves.items()}
    r = [curve[1] for curve in curves.values()]
    design = Design(2, 2090, len(curves))
    cells = adaptive_cells(design, curves)
    foreseen = second_cells(design, curves, cells)
    assert set(foreseen) == {"te"}

    rng = np.random.default_rng(3)

    def right(sizes: list[int], of: list[int]) -> np.ndarray:
        chances = [[chi2.cdf(q / (r[i] * size**2), q) for size in sizes] for i in of]
        return rng.random((len(of), len(sizes))) < np.array(chances)

    asked = []
    for _ in range(12):
        first: list[tuple[int, int, int]] = []
        pair: list[tuple[int, int, int]] = []
        while found := next_step(design, first).cells:
            keys = [(size, index) for size, of in found.items() for index in of]
            answers = right([size for size, _ in keys], list(range(len(r))))
            first += [(*key, int(s)) for key, s in zip(keys, answers.sum(axis=0))]
            pair += [(*key, int(s)) for key, s in zip(keys, answers[[0, -1]].sum(axis=0))]
        second: list[tuple[int, int, int]] = []
        while found := next_pair_cells(design, pair, second, 4):
            keys = [(size, index) for size, of in found.items() for index in of]
            answers = right([size for size, _ in keys], [0, len(r) - 1])
            second += [(*key, int(s)) for key, s in zip(keys, answers.sum(axis=0))]
        asked.append(len(second))
    assert sum(foreseen["te"].values()) == pytest.approx(np.mean(asked), rel=0.3)


def test_a_second_stage_costs_both_languages(folder: Path, capsys) -> None:
    halves = {"en": 300.0, "hi": 290.0, "zh": 300.0, "ar": 310.0, "ta": 300.0, "te": 120.0}
    curves = {code: {"q": 20, "r": half**-2} for code, half in halves.items()}
    (folder / "p.json").write_text(json.dumps({"tasks": {"slt": curves}}))
    line = ["plan", "--profile", "p.json", "--json"]
    assert main(line) == 0
    fixed, adaptive = json.loads(capsys.readouterr().out)
    assert fixed["second_stage"] == {}
    assert list(adaptive["second_stage"]) == ["te"]
    assert main([*line, "--no-second-stage"]) == 0
    _, without = json.loads(capsys.readouterr().out)
    assert without["second_stage"] == {}
    more = {code: adaptive["characters"][code] - without["characters"][code] for code in curves}
    assert min(more["en"], more["te"]) > 0
    assert more["hi"] == more["ta"] == 0
    assert main(line[:-1]) == 0
    assert "a second stage of prompts is expected in te" in capsys.readouterr().out


def test_no_gap_takes_the_questions_that_its_share_of_discordant_pairs_takes(capsys) -> None:
    from xlgo_metric.statistics.claims import claim_power

    asked = ["plan", "--tasks", "slt", "--languages", "en,te", "--no-gap", "5", "--json"]
    assert main(asked) == 0
    for one in json.loads(capsys.readouterr().out):
        found = one["no_gap"]
        if found["discordant"] < 0.01:  # the questions tell nothing
            continue
        assert claim_power(found["needed"], found["discordant"]) >= 0.8
        assert found["needed"] == pytest.approx(10.5 * found["discordant"] / 0.05**2, rel=0.15)
    assert main([*asked[:-1]]) == 0
    assert "claim no gap within" in capsys.readouterr().out
    assert main(["plan", "--no-gap", "200"]) != 0


def test_no_gap_of_more_languages_takes_more_questions(capsys) -> None:
    """The intervals hold for all languages together (Bonferroni, half of alpha a side)."""
    needed = []
    for languages in ("en,te", "en,te,hi,ta,ar"):
        asked = ["plan", "--tasks", "slt", "--languages", languages, "--no-gap", "5", "--json"]
        assert main(asked) == 0
        every = [one["no_gap"] for one in json.loads(capsys.readouterr().out)]
        found = max(every, key=lambda one: one["discordant"])
        share, n = found["discordant"], found["needed"]
        far = norm.ppf(1 - 0.025 / (languages.count(",")))
        assert n == pytest.approx((far + norm.ppf(0.9)) ** 2 * share / 0.05**2, rel=0.15)
        needed.append(n / share)
    assert needed[1] > 1.2 * needed[0]
