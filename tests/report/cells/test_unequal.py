"""Where other shares of answers lack in a language, no output has a mark, an interval or a p."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scipy.stats import fisher_exact

from tests.report.logs import LATER, rows, write_answers
from xlgo_cli.logs.graded_run import Absent, score_folder, unequal
from xlgo_cli.report.compare.comparison import comparison
from xlgo_cli.report.findings import sentences
from xlgo_cli.report.grid import mark, of_section, with_gaps
from xlgo_metric.comparison.compare import UNEQUAL

LANGUAGES = ("en", "zh", "ar")
RIGHT = {"en": 24, "zh": 6, "ar": 24}
"""Correct answers of each level, of 30."""


def write(folder: Path, lacking: int, **about: Any) -> Path:
    """A run in which the first ``lacking`` Chinese answers of each level are missing."""
    absent = {"zh": lacking}
    return write_answers(
        folder,
        rows("slt", LANGUAGES, per_level=30),
        lambda row: (
            None
            if row["index"] < absent.get(row["language"], 0)
            else row["index"] < RIGHT[row["language"]]
        ),
        **about,
    )


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


def test_a_comparison_refuses_the_gap_whichever_model_lacks_answers(runs: list[Path]) -> None:
    lost, whole = score_folder(runs[0], partial=True), score_folder(runs[1])
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
        asked = dict.fromkeys(places, 50)
        assert len(unequal(absent.by_place, asked, [], "en")) == marked
