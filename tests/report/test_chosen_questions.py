"""Questions that answers chose speak of themselves: in no output are they ranked or pooled.

A run has a fixed design of one task, in which Chinese is as good as English, and an adaptive design
of another, in which all Chinese answers are wrong. Whatever pooled the two would show a gap.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.cli import main
from xlgo_cli.leaderboard.standings import read_entries
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.compare.comparison import comparison
from xlgo_cli.report.screen import sentences
from xlgo_metric.comparison import AnswerTable, compare
from xlgo_metric.statistics.adaptive import NAME

from .logs import DATE, LATER, sample, write_run

LANGUAGES = ("en", "zh", "ar")
LEVELS, PER_LEVEL = 4, 20
DESIGN = {"design": NAME, "range": [4, 16]}


def asked(task: str, **about: Any) -> list[dict[str, Any]]:
    options: dict[str, Any] = {"levels": LEVELS, "per_level": PER_LEVEL, "c_min": 4, "c_max": 16}
    rows = xd.family_of(task).rows(task, LANGUAGES, split="test", **options)
    return [
        {**row, "reference": json.dumps({**json.loads(row["reference"]), **about})} for row in rows
    ]


def answered(row: dict[str, Any]) -> str:
    """Correct in 20, 15, 10 and 5 of a level; in dsa never in Chinese."""
    is_lost = row["task"] == "dsa" and row["language"] == "zh"
    return (
        '{"state": "A1000"}' if is_lost or row["index"] >= 20 - 5 * row["level"] else row["answer"]
    )


def write(folder: Path, **about: Any) -> Path:
    design = about.pop("design", DESIGN)
    for task, of in (("slt", {}), ("dsa", design)):
        rows = asked(task, **of)
        lines = [sample(row, answered(row), n) for n, row in enumerate(rows)]
        write_run(folder, task=task, samples=lines, **about)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One model twice, and the second time later."""
    top = tmp_path_factory.mktemp("chosen")
    return write(top / "first"), write(top / "second", date=LATER)


def test_the_score_has_no_number_over_both(runs: tuple[Path, Path]) -> None:
    score = score_folder(runs[0]).score
    section = score["families"]["xlgobench"]
    assert section["over_tasks"]["tasks"] == ["slt"]
    assert section["over_tasks"]["left_out"] == {"dsa": "answers chose its questions"}
    gap = section["tasks"]["dsa"]["languages"]["zh"]["difference"]
    assert gap["where"]["design"] == NAME
    assert gap["difference"] == pytest.approx(0.625)
    flat = score["headline"]
    assert flat["diff_zh"] == flat["slt_diff_zh"] == 0.0
    assert not {"dsa_diff_zh", "dsa_p_zh", "smd_zh"} & flat.keys()


def test_the_report_speaks_of_the_questions_asked(runs: tuple[Path, Path]) -> None:
    told = sentences(score_folder(runs[0]).score)
    assert any("No language has a lower accuracy than English" in text for text in told)
    (said,) = [text for text in told if "62.5" in text]
    assert "Chinese is 62.5 points behind English over the questions that answers chose" in said
    assert any("count in no sentence about several tasks" in text for text in told)


def test_the_files_and_pages_say_so(runs: tuple[Path, Path], tmp_path: Path) -> None:
    assert main(["report", str(runs[0]), "--out", str(tmp_path), "--quiet"]) == 0
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "the questions that answers chose, each alike" in page


def test_a_leaderboard_does_not_rank_it(runs: tuple[Path, Path]) -> None:
    entries, ((_, why),) = read_entries([runs[0]])
    assert entries == []
    assert "its own answers chose the questions of dsa" in why


def test_two_runs_are_compared_on_the_fixed_questions(runs: tuple[Path, Path]) -> None:
    found = comparison(score_folder(runs[0]), score_folder(runs[1]))
    assert {pair.task for pair in found.pairs} == {"slt"}
    assert found.overall is not None
    assert found.overall.n == len(LANGUAGES) * LEVELS * PER_LEVEL
    assert [gap.n for gap in found.gaps] == [LEVELS * PER_LEVEL] * 2
    assert any(note.startswith("dsa: acme/lingua chose questions") for note in found.notes)


def test_a_plan_of_another_model_is_not_pooled_either(tmp_path: Path) -> None:
    """Two models were asked the questions that the answers of a third chose."""
    plan = {**DESIGN, "design": "plan-of-third"}
    folders = [write(tmp_path / name, design=plan, model=name) for name in ("one", "two")]
    found = comparison(score_folder(folders[0]), score_folder(folders[1]))
    assert {(pair.task, pair.is_chosen) for pair in found.pairs} == {("slt", False), ("dsa", True)}
    assert found.overall is not None
    assert found.overall.n == len(LANGUAGES) * LEVELS * PER_LEVEL
    assert [gap.n for gap in found.gaps] == [LEVELS * PER_LEVEL] * 2
    assert any("they count in no number over all" in note for note in found.notes)


def test_nothing_is_compared_where_each_chose_all_of_its_questions(tmp_path: Path) -> None:
    alone = []
    for name, date in (("a", DATE), ("b", LATER)):
        lines = [sample(row, answered(row), n) for n, row in enumerate(asked("dsa", **DESIGN))]
        write_run(tmp_path / name, task="dsa", samples=lines, date=date)
        alone.append(score_folder(tmp_path / name))
    with pytest.raises(ValueError, match="chose questions by its own answers"):
        comparison(alone[0], alone[1])


def test_one_task_of_two_designs_stands_on_the_fixed_questions() -> None:
    rows = [row for row in asked("dsa") if row["index"] < 10 or row["language"] != "ar"]
    more = [{**json.loads(row["reference"]), **DESIGN} for row in rows if row["index"] >= 10]
    fixed = [json.loads(row["reference"]) for row in rows if row["index"] < 10]
    texts = [answered(row) for row in rows if row["index"] < 10]
    texts += [answered(row) for row in rows if row["index"] >= 10]
    score = xm.score(texts, [*fixed, *more])
    section = score["families"]["xlgobench"]
    gap = section["tasks"]["dsa"]["languages"]["zh"]["difference"]
    assert (gap["n"], gap["where"].get("design")) == (10 * LEVELS, None)
    assert any("answers chose 40 of 80 questions" in text for text in section["warnings"])
    table = AnswerTable.of_records(xm.grade_all(texts, [*fixed, *more]))
    (pooled,) = [cell for cell in compare(table, within=()).cells if cell.other == "zh"]
    assert pooled.n == 10 * LEVELS
