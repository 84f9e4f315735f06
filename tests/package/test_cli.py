"""The command line: what every command shares."""

from __future__ import annotations

import pytest

from xlgo_cli import cli


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main([command, "--help"])
    assert stop.value.code == 0
    assert "usage: xlgo" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["expot"], ["report"], ["verify", "--fast", "x"]])
def test_a_wrong_call_exits_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 2
    assert "usage: xlgo" in capsys.readouterr().err


def test_a_mistake_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["report", "there-is-no-such-folder"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(command: str | None) -> None:
        raise ModuleNotFoundError("No module named 'lm_eval'", name="lm_eval.api")

    monkeypatch.setattr(cli, "build_parser", missing)
    assert cli.main(["run"]) == 2
    assert "pip install 'xlgo[eval]'" in capsys.readouterr().err


def test_ctrl_c_is_not_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(command: str | None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "build_parser", interrupted)
    assert cli.main(["run"]) == 130
    assert capsys.readouterr().err == "xlgo: stopped\n"
