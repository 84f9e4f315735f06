"""The command line: what every command shares."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from xlgo_cli import cli
from xlgo_cli.folders import read_settings, write_text


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_help(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as stop:
        cli.main([command, "--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    assert "usage: xlgo" in said
    assert max(map(len, said.splitlines())) <= 80


def test_help_lists_the_commands_of_maintainers_last(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    first, _, last = capsys.readouterr().out.partition("commands for maintainers:")
    for command in cli.COMMANDS:
        line = f"\n    {command}" if command not in cli.MAINTAINERS else f"\n  {command}"
        assert line in (last if command in cli.MAINTAINERS else first)
        assert line not in (first if command in cli.MAINTAINERS else last)


_HEAVY = {"scipy", "pandas", "lm_eval", "datasets", "matplotlib", "sympy", "rich"}
_ARRAYS = {"numpy", "pyarrow"}
_DRAW = {"run", "export", "verify", "publish", "serve", "language"}
"""Commands whose options are checked by the generators, which need arrays."""


@pytest.mark.parametrize(
    ("commands", "heavy"), [(_DRAW, _HEAVY), (set(cli.COMMANDS) - _DRAW, _HEAVY | _ARRAYS)]
)
def test_help_imports_nothing_heavy(commands: set[str], heavy: set[str]) -> None:
    """All parsers in one process: the message shows the packages, not whose they are."""
    code = (
        "import sys\nfrom xlgo_cli.cli import build_parser\n"
        f"for command in {sorted(commands)}: build_parser(command)\n"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(run.stdout.split())
    assert "xlgo_cli" in imported
    assert not imported & heavy


@pytest.mark.parametrize("arguments", [[], ["expot"], ["report"], ["verify", "--fast", "x"]])
def test_a_wrong_call_exits_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("xlgo: ")
    assert said.count("\n") == 1
    assert "--help" in said or "did you mean export" in said


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


def test_a_pipe_that_is_closed_early_is_no_mistake() -> None:
    command = [sys.executable, "-m", "xlgo_cli", "language", "check"]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_terminal_that_cannot_show_a_script_loses_nothing() -> None:
    command = [sys.executable, "-m", "xlgo_cli", "language", "list"]
    surroundings = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u0c24" in done.stdout


def test_a_folder_of_languages_must_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["language", "list", "--folder", "nowhere"]) == 2
    assert "there is no such folder" in capsys.readouterr().err


def test_several_may_write_one_file_and_a_failure_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with ThreadPoolExecutor(8) as pool:
        for _ in range(50):
            list(pool.map(lambda n: write_text(path, str(n) * 10_000), range(8), timeout=600))
    text = path.read_text("utf-8")
    assert text == text[0] * 10_000
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match=f"cannot write {tmp_path / 'folder'}: "):
        write_text(tmp_path / "folder", "x")
    assert {child.name for child in tmp_path.iterdir()} == {"page.html", "folder"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("report x --pair-by id", "--pair-by needs --parallel PATTERN"),
        ("leaderboard x --allow-differences", "--allow-differences needs --parallel PATTERN"),
        ("judge x --model m --metric acc", "--metric needs --parallel PATTERN"),
        ("run --judge-args a=1", "--judge-args needs --judge MODEL"),
        ("run --budget 3", "--budget needs --design adaptive"),
        ("run --budget 0", "must be an integer from 1, got 0"),
        ("export --out x --processes 0", "argument --processes: must be an integer from 1, got 0"),
        ("publish metric --repo-id a/b --processes x", "must be an integer from 1, got x"),
        ("report x --parallel --languages ,", "argument --languages: give at least one"),
        ("audit export", "arguments are required: language (xlgo audit export --help)"),
    ],
)
def test_a_wrong_option_is_named(
    line: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(line.split()) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert message in said
    assert f"xlgo {line.split(maxsplit=1)[0]}" in said


def test_an_option_of_two_kinds_of_log_stands_alone_where_it_can() -> None:
    args = cli.build_parser("compare").parse_args(["compare", "a", "b", "--allow-differences"])
    assert args.allow_differences


def test_a_file_of_settings_is_read_by_its_ending(tmp_path: Path) -> None:
    texts = {
        "a.toml": "input = 1\n[x]\ny = [2]",
        "a.yaml": "input: 1\nx:\n  y: [2]\n",
        "a.json": '{"input": 1, "x": {"y": [2]}}',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
        assert read_settings(tmp_path / name) == {"input": 1, "x": {"y": [2]}}
        (tmp_path / name).write_text("]", "utf-8")
        kind = Path(name).suffix[1:].upper()
        with pytest.raises(ValueError, match=rf"^--prices \S+{name}: not valid {kind} \([^\n]+\)$"):
            read_settings(tmp_path / name, "--prices")
    with pytest.raises(ValueError, match=r"^\S+b.toml: cannot be read \(No such file"):
        read_settings(tmp_path / "b.toml")
