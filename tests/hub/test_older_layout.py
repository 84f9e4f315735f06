"""Folders that version 0.1.0 wrote (schema 1, each prompt twice) are verified and read still."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from xlgo_cli import cli
from xlgo_cli.export.readback import rows
from xlgo_cli.export.verify import verify
from xlgo_cli.folders import write_checksums
from xlgo_dataset.families.xlgobench import rows as puzzle_rows
from xlgo_lm_eval.replies import sha256_of

from .helpers import Rows, manifest, write_shard

FIXTURES = Path(__file__).parent / "schema1"
PUZZLES: dict[str, Any] = {"preset": "smoke", "levels": 2, "per_level": 2}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / "puzzles", tmp_path / "xlgo"))


@pytest.mark.parametrize("read", [False, True])
def test_it_passes(read: bool) -> None:
    found = verify(FIXTURES / "puzzles", 1, read=read)
    assert "schema" not in found
    assert found["recipe"]["version"] == "0.1.0"


def test_texts_that_were_corrected_since_are_unproved(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", str(FIXTURES / "alone"), "--processes", "1"]) == 3
    said = capsys.readouterr().out
    assert "holds version 1 of the data of travel in 'te' and this is a package for ver" in said


def test_it_is_said_what_was_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", str(FIXTURES / "puzzles"), "--processes", "1"]) == 0
    said = capsys.readouterr().out
    assert "the words of its card were not compared" in said
    assert "Nor that it was made as it says: its code, version" in said


def test_its_rows_are_read_side_by_side() -> None:
    expected = list(puzzle_rows.rows("slt", ["en", "te"], **PUZZLES))
    assert list(rows(FIXTURES / "puzzles", "slt")) == expected


def _shard(path: str, change: Callable[[Rows], Rows]) -> Callable[[Path], None]:
    def tamper(folder: Path) -> None:
        table = pq.read_table(folder / path, partitioning=None)
        changed = change(table.to_pylist())
        write_shard(folder / path, pa.Table.from_pylist(changed, schema=table.schema))
        found = manifest(folder)
        for shard in found["shards"]:
            if shard["path"] == path:
                size = (folder / path).stat().st_size
                shard |= {"sha256": sha256_of(folder / path), "size": size, "rows": len(changed)}
        _save(folder, found)

    return tamper


def _save(folder: Path, found: dict[str, Any]) -> None:
    text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    (folder / "export.json").write_text(text, encoding="utf-8")
    write_checksums(folder, {})


def _entry(*path: Any) -> Callable[[Path], None]:
    *way, last, value = path

    def tamper(folder: Path) -> None:
        found = place = manifest(folder)
        for step in way:
            place = place[step]
        place[last] = value
        _save(folder, found)

    return tamper


def _text(name: str, old: str, new: str) -> Callable[[Path], None]:
    def tamper(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")
        write_checksums(folder, {})

    return tamper


def _wrong(rows: Rows) -> Rows:
    rows[2]["answer"] = rows[1]["answer"]
    return rows


ALONE, TOGETHER = ("slt_te/test-00000-of-00001.parquet", "slt/test-00000-of-00001.parquet")
TASK = ("recipe", "tasks", "slt")


@pytest.mark.parametrize(
    "edit",
    [
        _shard(ALONE, _wrong),
        _shard(TOGETHER, _wrong),
        _shard(ALONE, lambda rows: rows[1:]),
        _shard(TOGETHER, lambda rows: rows[::-1]),
        _shard(TOGETHER, lambda rows: [row for row in rows if row["language"] == "te"] * 2),
        _entry(*TASK, "levels", [4, 41]),
        _entry(*TASK, "languages", ["en"]),
        _entry(*TASK, "configs", {"slt_en": "slt_en", "slt_te": "slt_te"}),
        _entry(*TASK, "configs", "slt", "slt_en"),
        _entry(*TASK, "options", "seed", 3),
        _entry(*TASK, "family", "simple_reasoning"),
        _entry("recipe", "splits", ["train"]),
        _entry("recipe", "data", 2),
        _entry("shards", 0, "rows", 3),
        _entry("shards", 0, "text", 10**9),
        _entry("signature", "tasks:slt"),
        _entry("schema", 2),
        _entry("schema", 1),
        _text("README.md", "num_examples: 4", "num_examples: 5"),
        _text("README.md", "seed:0", "seed:1"),
        _text("eval.yaml", "split: test", "split: train"),
    ],
)
def test_tampering_with_it_is_caught(folder: Path, edit: Callable[[Path], None]) -> None:
    edit(folder)
    with pytest.raises(ValueError, match=str(folder)):
        verify(folder, 1)
