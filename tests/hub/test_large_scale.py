"""The programs of docs/large_scale.md do what it says."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from xlgo_dataset.families.xlgobench import rows as data

from .helpers import make

DOCS = Path(__file__).parents[2] / "docs" / "large_scale.md"


def program(number: int, **constants: object) -> str:
    """A program of the page, with other values for its constants."""
    text = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)[number]
    for name, value in constants.items():
        text, found = re.subn(rf"(?m)^{name} = .*$", f"{name} = {value!r}", text)
        assert found == 1
    return text


@pytest.mark.slow
def test_rows_made_by_ray_are_those_of_a_local_run(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    path = tmp_path / "program.py"
    path.write_text(program(0, PER_LEVEL=5, BLOCK=2, OUT=str(tmp_path / "slt")), encoding="utf-8")
    subprocess.run([sys.executable, path], check=True, capture_output=True, timeout=1800)
    files = list((tmp_path / "slt").glob("*.parquet"))
    assert len(files) >= 3
    made = {row["id"]: row for file in files for row in pq.read_table(file).to_pylist()}
    local = list(data.rows("slt", ["en", "te"], split="train", seed=0, per_level=5))
    assert len(local) == 5 * 20 * 2
    assert made == {row["id"]: row for row in local}


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
