"""Questions that answers chose speak of themselves: in no output are they ranked or pooled.

A run has a fixed design of one task, in which Chinese is as good as English, and an adaptive design
of another, in which all Chinese answers are wrong. Whatever pooled the two would show a gap.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import fisher_exact

from tests.report.logs import LATER, LEVELS, rows, write_answers
from xlgo_cli.leaderboard.standings import read_entries
from xlgo_cli.logs.graded_run import GradedRun, score_folder
from xlgo_cli.logs.missing import Absent, unequal
from xlgo_cli.report.compare.comparison import comparison
from xlgo_cli.report.grid import mark, of_section, with_gaps
from xlgo_cli.report.screen import sentences
from xlgo_metric.comparison.compare import UNEQUAL
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


LACKING = ("en", "zh", "ar")
RIGHT = {"en": 24, "zh": 6, "ar": 24}
"""Correct answers of each level, of 30."""


def write_lacking(folder: Path, lacking: int, **about: Any) -> Path:
    """A run in which the first ``lacking`` Chinese answers of each level are missing."""
    absent = {"zh": lacking}
    return write_answers(
        folder,
        rows("slt", LACKING, per_level=30),
        lambda row: (
            None
            if row["index"] < absent.get(row["language"], 0)
            else row["index"] < RIGHT[row["language"]]
        ),
        **about,
    )


@pytest.fixture(scope="module")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    top = tmp_path_factory.mktemp("lacking")
    return [write_lacking(top / "lost", 3), write_lacking(top / "whole", 0, date=LATER)]


def test_the_score_and_the_report(lacking: list[Path]) -> None:
    score = score_folder(lacking[0], partial=True).score
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
    whole = score_folder(lacking[1]).score["families"]["xlgobench"]
    assert whole["tasks"]["slt"]["languages"]["zh"]["difference"]["is_significant"]


def test_a_comparison_refuses_the_gap_whichever_model_lacks_answers(lacking: list[Path]) -> None:
    lost, whole = score_folder(lacking[0], partial=True), score_folder(lacking[1])
    for first, second in ((lost, whole), (whole, lost)):
        gaps = {gap.language: gap for gap in comparison(first, second).gaps}
        assert gaps["zh"].refused == UNEQUAL
        assert gaps["zh"].p_value is None
        assert gaps["ar"].refused != UNEQUAL


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
