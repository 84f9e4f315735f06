"""Ways to tamper with an exported folder, with all checksums and numbers made to agree afterwards.

``python -m tests.hub.tampering`` lists them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.hub.helpers import agree, dumps, manifest
from tests.hub.tampering_rows import EDITS, ENGLISH, OTHER, SHARD, TRAIN, Change, add_edit
from xlgo_cli.export import recipe
from xlgo_cli.folders import CHECKSUMS, write_checksums


def _files(what: str, change: Change, *, numbers: bool = True) -> None:
    def tamper(folder: Path) -> None:
        change(folder)
        agree(folder, numbers=numbers)

    add_edit("files", what, tamper)


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
        (folder / "export.json").write_text(dumps(found), encoding="utf-8")

    return change


def _with(path: str, listed: bool = False) -> Change:
    def change(folder: Path) -> None:
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes((folder / SHARD).read_bytes())
        if listed:
            found = manifest(folder)
            record = next(shard for shard in found["shards"] if shard["path"] == SHARD)
            found["shards"] = sorted(
                [*found["shards"], record | {"path": path}], key=lambda shard: str(shard["path"])
            )
            (folder / "export.json").write_text(dumps(found), encoding="utf-8")

    return change


def _link(path: str) -> Change:
    def change(folder: Path) -> None:
        aside = folder.with_name("aside")
        aside.mkdir()
        os.replace(folder / path, aside / "kept")
        (folder / path).symlink_to(aside / "kept")

    return change


for _what, _change in (
    ("two shards of a language are swapped", _exchange(SHARD, OTHER)),
    ("shards of two languages are swapped", _exchange(SHARD, ENGLISH)),
    ("shards of two splits are swapped", _exchange(SHARD, TRAIN)),
    ("a shard is missing", lambda folder: (folder / SHARD).unlink()),
    ("a shard is missing, and not listed", _without(SHARD)),
    ("the last shard is missing, and not listed", _without(OTHER)),
    ("one more shard", _with("slt_te/test-00002-of-00003.parquet")),
    ("one more shard, listed", _with("slt_te/test-00002-of-00003.parquet", listed=True)),
    ("a shard of one more language, listed", _with("slt_hi/test-00000-of-00001.parquet", True)),
    ("a shard that stands hidden", _with("slt_te/.test-00009-of-00009.parquet")),
    ("a hidden folder", _with(".more/test.parquet")),
    ("one more text", lambda folder: (folder / "NOTES.md").write_text("ours")),
    ("an empty folder", lambda folder: (folder / "slt_hi").mkdir()),
    ("a link in place of a shard", _link(SHARD)),
):
    _files(_what, _change)
add_edit("files", "a link in place of a folder", _link("slt_te"))
_files("a link in place of the card", _link("README.md"), numbers=False)
_files("a pipe", lambda folder: os.mkfifo(folder / ".pipe"))
_files("the card is missing", lambda folder: (folder / "README.md").unlink(), numbers=False)


def _sums(what: str, change: Callable[[list[str]], list[str]]) -> None:
    def tamper(folder: Path) -> None:
        path = folder / CHECKSUMS
        path.write_text("".join(change(path.read_text().splitlines(keepends=True))))

    add_edit("the list of checksums", what, tamper)


for _what, _change in (
    ("a file is not listed", lambda lines: lines[1:]),
    ("a file is listed twice", lambda lines: [*lines, lines[-1]]),
    ("two lines are swapped", lambda lines: [lines[1], lines[0], *lines[2:]]),
    ("a line more", lambda lines: [*lines, "all is well\n"]),
    ("a path outside", lambda lines: [*lines, f"{'0' * 64}  ../x\n"]),
):
    _sums(_what, _change)


def _text(path: str, what: str, old: str, new: str) -> None:
    def tamper(folder: Path) -> None:
        text = (folder / path).read_text(encoding="utf-8")
        assert old in text, old
        changed = text.replace(old, new, 1).encode("utf-8", "surrogateescape")
        (folder / path).write_bytes(changed)
        write_checksums(folder, {})

    add_edit("the card", what, tamper)


C = "README.md"
for _what, _old, _new in (
    ("a word of the card", "synthetic:", "natural:"),
    ("the state of a wording in the card", "| `te` |", "| `te` | audited |"),
    ("the number of prompts in the card", "| 32 |", "| 3,200 |"),
    ("the signature in the card", "seed:0", "seed:1"),
    ("the command in the card", "--xlgo-seed 0", "--xlgo-seed 1"),
    ("the licence", "license: apache-2.0", "license: mit"),
    ("the number of rows in the YAML", "num_examples: 16", "num_examples: 15"),
    ("the size in the YAML", "download_size: ", "download_size: 1"),
    ("the files of a configuration", "slt_te/test-*.parquet", "slt_*/test-*.parquet"),
    ("the default configuration", "  default: true\n", ""),
    ("a language in the YAML", "- te\n", "- hi\n"),
    ("a key that stands twice in the YAML", "license:", "license: mit\nlicense:"),
    ("a comment in the YAML", "license:", "# audited\nlicense:"),
    ("bytes that are no UTF-8", "synthetic:", "synthetic\udcff:"),
):
    _text(C, _what, _old, _new)


def _entry(what: str, change: Callable[[dict[str, Any]], Any], *, numbers: bool = False) -> None:
    def tamper(folder: Path) -> None:
        found = manifest(folder)
        change(found)
        text = found.pop("text", None) or dumps(found)
        (folder / "export.json").write_text(text, encoding="utf-8")
        write_checksums(folder, {})
        if numbers:
            agree(folder)

    add_edit("the manifest", what, tamper)


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
    found |= {"command": recipe.command(made), "signature": recipe.signature(made)}


T = ("recipe", "tasks", "slt")
for _name, _value in (("rows", 9), ("size", 9), ("sha256", "0" * 64), ("split", "train"),
                      ("path", "slt_te/x.parquet")):  # fmt: skip
    _entry(f"the {_name} of a shard", _set("shards", 0, _name, _value))
_entry(
    "a number as a fraction", lambda f: f["shards"][0].update(rows=float(f["shards"][0]["rows"]))
)
_entry("a shard is listed twice", lambda f: f["shards"].append(f["shards"][-1]))
for _what, _change, _numbers in (
    ("a shard is not listed", lambda f: f["shards"].pop(), True),
    ("shards in another order", lambda f: f["shards"].reverse(), True),
    ("one more entry of a shard", _set("shards", 0, "note", "fine"), True),
):
    _entry(_what, _change, numbers=_numbers)
_entry("the seed", _set("recipe", "options", "seed", 7))
for _what, _change, _numbers in (
    ("the seed of a task", _set(*T, "options", "seed", 7), True),
    ("the seed, everywhere but in the rows", _seed_everywhere_but_in_the_rows, True),
    ("the questions per level", _set(*T, "options", "per_level", 5), True),
    ("the levels", _set(*T, "levels", [4, 41]), True),
    ("the order of languages", _set(*T, "languages", ["te", "en"]), True),
    ("a language less", _set(*T, "languages", ["en"]), True),
    ("the folders of a configuration", _set(*T, "configs", "slt", ["slt_en"]), True),
    ("a split more", lambda f: f["recipe"]["splits"].append("validation"), True),
    ("a split less", lambda f: f["recipe"]["splits"].pop(), True),
    ("a task less", lambda f: f["recipe"]["tasks"].pop("t_rank"), True),
    ("the data version", _set(*T, "data", 99), True),
    ("the family", _set(*T, "family", "toy"), True),
    ("the wording", _set("recipe", "options", "text", "revised"), True),
    ("a checksum of a wording", _set("recipe", "wording", "0" * 64), True),
    ("the command", lambda f: f.update(command=f["command"] + " --now"), True),
    ("the signature", lambda f: f.update(signature=f["signature"] + "|ok"), True),
    ("a lower schema", lambda f: f.pop("schema"), True),
    ("a higher schema", _set("schema", 99), True),
    ("one more entry of the recipe", _set("recipe", "note", "fine"), True),
    ("one more entry of the manifest", _set("note", "fine"), True),
):
    _entry(_what, _change, numbers=_numbers)
for _what, _change in (
    (
        "a key that stands twice",
        lambda f: f.update(text=dumps(f).replace('"schema": 3', '"schema": 1,\n "schema": 3')),
    ),
    ("laid out in another way", lambda f: f.update(text=json.dumps(f))),
    ("nested without end", lambda f: f.update(text="[" * 100_000)),
    ("no JSON", lambda f: f.update(text="{")),
    ("an empty recipe", _set("recipe", {})),
):
    _entry(_what, _change)


def all_edits() -> dict[str, dict[str, Change]]:
    """All edits by kind: this module has added its own to those of ``tampering_rows``."""
    return EDITS


if __name__ == "__main__":
    for kind, edits in EDITS.items():
        print(f"{kind} ({len(edits)}): {'; '.join(edits)}")
