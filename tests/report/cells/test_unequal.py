"""Where other shares of answers lack in a language, no output has a mark, an interval or a p."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import fisher_exact

import xlgo_dataset as xd
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.missing import Absent, unequal
from xlgo_cli.report.compare.comparison import comparison
from xlgo_cli.report.grid import mark, of_section, with_gaps
from xlgo_cli.report.screen import sentences
from xlgo_metric.comparison.compare import UNEQUAL

from ..logs import LATER, sample, write_run

LANGUAGES = ("en", "zh", "ar")
RIGHT = {"en": 24, "zh": 6, "ar": 24}
"""Correct answers of each level, of 30."""


def write(folder: Path, lacking: int, tasks: tuple[str, ...] = ("slt",), **about: Any) -> Path:
    """A run in which the first ``lacking`` Chinese answers of each level of slt are missing."""
    options: dict[str, Any] = {"levels": 4, "per_level": 30, "c_min": 4, "c_max": 16}
    lines = []
    made = [r for task in tasks for r in xd.family_of(task).rows(task, LANGUAGES, **options)]
    for number, row in enumerate(made):
        text = row["answer"] if row["index"] < RIGHT[row["language"]] else '{"chain": [0]}'
        lost = (row["task"], row["language"]) == ("slt", "zh") and row["index"] < lacking
        lines.append(sample(row, None if lost else text, number))
    write_run(folder, samples=lines, **about)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    top = tmp_path_factory.mktemp("lacking")
    return [write(top / "lost", 3), write(top / "whole", 0, date=LATER)]


def test_the_score_and_the_report(runs: list[Path]) -> None:
    score = score_folder(runs[0], partial=True).score
    section = score["families"]["xlgobench"]
    cells = [section["tasks"]["slt"]["languages"]["zh"]["difference"]]
    cells.append(section["over_tasks"]["languages"]["zh"])
    for cell in cells:
        assert cell["refused"] == UNEQUAL
        assert not cell["is_significant"]
        assert cell["p_value"] is cell["ci_low"] is cell["ci_high"] is None
    names = {f"{stem}zh" for stem in ("slt_diff_", "slt_p_", "diff_", "p_", "smd_")}
    assert not names & score["headline"].keys()
    assert "diff_ar" in score["headline"]
    told = [text for text in sentences(score) if "Chinese" in text and "Wordings" not in text]
    assert len(told) == 1
    assert told[0].startswith("No claim where missing answers differ between the languages by more")
    found = of_section(with_gaps(score)["xlgobench"])
    assert found is not None
    cells = [cell for (code, _), cell in found.cells.items() if code == "zh"]
    assert cells
    assert {mark(cell) for cell in cells} == {"?"}
    whole = score_folder(runs[1]).score["families"]["xlgobench"]
    assert whole["tasks"]["slt"]["languages"]["zh"]["difference"]["is_significant"]


def test_two_models_and_a_leaderboard(runs: list[Path], tmp_path: Path) -> None:
    first, second = (score_folder(run, partial=True) for run in runs)
    found = comparison(first, second)
    gaps = {gap.language: gap.refused for gap in found.gaps}
    assert gaps["zh"] == UNEQUAL != gaps["ar"]
    folders = [write(tmp_path / "a", 3, model="acme/a"), write(tmp_path / "b", 0, model="acme/b")]
    assert main(["leaderboard", *map(str, folders), "--out", str(tmp_path / "board")]) in (0, 1)
    board = json.loads((tmp_path / "board" / "leaderboard.json").read_text("utf-8"))
    for model in board["models"]:
        lost = model["name"] == "acme/a"
        refused = [model["differences"]["zh"]["refused"]]
        refused += [gap["refused"] for gap in model["gaps"] if gap["other"] == "zh"]
        assert refused == [UNEQUAL if lost else ""] * 2


def test_more_than_chance_is_said_of_all_languages_together() -> None:
    """6 of 50 missing against none: Fisher's p is .027, above a half of 5%, below 5%."""
    assert fisher_exact([[6, 44], [0, 50]])[1] == pytest.approx(0.0267, abs=1e-4)
    for languages, marked in ((("te",), 1), (("te", "hi"), 0)):
        absent = Absent()
        places = [("xlgobench", "slt", code) for code in ("en", *languages)]
        for place in places[1:]:
            for _ in range(6):
                absent.add(place, "missing", "timeout")
        found = list(unequal(absent, dict.fromkeys(places, 50), [], "en"))
        assert len(found) == marked


def test_one_task_of_two_is_enough_to_refuse_a_gap_over_both(tmp_path: Path) -> None:
    tasks = ("slt", "dsa")
    folders = [write(tmp_path / name, n, tasks, model=name) for name, n in (("a", 3), ("b", 0))]
    assert main(["leaderboard", *map(str, folders), "--out", str(tmp_path / "board")]) in (0, 1)
    board = json.loads((tmp_path / "board" / "leaderboard.json").read_text("utf-8"))
    refused = {model["name"]: model["differences"]["zh"]["refused"] for model in board["models"]}
    assert refused == {"a": UNEQUAL, "b": ""}
