"""Whether gaps changed between two runs of the same questions, against counts by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.report.compare.comparison import comparison, findings, gap_table

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
    before, after = map(score_folder, folders)
    found = comparison(before, after)
    cells = {cell.language: cell for cell in found.gaps}
    assert set(cells) == {"zh", "ar"}
    for code, cell in cells.items():
        assert cell.n == LEVELS * PER_LEVEL
        assert cell.baseline_accuracy == pytest.approx(gap(BEFORE, code))
        assert cell.accuracy == pytest.approx(gap(AFTER, code))
        assert cell.difference == pytest.approx(gap(BEFORE, code) - gap(AFTER, code))
    assert cells["zh"].is_significant
    assert not cells["ar"].is_significant
    (said,) = [text for _, text in findings(found) if text.startswith("Chinese: ")]
    # By hand: 74 - 22 = 52 of 80 questions before, 74 - 70 = 4 after.
    assert "smaller in acme/lingua (2026-03-02)" in said
    assert "+5.0 against +65.0 points" in said
    rows = {row[0]: row for row in gap_table(found).rows}
    assert rows["Chinese"][2:6] == pytest.approx((0.65, 0.05, -0.6, "●"))
    low, high = rows["Chinese"][6:8]
    assert low < -0.6 < high < 0


def test_without_a_change_a_sentence_says_so(folders: tuple[Path, Path], tmp_path: Path) -> None:
    again = score_folder(write(tmp_path, BEFORE, asked(), date=LATER))
    found = comparison(score_folder(folders[0]), again)
    assert [cell.difference for cell in found.gaps] == [0.0, 0.0]
    assert "No gap to English differs significantly" in " ".join(t for _, t in findings(found))


def test_the_command_prints_the_table_of_gaps(
    folders: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *map(str, folders), "--out", str(tmp_path / "c.html")]) == 0
    printed = capsys.readouterr().out
    assert "Gaps to English: A = acme/lingua (2026-03-01), B = acme/lingua (2026-03-02)" in printed
    assert "−60.0 ●" in printed
    assert "Gaps to English: A =" in (tmp_path / "c.html").read_text("utf-8")


def test_a_report_says_what_changed_since_an_earlier_run(
    folders: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = map(str, folders)
    assert main(["report", after, "--against", before, "--out", str(tmp_path), "--no-samples"]) == 0
    assert "Chinese: the gap to English is smaller in" in " ".join(capsys.readouterr().out.split())
    (head, *rows) = (tmp_path / "tables" / "changes.csv").read_text("utf-8").splitlines()
    assert head.startswith("Language")
    assert any("Chinese" in row and "●" in row for row in rows)
    assert "the gap to English is smaller in" in (tmp_path / "report.html").read_text("utf-8")
    assert main(["report", after, "--out", str(tmp_path), "--no-samples"]) == 0
    assert not (tmp_path / "tables" / "changes.csv").exists()
