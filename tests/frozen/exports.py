"""Exports: what small exported folders hold, of puzzles, reasoning and ciphers.

Of a Parquet file its schema and a digest of its rows, not its bytes, which are those of a release
of PyArrow; of the card the part that ``datasets`` reads, without the size of those bytes; of
``export.json`` what every reader of it relies on.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests.hub.helpers import SMALL, make

from .stored import Part, Values, digest, flat

_REQUESTS: dict[str, dict[str, Any]] = {
    "puzzles": {"options": SMALL, "splits": ["test", "validation"]},
    "simple_reasoning": {
        "tasks": ["logic_eval", "proof_tree"],
        "languages": ["en", "te"],
        "options": {"seed": 3},
        "splits": ["train"],
    },
    "fresh": {
        "tasks": ["kor_cipher_fresh"],
        "languages": ["en"],
        "splits": ["test"],
        "options": {"per_rule": 1},
    },
}


def _export(name: str, one_in: int) -> Values:
    with (
        tempfile.TemporaryDirectory() as top,
        contextlib.redirect_stderr(io.StringIO()),
    ):
        folder = make(Path(top) / "xlgo", **_REQUESTS[name])
        found: dict[str, Any] = {"files": {}}
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                place = path.relative_to(folder).as_posix()
                found["files"][place] = (
                    parquet_contents(path) if path.suffix == ".parquet" else "there"
                )
        manifest = json.loads((folder / "export.json").read_text("utf-8"))
        found["schema"] = manifest["schema"]
        found["shards"] = [
            {key: shard[key] for key in ("path", "split", "rows")} for shard in manifest["shards"]
        ]
        card = (folder / "README.md").read_text("utf-8")
        head = card.split("\n---", 1)[0]
        found["card"] = digest(re.sub(r"download_size: \d+", "download_size", head))
        return flat(found)


def parquet_contents(path: Path) -> dict[str, str]:
    """The schema of a Parquet file, and a digest of its rows."""
    table = pq.read_table(path)
    rows = hashlib.sha256()
    for row in table.to_pylist():
        rows.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode() + b"\n")
    schema = ", ".join(f"{field.name} {field.type}" for field in table.schema)
    return {"rows": rows.hexdigest()[:16], "schema": schema}


def parts() -> list[Part]:
    """A part for each export."""
    return [Part("exports", name, partial(_export, name)) for name in _REQUESTS]
