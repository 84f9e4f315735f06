"""Every command line of README and docs is read by the real parsers, every snippet by Python."""

from __future__ import annotations

import argparse
import ast
import json
import re
import shlex
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.looping import looped
from xlgo_cli.cli import COMMANDS, build_parser, main
from xlgo_cli.harness.options import _parser as run_parser

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


@looped("body", [one.values[0] for one in SNIPPETS])
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


def test_the_server_command_of_the_readme_runs(
    sim_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """As printed, but for the port and a limit of three questions a task."""
    (line,) = [line for page, line in BLOCKS if page == "README.md" and "base_url" in line]
    monkeypatch.chdir(tmp_path)
    line = line.replace("http://127.0.0.1:8000", sim_server.url)
    assert main([*shlex.split(line), "--limit", "3", "--quiet"]) == 0
    printed = capsys.readouterr().out.split()
    assert (tmp_path / printed[-1]).is_file()
    assert (tmp_path / "results/server/xlgo_answers.ndjson").is_file()


_NAMED = re.compile(
    r"\b((?:benchmarks|tests|scripts|xlgo_dataset|xlgo_metric|lm_eval_tasks)/[\w./-]+\.\w+)"
)
_LEFT_OPEN = re.compile(r"^[A-Z][A-Z_0-9]{5,}$|\| *[A-Z]{4,}\d+ *\|", re.M)


@looped("page", [*PAGES, ROOT / "CONTRIBUTING.md"])
def test_files_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    missing = [name for name in _NAMED.findall(text) if not (ROOT / name).exists()]
    # A page on adding something names files that its reader is to make.
    assert [name for name in missing if not page.name.startswith("adding_")] == []


@looped("page", [*PAGES, ROOT / "CONTRIBUTING.md"])
def test_no_figure_is_left_open(page: Path) -> None:
    assert _LEFT_OPEN.findall(page.read_text("utf-8")) == []


def test_the_snippet_of_the_readme_runs_as_printed() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    (snippet,) = re.findall(r"```python\n(.*?)```", text, re.S)
    names: dict[str, Any] = {}
    exec(snippet, names)
    assert names["scores"]["accuracy"] == 1
    assert names["scores"]["slt_diff_te"] == 0


NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorial" / "gap.ipynb"


def test_the_notebook_runs_and_its_finding_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code")
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert (names["right"].status, names["empty"].status) == ("correct", "no_answer")
    assert names["telugu"] != names["english"]
    found = names["cell"]
    # Simulated: its profile makes Telugu worse than English.
    assert found.n == 80
    assert found.difference > 0.1
    assert found.p_value < 0.05
    assert "English minus Telugu: +" in capsys.readouterr().out
    assert names["scores"].page.is_file()
