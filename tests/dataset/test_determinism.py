"""The data is a promise: the same bytes everywhere, and nothing shared between seeds or splits."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd

data: Any = xd.family("xlgobench")


@pytest.mark.parametrize("hash_seed", ["12345", pytest.param("0", marks=pytest.mark.slow)])
def test_another_process_makes_the_same_bytes(hash_seed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.frozen", "--check", "--one-in", "2", "questions/xlgobench"],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "nothing differs" in run.stdout


@pytest.mark.parametrize("task", xd.TASKS)
def test_no_prompt_is_shared_between_seeds_splits_or_indexes(task: str) -> None:
    seen: set[str] = set()
    count = 0
    for seed in (0, 1, 42, 43):
        for split in xd.SPLITS:
            for row in data.rows(
                task, ["en"], split=split, seed=seed, preset="smoke", levels=3, per_level=4
            ):
                seen.add(row["prompt"])
                count += 1
    assert len(seen) == count == 4 * 3 * 12


def test_levels_of_the_presets() -> None:
    """Tables 1 and 3 of the paper."""
    published = {
        "paper": {"slt": (100, 600), "dsa": (32, 2090), "prdsa": (9, 61), "graph_sp": (70, 720),
                  "t_rank": (100, 400)},
        "lite": {"slt": (10, 600), "dsa": (32, 2090), "prdsa": (9, 61), "graph_sp": (70, 200),
                 "t_rank": (25, 150)},
    }  # fmt: skip
    for preset, ranges in published.items():
        for task, (low, high) in ranges.items():
            chosen = data.options(task, preset=preset)
            assert (chosen["c_min"], chosen["c_max"]) == (low, high)
            assert (chosen["levels"], chosen["per_level"]) == (20, 50)
