"""Ways to tamper with an exported folder, with all checksums and numbers made to agree afterwards.

``python -m tests.hub.tampering`` lists them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from xlgo_cli.export import recipe
from xlgo_cli.folders import CHECKSUMS, write_checksums

from .helpers import agree, dumps, manifest
from .tampering_rows import EDITS, ENGLISH, OTHER, SHARD, TRAIN, Change, add_edit


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
add_edit("files", "a link in place of a folder", _link("slt_te"))
_files("a link in place of the card", _link("README.md"), numbers=False)
_files("a pipe", lambda folder: os.mkfifo(folder / ".pipe"))
_files("the card is missing", lambda folder: (folder / "README.md").unlink(), numbers=False)


def _sums(what: str, change: Callable[[list[str]], list[str]]) -> None:
    def tamper(folder: Path) -> None:
        path = folder / CHECKSUMS
        path.write_text("".join(change(path.read_text().splitlines(keepends=True))))

    add_edit("the list of checksums", what, tamper)


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

    add_edit("the card", what, tamper)


C = "README.md"
_text(C, "a word of the card", "synthetic:", "natural:")
_text(C, "the state of a wording in the card", "| `te` |", "| `te` | audited |")
_text(C, "the number of prompts in the card", "| 32 |", "| 3,200 |")
_text(C, "the signature in the card", "seed:0", "seed:1")
_text(C, "the command in the card", "--xlgo-seed 0", "--xlgo-seed 1")
_text(C, "the licence", "license: apache-2.0", "license: mit")
_text(C, "the number of rows in the YAML", "num_examples: 16", "num_examples: 15")
_text(C, "the size in the YAML", "download_size: ", "download_size: 1")
_text(C, "the files of a configuration", "slt_te/test-*.parquet", "slt_*/test-*.parquet")
_text(C, "the default configuration", "  default: true\n", "")
_text(C, "a language in the YAML", "- te\n", "- hi\n")
_text(C, "a key that stands twice in the YAML", "license:", "license: mit\nlicense:")
_text(C, "a comment in the YAML", "license:", "# audited\nlicense:")
_text(C, "bytes that are no UTF-8", "synthetic:", "synthetic\udcff:")


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
_entry("a lower schema", lambda f: f.pop("schema"), numbers=True)
_entry("a higher schema", _set("schema", 99), numbers=True)
_entry("one more entry of the recipe", _set("recipe", "note", "fine"), numbers=True)
_entry("one more entry of the manifest", _set("note", "fine"), numbers=True)
_entry(
    "a key that stands twice",
    lambda f: f.update(text=dumps(f).replace('"schema": 3', '"schema": 1,\n "schema": 3')),
)
_entry("laid out in another way", lambda f: f.update(text=json.dumps(f)))
_entry("nested without end", lambda f: f.update(text="[" * 100_000))
_entry("no JSON", lambda f: f.update(text="{"))
_entry("an empty recipe", _set("recipe", {}))


def all_edits() -> dict[str, dict[str, Change]]:
    """All edits by kind: this module has added its own to those of ``tampering_rows``."""
    return EDITS


if __name__ == "__main__":
    for kind, edits in EDITS.items():
        print(f"{kind} ({len(edits)}): {'; '.join(edits)}")
