"""``xlgo run`` with wrong input and on a machine that fails: said in a line, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lm_eval.loggers import evaluation_tracker

from tests.harness.commands import SIM, SMALL
from xlgo_cli.cli import main
from xlgo_cli.harness.options import parse
from xlgo_cli.harness.preflight.harness_options import harness_config
from xlgo_cli.harness.prepared import run_of
from xlgo_cli.simulate.model import SimulatedModel
from xlgo_lm_eval.arguments import GENERATION, check_arguments, check_names


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
        (["--model_args", "correlation=x"], "correlation must lie between 0 and 1, got 'x'"),
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
        (["--model", "xlgo-sim", "--model_args", "correlation"], "expected key=value"),
        (["--text", "nowhere.toml"], "unknown text 'nowhere.toml'"),
        (["--languages", "en,xx"], "unknown language 'xx'"),
        (["--metadata", "{x"], "--metadata: not valid JSON"),
        (["--config", "nowhere.yaml"], "--config nowhere.yaml: cannot be read"),
    ],
)
def test_mistakes_are_told_in_one_line(given, message: str, folder: Path, capsys) -> None:
    assert main([*SIM, *given]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not list(folder.iterdir())


@pytest.mark.parametrize("text", ["only text", "[a, b]", "limit: ten", "[1,\n2"])
def test_a_wrong_config_file_is_told_in_one_line(text: str, folder: Path, capsys) -> None:
    (folder / "c.yaml").write_text(text)
    assert main(["run", "--config", "c.yaml"]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("xlgo: --config c.yaml: ")
    assert printed.count("\n") == 1


def test_what_only_shows_within_the_harness_needs_no_traceback(
    folder: Path, monkeypatch, capfd
) -> None:
    given, message = (
        ["--metadata", "xlgo_split=tset"],
        "slt: unknown split 'tset': allowed are test",
    )
    # Of its own ten thousand tasks the harness need not know here.
    monkeypatch.setattr("lm_eval.tasks.TaskManager.__init__", _without_defaults())
    # Handlers of the harness from an earlier test may hold a stream that is closed by now.
    monkeypatch.setattr("logging.raiseExceptions", False)
    assert main([*SIM, "--tasks", "xlgo_slt", *given]) == 1
    printed = capfd.readouterr().err
    assert f"xlgo: {message}" in printed
    assert "Traceback" not in printed


def _without_defaults() -> Any:
    from lm_eval.tasks import TaskManager

    original = TaskManager.__init__

    def init(self: Any, *arguments: Any, **options: Any) -> None:
        original(self, *arguments, **{**options, "include_defaults": False})

    return init


def test_a_stray_argument_is_not_taken_for_a_value(folder: Path, capfd) -> None:
    assert main(["run", "stray", *SIM[1:], "--metadata", "levels=2"]) == 2
    assert "unrecognized arguments: stray" in capfd.readouterr().err


def test_our_options_may_be_spelt_as_the_harness_spells_its_own() -> None:
    request = parse(["--model", "dummy", "--per_level", "3", "--xlgo_seed=4", "--no_one_by_one"])
    assert request.metadata == {"per_level": 3, "xlgo_seed": 4, "text": "revised"}
    assert request.one_by_one is False


def test_large_limits_stay_exact() -> None:
    assert harness_config(parse(["--model", "dummy", "--limit", "1234567"])).limit == 1234567


SERVED = ["run", "--model", "local-chat-completions", "--apply_chat_template", *SMALL]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--model_args", "model=m,num_concurent=8"], "'num_concurent': did you mean 'num_concur"),
        (["--model_args", "model=m,timeut=5"], "unknown 'timeut': did you mean 'timeout'?"),
        (["--model_args", "model=m,colour=5"], "unknown 'colour': allowed are "),
        (
            ["--gen_kwargs", "temprature=0.5"],
            "--gen_kwargs: unknown 'temprature': did you mean 'te",
        ),
        (["--judge", "local-chat-completions", "--judge-args", "modl=m"], "did you mean 'model'?"),
    ],
)
def test_typos_are_errors_with_the_nearest_name(
    given: list[str], message: str, folder: Path, capsys: Any
) -> None:
    assert main([*SERVED, "--tasks", "xlgo_slt", *given]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert not list(folder.iterdir())


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
    def missing(name: str) -> None:
        raise ModuleNotFoundError("No module named 'vllm'", name="vllm")

    monkeypatch.setattr("lm_eval.api.registry.get_model", missing)
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
        patched.setattr(evaluation_tracker, "open", _full, raising=False)
        patched.setenv("LMEVAL_LOG_LEVEL", level)
        assert main(command) == 1
    message = "not all results could be written: Could not save "
    printed = capfd.readouterr().err
    assert message in printed
    assert "No space left on device" in printed
    assert not list(folder.rglob("report.html"))
    assert main(command) == 0
    assert ": done" not in capfd.readouterr().out
    assert len(list(folder.rglob("report.html"))) == 1


def _full(*_: Any, **__: Any) -> Any:
    raise OSError(28, "No space left on device")


def test_half_a_character_does_not_cost_the_samples_after_it(folder: Path, monkeypatch) -> None:
    def cut(self: Any, requests: list[Any], **_: Any) -> list[str]:
        return ["\ud83d", *("{}" for _ in requests[1:])]

    monkeypatch.setattr(SimulatedModel, "generate_until", cut)
    assert main([*SIM, "--tasks", "xlgo_slt"]) == 0
    (samples,) = folder.rglob("samples_*.jsonl")
    lines = [json.loads(line) for line in samples.read_text("utf-8").splitlines()]
    assert [line["resps"] for line in lines] == [[["\ufffd" * 3]]] + [[["{}"]]] * 3


def test_how_a_server_is_asked_does_not_undo_what_is_done() -> None:
    def run(*given: str) -> dict[str, Any]:
        request = parse(["--model", "dummy", "--preset", "smoke", "--write_out", *given])
        return run_of(request, harness_config(request))

    first = run("--model_args", "model=m,timeout=300,num_concurrent=8", "--batch_size", "8")
    moved = "model=m,timeout=9,max_retries=9,base_url=http://h/v1,tensor_parallel_size=2"
    assert run("--model_args", moved, "--batch_size=1") == first
    assert run("--model_args", "model=m", "--per-level", "7", "--languages", "hi") == first
    for more in (
        ["--model_args", "model=n"],
        ["--model_args", "model=m,revision=2"],
        ["--model_args", "model=m", "--gen_kwargs", "temperature=1"],
        ["--model_args", "model=m", "--apply_chat_template"],
        ["--model_args", "model=m", "--text", "paper"],
    ):
        assert run(*more) != first
