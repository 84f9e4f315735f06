"""``xlgo run --models``: the file, what is run, and where each model stands."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from xlgo_cli import cli
from xlgo_cli.folders import locked
from xlgo_cli.harness.progress import Progress
from xlgo_cli.queue import run as queue_run
from xlgo_cli.queue.file import Entry, read_models
from xlgo_cli.queue.run import parse_queue
from xlgo_cli.queue.state import LOCK, read_state

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

FAKE = """
import json, pathlib, sys
words = sys.argv[1:]
folder = pathlib.Path(words[words.index("--output_path") + 1])
with (folder / "calls.jsonl").open("a") as file:
    file.write(json.dumps(words) + "\\n")
print("Requesting API: 0%| | 0/7 [00:00<?, ?it/s]", end="\\r")
fault = folder.parent / f"{folder.name}.fault"
if fault.exists():
    exec(fault.read_text())
"""
"""Stands for the run of one model: notes how it was called, and fails where a file says how."""


@pytest.fixture
def models(tmp_path: Path) -> Path:
    path = tmp_path / "models.toml"
    path.write_text(GOOD, "utf-8")
    return path


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(queue_run, "PROGRAM", [sys.executable, "-c", FAKE])
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def run(models: Path, out: Path, *more: str) -> int:
    return cli.main(["run", "--models", str(models), "--out", str(out), *more])


def calls(out: Path, folder: str) -> list[list[str]]:
    path = out / folder / "calls.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def states(out: Path) -> dict[str, str]:
    return {name: found.state for name, found in read_state(out).models.items()}


def test_every_model_is_run_with_the_plan_and_its_own(models: Path, out: Path) -> None:
    assert run(models, out, "--preset", "smoke", "--tasks", "xlgo_slt") == 0
    assert states(out) == dict.fromkeys(("first", "second_thinking", "third"), "done")
    [first], [second], [third] = (calls(out, f) for f in ("first", "second_thinking", "third"))
    for words in (first, second, third):
        assert words[:4] == ["--preset", "smoke", "--tasks", "xlgo_slt"]
        assert words[words.index("--model") + 1] == "xlgo-sim"
    assert json.loads(first[first.index("--model_args") + 1]) == {"profile": "demo", "seed": 1}
    assert second[second.index("--model_args") + 1] == "profile=demo,seed=2"
    assert "--apply_chat_template" in second
    assert json.loads(second[second.index("--gen_kwargs") + 1]) == {"temperature": 0.5}
    assert "--model_args" not in third
    caches = {words[words.index("--use_cache") + 1] for words in (first, second, third)}
    assert len(caches) == 3


def test_a_failure_stops_no_other_and_is_tried_again(
    models: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = out / "first.fault"
    fault.write_text("print('xlgo: the server is dead'); sys.exit(2)")
    (out / "third.fault").write_text("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert run(models, out, "--preset", "smoke") == 1
    shown = capsys.readouterr()
    assert "exit code 2: the server is dead" in shown.out
    assert "SIGKILL, perhaps out of memory" in shown.out
    assert "1 of 3 models are done" in shown.out
    assert "2 of 3 models failed" in shown.err
    assert sorted(states(out).values()) == ["done", "failed", "failed"]
    fault.unlink()
    (out / "third.fault").unlink()
    assert run(models, out, "--preset", "smoke") == 0
    assert [len(calls(out, f)) for f in ("first", "second_thinking", "third")] == [2, 1, 2]
    assert run(models, out, "--preset", "smoke") == 0
    assert [len(calls(out, f)) for f in ("first", "second_thinking", "third")] == [2, 1, 2]


def test_the_reason_is_the_error_and_not_the_progress(models: Path, out: Path) -> None:
    fault = "raise ConnectionError('no route')"
    (out / "first.fault").write_text(fault)
    run(models, out, "--preset", "smoke")
    assert read_state(out).models["first"].why == "exit code 1: ConnectionError: no route"


def test_a_changed_model_is_run_again_and_another_plan_refused(
    models: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(models, out, "--preset", "smoke") == 0
    models.write_text(GOOD.replace("seed = 1", "seed = 5"), "utf-8")
    capsys.readouterr()
    assert run(models, out, "--preset", "smoke", "--status") == 0
    shown = capsys.readouterr().out
    assert "2 of 3 models are done" in shown
    assert "changed" in shown
    assert len(calls(out, "first")) == 1
    assert run(models, out, "--preset", "smoke") == 0
    assert [len(calls(out, f)) for f in ("first", "third")] == [2, 1]
    assert run(models, out, "--preset", "lite", "--yes") == 2
    assert "different questions" in capsys.readouterr().err


def test_how_a_model_is_asked_does_not_make_it_another(models: Path, out: Path) -> None:
    run(models, out, "--preset", "smoke")
    models.write_text(GOOD.replace('batch_size = "auto"', "batch_size = 8"), "utf-8")
    run(models, out, "--preset", "smoke")
    assert len(calls(out, "second_thinking")) == 1


def test_two_processes_do_not_share_a_queue(
    models: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with locked(out / LOCK):
        assert run(models, out, "--preset", "smoke") == 2
    assert "another process" in capsys.readouterr().err
    assert calls(out, "first") == []


def test_an_interruption_is_kept(models: Path, out: Path) -> None:
    (out / "second_thinking.fault").write_text("sys.exit(130)")
    assert run(models, out, "--preset", "smoke") == 130
    assert states(out) == {"first": "done", "second_thinking": "stopped"}
    (out / "second_thinking.fault").unlink()
    assert run(models, out, "--preset", "smoke") == 0
    assert [len(calls(out, f)) for f in ("first", "second_thinking", "third")] == [1, 2, 1]


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


def test_settings_become_options() -> None:
    settings = {
        "num_fewshot": 0,
        "one_by_one": False,
        "apply_chat_template": False,
        "judge": "none",
    }
    words = Entry("a", "hf", {}, settings).words()
    assert words == ["--model", "hf", "--num_fewshot", "0", "--no-one-by-one", "--judge", "none"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must hold a list `models`"),
        ("models = []", "must hold a list `models`"),
        ("models = [", "not valid TOML"),
        ("[[models]]\nname = 'a'", "model 1 (a): needs a type"),
        ("[[models]]\ntype = 'hf'", "model 1: needs a name"),
        ("[[models]]\nname = 'a'\ntype = 'hf'\nbatch_size = 3", "unknown entry 'batch_size'"),
        (
            "[[models]]\nname = 'a'\ntype = 'hf'\nsettings = {preset = 'lite'}",
            "all models are asked the same",
        ),
        (
            "[[models]]\nname = 'a'\ntype = 'hf'\nsettings = {model_args = 'x=1'}",
            "use the entry 'arguments'",
        ),
        ("[[models]]\nname = 'a'\ntype = 'hf'\nsettings = {'--limit' = 3}", "without its dashes"),
        (
            "[[models]]\nname = 'a b'\ntype = 'hf'\n[[models]]\nname = 'A/b'\ntype = 'hf'",
            "would share the folder",
        ),
        ("preset = 'lite'\n[[models]]\nname = 'a'\ntype = 'hf'", "unknown entry 'preset'"),
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
    models: Path, out: Path, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(models, out, *more) == 2
    assert said in capsys.readouterr().err
    assert not (out / "queue.json").exists()


def test_an_unknown_type_of_model_runs_nothing(
    models: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models.write_text(GOOD.replace('"third"\ntype = "xlgo-sim"', '"third"\ntype = "xlgo-sin"'))
    assert run(models, out) == 2
    assert "model 'third': unknown model 'xlgo-sin'" in capsys.readouterr().err
    assert calls(out, "first") == []


def test_status_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--status"]) == 2
    assert "--status needs --models" in capsys.readouterr().err


def test_the_default_folder_is_named_after_the_file(models: Path) -> None:
    assert parse_queue(["--models", str(models)]).folder == Path("xlgo_results/models")


@pytest.mark.slow
def test_a_real_queue_and_its_leaderboard(models: Path, tmp_path: Path) -> None:
    options = ["--tasks", "xlgo_slt", "--preset", "smoke", "--per-level", "4"]
    assert run(models, tmp_path / "real", *options) == 0
    folders = [str(tmp_path / "real" / name) for name in ("first", "third")]
    assert cli.main(["leaderboard", *folders, "--out", str(tmp_path / "board")]) == 0


def test_the_progress_of_a_model_is_read_from_its_log(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.write_text("9 of 9 answers, of an earlier run\n", "utf-8")
    start = log.stat().st_size
    assert queue_run._answers(log, start) == 0
    with log.open("a", encoding="utf-8") as file:
        shown = Progress(2800, clock=lambda: 0.0)
        for number in (120, 1200):
            shown.reach(number)
            file.write(f"{shown.line(60.0)}\n[round 1] slt 5 at 1\n")
    assert queue_run._answers(log, start) == shown.done == 1200
