"""One bar, or a line a minute, over everything that is asked."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest

from xlgo_cli.cli import main
from xlgo_cli.harness.lm_eval_call import check_model
from xlgo_cli.harness.progress import LINE_SECONDS, Progress, progress

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
        shown.answered()
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


def test_answers_that_a_backend_does_not_tell_are_counted_and_all_is_put_back() -> None:
    check_model("dummy")
    from lm_eval.api.model import CacheHook
    from lm_eval.api.registry import get_model

    kind = get_model("dummy")
    before = kind.generate_until, CacheHook.add_partial
    with progress("dummy", 2) as shown:
        asked = SimpleNamespace(args=("a", {}), arguments=("a", {}))
        kind().generate_until([asked] * 5, disable_tqdm=True)
        assert (shown.done, shown.total) == (5, 5)
    assert (kind.generate_until, CacheHook.add_partial) == before
