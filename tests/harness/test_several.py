"""``xlgo run --models``: a loop of resumable runs, and the file that names them."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("lm_eval")


from xlgo_cli import cli
from xlgo_cli.harness import several
from xlgo_cli.harness.several import read_models

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


def test_fresh_asks_models_that_are_done_again(
    models: Path, tmp_path: Path, started: list[list[str]]
) -> None:
    assert run(models, tmp_path / "out") == 0
    first = folders(started)
    assert run(models, tmp_path / "out", "--fresh") == 0
    assert folders(started) == 2 * first


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
