"""The command line: what every command shares."""

import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from xlgo_cli import cli, workers
from xlgo_cli.folders import read_settings, write_text
from xlgo_dataset.text.languages import available, code_of, load_language


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


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ModuleNotFoundError("No module named 'lm_eval'", name="lm_eval.api"), 2,
         r"xlgo: .*pip install 'xlgo\[eval\]'.*\n"),
        (KeyboardInterrupt(), 130, "xlgo: stopped\n"),
    ],
    ids=["a missing extra", "Ctrl-C"],
)  # fmt: skip
def test_what_ends_a_command_is_one_line(
    error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(cli, "build_parser", Mock(side_effect=error))
    assert cli.main(["run"]) == code
    assert re.fullmatch(said, capsys.readouterr().err)


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
        ("", "xlgo "),
        ("expot", "did you mean export"),
        ("report", "--help"),
        ("verify --fast x", "(xlgo --help)"),
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
    said = capsys.readouterr().err
    assert said.startswith("xlgo: ")
    assert said.count("\n") == 1
    assert message in said
    command, *_ = line.split() or [""]
    assert f"xlgo {command}" in said or message in ("did you mean export", "(xlgo --help)")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("plan --tasks chess", "no curves of 'chess'"),
        ("plan --languages xx", "no curve of 'xx'"),
        ("plan --gap 0", "--gap must lie between"),
        ("plan --tasks slt --metadata levels=3", "--metadata needs --save FILE"),
        ("plan --no-gap 200", "--no-gap must lie between"),
        ("plan --tasks lit_africa", "no curves of 'lit_africa'"),
        ("plan --save x.json --gap 5", "--gap: does nothing with --save"),
        ("plan --save x.json --json", "--json: does nothing with --save"),
        ("plan --save x.json --metadata seed=3", "unknown 'seed': did you mean 'xlgo_seed'"),
        ("plan --save x.json --metadata xx=3", "unknown 'xx': allowed are"),
        ("plan --save x.json --from y", "--from: does nothing with --save"),
        (
            f"run --model xlgo-sim --tasks slt --out {__file__}",
            "is a file: give the name of a folder",
        ),
        (
            "run --model xlgo-sim --tasks slt --preset x",
            "xlgo: xlgo_slt: preset='x' must be one of",
        ),
        ("serve --port 99999", "port 99999 cannot be used"),
        ("verify .", "is not an exported folder"),
        ("verify nowhere", "is not an exported folder"),
        ("publish leaderboard --folder . --repo-id me/board", "index.html is missing"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_done_is_one_line(
    line: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(line.split()) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


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


def squared(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def slowly(number: int) -> tuple[int, int]:
    time.sleep(0.002)
    return squared(number)


def fatal(number: int) -> None:
    time.sleep(0.002)
    if number >= 150 and multiprocessing.parent_process() is not None:
        os._exit(9)


def pairs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    return ((-number, number) for number in numbers)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("count", [0, 1, 49, 1000])
def test_results_come_in_order_with_their_items(count: int) -> None:
    found = list(workers.in_order(slowly, pairs(range(count)), 2))
    assert [(kept, square) for kept, (square, _) in found] == [(-n, n * n) for n in range(count)]


@pytest.mark.usefixtures("impatient")
def test_slow_work_goes_to_other_processes_after_a_while() -> None:
    homes = [home for _, (_, home) in workers.in_order(slowly, pairs(range(1000)), 2)]
    begun = homes.count(os.getpid())
    assert begun < 100  # 0.1 s of 0.002 s each
    assert set(homes[:begun]) == {os.getpid()}
    assert len(set(homes)) == 3


@pytest.mark.usefixtures("impatient")
def test_work_on_one_process_or_of_no_weight_stays_here() -> None:
    for function, processes, count in ((slowly, 1, 200), (squared, 2, 300_000)):
        homes = {
            home for _, (_, home) in workers.in_order(function, pairs(range(count)), processes)
        }
        assert homes == {os.getpid()}


@pytest.mark.usefixtures("impatient")
def test_items_are_taken_only_a_little_ahead() -> None:
    taken = 0

    def items():
        nonlocal taken
        for number in range(100_000):
            taken += 1
            yield None, number

    results: Any = workers.in_order(slowly, items(), 2)
    for _ in range(500):
        next(results)
    results.close()
    assert taken <= 500 + 700


@pytest.mark.usefixtures("impatient")
def test_a_killed_process_is_one_clear_line() -> None:
    with pytest.raises(ValueError, match="a worker process was killed"):
        list(workers.in_order(fatal, pairs(range(1000)), 2))


def test_every_language_has_its_code_and_names() -> None:
    for code in available():
        own = load_language(code)
        assert {code_of(code), code_of(own.name), code_of(own.native_name)} == {code}
