"""``xlgo run --models``: a loop of resumable runs, and the file that names them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from filelock import FileLock

from xlgo_cli import cli
from xlgo_cli.harness import several
from xlgo_cli.harness.options import words_of
from xlgo_cli.harness.several import read_models
from xlgo_lm_eval.answers import FILE

GOOD = """
[[models]]
name = "first"
type = "xlgo-sim"
arguments = { profile = "demo", seed = 1 }

[[models]]
name = "second / thinking"
type = "xlgo-sim"
arguments = "profile=demo,seed=2"
settings = { batch_size = "auto", apply_chat_template = true, gen_kwargs = { temperature = 0.5 } }

[[models]]
name = "third"
type = "xlgo-sim"
"""
PLAN = ["--preset", "smoke", "--tasks", "xlgo_slt", "--levels", "2", "--per-level", "1",
        "--languages", "en,te"]  # fmt: skip


@pytest.fixture
def models(tmp_path: Path) -> Path:
    path = tmp_path / "models.toml"
    path.write_text(GOOD)
    return path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines of models, which run in this process; one whose folder is given a file
    ``fault`` fails with its text."""
    seen: list[list[str]] = []

    def run(words: list[str], stdout: Any, **_: Any) -> subprocess.CompletedProcess[bytes]:
        arguments = words[len(several.PROGRAM) :]
        seen.append(arguments)
        fault = Path(arguments[arguments.index("--output_path") + 1]) / "fault"
        if fault.exists():
            stdout.write(fault.read_bytes())
            code = 130 if b"stopped" in fault.read_bytes() else 1
            return subprocess.CompletedProcess(words, code)
        return subprocess.CompletedProcess(words, cli.main(["run", *arguments]))

    own = SimpleNamespace(run=run, DEVNULL=subprocess.DEVNULL, STDOUT=subprocess.STDOUT)
    monkeypatch.setattr(several, "subprocess", own)
    return seen


def run(models: Path, out: Path, *more: str) -> int:
    return cli.main(["run", "--models", str(models), "--out", str(out), *PLAN, *more])


def folders(started: list[list[str]]) -> list[str]:
    return [Path(words[words.index("--output_path") + 1]).name for words in started]


def test_every_model_is_run_with_the_plan_and_its_own_and_resumed(
    models: Path, tmp_path: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    (out / "second_thinking").mkdir(parents=True)
    fault = out / "second_thinking" / "fault"
    fault.write_text("loading\nxlgo: the server is dead\n")
    assert run(models, out) == 1
    shown = capsys.readouterr()
    assert folders(started) == ["first", "second_thinking", "third"]
    assert all(words[: len(PLAN)] == PLAN for words in started)
    assert started[0][len(PLAN) :][:2] == ["--model", "xlgo-sim"]
    assert "--apply_chat_template" in started[1]
    assert "the server is dead" in shown.out
    assert "2 of 3 models are done" in shown.out
    assert "1 of 3 models did not end" in shown.err

    # Only what is not done is run again.
    fault.write_text("xlgo: stopped")
    assert run(models, out) == 130
    fault.unlink()
    assert run(models, out) == 0
    assert folders(started)[3:] == ["second_thinking"] * 2
    assert run(models, out) == 0
    assert len(started) == 5

    # Others settings are another run, which its folder refuses; how it is run is not.
    capsys.readouterr()
    models.write_text(GOOD.replace("seed = 1", "seed = 5").replace('"auto"', "8"), "utf-8")
    assert run(models, out, "--status") == 0
    shown = capsys.readouterr()
    assert "2 of 3 models are done" in shown.out
    assert "changed" in shown.out
    assert len(started) == 5
    assert run(models, out) == 1
    assert run(models, out, "--fresh") == 0


def test_status_says_who_waits_and_who_runs(
    models: Path, tmp_path: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    models.write_text(GOOD.replace('"first"', '"first"').split('[[models]]\nname = "second')[0])
    assert run(models, out, "--status") == 0
    assert "waiting" in capsys.readouterr().out
    assert run(models, out) == 0
    with FileLock(out / "first" / f"{FILE.format('')}.lock"):
        assert run(models, out, "--status") == 0
    assert "running" in capsys.readouterr().out
    assert not [words for words in started if "--status" in words]


def test_yaml_says_the_same(tmp_path: Path, models: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(
        "models:\n- {name: first, type: xlgo-sim, arguments: {profile: demo, seed: 1}}\n"
        "- name: second / thinking\n  type: xlgo-sim\n  arguments: profile=demo,seed=2\n"
        "  settings: {batch_size: auto, apply_chat_template: true,\n"
        "             gen_kwargs: {temperature: 0.5}}\n"
        "- {name: third, type: xlgo-sim}\n"
    )
    assert read_models(path) == read_models(models)
    path.write_text("models:\n- {name: a, type: xlgo-sim, arguments: , settings: }\n")
    assert read_models(path) == {"a": ["--model", "xlgo-sim"]}
    path.write_text("models:\n- 1: x\n")
    with pytest.raises(ValueError, match="model 1: unknown"):
        read_models(path)
    path.write_text("models:\n- {name: a, type: xlgo-sim, settings: {3: x}}\n")
    assert read_models(path) == {"a": ["--model", "xlgo-sim", "--3", "x"]}


def test_settings_become_options() -> None:
    settings = {
        "num_fewshot": 0,
        "one_by_one": False,
        "apply_chat_template": False,
        "judge": "none",
    }
    assert words_of({"model": "hf", **settings}) == [
        "--model",
        "hf",
        "--num_fewshot",
        "0",
        "--no-one-by-one",
        "--judge",
        "none",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must hold a list `models`"),
        ("models = []", "must hold a list `models`"),
        ("models = [", "not valid TOML"),
        ("[[models]]\nname = 'a'", "model 1: type is missing"),
        ("[[models]]\ntype = 'hf'", "model 1: name is missing"),
        (
            "[[models]]\nname = 'a'\ntype = 'hf'\nbatch_size = 3",
            "model 1: unknown 'batch_size': allowed are arguments, name",
        ),
        (
            "[[models]]\nname = 'a'\ntype = 'hf'\nsettings = {preset = 'lite'}",
            "all models are asked the same",
        ),
        (
            "[[models]]\nname = 'a'\ntype = 'hf'\nsettings = {model_args = 'x=1'}",
            "use the entry 'arguments'",
        ),
        (
            "[[models]]\nname = 'a b'\ntype = 'hf'\n[[models]]\nname = 'A/b'\ntype = 'hf'",
            "would share the folder",
        ),
        ("preset = 'lite'\n[[models]]\nname = 'a'\ntype = 'hf'", "nothing else; give options"),
    ],
)
def test_mistakes_in_the_file_are_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "models.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match="--models") as error:
        read_models(path)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--model", "hf"], "leave out --model"),
        (["--preset", "huge"], "preset='huge' must be one of"),
        (["--tasks", "xlgo_stl"], "unknown task"),
        (["--limit", "-3"], "--limit must be"),
    ],
)
def test_mistakes_on_the_command_line_run_nothing(
    models: Path, tmp_path: Path, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(models, tmp_path / "out", *more) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_unknown_type_of_model_runs_nothing(
    models: Path, tmp_path: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    models.write_text(GOOD.replace('"third"\ntype = "xlgo-sim"', '"third"\ntype = "xlgo-sin"'))
    assert run(models, tmp_path / "out") == 2
    assert "model 'third': --model: unknown 'xlgo-sin'" in capsys.readouterr().err
    assert not started


def test_status_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--status"]) == 2
    assert "--status needs --models" in capsys.readouterr().err


@pytest.mark.slow
def test_real_models_and_their_leaderboard(models: Path, tmp_path: Path) -> None:
    assert sys.executable == several.PROGRAM[0]
    assert run(models, tmp_path / "real", "--per-level", "4") == 0
    folders = [str(tmp_path / "real" / name) for name in ("first", "third")]
    assert cli.main(["leaderboard", *folders, "--out", str(tmp_path / "board")]) == 0
    whole = [str(tmp_path / "real"), "--out", str(tmp_path / "other")]
    assert cli.main(["leaderboard", *whole]) == 0


ASKED_OF_ALL = (
    "tasks preset levels per-level c_min c_max complexities plan xlgo_seed text languages limit "
    "metadata design budget include_path config challenge model model_args output_path "
    "out models status"
)


@pytest.mark.parametrize("name", ASKED_OF_ALL.split())
def test_what_all_models_are_asked_is_no_setting_of_the_last_one(name: str, models: Path) -> None:
    models.write_text(f"{GOOD}settings = {{ batch_size = 1, {name} = 3 }}\n")
    with pytest.raises(ValueError, match=f"model 3: setting '{name.replace('-', '_')}': "):
        read_models(models)


def test_where_results_are_and_what_to_do_with_them(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[list[str]],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """The log of each model grows; models are compared from two on that are done."""
    monkeypatch.chdir(tmp_path)
    command = ["run", "--models", models.name, *PLAN]
    assert cli.main([*command, "--status"]) == 0
    assert started == []
    assert f"results: {Path('xlgo_results') / models.stem}" in capsys.readouterr().out
    top = tmp_path / "xlgo_results" / models.stem
    for name in ("second_thinking", "third"):
        (top / name).mkdir(parents=True)
        (top / name / "fault").write_text(f"xlgo: {name} is dead\n")
    assert cli.main(command) == 1
    assert "compare them" not in capsys.readouterr().out
    (top / "third" / "fault").unlink()
    assert cli.main(command) == 1
    told = capsys.readouterr()
    assert "compare them: xlgo leaderboard" in told.out
    log = (top / "second_thinking" / several.LOG).read_text()
    assert log.count("xlgo: second_thinking is dead") == 2
    assert folders(started) == ["first", "second_thinking", "third", "second_thinking", "third"]
