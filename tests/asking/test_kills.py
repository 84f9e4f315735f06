"""Runs that are killed and resumed by the same command: nothing is asked twice but what was in
flight, and the files are those of a run that nobody killed."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, kill_after, message
from tests.lit.conftest import write_texts
from xlgo_cli.cli import main
from xlgo_cli.simulate.simulator import Simulator
from xlgo_dataset.core.rng import Stream

CONCURRENT = 4
CURVES = {"en": {"q": 8, "r": 0.04}, "te": {"q": 8, "r": 0.06}}
PROFILE = {"tasks": {"slt": CURVES}, "translation": {"loss": {"default": 0.1}}}
KINDS = {
    "adaptive": ["--tasks", "xlgo_slt", "--languages", "en,te", "--design", "adaptive",
                 "--budget", "40", "--c-min", "3", "--c-max", "7"],
    "judged": ["--tasks", "lit_e_asia", "--judge", "local-chat-completions"],
}  # fmt: skip


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ChatServer]:
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(PROFILE))
    simulator = Simulator(str(path))

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 200, message(simulator.answer(prompt))

    with ChatServer(respond, delay=0.02) as serving:
        yield serving


def command(server: ChatServer, kind: str, folder: Path, out: str) -> list[str]:
    given = f"model=m,base_url={server.url},num_concurrent={CONCURRENT}"
    more = list(KINDS[kind])
    if kind == "judged":
        write_texts(folder / "texts.jsonl")
        more += ["--metadata", json.dumps({"source": str(folder / "texts.jsonl")})]
        more += ["--judge-args", given]
    return [
        "run", "--model", "local-chat-completions", "--apply_chat_template", "--model_args", given,
        "--quiet", "--out", str(folder / out), *more,
    ]  # fmt: skip


def start(words: list[str]) -> subprocess.Popen[bytes]:
    """The command in a process of its own, which can be killed."""
    return subprocess.Popen(
        [sys.executable, "-m", "xlgo_cli", *words],
        env=os.environ | {"OPENAI_API_KEY": "none", "HF_HUB_OFFLINE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def results(out: Path) -> dict[str, Any]:
    """What stands in the files, but for dates, durations and what servers said beside."""
    found: dict[str, Any] = {}
    for path in sorted(out.rglob("samples_*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for line in lines:
            for answer in line["answers"]:
                answer.pop("seconds", None)
        task = path.name.rpartition("_")[0]
        assert task not in found  # one file of samples for each task
        found[task] = lines
    scores = json.loads((out / "report" / "scores.json").read_text("utf-8"))
    found["families"], found["headline"] = scores["families"], scores.get("headline")
    return found


@pytest.mark.parametrize(
    ("kills", "kind"),
    [
        (1, "adaptive"),
        # Chains that go on are shown without a kill in tests/lit/chains/test_engine.py.
        *(pytest.param(*case, marks=pytest.mark.slow)
          for case in ((1, "judged"), (20, "adaptive"), (20, "judged"))),
    ],
)  # fmt: skip
def test_killed_and_resumed(kills: int, kind: str, server: ChatServer, tmp_path: Path) -> None:
    assert main(command(server, kind, tmp_path, "whole")) == 0
    asked = Counter(server.prompts)
    total = sum(asked.values())
    server.prompts.clear()
    words = command(server, kind, tmp_path, "out")
    stream = Stream("kills", kills)
    moments = sorted((stream.permutation(total - 8)[:kills] + 4).tolist())
    for moment in moments:
        process = start(words)
        # What was asked twice at a kill does not count as progress.
        kill_after(process, lambda: len(set(server.prompts)), moment, 0.03 * stream.uniform())
        time.sleep(0.1)
    assert main(words) == 0
    again = Counter(server.prompts)
    assert set(again) == set(asked)
    repeated = sum(again.values()) - total
    # Each kill loses what flew.
    flying = (2 if kind == "judged" else 1) * CONCURRENT * kills
    assert repeated <= flying
    assert results(tmp_path / "out") == results(tmp_path / "whole")
