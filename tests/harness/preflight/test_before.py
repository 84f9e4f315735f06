"""What is checked before a run: options, names of tasks, and the server by one small request."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.chat_server import ChatServer
from tests.harness.commands import SIM, SMALL
from xlgo_cli.cli import main
from xlgo_cli.harness.evaluation import TRACEBACK
from xlgo_cli.simulate.model import SimulatedModel

SERVER = ["run", "--model", "local-chat-completions", "--tasks", "xlgo_slt", *SMALL]


def ask(url: str, capfd: Any, *more: str) -> tuple[int, str]:
    """Exit code and last line of the error output of a run on a server."""
    model = ["--model_args", f"model=huge,base_url={url}", "--apply_chat_template"]
    code = main([*SERVER, *model, *more])
    printed = capfd.readouterr().err
    assert "Traceback" not in printed
    assert printed.count("xlgo:") == 1
    return code, printed.splitlines()[-1]


@pytest.mark.parametrize(
    ("code", "body", "message"),
    [
        (
            404,
            b'{"error": {"message": "no such model"}}',
            "there is no such model, or it is the wrong address (HTTP 404: no such model); it has "
            "small, large",
        ),
        (
            401,
            b'{"error": "key sk-verysecret is wrong"}',
            "the key is refused: set the environment variable",
        ),
        (
            400,
            b'{"error": {"message": "model huge?"}}',
            "it refuses a small request (HTTP 400: model huge?)",
        ),
        (503, b"loading", "it refuses a small request (HTTP 503: loading)"),
        (200, b"<html>", "does not answer a small request within 120 seconds and in JSON"),
    ],
)
def test_a_server_that_cannot_answer_is_found_by_one_small_request(
    code: int, body: bytes, message: str, folder: Path, capfd
) -> None:
    with ChatServer(lambda *_: (code, body)) as server:
        exit_code, line = ask(server.url, capfd)
    assert exit_code == 1
    assert message in line
    assert "verysecret" not in line
    (request,) = server.bodies
    assert request["max_tokens"] <= 64
    assert len(json.dumps(request["messages"])) < 100
    assert not list(folder.rglob("samples_*"))


def test_a_dead_server_and_a_missing_key_are_told_in_a_line(
    folder: Path, monkeypatch, capfd
) -> None:
    with ChatServer(lambda *_: (200, {})) as server:
        url = server.url
    code, line = ask(url.replace("http://", "http://user:secret@"), capfd)
    assert code == 1
    assert line.startswith(f"xlgo: {url} does not answer a small request")
    assert line.endswith("--model_args base_url=http://127.0.0.1:8000/v1/chat/completions")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, line = ask(url, capfd, "--model", "openai-chat-completions")
    assert code == 1
    assert line.startswith("xlgo: API key not found. Please set the `OPENAI_API_KEY`")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--num_fewshot", "3"], "--num_fewshot 3: xlgo_slt has no solved examples to show"),
        (["-f", "many"], "--num_fewshot/-f: invalid int value: 'many'"),
        (["--check_integrity"], "--check_integrity runs the tests of the harness's own repository"),
        (["--bogus", "3"], "unrecognized arguments: --bogus 3: neither an option of xlgo run nor"),
        (["--model", "local-chat-completions"], "takes chats only: add --apply_chat_template"),
        (
            ["--model", "locl-completions"],
            "unknown 'locl-completions': did you mean 'local-",
        ),
        (["--verbosity", "LOUD"], "--verbosity/-v: invalid choice: 'LOUD' (choose from"),
        (["--prices", "none.toml"], "--prices none.toml: cannot be read (No such file"),
    ],
)
def test_mistakes_are_told_before_anything_runs(
    given: list[str], message: str, folder: Path, capfd
) -> None:
    assert main([*SIM, "--tasks", "xlgo_slt", *given]) == 2
    printed = capfd.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


@pytest.mark.parametrize("package", ["wandb", "trackio"])
def test_a_tracker_that_is_not_installed_is_named(package: str, folder: Path, capfd) -> None:
    if find_spec(package) is not None:
        pytest.skip(f"{package} is installed")
    assert main([*SIM, "--tasks", "xlgo_slt", f"--{package}_args", "project=x"]) == 2
    assert f"--{package}_args needs the package {package}" in capfd.readouterr().err


def test_ranges_may_differ_by_task(folder: Path, capfd) -> None:
    command = ["run", "--model", "xlgo-sim", "--tasks", "xlgo_slt,xlgo_graph_sp", "--levels", "2",
               "--per-level", "1", "--languages", "en", "--output_path", "out"]  # fmt: skip
    assert main([*command, "--c-min", "slt=1,graph_sp=12", "--c-max", "slt=6,graph_sp=30"]) == 0
    asked: dict[str, set[int]] = {}
    for path in Path("out").rglob("samples_*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            reference = json.loads(json.loads(line)["doc"]["reference"])
            asked.setdefault(reference["task"], set()).add(reference["complexity"])
    assert asked == {"slt": {1, 6}, "graph_sp": {12, 30}}
    capfd.readouterr()
    for given, message in (
        ("dsa=3", "c_min: 'dsa' is no task that is asked: there are graph_sp, slt"),
        ("slt=x", "must be an integer, or one for each task as slt=6,graph_sp=12"),
    ):
        assert main([*command, "--c-min", given]) == 2
        assert message in capfd.readouterr().err


def test_options_of_a_config_file_are_checked_too(folder: Path, capfd) -> None:
    Path("c.yaml").write_text("num_fewshot: 2\nmodel: xlgo-sim\ntasks: [xlgo_slt]\n")
    assert main(["run", "--config", "c.yaml"]) == 2
    assert "--num_fewshot 2" in capfd.readouterr().err


@pytest.mark.slow  # the harness reads all its task files
def test_a_task_that_nobody_has_is_told_before_the_model_is_made(
    folder: Path, monkeypatch, capfd
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("the model was made")

    monkeypatch.setattr("xlgo_cli.harness.evaluation.make_model", fail)
    assert main([*SIM, "--tasks", "xlgo_slt,mgms_direct"]) == 2
    printed = capfd.readouterr()
    assert "size" not in printed.out
    assert "--tasks: Tasks not found: mgms_direct (xlgo tasks lists" in printed.err
    Path("m.toml").write_text('[[models]]\nname = "a"\ntype = "xlgo-sim"\n')
    assert main(["run", "--models", "m.toml", "--tasks", "xlgo_slt,mgms_direct"]) == 2
    printed = capfd.readouterr()
    assert not printed.out
    assert "Tasks not found: mgms_direct" in printed.err
    assert not list(folder.glob("results*"))


def test_any_other_failure_is_one_line_and_its_traceback_a_file(
    folder: Path, monkeypatch, capfd
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("out of\nmemory")

    monkeypatch.setattr(SimulatedModel, "generate_until", fail)
    assert main([*SIM, "--tasks", "xlgo_slt", "--output_path", "out"]) == 1
    printed = capfd.readouterr().err
    assert "Traceback" not in printed
    path = Path("out", TRACEBACK)
    assert printed.splitlines()[-1] == (
        f"xlgo: RuntimeError: out of memory (the traceback is in {path})"
    )
    assert "in fail" in path.read_text()


def test_the_table_of_the_harness_is_shown_on_demand_only(folder: Path, monkeypatch, capfd) -> None:
    # Handlers of the harness from an earlier test may hold a stream that is closed by now.
    monkeypatch.setattr("logging.raiseExceptions", False)
    command = [*SIM, "--tasks", "xlgo_slt", "--output_path", "out"]
    assert main(command) == 0
    printed = capfd.readouterr()
    assert "|Metric" not in printed.out.replace(" ", "")
    assert "Summary" in printed.out
    assert " INFO " not in printed.err
    assert "fatal" not in printed.err
    assert main([*command, "--quiet"]) == 0
    printed = capfd.readouterr()
    assert printed.out == f"report: {Path('out/report/report.html')}\n"
    assert printed.err == ""
    assert main([*command, "-v"]) == 0
    assert "|Metric" in capfd.readouterr().out.replace(" ", "")
