"""Ways to tamper with the rows and the form of shards; see ``tampering`` for all others."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import xlgo_dataset as xd
from tests.hub.helpers import Rows, agree, write_shard
from xlgo_dataset.declared import COLUMNS

Change = Callable[[Path], None]

OPTIONS: dict[str, Any] = {"preset": "smoke", "levels": 2, "per_level": 4}
REQUEST: dict[str, Any] = {
    "tasks": ["slt", "t_rank"],
    "languages": ["en", "te"],
    "splits": ["test", "train"],
    "options": OPTIONS,
}
"""Of the folder that is tampered with; blocks are made so small that each split has several."""

SHARD = "slt_te/test-00000-of-00002.parquet"
OTHER = "slt_te/test-00001-of-00002.parquet"
ENGLISH = "slt_en/test-00000-of-00002.parquet"
TRAIN = "slt_te/train-00000-of-00002.parquet"

EDITS: dict[str, dict[str, Change]] = {}


def add_edit(kind: str, what: str, change: Change) -> None:
    assert what not in EDITS.setdefault(kind, {})
    EDITS[kind][what] = change


def _rows(kind: str, what: str, change: Callable[[Rows], Rows], *paths: str) -> None:
    def tamper(folder: Path) -> None:
        for path in paths or (SHARD,):
            table = pq.read_table(folder / path, partitioning=None)
            changed = change(table.to_pylist())
            write_shard(folder / path, pa.Table.from_pylist(changed, schema=table.schema))
        agree(folder)

    add_edit(kind, what, tamper)


def _cell(what: str, column: str, change: Callable[[Any], Any], *paths: str) -> None:
    def edit(rows: Rows) -> Rows:
        rows[1][column] = change(rows[1][column])
        return rows

    _rows("a cell of a row", what, edit, *paths)


def _swap(rows: Rows, *columns: str) -> Rows:
    for column in columns:
        rows[0][column], rows[1][column] = rows[1][column], rows[0][column]
    return rows


def _made(**changes: Any) -> Callable[[Rows], Rows]:
    """As many rows as there were, from a generator with other options."""

    def change(rows: Rows) -> Rows:
        task, code = changes.get("task", "slt"), changes.get("language", "te")
        options = OPTIONS | changes.get("options", {})
        split = changes.get("split", "test")
        found = xd.family("xlgobench").rows(task, [code], split=split, **options)
        return [row for row, _ in zip(found, rows)]

    return change


def _named_as(rows: Rows, others: Rows) -> Rows:
    """Other rows under the ids, levels and numbers of these."""
    kept = ("id", "instance_id", "level", "index", "seed", "complexity")
    return [other | {name: row[name] for name in kept} for row, other in zip(rows, others)]


R = "rows of a shard"
for _what, _change in (
    ("the first is dropped", lambda rows: rows[1:]),
    ("the last is dropped", lambda rows: rows[:-1]),
    ("one in the middle is dropped", lambda rows: rows[:1] + rows[2:]),
    ("all are dropped", lambda rows: []),
    ("the last stands twice", lambda rows: [*rows, rows[-1]]),
    ("one takes the place of another", lambda rows: [rows[0], rows[0], *rows[2:]]),
    ("two are swapped", lambda rows: [rows[1], rows[0], *rows[2:]]),
    ("their order is reversed", lambda rows: rows[::-1]),
    ("they are sorted by level", lambda rows: sorted(rows, key=lambda row: row["level"])),
    ("one more, of another split", lambda rows: rows + _made(split="train")(rows)[:1]),
    ("they are of another split", _made(split="train")),
    ("they are of another seed", _made(options={"seed": 1})),
    ("they are of other complexities", _made(options={"c_min": 5, "c_max": 7})),
    ("they are of another language", _made(language="hi")),
    ("they are of another task", _made(task="dsa")),
    ("they have another wording", _made(options={"text": "revised"})),
    (
        "one language has other instances under the same ids",
        lambda rows: _named_as(rows, _made(options={"seed": 1})(rows)),
    ),
):
    _rows(R, _what, _change)
_rows(
    R,
    "all languages have other instances under the same ids",
    lambda rows: _named_as(rows, _made(options={"seed": 1}, language=rows[0]["language"])(rows)),
    SHARD,
    ENGLISH,
)
for _what, _change in (
    ("the prompts of two are swapped", lambda rows: _swap(rows, "prompt")),
    ("the answers of two are swapped", lambda rows: _swap(rows, "answer", "reference")),
    ("the ids of two are swapped", lambda rows: _swap(rows, "id", "instance_id")),
):
    _rows(R, _what, _change)


def _json(change: Callable[[dict[str, Any]], Any]) -> Callable[[str], str]:
    def edit(text: str) -> str:
        data = json.loads(text)
        change(data)
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    return edit


for _what, _old, _new in (
    ("a digit of the prompt", "prompt", lambda text: text.replace("1", "2", 1)),
    ("a space after the prompt", "prompt", lambda text: text + " "),
    ("a letter of the prompt that looks the same", "prompt", lambda t: t.replace("A", "А", 1)),
    ("an invisible character in the prompt", "prompt", lambda text: text[:9] + "\u200b" + text[9:]),
    ("a line of the prompt is dropped", "prompt", lambda t: "\n".join(t.split("\n")[1:])),
    ("the prompt is empty", "prompt", lambda text: ""),
    ("the prompt is null", "prompt", lambda text: None),
    ("a wrong answer", "answer", _json(lambda data: data["chain"].append(1))),
    ("the answer laid out in another way", "answer", lambda text: text.replace(",", ", ")),
    ("the answer is null", "answer", lambda text: None),
    (
        "a wrong answer in the reference",
        "reference",
        _json(lambda d: d["answer"]["chain"].append(1)),
    ),
    ("another language in the reference", "reference", _json(lambda d: d.update(language="en"))),
    ("another family in the reference", "reference", _json(lambda d: d.update(family="toy"))),
    ("one more entry in the reference", "reference", _json(lambda d: d.update(easy=True))),
    ("a reference that is no JSON", "reference", lambda text: text[:-1]),
    ("the id", "id", lambda text: text + "-x"),
    ("the id of another row", "id", lambda text: text.replace("-c40-", "-c4-")),
    ("the instance_id", "instance_id", lambda text: text.replace("-i0", "-i9")),
    ("the task", "task", lambda text: "dsa"),
    ("the language", "language", lambda text: "en"),
):
    _cell(_what, _old, _new)
for _column in ("complexity", "level", "index", "seed"):
    _cell(f"the {_column}", _column, lambda value: value + 1)


def _form(what: str, change: Callable[[pa.Table], pa.Table], **options: Any) -> None:
    def tamper(folder: Path) -> None:
        path = folder / SHARD
        write_shard(path, change(pq.read_table(path, partitioning=None)), **options)
        agree(folder)

    add_edit("the form of a Parquet file", what, tamper)


def _cast(name: str, kind: pa.DataType) -> Callable[[pa.Table], pa.Table]:
    return lambda t: t.set_column(COLUMNS.index(name), name, t[name].cast(kind))


def _field(table: pa.Table, **changes: Any) -> pa.Table:
    fields = [
        field if field.name != "seed" else field.with_nullable(False) for field in table.schema
    ]
    return table.cast(pa.schema(fields))


for _what, _change in (
    ("columns in another order", lambda table: table.select(list(COLUMNS[::-1]))),
    ("numbers of 32 bits", _cast("seed", pa.int32())),
    ("texts of 64-bit length", _cast("prompt", pa.large_string())),
    ("bytes in place of text", _cast("answer", pa.binary())),
    ("a column that may not be null", _field),
    ("one more column", lambda table: table.append_column("hint", table["answer"])),
    ("a column is missing", lambda table: table.drop_columns(["seed"])),
    ("a column of another name", lambda t: t.rename_columns([*COLUMNS[:-1], "notes"])),
    ("metadata", lambda table: table.replace_schema_metadata({"author": "someone"})),
):
    _form(_what, _change)


def _bytes(
    what: str,
    change: Callable[[bytes], bytes],
    kind: str = "the bytes of a file",
    path: str = SHARD,
) -> None:
    def tamper(folder: Path) -> None:
        before = (folder / path).read_bytes()
        after = change(before)
        assert after != before
        (folder / path).write_bytes(after)
        agree(folder)

    add_edit(kind, what, tamper)


for _what, _change in (
    ("the second half is cut off", lambda data: data[: len(data) // 2]),
    ("the last byte is cut off", lambda data: data[:-1]),
    ("bytes after the end", lambda data: data + b"more"),
    ("bytes before the footer", lambda data: _before_footer(data, b"hidden")),
    ("the file is empty", lambda data: b""),
    ("the file is text", lambda data: b"id,prompt\n1,2\n"),
    ("a bit of the data", lambda data: data[:900] + bytes([data[900] ^ 1]) + data[901:]),
):
    _bytes(_what, _change)


def _before_footer(data: bytes, more: bytes) -> bytes:
    start = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    return data[:start] + more + data[start:]
