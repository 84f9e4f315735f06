"""The programs of docs/long_runs.md do what it says."""

from __future__ import annotations

import os
import re
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import xlgo_dataset as xd

from .helpers import make

data: Any = xd.family("xlgobench")


DOCS = Path(__file__).parents[2] / "docs" / "long_runs.md"


def program(number: int, **constants: object) -> str:
    """A program of the page, with other values for its constants."""
    text = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)[number]
    for name, value in constants.items():
        text, found = re.subn(rf"(?m)^{name} = .*$", f"{name} = {value!r}", text)
        assert found == 1
    return text


def local_rows(per_level: int) -> dict[str, dict[str, Any]]:
    made = data.rows("slt", ["en", "te"], split="train", seed=0, per_level=per_level)
    return {row["id"]: row for row in made}


def written_rows(folder: Path) -> dict[str, dict[str, Any]]:
    files = folder.glob("*.parquet")
    return {row["id"]: row for file in files for row in pq.read_table(file).to_pylist()}


class LocalDataset:
    """What the program needs of a dataset of Ray, without a cluster."""

    def __init__(self, parts: list[int]) -> None:
        self.parts = parts

    def map_batches(self, make: Any, *, batch_size: int, batch_format: str) -> LocalDataset:
        assert (batch_size, batch_format) == (1, "pyarrow")
        self.made = [t for part in self.parts for t in make(pa.table({"item": [part]}))]
        return self

    def write_parquet(self, folder: str, compression: str) -> None:
        self.rows = [row for table in self.made for row in table.to_pylist()]


@pytest.mark.parametrize(("per_level", "step"), [(1, 200), (7, 2), (7, 7)])
def test_what_the_ray_tasks_make_is_every_row_once(
    per_level: int, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_module = SimpleNamespace(from_items=lambda parts, override_num_blocks: LocalDataset(parts))
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(data=data_module))
    names: dict[str, Any] = {}
    exec(program(0, PER_LEVEL=per_level, STEP=step), names)
    made = names["rows"].rows
    assert {row["id"]: row for row in made} == local_rows(per_level)
    assert len(made) == per_level * 20 * 2


@pytest.mark.slow
@pytest.mark.parametrize("kills", [0, 2])
def test_rows_made_by_ray_are_those_of_a_local_run(tmp_path: Path, kills: int) -> None:
    pytest.importorskip("ray")
    text = program(0, PER_LEVEL=250, STEP=1)
    text = text.replace("s3://my-bucket/slt", str(tmp_path / "slt"))
    assert text != program(0)
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    with subprocess.Popen([sys.executable, path], stderr=subprocess.DEVNULL) as running:
        killed: set[int] = set()
        while running.poll() is None:
            time.sleep(0.5)
            if len(killed) < kills:
                killed |= kill_a_worker()
        assert running.returncode == 0
    assert len(killed) == kills
    assert written_rows(tmp_path / "slt") == local_rows(250)


def kill_a_worker() -> set[int]:
    """Kill a process that works at a task of Ray's map, if there is one; its number."""
    for line in subprocess.run(
        ["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True
    ).stdout.splitlines():
        number, _, words = line.strip().partition(" ")
        if words.startswith("ray::MapBatches"):
            os.kill(int(number), signal.SIGKILL)
            return {int(number)}
    return set()


def test_processes_of_a_training_job_share_the_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "xlgo", tasks=["slt"], splits=["train"])
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.py"
    path.write_text(program(1), encoding="utf-8")
    parts = []
    for rank in range(3):
        names = runpy.run_path(str(path), {"RANK": rank, "WORLD_SIZE": 3})
        parts.append([row["id"] for row in names["mine"]])
    options: dict[str, Any] = {"preset": "smoke", "levels": 3, "per_level": 4}
    rows = data.rows("slt", ["en", "ar", "te"], split="train", **options)
    assert sorted(id for part in parts for id in part) == sorted(row["id"] for row in rows)
    assert [len(part) for part in parts] == [12, 12, 12]
