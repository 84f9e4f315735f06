"""Questions that answers chose speak of themselves: in no output are they ranked or pooled.

A run has a fixed design of one task, in which Chinese is as good as English, and an adaptive design
of another, in which all Chinese answers are wrong. Whatever pooled the two would show a gap.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.report.logs import LATER, LEVELS, rows, write_answers
from xlgo_cli.leaderboard.standings import read_entries
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.report.compare.comparison import comparison
from xlgo_metric.statistics.adaptive import NAME

LANGUAGES = ("en", "zh", "ar")
PER_LEVEL = 20
DESIGN = {"design": NAME, "range": [4, 16]}


def asked(task: str, **about: Any) -> list[dict[str, Any]]:
    return [
        {**row, "reference": json.dumps({**json.loads(row["reference"]), **about})}
        for row in rows(task, LANGUAGES, per_level=PER_LEVEL)
    ]


def is_right(row: dict[str, Any]) -> bool:
    """Correct in 20, 15, 10 and 5 of a level; in dsa never in Chinese."""
    is_lost = row["task"] == "dsa" and row["language"] == "zh"
    return not is_lost and row["index"] < 20 - 5 * row["level"]


def write(folder: Path, design: dict[str, Any] = DESIGN, **about: Any) -> Path:
    return write_answers(folder, [*asked("slt"), *asked("dsa", **design)], is_right, **about)


def quick(folder: Path, model: str | None = None) -> GradedRun:
    return score_folder(folder, model=model, options={"draws": 10, "permutations": 99})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[GradedRun, GradedRun]:
    """One model twice, and the second time later."""
    top = tmp_path_factory.mktemp("chosen")
    return quick(write(top / "first")), quick(write(top / "second", date=LATER))


def test_the_score_has_no_number_over_both(runs: tuple[GradedRun, GradedRun]) -> None:
    score = runs[0].score
    section = score["families"]["xlgobench"]
    assert section["over_tasks"]["tasks"] == ["slt"]
    assert section["over_tasks"]["left_out"] == {"dsa": "answers chose its questions"}
    gap = section["tasks"]["dsa"]["languages"]["zh"]["difference"]
    assert gap["where"]["design"] == NAME
    assert gap["difference"] == pytest.approx(0.625)
    flat = score["headline"]
    assert flat["diff_zh"] == flat["slt_diff_zh"] == 0.0
    assert not {"dsa_diff_zh", "dsa_p_zh", "smd_zh"} & flat.keys()


def test_a_leaderboard_does_not_rank_it(runs: tuple[GradedRun, GradedRun]) -> None:
    entries, ((_, why),) = read_entries([runs[0].run.files[0].path.parent], lambda *_: runs[0])
    assert entries == []
    assert "its own answers chose the questions of dsa" in why


def test_two_runs_are_compared_on_the_fixed_questions(runs: tuple[GradedRun, GradedRun]) -> None:
    found = comparison(*runs)
    assert {pair.task for pair in found.pairs} == {"slt"}
    assert found.overall is not None
    assert found.overall.n == len(LANGUAGES) * LEVELS * PER_LEVEL
    assert [gap.n for gap in found.gaps] == [LEVELS * PER_LEVEL] * 2
    assert any(note.startswith("dsa: acme/lingua chose questions") for note in found.notes)


def test_a_plan_of_another_model_is_not_pooled_either(tmp_path: Path) -> None:
    """Two models were asked the questions that the answers of a third chose."""
    plan = {**DESIGN, "design": "plan-of-third"}
    folders = [write(tmp_path / name, design=plan, model=name) for name in ("one", "two")]
    found = comparison(quick(folders[0]), quick(folders[1]))
    assert {(pair.task, pair.is_chosen) for pair in found.pairs} == {("slt", False), ("dsa", True)}
    assert found.overall is not None
    assert found.overall.n == len(LANGUAGES) * LEVELS * PER_LEVEL
    assert [gap.n for gap in found.gaps] == [LEVELS * PER_LEVEL] * 2
    assert any("they count in no number over all" in note for note in found.notes)
