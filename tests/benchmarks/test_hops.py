"""How many files an answer and a report pass, with the goals of the benchmark."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.report.logs import write_run
from xlgo_cli import workers

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import hops


def test_a_right_answer_passes_few_files_before_it_is_a_grade() -> None:
    _, functions = hops.answer()
    assert len({path for path, _ in functions}) <= hops.MOST_FILES_OF_AN_ANSWER


def test_a_report_of_one_puzzle_passes_few_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "available_processors", lambda: 1)
    write_run(tmp_path, languages=("en", "te"))

    def report() -> None:
        from xlgo_cli.logs.graded_run import score_folder
        from xlgo_cli.report.write import write_all

        write_all(score_folder(tmp_path), tmp_path)

    _, functions = hops.counted(report)
    files = {path for path, _ in functions}
    assert len(files) <= hops.MOST_FILES_OF_A_REPORT, sorted(files)
    families = {path.split("/")[2] for path in files if "/families/" in path}
    assert families == {"xlgobench"}  # those that were not asked stay closed
