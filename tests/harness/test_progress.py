"""One bar, or a line a minute, over everything that is asked."""

from __future__ import annotations

import io
import sys

import pytest

from xlgo_cli.cli import main
from xlgo_cli.harness.progress import LINE_SECONDS, Progress

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
