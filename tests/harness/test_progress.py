"""One bar, or a line a minute, over everything that is asked."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from xlgo_cli.cli import main
from xlgo_cli.harness.progress import LINE_SECONDS, Progress
from xlgo_cli.logs.graded_run import score_folder

RUN = ["run", "--model", "xlgo-sim", "--tasks", "slt,dsa", "--languages", "en,te", "--levels", "2",
       "--preset", "smoke", "--per-level", "3", "--out", "out"]  # fmt: skip


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_log_gets_a_line_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    shown = Progress(300)
    monkeypatch.setattr(shown.bar, "_time", lambda: now[0])
    shown.bar.start_t = shown.bar.last_print_t = 0.0
    for _ in range(241):
        now[0] += 0.5
        shown.arrived(object())
    lines = [line.strip() for line in capsys.readouterr().err.splitlines() if line.strip()]
    assert lines == [
        "120 of 300 answers, 2.00 answers/s, 01:30 left",
        "240 of 300 answers, 2.00 answers/s, 00:30 left",
    ]
    assert LINE_SECONDS == 60


def test_a_terminal_sees_one_bar_and_none_of_the_harness(
    folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(RUN) == 0
    seen = terminal.getvalue()
    assert "24/24" in seen
    assert "answers" in seen
    assert "Running" not in seen
    bars = {line.split(":")[0].strip() for line in seen.split("\r") if "%|" in line}
    assert bars - {"Reading and grading"} == {"answers"}


def test_a_log_of_a_short_run_holds_no_bar(folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(RUN) == 0
    assert "%|" not in capsys.readouterr().err


def test_answers_that_were_kept_say_nothing_of_the_speed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    shown = Progress(100)
    monkeypatch.setattr(shown.bar, "_time", lambda: now[0])
    shown.bar.start_t = 0.0
    for number in range(60):
        shown.arrived(object(), is_kept=number < 50)
    now[0] = 10.0
    assert str(shown.bar).strip() == "60 of 100 answers, 1.00 answers/s, 00:40 left"
    for _ in range(50):
        shown.arrived(object())
    assert shown.bar.total == 110


def test_a_part_is_done_only_if_the_same_was_asked_and_its_samples_are_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "run", "--model", "xlgo-sim", "--tasks", "slt,dsa", "--languages", "en", "--preset",
        "smoke", "--levels", "1", "--one-by-one", "--out", "out", "--per-level",
    ]  # fmt: skip
    done = []
    for per_level in ("1", "1", "2"):
        assert main([*command, per_level]) == 0
        done.append(capsys.readouterr().out.count(": done"))
        assert score_folder(Path("out"), quiet=True).count == 2 * int(per_level)
    assert done == [0, 2, 0]
    max(Path("out").rglob("samples_xlgo_slt_*")).unlink()
    assert main([*command, "2"]) == 0
    assert capsys.readouterr().out.count(": done") == 1
    assert score_folder(Path("out"), quiet=True).count == 4
