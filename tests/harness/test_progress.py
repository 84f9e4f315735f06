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


def test_a_log_gets_a_line_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    shown = Progress(300, clock=lambda: now[0])
    for _ in range(240):
        now[0] += 0.5
        shown.arrived(object())
    assert capsys.readouterr().err.splitlines() == [
        "120 of 300 answers, 2 a second, 2 min left",
        "240 of 300 answers, 2 a second, 30 s left",
    ]
    assert LINE_SECONDS == 60
    assert Progress(None, clock=lambda: 0.0).line(10.0) == "0 answers, 0 a second"


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
    assert {line.split(":")[0].strip() for line in seen.split("\r") if "%|" in line} == {"answers"}


def test_a_log_of_a_short_run_holds_no_bar(folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(RUN) == 0
    assert "%|" not in capsys.readouterr().err


def test_answers_that_were_kept_say_nothing_of_the_speed() -> None:
    shown = Progress(100, clock=lambda: 0.0)
    for number in range(60):
        shown.arrived(object(), is_kept=number < 50)
    assert shown.line(10.0) == "60 of 100 answers, 1 a second, 40 s left"
    for _ in range(50):
        shown.arrived(object())
    assert shown.total == 110


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
