"""Small exports for the tests of this folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from xlgo_cli.export.command import export
from xlgo_cli.export.plan import Request

Rows = list[dict[str, Any]]

SMALL: dict[str, Any] = {"preset": "smoke", "levels": 3, "per_level": 4}


def small(**changes: Any) -> Request:
    """A request of two tasks, three languages and 24 questions, with changes."""
    given: dict[str, Any] = {
        "tasks": ["slt", "t_rank"],
        "languages": ["en", "te", "ar"],
        "options": SMALL,
    }
    return Request(**(given | changes))


def make(out: Path, **changes: Any) -> Path:
    export(small(**changes), out, processes=1)
    return out


def tree(folder: Path) -> dict[str, bytes]:
    """Everything in a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def read(folder: Path, config: str, split: str = "test") -> pa.Table:
    files = sorted((folder / config).glob(f"{split}-*.parquet"))
    return pa.concat_tables([pq.read_table(file) for file in files])


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "export.json").read_text(encoding="utf-8"))
    return found


def swapped(rows: Rows) -> Rows:
    rows[5], rows[6] = rows[6], rows[5]
    return rows


def tamper(folder: Path, config: str, change: Callable[[Rows], Rows]) -> None:
    """Rewrite the first shard of a configuration and make every checksum agree with it."""
    from xlgo_cli.folders import sha256_of, write_checksums

    path = sorted((folder / config).glob("*.parquet"))[0]
    table = pq.read_table(path)
    changed = change(table.to_pylist())
    pq.write_table(pa.Table.from_pylist(changed, schema=table.schema), path)
    found = manifest(folder)
    for shard in found["shards"]:
        if shard["path"] == path.relative_to(folder).as_posix():
            shard["sha256"] = sha256_of(path)
    (folder / "export.json").write_text(json.dumps(found), encoding="utf-8")
    write_checksums(folder, {})


def die(_: int) -> int:
    """What a worker does that the system kills."""
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)
    return 0
