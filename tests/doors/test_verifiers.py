"""xlgo as a taskset of verifiers, with the tool itself."""

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.simulate.simulator import Simulator

vf = pytest.importorskip("verifiers.v1")
loaders = import_module("verifiers.v1.utils.loaders")


def load(**given: object) -> list[object]:
    return list(loaders.load_taskset(loaders.taskset_config_type("xlgo")(id="xlgo", **given)))


def test_verifiers_finds_the_taskset_by_name_and_it_asks_the_training_split() -> None:
    asked: Any = load(tasks="slt,dsa", languages="en,te", preset="smoke", options={"per_level": 2})
    wanted = [
        row["id"]
        for task in ("slt", "dsa")
        for row in xd.family_of(task).rows(
            task, ["en", "te"], split="train", preset="smoke", per_level=2
        )
    ]
    assert [one.key for one in asked] == wanted
    assert all("-train-" in one.data.instance_id for one in asked)
    with pytest.raises(ValueError, match="unknown language 'xx'"):
        load(languages="xx")
    with pytest.raises(ValueError, match="unknown task 'lit'"):
        load(tasks="lit")


@pytest.mark.slow
def test_rewards_and_numbers_of_a_real_run(sim_server: Any, tmp_path: Path) -> None:
    tool = Path(sys.executable).with_name("vf-eval")
    if not tool.exists() or shutil.which("uv") is None:
        pytest.skip("vf-eval and uv are needed")
    subprocess.run(
        [
            str(tool), "xlgo", "--no-push", "--no-rich", "-o", str(tmp_path), "-m", "xlgo-sim",
            "--client.base-url", f"{sim_server.url}/v1", "--client.api-key-var", "NO_KEY",
            "--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess",
            "--env.taskset.tasks", "slt", "--env.taskset.languages", "en,te",
            "--env.taskset.split", "test", "--env.taskset.preset", "smoke",
            "--env.taskset.options", '{"levels": 2, "per_level": 3}',
        ],
        check=True, cwd=tmp_path, env=os.environ | {"NO_KEY": "none"}, timeout=500,
    )  # fmt: skip
    scored = score_folder(tmp_path, quiet=True)
    rows = list(
        xd.family_of("slt").rows("slt", ["en", "te"], preset="smoke", levels=2, per_level=3)
    )
    simulator = Simulator()
    said = [simulator.answer(row["prompt"]) for row in rows]
    references = [row["reference"] for row in rows]
    assert scored.score["headline"] == xm.score(said, references)["headline"]
    assert not scored.problems.lost
    traces = import_module("xlgo_cli.logs.formats")
    (path,) = tmp_path.glob("*/traces.jsonl")
    logged = {one.question: one.measures for one in traces.read(path, traces.VERIFIERS)}
    assert [logged[row["id"]]["partial"] for row in rows] == xm.partial_reward(said, references)
    grades = [xm.grade(text, reference) for text, reference in zip(said, references)]
    assert [logged[row["id"]]["correct"] for row in rows] == [float(g.correct) for g in grades]
