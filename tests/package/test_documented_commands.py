"""Every command line of README and docs is read by the real parsers, every snippet by Python."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
import threading
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.looping import looped
from xlgo_cli.cli import COMMANDS, build_parser, main
from xlgo_cli.harness.options import _parser as run_parser
from xlgo_cli.simulate.server import SimulatedServer
from xlgo_cli.simulate.simulator import Simulator

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.S | re.M)
_INLINE = re.compile(r"`(xlgo [^`]+)`")


def _lines(page: Path) -> Iterator[str]:
    """The command lines of the code blocks of a page, continued lines joined."""
    for _, body in _BLOCK.findall(page.read_text("utf-8")):
        for line in body.replace("\\\n", " ").splitlines():
            for part in re.split(r"&&|\|\||\| ", line):
                words = re.sub(r"^\s*(\$ )?(\w+=\S+ )*", "", part)
                if re.match(r"(\S*/)?xlgo ", words):
                    yield words.partition("xlgo ")[2].partition(" #")[0].rstrip(" &")


BLOCKS = [(page.name, line) for page in PAGES for line in _lines(page)]
INLINE = [
    (page.name, " ".join(words.split()).partition("xlgo ")[2])
    for page in PAGES
    for words in _INLINE.findall(page.read_text("utf-8"))
]
SNIPPETS = [
    pytest.param(body, id=f"{page.name}-{number}")
    for page in PAGES
    for number, (kind, body) in enumerate(_BLOCK.findall(page.read_text("utf-8")))
    if kind == "python"
]


@lru_cache(maxsize=1)
def harness_options() -> frozenset[str]:
    """The options of ``lm-eval run``."""
    from lm_eval._cli.run import Run

    return frozenset(Run(argparse.ArgumentParser().add_subparsers())._parser._option_string_actions)


def parsers(command: str) -> dict[str, argparse.ArgumentParser]:
    """The parsers of a command and of those below it, by name; its own is ``""``."""
    (commands,) = [
        action
        for action in build_parser(command)._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    own = commands.choices[command]
    below = [a for a in own._actions if isinstance(a, argparse._SubParsersAction)]
    return {"": own, **(below[0].choices if below else {})}


def test_there_are_commands_and_snippets() -> None:
    assert len(BLOCKS) > 40
    assert len(INLINE) > 50
    assert len(SNIPPETS) > 10


@looped(("page", "line"), BLOCKS)
def test_a_command_line_is_read(page: str, line: str) -> None:
    words = shlex.split(line, comments=True)
    words = words[: next((n for n, word in enumerate(words) if word in (">", "|")), None)]
    if words[0] == "run":
        _, others = run_parser().parse_known_args(words[1:])
        assert {o.split("=")[0] for o in others if o.startswith("--")} <= known_to_run()
    else:
        build_parser(words[0]).parse_args(words)


def known_to_run() -> frozenset[str]:
    """Options that ``xlgo run`` takes: its own and those of the harness."""
    return harness_options() | frozenset(run_parser()._option_string_actions)


@looped(("page", "line"), INLINE)
def test_a_command_within_a_sentence_exists_with_its_options(page: str, line: str) -> None:
    command, *rest = line.split()
    if command.startswith(("-", "0", "COMMAND")):
        return
    assert command in COMMANDS
    given = {o.strip("[](),").split("=")[0] for o in rest if o.startswith(("--", "[--"))}
    if command == "run":
        assert given <= known_to_run()
        return
    found = parsers(command)
    own = found.get(rest[0] if rest else "", found[""])
    assert given <= set(own._option_string_actions)


@looped("body", SNIPPETS)
def test_a_snippet_is_python_and_what_it_imports_is_there(body: str) -> None:
    for node in ast.walk(ast.parse(body)):
        if isinstance(node, ast.Import):
            for name in node.names:
                pytest.importorskip(name.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = pytest.importorskip(node.module)
            for name in node.names:
                if not hasattr(module, name.name):
                    import_module(f"{node.module}.{name.name}")


@pytest.mark.slow
def test_the_demo_of_the_readme_runs_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = [line for page, line in BLOCKS if page == "README.md" and "--model xlgo-sim" in line]
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(line)) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("size: 2,800 prompts")
    assert "Telugu" in printed
    page = tmp_path / printed.splitlines()[-1].removeprefix("report: ")
    assert '<h2 id="h-gaps">Gaps to English</h2>' in page.read_text("utf-8")


def test_the_server_command_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As printed, but for the port and a limit of three questions a task."""
    (line,) = [line for page, line in BLOCKS if page == "README.md" and "base_url" in line]
    monkeypatch.chdir(tmp_path)
    with SimulatedServer(Simulator("demo")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        line = line.replace("http://127.0.0.1:8000", server.url)
        assert main([*shlex.split(line), "--limit", "3", "--quiet"]) == 0
        server.shutdown()
    printed = capsys.readouterr().out.split()
    assert (tmp_path / printed[-1]).is_file()
    assert (tmp_path / "results/server/xlgo_answers.ndjson").is_file()
