"""Runs that are killed and resumed, through a real server; and a real transformers model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.simulate.server import CHAT, SimulatedServer
from xlgo_cli.simulate.simulator import Simulator

from .make_tiny_model import make_tiny_model

pytestmark = pytest.mark.slow

CONCURRENT = 8
OPTIONS = ["--preset", "smoke", "--levels", "4", "--per-level", "2"]
QUESTIONS = 5 * 7 * 4 * 2


class SlowSimulator(Simulator):
    """Takes its time, and keeps what it was asked."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        self.prompts: list[str] = []

    def answer(self, prompt: str, reference: Mapping[str, Any] | None = None) -> str:
        time.sleep(0.3)
        self.prompts.append(prompt)
        return super().answer(prompt, reference)


@pytest.fixture
def server() -> Iterator[SimulatedServer]:
    with SimulatedServer(SlowSimulator("demo")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OPENAI_API_KEY": "none"}
    return subprocess.Popen(
        [sys.executable, "-m", "xlgo_cli.cli", "run", *OPTIONS, "--output_path", "out", *arguments],
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def through(server: SimulatedServer) -> list[str]:
    arguments = f"model=sim,base_url={server.url}{CHAT},num_concurrent={CONCURRENT}"
    return ["--model", "local-chat-completions", "--model_args", arguments, "--apply_chat_template"]


def answered(server: SimulatedServer) -> int:
    assert isinstance(server.simulator, SlowSimulator)
    return len(server.simulator.prompts)


def wait_for(server: SimulatedServer, answers: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 600
    while answered(server) < answers and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)


def samples(folder: Path) -> list[dict[str, Any]]:
    paths = sorted((folder / "out").rglob("samples_*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]


def check(folder: Path) -> None:
    """Every question was answered once, as the simulator answers it, and reported."""
    simulator, found = Simulator("demo"), samples(folder)
    assert len({sample["doc"]["id"] for sample in found}) == len(found) == QUESTIONS
    for sample in found:
        reference = json.loads(sample["doc"]["reference"])
        key = ("complexity", "seed", "index", "split")
        instance = xd.generate(reference["task"], **{name: reference[name] for name in key})
        prompt = xd.render(instance, reference["language"])
        assert sample["resps"] == [[simulator.answer(prompt)]]
        assert sample["acc"] == float(xm.grade(sample["resps"][0][0], reference).correct)
    assert next(folder.rglob("report.html")).is_file()


def test_one_by_one_killed_and_resumed(server: SimulatedServer, tmp_path: Path) -> None:
    command = [*through(server), "--one-by-one"]
    first = start(tmp_path, *command)
    wait_for(server, 60, first)  # 8 questions a step: some steps are done
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    time.sleep(1)
    before = answered(server)
    assert 60 <= before < QUESTIONS

    second = start(tmp_path, *command)
    printed, _ = second.communicate(timeout=1200)
    assert second.returncode == 0, printed
    done = [line for line in printed.splitlines() if line.endswith(": done")]
    assert len(done) >= 6
    assert QUESTIONS <= answered(server) <= QUESTIONS + 2 * CONCURRENT
    check(tmp_path)
    print(f"killed after {before} of {QUESTIONS} answers; then {len(done)} of 35 steps were done")


def test_two_processes_share_the_questions_and_ask_nothing_twice(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("accelerate")
    pytest.importorskip("transformers")
    model = make_tiny_model(tmp_path / "tiny")
    common = [
        "--model_args", f"pretrained={model},max_length=4096", "--device", "cpu",
        "--gen_kwargs", "max_gen_toks=16", "--languages", "en,te", "--quiet",
    ]  # fmt: skip
    fixed = ["--tasks", "xlgo_slt", "--levels", "2", "--per-level", "3", "--preset", "smoke"]
    adaptive = ["--tasks", "slt", "--design", "adaptive", "--budget", "40", "--c-max", "9"]

    def answers(out: str, ranks: int, *more: str) -> dict[str, Any]:
        """The responses by question, and the number of lines in the files of answers."""
        program = [str(Path(__file__).with_name("ranks.py")), "--model", "hf-ranks"]
        launch = ["torch.distributed.run", "--nproc_per_node", str(ranks), "--master_port", "29733"]
        command = [sys.executable, "-m", *launch, *program, *common, *more, "--out", out]
        environment = os.environ | {"ACCELERATE_USE_CPU": "true", "HF_HUB_OFFLINE": "1"}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, text=True, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        found = {
            row["doc"]["id"]: row["resps"]
            for path in (tmp_path / out).rglob("samples_*.jsonl")
            for row in map(json.loads, path.read_text("utf-8").splitlines())
        }
        logs = (tmp_path / out).glob("xlgo_answers*.ndjson")
        asked = [line for path in logs for line in path.read_text().splitlines() if '"key"' in line]
        return {"found": found, "asked": len(asked)}

    shared = answers("two", 2, *fixed)
    assert len(shared["found"]) == shared["asked"] == 12
    assert answers("two", 2, *fixed) == answers("two", 1, *fixed) == shared
    assert answers("one", 1, *fixed) == shared
    assert len(list((tmp_path / "two").glob("xlgo_answers.*.[01].ndjson"))) == 2
    rounds = answers("rounds", 2, *adaptive)  # both ask what the first settles
    assert len(rounds["found"]) == rounds["asked"]
    assert answers("rounds", 1, *adaptive) == rounds


def test_a_transformers_model_with_random_weights(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    model = make_tiny_model(tmp_path / "tiny")
    process = start(
        tmp_path, "--model", "hf", "--model_args", f"pretrained={model},max_length=4096",
        "--device", "cpu", "--batch_size", "8", "--gen_kwargs", "max_gen_toks=16",
        "--tasks", "xlgo_slt", "xlgo_graph_sp", "--levels", "2", "--per-level", "1",
    )  # fmt: skip
    printed, _ = process.communicate(timeout=1200)
    assert process.returncode == 0, printed
    found = samples(tmp_path)
    assert len(found) == 2 * 2 * 7
    assert not any(sample["acc"] for sample in found)
    assert next(tmp_path.rglob("report.html")).is_file()
