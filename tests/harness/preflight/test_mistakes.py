"""``xlgo run`` with wrong input and on a machine that fails: said in a line, nothing lost."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from lm_eval.loggers import evaluation_tracker

from tests.chat_server import ChatServer
from tests.harness.commands import SIM, SMALL
from xlgo_cli.cli import main
from xlgo_cli.harness.evaluation import TRACEBACK, failure, remove
from xlgo_cli.harness.options import parse
from xlgo_cli.simulate.model import SimulatedModel
from xlgo_lm_eval.answers import Answer, Answers, own_file
from xlgo_lm_eval.arguments import GENERATION, check_arguments, check_names

SERVED = ["--model", "local-chat-completions", "--apply_chat_template", "--model_args"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--tasks", "xlgo_stl"], "unknown task 'xlgo_stl': did you mean xlgo_slt"),
        (["--tasks", ","], "--tasks/-t: give at least one"),
        (["--languages", " "], "--languages: give at least one"),
        (["--limit", "0"], "--limit must be a number of questions or a share below 1, got 0"),
        (["--limit", "-1"], "got -1"),
        (["--limit", "nan"], "got nan"),
        (["--metadata", '{"levles": 3}'], "--metadata: unknown 'levles': did you mean 'levels'?"),
        (["--metadata", "seed=3"], "--metadata: unknown 'seed': did you mean 'xlgo_seed'?"),
        (
            ["--model_args", "profil=demo"],
            "unknown 'profil': did you mean 'profile'?",
        ),
        (["--model_args", "seed=x"], "seed must be an integer, got 'x'"),
        (["--include_path", "nowhere"], "--include_path: nowhere: there is no such folder"),
        (["--tasks", "polymath_te", "--levels", "2"], "levels=2 must be names of low, medium"),
        (["--output_path", "/dev/null"], "cannot write /dev/null"),
        (["--output_path", "/dev/null/x"], "cannot write /dev/null/x"),
        (["--preset", "papr"], "preset='papr' must be one of"),
        (["--levels", "0"], "levels=0 must be an integer from 1"),
        (["--levels", "x"], "invalid int value: 'x'"),
        (["--tasks", "xlgo_prdsa", "--c-min", "3"], "complexity 3 is impossible"),
        (["--model", "xlgo-simm"], "--model: unknown 'xlgo-simm'"),
        (["--model", "xlgo-sim", "--model_args", "profile=nobody"], "unknown profile 'nobody'"),
        (["--model", "xlgo-sim", "--model_args", "seed"], "expected key=value"),
        (["--text", "nowhere.toml"], "unknown text 'nowhere.toml'"),
        (["--languages", "en,xx"], "unknown language 'xx'"),
        (["--metadata", "{x"], "--metadata: not valid JSON"),
        (["--config", "nowhere.yaml"], "--config nowhere.yaml: cannot be read"),
        (["--num_fewshot", "3"], "--num_fewshot 3: xlgo_slt has no solved examples to show"),
        (["-f", "many"], "--num_fewshot/-f: invalid int value: 'many'"),
        (["--check_integrity"], "--check_integrity runs the tests of the harness's own repository"),
        (
            ["--bogus", "3"],
            "unrecognized arguments: --bogus 3 (lm-eval --help); xlgo run --help lists",
        ),
        (["--model", "local-chat-completions"], "takes chats only: add --apply_chat_template"),
        (["--model", "locl-completions"], "unknown 'locl-completions': did you mean 'local-"),
        (["--verbosity", "LOUD"], "--verbosity/-v: invalid choice: 'LOUD' (choose from"),
        (["--prices", "none.toml"], "--prices none.toml: cannot be read (No such file"),
        (["--status"], "--status needs --models"),
        (["--repeats", "0"], "repeats must be an integer from 1, got 0"),
        ([*SERVED, "model=m,num_concurent=8"], "'num_concurent': did you mean 'num_concur"),
        ([*SERVED, "model=m,timeut=5"], "unknown 'timeut': did you mean 'timeout'?"),
        ([*SERVED, "model=m,colour=5"], "unknown 'colour': allowed are "),
        ([*SERVED, "model=m", "--gen_kwargs", "temprature=0.5"], "unknown 'temprature': did you"),
        (["--judge", "local-chat-completions", "--judge-args", "modl=m"], "did you mean 'model'?"),
        (["--tasks", "slt,dsa", "--languages", "en,te,xx"], "unknown language 'xx'"),
        (["--tasks", "slt,dsa", "--c-min", "slt=5"], "invalid int value: 'slt=5'"),
        (["--conditions", "plain,xx"], "conditions='plain,xx' must be names of plain,"),
        (
            ["--tasks", "slt", "--levels", "9", "--c-min", "4", "--c-max", "8"],
            "9 levels do not fit",
        ),
        (["--metadata", "levels=2,perlevel=3"], "unknown 'perlevel'"),
        (["--budget", "9"], "--budget needs --design adaptive"),
    ],
)
def test_mistakes_are_told_in_one_line(given, message: str, folder: Path, capsys) -> None:
    assert main([*SIM, *given]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--preset", "lite"], "leave out preset"),
        (["--plan", '{"schema": 1, "tasks": {"slt": {"cells": {"4": 1}}}}'], "leave out plan"),
        (["--limit", "5"], "give --budget instead of limit"),
        (["--one-by-one"], "leave out one_by_one"),
        (["--budget", "39"], "40 prompts per language or more"),
        (["--c-min", "0"], "complexity 0 is impossible"),
        (["--c-min", "3", "--c-max", "3"], "0 < c_min < c_max, got 3 and 3"),
        (["--tasks", "xlgo_slt,simple_travel"], "simple_travel_en has no complexities to choose"),
    ],
)
def test_mistakes_of_an_adaptive_run(given, message: str, folder: Path, capsys) -> None:
    adaptive = ["run", "--model", "xlgo-sim", "--design", "adaptive", "--languages", "en,te"]
    assert main([*adaptive, "--tasks", "xlgo_slt", *given]) == 2
    assert message in capsys.readouterr().err
    assert not list(folder.iterdir())


@pytest.mark.parametrize("text", ["only text", "[a, b]", "limit: ten", "[1,\n2"])
def test_a_wrong_config_file_is_told_in_one_line(text: str, folder: Path, capsys) -> None:
    (folder / "c.yaml").write_text(text)
    assert main(["run", "--config", "c.yaml"]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("xlgo: --config c.yaml: ")
    assert printed.count("\n") == 1


def test_our_options_may_be_spelt_as_the_harness_spells_its_own() -> None:
    request = parse(["--model", "dummy", "--per_level", "3", "--xlgo_seed=4", "--no_one_by_one"])
    assert request.metadata == {"per_level": 3, "xlgo_seed": 4, "text": "revised"}
    assert request.one_by_one is False


class Open:
    """A model that passes arguments on to a library, as ``hf`` and ``vllm`` do."""

    def __init__(self, pretrained: str, batch_size: int = 1, **kwargs: Any) -> None: ...


def test_names_that_a_library_may_know_are_passed_on() -> None:
    assert check_arguments(Open, ["pretrained", "dtype", "my_own_option"]) == ["my_own_option"]
    with pytest.raises(ValueError, match="unknown 'dtpe': did you mean 'dtype'"):
        check_arguments(Open, ["dtpe"])
    own = ["guided_regex"]
    assert check_names("--gen_kwargs", own, GENERATION, is_open=True) == own


def test_a_missing_package_is_named_before_anything_is_run(folder: Path, monkeypatch, capsys):
    missing = ModuleNotFoundError("No module named 'vllm'", name="vllm")
    monkeypatch.setattr("lm_eval.api.registry.get_model", Mock(side_effect=missing))
    assert main(["run", "--model", "vllm", *SMALL]) == 2
    assert capsys.readouterr().err == (
        "xlgo: --model vllm needs the package vllm, which is not installed\n"
    )


@pytest.mark.parametrize(("way", "level"), [([], "ERROR"), (["--one-by-one"], "INFO")])
def test_samples_that_cannot_be_written_are_a_failure(
    way: list[str], level: str, folder: Path, monkeypatch, capfd
) -> None:
    """The harness only warns, so that a full disk would look like a finished step."""
    command = [*SIM, "--tasks", "xlgo_slt", "--output_path", "out", *way]
    with monkeypatch.context() as patched:
        full = OSError(28, "No space left on device")
        patched.setattr(evaluation_tracker, "open", Mock(side_effect=full), raising=False)
        patched.setenv("LMEVAL_LOG_LEVEL", level)
        assert main(command) == 1
    printed = capfd.readouterr().err
    assert "not all results could be written: Could not save " in printed
    assert "No space left on device" in printed
    assert not list(folder.rglob("report.html"))
    assert main(command) == 0
    assert ": done" not in capfd.readouterr().out
    assert len(list(folder.rglob("report.html"))) == 1


def test_half_a_character_does_not_cost_the_samples_after_it(folder: Path, monkeypatch) -> None:
    def cut(self: Any, requests: list[Any], **_: Any) -> list[str]:
        return ["\ud83d", *("{}" for _ in requests[1:])]

    monkeypatch.setattr(SimulatedModel, "generate_until", cut)
    assert main([*SIM, "--tasks", "xlgo_slt"]) == 0
    (samples,) = folder.rglob("samples_*.jsonl")
    lines = [json.loads(line) for line in samples.read_text("utf-8").splitlines()]
    assert [line["resps"] for line in lines] == [[["\ufffd" * 3]]] + [[["{}"]]] * 3


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
            "(HTTP 404: no such model): there is no such model, or it is the wrong address",
        ),
        (
            401,
            b'{"error": "key sk-verysecret is wrong"}',
            "): set the environment variable that the model reads its key from",
        ),
        (400, b'{"error": {"message": "model huge?"}}', "(HTTP 400: model huge?)"),
        (503, b"loading", "(HTTP 503: loading)"),
        (200, b"<html>", "): start the server, or give the address of its interface"),
    ],
)
def test_a_server_that_cannot_answer_ends_the_run_soon(
    code: int, body: bytes, message: str, folder: Path, capfd
) -> None:
    with ChatServer(lambda *_: (code, body)) as server:
        exit_code, line = ask(server.url, capfd, "--per-level", "9")
    assert exit_code == 1
    assert message in line
    assert "verysecret" not in line
    assert len({str(request["messages"]) for request in server.bodies}) >= 8
    assert not list(folder.rglob("samples_*"))


def test_a_dead_server_and_a_missing_key_are_told_in_a_line(
    folder: Path, monkeypatch, capfd
) -> None:
    with ChatServer(lambda *_: (200, {})) as server:
        url = server.url
    code, line = ask(url, capfd, "--per-level", "9")
    assert code == 1
    assert "answered none of the last 8 requests (ClientConnectorError" in line
    assert line.endswith("--model_args base_url=http://127.0.0.1:8000/v1/chat/completions")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, line = ask(url, capfd, "--model", "openai-chat-completions", "--per-level", "9")
    assert code == 1
    assert "API key not found. Please set the `OPENAI_API_KEY`" in line


@pytest.mark.parametrize("kind", [RuntimeError, ValueError])
def test_any_failure_of_others_is_one_line_and_its_traceback_a_file(
    folder: Path, monkeypatch, capfd, kind: type[Exception]
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise kind("out of\nmemory with Bearer abcdefghij0123456789")

    monkeypatch.setattr(SimulatedModel, "generate_until", fail)
    assert main([*SIM, "--tasks", "xlgo_slt", "--output_path", "out"]) == 1
    printed = capfd.readouterr().err
    assert "Traceback" not in printed
    path = Path("out", TRACEBACK)
    assert printed.splitlines()[-1] == (
        f"xlgo: {kind.__name__}: out of memory with Bearer [removed] (the traceback is in {path})"
    )
    assert "in fail" in path.read_text()
    assert "abcdefghij" not in path.read_text()


def test_only_files_within_the_folder_are_removed(tmp_path: Path) -> None:
    """An event may be anybody's."""
    own, other, absolute = (tmp_path / name for name in ("out/own", "other", "absolute"))
    own.parent.mkdir()
    for path in (own, other, absolute):
        path.touch()
    remove(own.parent, ["own", "gone", "../other", str(absolute)])
    assert [path.exists() for path in (own, other, absolute)] == [False, True, True]


def raised(error: BaseException) -> BaseException:
    """The error with where it was raised."""
    try:
        raise error
    except (KeyboardInterrupt, OSError) as same:
        return same


@pytest.mark.parametrize("fresh", [False, True])
def test_what_is_kept_is_said_with_the_command_that_resumes(tmp_path: Path, *, fresh: bool) -> None:
    with Answers(own_file(tmp_path), {}) as answers:
        for number in range(1200):
            answers.add(str(number), Answer("x"))
    request: Any = SimpleNamespace(folder=tmp_path, fresh=fresh)
    same = "the same command without --fresh" if fresh else "the same command"
    for kind, text, words in (
        (KeyboardInterrupt, "", "stopped"),
        (OSError, "disk\nfull", "OSError: disk full"),
    ):
        said = failure(raised(kind(text)), request).replace(
            f" (the traceback is in {tmp_path / TRACEBACK})", ""
        )
        assert said == f"{words}; 1,200 answers are kept in {tmp_path}: {same} resumes"
