"""Runs that are killed and resumed, through a real server; and a real transformers model."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.harness.models.make_tiny_model import make_tiny_model

pytestmark = pytest.mark.slow


def test_two_processes_share_the_questions_and_ask_nothing_twice(tmp_path: Path) -> None:
    for name in ("torch", "accelerate", "transformers"):
        pytest.importorskip(name)
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
