"""What a run asked is written before it is answered, and what is missing is named."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.cli import main
from xlgo_cli.folders import locked
from xlgo_lm_eval import manifest

from .conftest import ASKED, SIZE


def lines(folder: Path, kind: str) -> list[dict[str, Any]]:
    return [line for line in manifest.read(folder / manifest.FILE) if line["kind"] == kind]


def samples(folder: Path, task: str = "dsa") -> Path:
    return next(folder.rglob(f"samples_xlgo_{task}_*.jsonl"))


def test_it_says_what_was_asked(runs: Path) -> None:
    planned, *_ = lines(runs / "one", manifest.PLANNED)
    assert planned["tasks"] == ["xlgo_dsa", "xlgo_slt"]
    assert planned["design"]["metadata"]["per_level"] == 2
    dsa, slt = lines(runs / "one", manifest.ASKED)
    assert (dsa["task"], slt["task"]) == ("xlgo_dsa", "xlgo_slt")
    assert dsa["counts"] == {"en": 4, "te": 4}
    assert dsa["run"]["name"] == "xlgo-sim-demo"
    asked = {row[0]: row[2] for row in dsa["questions"]}
    for name, language in (("en", "en"), ("te", "te")):
        instance = xd.generate("dsa", complexity=4, seed=0, index=0, split="test")
        prompt = xd.render(instance, language)
        found = asked[f"dsa-test-s0-c4-i0-{name}"]
        assert found == hashlib.sha256(prompt.encode()).hexdigest()
    files = lines(runs / "one", manifest.ENDED)[0]["files"]
    for name, sha in files.items():
        assert hashlib.sha256((runs / "one" / name).read_bytes()).hexdigest() == sha
    assert len(lines(runs / "one", manifest.DONE)) == 1


@pytest.mark.parametrize("command", ["score", "report", "compare", "leaderboard"])
def test_missing_answers_are_counted(
    command: str, copy: Path, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = samples(copy).read_text().splitlines(keepends=True)
    samples(copy).write_text("".join(text[:7]))  # a board takes nine tenths of the questions
    given = {
        "score": [str(copy), "-q"],
        "report": [str(copy), "-q", "--no-samples"],
        "compare": [str(copy), str(runs / "two"), "--out", str(tmp_path / "c.html")],
        "leaderboard": [str(copy), str(runs / "two"), "--out", str(tmp_path / "board")],
    }[command]
    assert main([command, *given]) == 1
    assert "15 of 16 answers are there; missing: xlgo_dsa te 1" in capsys.readouterr().err
    assert main([command, *given, "--partial"]) == 0


def test_a_file_is_missing(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples(copy).unlink()
    assert main(["score", str(copy)]) == 1
    said = capsys.readouterr().err
    assert "8 of 16 answers are there; missing: xlgo_dsa en 4, xlgo_dsa te 4" in said
    assert "samples_xlgo_dsa" in said
    # One file alone is what was asked for, and whole.
    assert main(["score", str(samples(copy, "slt"))]) == 0


def test_without_a_manifest_the_harness_has_counted(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copy / manifest.FILE).unlink()
    assert main(["score", str(copy)]) == 0
    assert f"note: {samples(copy).parent}: no {manifest.FILE}" in capsys.readouterr().err
    samples(copy).write_text("".join(samples(copy).read_text().splitlines(keepends=True)[:3]))
    assert main(["score", str(copy)]) == 1
    assert "3 of 8 answers of xlgo_dsa are there" in capsys.readouterr().err


def test_a_run_of_other_questions_may_follow(copy: Path, runs: Path) -> None:
    """The older run is left out by its seed, and none of its answers is missing."""
    given = ["--model", "xlgo-sim", *ASKED, *SIZE, "--xlgo-seed", "7", "--quiet"]
    assert main(["run", *given, "--output_path", str(copy)]) == 0
    assert main(["score", str(copy)]) == 0
    assert len(lines(copy, manifest.ASKED)) == 4


def test_the_same_run_again_adds_no_questions(copy: Path) -> None:
    given = ["--model", "xlgo-sim", *ASKED, *SIZE, "--quiet", "--output_path", str(copy)]
    assert main(["run", *given]) == 0
    assert len(lines(copy, manifest.ASKED)) == 2
    assert len(lines(copy, manifest.ENDED)) == 2
    assert main(["score", str(copy)]) == 0


def test_a_run_stopped_between_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from xlgo_cli.harness import task_by_task

    given = ["run", "--model", "xlgo-sim", *ASKED, *SIZE, "--quiet", "--one-by-one"]
    given += ["--output_path", str(tmp_path)]
    steps = task_by_task.run_blocks

    def two(request: Any, blocks: Any, *rest: Any, **options: Any) -> int:
        def head() -> Any:
            for _, block in zip(range(2), blocks):
                yield block

        return steps(request, head(), *rest, **options) or 130

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(task_by_task, "run_blocks", two)
        assert main(given) == 130
    capsys.readouterr()
    assert main(["score", str(tmp_path)]) == 1
    assert "2 of 4 tasks were not asked yet" in capsys.readouterr().err
    assert main(given) == 0
    assert main(["score", str(tmp_path)]) == 0


def test_adaptive_rounds_are_appended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["run", "--model", "xlgo-sim", "--tasks", "xlgo_dsa", "--languages", "en,te", "--quiet"]
    given += ["--design", "adaptive", "--budget", "40", "--output_path", str(tmp_path)]
    assert main([*given, "--no-second-stage"]) == 0
    rounds = lines(tmp_path, manifest.ASKED)
    assert len(rounds) == len(lines(tmp_path, manifest.ENDED)) > 1
    assert main(["score", str(tmp_path)]) == 0
    text = (tmp_path / manifest.FILE).read_text().splitlines(keepends=True)
    (tmp_path / manifest.FILE).write_text("".join(text[:-1]))
    capsys.readouterr()
    assert main(["score", str(tmp_path)]) == 1
    assert "the adaptive run did not end" in capsys.readouterr().err


def test_half_a_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / manifest.FILE
    with manifest.recording(path, {"name": "m"}, {"tasks": [], "design": {}}):
        manifest.sent(["b", "a"])
    with path.open("ab") as file:
        file.write(b'{"schema": 1, "kind": "sent", "requ')
    assert [line["kind"] for line in manifest.read(path)] == ["planned", "sent"]
    with manifest.recording(path, {"name": "m"}, {"tasks": [], "design": {}}):
        manifest.sent(["c"])
        manifest.sent(["a", "b"])  # a resumed run does not repeat it
    assert [line.get("requests") for line in manifest.read(path)] == [None, ["a", "b"], ["c"]]


@pytest.mark.parametrize(
    "line", [b"[]", b"{}", b'{"schema": 2}', b"\xff", b'{"schema":1,"kind":"asked","task":1}']
)
def test_a_damaged_manifest_is_an_error(
    line: bytes, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copy / manifest.FILE).write_bytes(line + b"\n")
    assert main(["score", str(copy)]) == 1
    assert "not a line of a manifest" in capsys.readouterr().err


def test_two_runs_into_one_folder(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--model", "xlgo-sim", *ASKED, *SIZE, "--quiet", "--output_path", str(copy)]
    with locked(copy / ".run.lock"):
        assert main(["run", *given]) == 2
    assert f"another process is writing to {copy}" in capsys.readouterr().err
    assert main(["run", *given]) == 0


def test_designs_have_folders_of_their_own() -> None:
    from xlgo_cli.harness.options import parse

    base = ["--model", "xlgo-sim"]
    others = [
        [], ["--preset", "smoke"], ["--xlgo-seed", "1"], ["--tasks", "xlgo_dsa"], ["--limit", "3"],
        ["--levels", "3"], ["--per-level", "3"], ["--languages", "en,te"], ["--c-max", "30"],
        ["--complexities", "2,3"], ["--conditions", "plain,rules"], ["--repeats", "2"],
        ["--text", "revised"], ["--design", "adaptive"],
        ["--design", "adaptive", "--c-max", "30"], ["--challenge", "a nonce"],
    ]  # fmt: skip
    folders = [parse([*base, *more]).output for more in others]
    assert len(set(folders)) == len(others)
    assert folders[0].name.startswith("xlgo-sim-demo-quick-seed0")
    more = parse([*base, "--design", "adaptive", "--budget", "999"]).output
    assert more == folders[others.index(["--design", "adaptive"])]


@pytest.mark.slow
def test_killed_at_any_time(tmp_path: Path) -> None:
    """After a kill the manifest is whole, and the same command completes the run."""
    command = [sys.executable, "-m", "xlgo_cli", "run", "--model", "xlgo-sim", *ASKED, *SIZE]
    for number in range(12):
        folder = tmp_path / str(number)
        words = [*command, "--one-by-one", "--output_path", str(folder)]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2.0 + 0.35 * number)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        manifest.read(folder / manifest.FILE)
        if lines(folder, manifest.ASKED) and not lines(folder, manifest.DONE):
            there = any(folder.rglob("samples_*.jsonl"))
            assert main(["score", str(folder), "-q"]) == (1 if there else 2)
        assert main([*words[3:], "--quiet"]) == 0
        assert main(["verify", str(folder)]) == 0
        shutil.rmtree(folder)


def test_json_lines_only(runs: Path) -> None:
    for line in (runs / "one" / manifest.FILE).read_text().splitlines():
        json.loads(line)
