"""Whether gaps changed between two runs of the same questions, against counts by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.against import change, findings, table

from ..logs import LATER, sample, write_run

LEVELS, PER_LEVEL = 4, 20
Counts = dict[str, tuple[int, ...]]
BEFORE: Counts = {
    "en": (20, 20, 18, 16),
    "zh": (12, 8, 2, 0),
    "ar": (18, 18, 14, 10),
}
AFTER: Counts = {
    "en": (20, 20, 18, 16),
    "zh": (20, 20, 16, 14),
    "ar": (18, 18, 14, 10),
}
"""Correct answers of each level, of ``PER_LEVEL``, by language."""


def asked(seed: int = 0) -> list[dict[str, Any]]:
    options: dict[str, Any] = {"levels": LEVELS, "per_level": PER_LEVEL, "c_min": 4, "c_max": 16}
    rows = xd.family_of("slt").rows("slt", tuple(BEFORE), split="test", seed=seed, **options)
    return list(rows)


def write(
    folder: Path, right: dict[str, tuple[int, ...]], rows: list[dict[str, Any]], **about: Any
) -> Path:
    lines = [
        sample(row, row["answer"] if row["index"] < right[row["language"]][row["level"]]
               else '{"chain": [0]}', number)
        for number, row in enumerate(rows)
    ]  # fmt: skip
    write_run(folder, samples=lines, **about)
    return folder


def gap(right: dict[str, tuple[int, ...]], code: str) -> float:
    return sum(a - b for a, b in zip(right["en"], right[code])) / (LEVELS * PER_LEVEL)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    top, rows = tmp_path_factory.mktemp("runs"), asked()
    write(top / "before", BEFORE, rows)
    write(top / "after", AFTER, rows, date=LATER)
    return top / "before", top / "after"


def test_a_change_is_the_difference_of_both_gaps(folders: tuple[Path, Path]) -> None:
    before, after = (score_folder(path) for path in folders)
    found = change(after, before)
    cells = {cell.language: cell for cell in found.gaps}
    assert set(cells) == {"zh", "ar"}
    for code, cell in cells.items():
        assert cell.n == LEVELS * PER_LEVEL
        assert cell.baseline_accuracy == pytest.approx(gap(BEFORE, code))
        assert cell.accuracy == pytest.approx(gap(AFTER, code))
        assert cell.difference == pytest.approx(gap(BEFORE, code) - gap(AFTER, code))
    assert cells["zh"].is_significant
    assert not cells["ar"].is_significant
    told = [text for _, text in findings(found)]
    (said,) = [text for text in told if "changed by" in text]
    # By hand: 74 - 22 = 52 of 80 questions before, 74 - 70 = 4 after.
    assert said.startswith("Chinese: the gap to English changed by −60.0 points")
    assert "It was +65.0 in the earlier run" in said
    assert said.endswith("and is +5.0 now.")
    rows = {row[0]: row for row in table(found).rows}
    assert rows["Chinese"][2:6] == pytest.approx((0.65, 0.05, -0.6, "●"))
    low, high = rows["Chinese"][6:8]
    assert low < -0.6 < high < 0


def test_without_a_change_a_sentence_says_so(folders: tuple[Path, Path], tmp_path: Path) -> None:
    before = score_folder(folders[0])
    again = score_folder(write(tmp_path, BEFORE, asked(), date=LATER))
    found = change(again, before)
    assert [cell.difference for cell in found.gaps] == [0.0, 0.0]
    assert "No gap to English changed significantly" in findings(found)[0][1]


def test_other_questions_are_refused(folders: tuple[Path, Path], tmp_path: Path) -> None:
    before = score_folder(folders[0])
    other = score_folder(write(tmp_path / "seed", AFTER, asked(seed=7), date=LATER))
    with pytest.raises(ValueError, match="the questions differ: 240 are in this run only and 240"):
        change(other, before)
    few = [row for row in asked() if row["level"] < 3]
    with pytest.raises(ValueError, match="the questions differ: 0 are in this run only and 60"):
        change(score_folder(write(tmp_path / "few", AFTER, few, date=LATER)), before)
    with pytest.raises(ValueError, match="same run"):
        change(before, before)


def test_the_command_writes_sentence_and_table(
    folders: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = folders
    out = tmp_path / "report"
    arguments = ["report", str(after), "--against", str(before), "--out", str(out)]
    assert main([*arguments, "--no-samples"]) == 0
    assert "Chinese: the gap to English changed by −60.0 points" in capsys.readouterr().out
    assert "changed by −60.0 points" in (out / "report.html").read_text("utf-8")
    assert (out / "tables" / "changes.csv").is_file()
    assert json.loads((out / "scores.json").read_text("utf-8"))
