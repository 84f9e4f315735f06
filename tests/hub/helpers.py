"""Small exports for the tests of this folder."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from xlgo_cli.export import card, command
from xlgo_cli.folders import write_checksums
from xlgo_lm_eval.answers import sha256_of

Rows = list[dict[str, Any]]


def dumps(manifest: dict[str, Any]) -> str:
    """The text of ``export.json``, laid out as an export does."""
    return json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


SMALL: dict[str, Any] = {"preset": "smoke", "levels": 3, "per_level": 4}


def small(**changes: Any) -> command.Request:
    """A request of two tasks, three languages and 24 questions, with changes."""
    given: dict[str, Any] = {
        "tasks": ["slt", "t_rank"],
        "languages": ["en", "te", "ar"],
        "options": SMALL,
    }
    return command.Request(**(given | changes))


def make(out: Path, **changes: Any) -> Path:
    command.export(small(**changes), out, processes=1)
    return out


def tree(folder: Path) -> dict[str, bytes]:
    """Everything in a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def manifest(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "export.json").read_text(encoding="utf-8"))


def swapped(rows: Rows) -> Rows:
    return [rows[1], rows[0], *rows[2:]]


def edit_rows(path: Path, change: Callable[[Rows], Rows]) -> None:
    """Rewrite a shard."""
    table = pq.read_table(path, partitioning=None)
    write_shard(path, pa.Table.from_pylist(change(table.to_pylist()), schema=table.schema))


def write_shard(path: Path, table: pa.Table, **changes: Any) -> None:
    """Write a shard as an export does, with changes of the form."""
    form: dict[str, Any] = {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": ["task", "language"],
        "write_statistics": ["complexity", "level", "index"],
    }
    pq.write_table(table, path, **form | changes)


def agree(folder: Path, *, numbers: bool = True) -> None:
    """Make sizes, counts, hashes, card and checksums agree with what lies in the folder.

    So does somebody who tampers with care: only what must follow from the recipe is left to see.
    """
    found = manifest(folder)
    for shard in found["shards"]:
        path = folder / shard["path"]
        if numbers and path.is_file():
            shard |= {"size": path.stat().st_size, "sha256": sha256_of(path)}
            with contextlib.suppress(pa.ArrowException, OSError):
                shard["rows"] = pq.read_metadata(path).num_rows
    (folder / "export.json").write_text(dumps(found), encoding="utf-8", newline="\n")
    if numbers:
        (folder / "README.md").write_text(card.readme(found), encoding="utf-8", newline="\n")
    write_checksums(folder, {})
