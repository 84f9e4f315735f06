"""Ways to tamper with an exported folder, with all checksums and numbers made to agree afterwards.

``python -m tests.hub.tampering`` prints the table of docs/publishing.md.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from xlgo_cli.export import recipe
from xlgo_cli.folders import CHECKSUMS, write_checksums
from xlgo_dataset.core.schema import COLUMNS
from xlgo_dataset.families.xlgobench import rows as puzzle_rows

from .helpers import Rows, agree, manifest, write_shard

Change = Callable[[Path], None]

OPTIONS: dict[str, Any] = {"preset": "smoke", "levels": 2, "per_level": 4}
REQUEST: dict[str, Any] = {
    "tasks": ["slt", "t_rank"], "languages": ["en", "te"], "splits": ["test", "train"],
    "options": OPTIONS,
}  # fmt: skip
"""Of the folder that is tampered with; blocks are made so small that each split has several."""

SHARD = "slt_te/test-00000-of-00002.parquet"
OTHER = "slt_te/test-00001-of-00002.parquet"
ENGLISH = "slt_en/test-00000-of-00002.parquet"
TRAIN = "slt_te/train-00000-of-00002.parquet"

EDITS: dict[str, dict[str, Change]] = {}


def _add(kind: str, what: str, change: Change) -> None:
    assert what not in EDITS.setdefault(kind, {})
    EDITS[kind][what] = change


def _rows(kind: str, what: str, change: Callable[[Rows], Rows], *paths: str) -> None:
    def tamper(folder: Path) -> None:
        for path in paths or (SHARD,):
            table = pq.read_table(folder / path, partitioning=None)
            changed = change(table.to_pylist())
            write_shard(folder / path, pa.Table.from_pylist(changed, schema=table.schema))
        agree(folder)

    _add(kind, what, tamper)


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
        found = puzzle_rows.rows(task, [code], split=changes.get("split", "test"), **options)
        return [row for row, _ in zip(found, rows)]

    return change


def _named_as(rows: Rows, others: Rows) -> Rows:
    """Other rows under the ids, levels and numbers of these."""
    kept = ("id", "instance_id", "level", "index", "seed", "complexity")
    return [other | {name: row[name] for name in kept} for row, other in zip(rows, others)]


R = "rows of a shard"
_rows(R, "the first is dropped", lambda rows: rows[1:])
_rows(R, "the last is dropped", lambda rows: rows[:-1])
_rows(R, "one in the middle is dropped", lambda rows: rows[:1] + rows[2:])
_rows(R, "all are dropped", lambda rows: [])
_rows(R, "the last stands twice", lambda rows: [*rows, rows[-1]])
_rows(R, "one takes the place of another", lambda rows: [rows[0], rows[0], *rows[2:]])
_rows(R, "two are swapped", lambda rows: [rows[1], rows[0], *rows[2:]])
_rows(R, "their order is reversed", lambda rows: rows[::-1])
_rows(R, "they are sorted by level", lambda rows: sorted(rows, key=lambda row: row["level"]))
_rows(R, "one more, of another split", lambda rows: rows + _made(split="train")(rows)[:1])
_rows(R, "they are of another split", _made(split="train"))
_rows(R, "they are of another seed", _made(options={"seed": 1}))
_rows(R, "they are of other complexities", _made(options={"c_min": 5, "c_max": 7}))
_rows(R, "they are of another language", _made(language="hi"))
_rows(R, "they are of another task", _made(task="dsa"))
_rows(R, "they have another wording", _made(options={"text": "revised"}))
_rows(
    R, "one language has other instances under the same ids",
    lambda rows: _named_as(rows, _made(options={"seed": 1})(rows)),
)  # fmt: skip
_rows(
    R, "all languages have other instances under the same ids",
    lambda rows: _named_as(rows, _made(options={"seed": 1}, language=rows[0]["language"])(rows)),
    SHARD, ENGLISH,
)  # fmt: skip
_rows(R, "the prompts of two are swapped", lambda rows: _swap(rows, "prompt"))
_rows(R, "the answers of two are swapped", lambda rows: _swap(rows, "answer", "reference"))
_rows(R, "the ids of two are swapped", lambda rows: _swap(rows, "id", "instance_id"))


def _json(change: Callable[[dict[str, Any]], Any]) -> Callable[[str], str]:
    def edit(text: str) -> str:
        data = json.loads(text)
        change(data)
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    return edit


_cell("a digit of the prompt", "prompt", lambda text: text.replace("1", "2", 1))
_cell("a space after the prompt", "prompt", lambda text: text + " ")
_cell("a letter of the prompt that looks the same", "prompt", lambda t: t.replace("A", "А", 1))
_cell("an invisible character in the prompt", "prompt", lambda text: text[:9] + "\u200b" + text[9:])
_cell("a line of the prompt is dropped", "prompt", lambda t: "\n".join(t.split("\n")[1:]))
_cell("the prompt is empty", "prompt", lambda text: "")
_cell("the prompt is null", "prompt", lambda text: None)
_cell("a wrong answer", "answer", _json(lambda data: data["chain"].append(1)))
_cell("the answer laid out in another way", "answer", lambda text: text.replace(",", ", "))
_cell("the answer is null", "answer", lambda text: None)
_cell(
    "a wrong answer in the reference", "reference", _json(lambda d: d["answer"]["chain"].append(1))
)
_cell("another language in the reference", "reference", _json(lambda d: d.update(language="en")))
_cell("another family in the reference", "reference", _json(lambda d: d.update(family="toy")))
_cell("one more entry in the reference", "reference", _json(lambda d: d.update(easy=True)))
_cell("a reference that is no JSON", "reference", lambda text: text[:-1])
_cell("the id", "id", lambda text: text + "-x")
_cell("the id of another row", "id", lambda text: text.replace("-c40-", "-c4-"))
_cell("the instance_id", "instance_id", lambda text: text.replace("-i0", "-i9"))
_cell("the task", "task", lambda text: "dsa")
_cell("the language", "language", lambda text: "en")
for _column in ("complexity", "level", "index", "seed"):
    _cell(f"the {_column}", _column, lambda value: value + 1)


def _form(what: str, change: Callable[[pa.Table], pa.Table], **options: Any) -> None:
    def tamper(folder: Path) -> None:
        path = folder / SHARD
        write_shard(path, change(pq.read_table(path, partitioning=None)), **options)
        agree(folder)

    _add("the form of a Parquet file", what, tamper)


def _as_is(table: pa.Table) -> pa.Table:
    return table


def _cast(name: str, kind: pa.DataType) -> Callable[[pa.Table], pa.Table]:
    return lambda t: t.set_column(COLUMNS.index(name), name, t[name].cast(kind))


def _field(table: pa.Table, **changes: Any) -> pa.Table:
    fields = [field if field.name != "seed" else field.with_nullable(False)
              for field in table.schema]  # fmt: skip
    return table.cast(pa.schema(fields))


_form("columns in another order", lambda table: table.select(list(COLUMNS[::-1])))
_form("numbers of 32 bits", _cast("seed", pa.int32()))
_form("texts of 64-bit length", _cast("prompt", pa.large_string()))
_form("bytes in place of text", _cast("answer", pa.binary()))
_form("a column that may not be null", _field)
_form("one more column", lambda table: table.append_column("hint", table["answer"]))
_form("a column is missing", lambda table: table.drop_columns(["seed"]))
_form("a column of another name", lambda t: t.rename_columns([*COLUMNS[:-1], "notes"]))
_form("metadata", lambda table: table.replace_schema_metadata({"author": "someone"}))
_form("compressed by snappy", _as_is, compression="snappy", compression_level=None)
_form("not compressed", _as_is, compression="none", compression_level=None)
_form("one column not compressed", _as_is, compression={"id": "NONE"} | dict.fromkeys(
    COLUMNS[1:], "ZSTD"), compression_level=None)  # fmt: skip
_form("dictionaries of all columns", _as_is, use_dictionary=True)
_form("statistics of all columns", _as_is, write_statistics=True)
_form("a page index", _as_is, write_page_index=True)
_form("row groups of one row", _as_is, row_group_size=1)


def _bytes(what: str, change: Callable[[bytes], bytes], kind: str = "the bytes of a file",
           path: str = SHARD) -> None:  # fmt: skip
    def tamper(folder: Path) -> None:
        before = (folder / path).read_bytes()
        after = change(before)
        assert after != before
        (folder / path).write_bytes(after)
        agree(folder)

    _add(kind, what, tamper)


def _maximum(data: bytes) -> bytes:
    """The footer's greatest complexity is raised: a filter would skip or read other rows."""
    start = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    return data[:start] + data[start:].replace(struct.pack("<q", 40), struct.pack("<q", 41))


_bytes("the second half is cut off", lambda data: data[: len(data) // 2])
_bytes("the last byte is cut off", lambda data: data[:-1])
_bytes("bytes after the end", lambda data: data + b"more")
_bytes("bytes before the footer", lambda data: _before_footer(data, b"hidden"))
_bytes("the file is empty", lambda data: b"")
_bytes("the file is text", lambda data: b"id,prompt\n1,2\n")
_bytes("statistics that are wrong", _maximum)
_bytes("another writer is named", lambda data: data.replace(b"parquet-cpp", b"parquet-cpq"))
_bytes("a bit of the data", lambda data: data[:900] + bytes([data[900] ^ 1]) + data[901:])


def _before_footer(data: bytes, more: bytes) -> bytes:
    start = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    return data[:start] + more + data[start:]


def _files(what: str, change: Change, *, numbers: bool = True) -> None:
    def tamper(folder: Path) -> None:
        change(folder)
        agree(folder, numbers=numbers)

    _add("files", what, tamper)


def _exchange(one: str, other: str) -> Change:
    def change(folder: Path) -> None:
        os.replace(folder / one, folder / "aside")
        os.replace(folder / other, folder / one)
        os.replace(folder / "aside", folder / other)

    return change


def _without(path: str) -> Change:
    def change(folder: Path) -> None:
        (folder / path).unlink()
        found = manifest(folder)
        found["shards"] = [shard for shard in found["shards"] if shard["path"] != path]
        (folder / "export.json").write_text(recipe.dumps(found), encoding="utf-8")

    return change


def _with(path: str, listed: bool = False) -> Change:
    def change(folder: Path) -> None:
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes((folder / SHARD).read_bytes())
        if listed:
            found = manifest(folder)
            record = next(shard for shard in found["shards"] if shard["path"] == SHARD)
            found["shards"] = sorted([*found["shards"], record | {"path": path}],
                                     key=lambda shard: str(shard["path"]))  # fmt: skip
            (folder / "export.json").write_text(recipe.dumps(found), encoding="utf-8")

    return change


def _link(path: str) -> Change:
    def change(folder: Path) -> None:
        aside = folder.with_name("aside")
        aside.mkdir()
        os.replace(folder / path, aside / "kept")
        (folder / path).symlink_to(aside / "kept")

    return change


_files("two shards of a language are swapped", _exchange(SHARD, OTHER))
_files("shards of two languages are swapped", _exchange(SHARD, ENGLISH))
_files("shards of two splits are swapped", _exchange(SHARD, TRAIN))
_files("a shard is missing", lambda folder: (folder / SHARD).unlink())
_files("a shard is missing, and not listed", _without(SHARD))
_files("the last shard is missing, and not listed", _without(OTHER))
_files("one more shard", _with("slt_te/test-00002-of-00003.parquet"))
_files("one more shard, listed", _with("slt_te/test-00002-of-00003.parquet", listed=True))
_files("a shard of one more language, listed", _with("slt_hi/test-00000-of-00001.parquet", True))
_files("a shard that stands hidden", _with("slt_te/.test-00009-of-00009.parquet"))
_files("a hidden folder", _with(".more/test.parquet"))
_files("one more text", lambda folder: (folder / "NOTES.md").write_text("ours"))  # type: ignore[arg-type, return-value]
_files("an empty folder", lambda folder: (folder / "slt_hi").mkdir())
_files("a link in place of a shard", _link(SHARD))
_add("files", "a link in place of a folder", _link("slt_te"))
_files("a link in place of the card", _link("README.md"), numbers=False)
_files("a pipe", lambda folder: os.mkfifo(folder / ".pipe"))
_files("the card is missing", lambda folder: (folder / "README.md").unlink(), numbers=False)
_files("eval.yaml is missing", lambda folder: (folder / "eval.yaml").unlink(), numbers=False)


def _sums(what: str, change: Callable[[list[str]], list[str]]) -> None:
    def tamper(folder: Path) -> None:
        path = folder / CHECKSUMS
        path.write_text("".join(change(path.read_text().splitlines(keepends=True))))

    _add("the list of checksums", what, tamper)


_sums("a file is not listed", lambda lines: lines[1:])
_sums("a file is listed twice", lambda lines: [*lines, lines[-1]])
_sums("two lines are swapped", lambda lines: [lines[1], lines[0], *lines[2:]])
_sums("a line more", lambda lines: [*lines, "all is well\n"])
_sums("a path outside", lambda lines: [*lines, f"{'0' * 64}  ../x\n"])


def _text(path: str, what: str, old: str, new: str) -> None:
    def tamper(folder: Path) -> None:
        text = (folder / path).read_text(encoding="utf-8")
        assert old in text, old
        changed = text.replace(old, new, 1).encode("utf-8", "surrogateescape")
        (folder / path).write_bytes(changed)
        write_checksums(folder, {})

    _add("the card and eval.yaml", what, tamper)


C, Y = "README.md", "eval.yaml"
_text(C, "a word of the card", "synthetic:", "natural:")
_text(C, "the state of a wording in the card", "| `te` |", "| `te` | audited |")
_text(C, "the number of prompts in the card", "| 32 |", "| 3,200 |")
_text(C, "the signature in the card", "seed:0", "seed:1")
_text(C, "the command in the card", "--seed 0", "--seed 1")
_text(C, "the licence", "license: apache-2.0", "license: mit")
_text(C, "the number of rows in the YAML", "num_examples: 16", "num_examples: 15")
_text(C, "the size in the YAML", "download_size: ", "download_size: 1")
_text(C, "the files of a configuration", "slt_te/test-*.parquet", "slt_*/test-*.parquet")
_text(C, "the default configuration", "  default: true\n", "")
_text(C, "a language in the YAML", "- te\n", "- hi\n")
_text(C, "a key that stands twice in the YAML", "license:", "license: mit\nlicense:")
_text(C, "a comment in the YAML", "license:", "# audited\nlicense:")
_text(C, "bytes that are no UTF-8", "synthetic:", "synthetic\udcff:")
_text(Y, "the split in eval.yaml", "split: test", "split: train")
_text(Y, "a task in eval.yaml", "config: slt_te", "config: slt_en")


def _entry(what: str, change: Callable[[dict[str, Any]], Any], *, numbers: bool = False) -> None:
    def tamper(folder: Path) -> None:
        found = manifest(folder)
        change(found)
        text = found.pop("text", None) or recipe.dumps(found)
        (folder / "export.json").write_text(text, encoding="utf-8")
        write_checksums(folder, {})
        if numbers:
            agree(folder)

    _add("the manifest", what, tamper)


def _set(*path: Any) -> Callable[[dict[str, Any]], None]:
    *way, last, value = path

    def change(found: Any) -> None:
        for step in way:
            found = found[step]
        found[last] = value

    return change


def _seed_everywhere_but_in_the_rows(found: dict[str, Any]) -> None:
    made = found["recipe"]
    made["options"]["seed"] = 5
    for task in made["tasks"].values():
        task["options"]["seed"] = 5
    found |= {"command": recipe.command(made, "xlgo"), "signature": recipe.signature(made)}


T = ("recipe", "tasks", "slt")
for _name, _value in (("rows", 9), ("text", 9), ("size", 9), ("sha256", "0" * 64), ("start", 1),
                      ("stop", 3), ("split", "train"), ("path", "slt_te/x.parquet")):  # fmt: skip
    _entry(f"the {_name} of a shard", _set("shards", 0, _name, _value))
_entry(
    "a number as a fraction", lambda f: f["shards"][0].update(rows=float(f["shards"][0]["rows"]))
)
_entry("a shard is listed twice", lambda f: f["shards"].append(f["shards"][-1]))
_entry("a shard is not listed", lambda f: f["shards"].pop(), numbers=True)
_entry("shards in another order", lambda f: f["shards"].reverse(), numbers=True)
_entry("one more entry of a shard", _set("shards", 0, "note", "fine"), numbers=True)
_entry("the seed", _set("recipe", "options", "seed", 7))
_entry("the seed of a task", _set(*T, "options", "seed", 7), numbers=True)
_entry("the seed, everywhere but in the rows", _seed_everywhere_but_in_the_rows, numbers=True)
_entry("the questions per level", _set(*T, "options", "per_level", 5), numbers=True)
_entry("the levels", _set(*T, "levels", [4, 41]), numbers=True)
_entry("the order of languages", _set(*T, "languages", ["te", "en"]), numbers=True)
_entry("a language less", _set(*T, "languages", ["en"]), numbers=True)
_entry("the folders of a configuration", _set(*T, "configs", "slt", ["slt_en"]), numbers=True)
_entry("a split more", lambda f: f["recipe"]["splits"].append("validation"), numbers=True)
_entry("a split less", lambda f: f["recipe"]["splits"].pop(), numbers=True)
_entry("a task less", lambda f: f["recipe"]["tasks"].pop("t_rank"), numbers=True)
_entry("the data version", _set(*T, "data", 99), numbers=True)
_entry("the family", _set(*T, "family", "toy"), numbers=True)
_entry("the wording", _set("recipe", "options", "text", "revised"), numbers=True)
_entry("a checksum of a wording", _set("recipe", "wording", "0" * 64), numbers=True)
_entry("the command", lambda f: f.update(command=f["command"] + " --now"), numbers=True)
_entry("the signature", lambda f: f.update(signature=f["signature"] + "|ok"), numbers=True)
_entry("pyarrow's version", _set("recipe", "pyarrow", "9.9.9"), numbers=True)
_entry("a version that is none", _set("recipe", "version", "<b>1</b>"), numbers=True)
_entry("a lower schema", lambda f: f.pop("schema"), numbers=True)
_entry("a higher schema", _set("schema", 99), numbers=True)
_entry("one more entry of the recipe", _set("recipe", "note", "fine"), numbers=True)
_entry("one more entry of the manifest", _set("note", "fine"), numbers=True)
_entry("a key that stands twice", lambda f: f.update(
    text=recipe.dumps(f).replace('"schema": 2', '"schema": 1,\n "schema": 2')))  # fmt: skip
_entry("laid out in another way", lambda f: f.update(text=json.dumps(f)))
_entry("nested without end", lambda f: f.update(text="[" * 100_000))
_entry("no JSON", lambda f: f.update(text="{"))
_entry("an empty recipe", _set("recipe", {}))


def table() -> str:
    """The edits by kind, as Markdown."""
    lines = ["| tampered with | edits, all caught |", "|---|---|"]
    lines += [f"| {kind} ({len(edits)}) | {'; '.join(edits)} |" for kind, edits in EDITS.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
