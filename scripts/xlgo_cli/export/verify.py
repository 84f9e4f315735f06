"""``xlgo verify``: prove that an exported folder is what its recipe gives: its rows, or its bytes.

Nothing in the folder is believed but a few options. From them every shard is written again, then
``export.json``, the card and the list of checksums; each is compared with what lies in the folder.

What cannot be seen: a recipe that was changed everywhere, with all that follows from it, is
another right export. Whether it is the one that you want is yours to say. Nor does it show that
the release and the pyarrow of the recipe made the folder.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from itertools import zip_longest
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import xlgo_dataset as xd
from xlgo_lm_eval.answers import sha256_of

from .. import workers
from ..arguments import MODEL, PROCESSES, REQUIRE, Argument, Group
from ..folders import CHECKSUMS, MANIFEST, check_sums, checksums, explained
from . import card
from .plan import (
    PROVENANCE,
    SCHEMA,
    Block,
    Manifest,
    Recipe,
    dumps,
    recipe_of,
    request_of,
    shard_of,
    write_block,
)

ROWS, BYTES = "rows", "bytes"

HIDDEN = {".git", ".gitattributes", ".gitignore", ".cache", ".huggingface", ".DS_Store"}
"""What git, the Hub's client and desktops add at the top of a folder; nothing reads it as data."""

NOT_SHOWN = (
    "Not shown by this: that these options, seed and splits are the ones you want. Not looked at: "
    "files of git, the Hub or a desktop."
)

_BEFORE, _BEHIND = 10, 50
"""Characters around a difference that a message has."""
_MALFORMED = (OSError, LookupError, TypeError, AttributeError, RecursionError, ValueError)

ARGUMENTS = (
    Argument("folder", type=Path, help="folder written by xlgo export, or results of xlgo run"),
    PROCESSES,
    Group(
        "for results",
        MODEL,
        REQUIRE,
    ),
    Argument("--json", action="store_true", help="print the result as JSON"),
)


class OtherVersionError(ValueError):
    """The folder is of a version that this package cannot make again: nothing is proved."""


def run(args: argparse.Namespace) -> int:
    """Verify what the command line names; 0 if nothing is wrong.

    Raises:
        ValueError: naming the first thing that is wrong.
    """
    from ..logs import verification as results

    if not (args.folder / CHECKSUMS).exists() and results.is_results(args.folder):
        return results.run(args)
    try:
        manifest, level = verify(args.folder, args.processes)
    except OtherVersionError as error:
        print(f"unproved: {error}")
        return results.NOT_PROVED
    prompts, signature = card.count_prompts(manifest), manifest["signature"]
    summary = {"folder": str(args.folder), "prompts": prompts, "signature": signature,
               "proved": level, "unproved": [NOT_SHOWN]}  # fmt: skip
    print(
        json.dumps(summary, ensure_ascii=False, indent=1)
        if args.json
        else f"{args.folder}: {prompts:,} prompts generated again, all as they stand here\n"
        f"{signature}\nProved: every {'byte of these files' if level == BYTES else 'row'}.\n"
        f"{NOT_SHOWN}"
    )
    return 0


def verify(folder: Path, processes: int | None = None) -> tuple[Manifest, str]:
    """Check an exported folder in full.

    Args:
        folder: as written by ``xlgo export``.
        processes: how many work at a time; one per processor by default.

    Returns:
        Its manifest, and ``bytes`` if every shard has the bytes that are written here, else
        ``rows``.

    Raises:
        ValueError: naming the first file, or file and row, that is wrong.
    """
    with tempfile.TemporaryDirectory(prefix="xlgo-") as name, explained("read", folder):
        sums, remade = check_sums(folder), Path(name)
        recipe = _recipe(folder)
        for path in folder.glob("*.toml"):  # strings are cached by path: these may have changed
            shutil.copyfile(path, remade / path.name)
        try:
            request = request_of(recipe, remade)
            blocks, expected = request.blocks(), recipe_of(request)
        except _MALFORMED as error:
            raise ValueError(
                f"{folder / MANIFEST}: the recipe cannot be followed: {error!s:.300}"
            ) from error
        expected |= {entry: str(recipe.get(entry)) for entry in PROVENANCE}
        paths = {path: block.split for block in blocks for path in block.files.values()}
        wording = {expected["options"]["text"]} if expected["wording"] else set()
        _check_names(folder, {*paths, "README.md", MANIFEST, CHECKSUMS, *wording})
        work = [(folder, remade, block) for block in blocks]
        is_same = all([*workers.with_bar(check_block, work, processes, "verify")])
        text = dumps(expected, [shard_of(folder, path, split) for path, split in paths.items()])
        manifest: Manifest = json.loads(text)
        _check_text(folder / MANIFEST, text)
        _check_text(folder / "README.md", card.readme(manifest))
        _check_text(folder / CHECKSUMS, checksums(folder, sums))
    return manifest, BYTES if is_same else ROWS


def _recipe(folder: Path) -> Recipe:
    """The recipe in a folder's manifest.

    Raises:
        ValueError: it is no JSON of an export.
        OtherVersionError: of data or of a layout that this package does not make.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_bytes())
        schema, recipe = manifest["schema"], manifest["recipe"]
        version = str(recipe["version"])
        data = {task: entry["data"] for task, entry in recipe["tasks"].items()}
        data_here = {task: xd.family_of(task).DATA_VERSION for task in data}
    except _MALFORMED as error:
        raise ValueError(f"{path} is not an export's: {error!r:.200}") from error
    if schema != SCHEMA or data != data_here:
        raise OtherVersionError(
            f"{path} has the layout {schema!r:.20} with data {data!r:.100}; this package makes "
            f"{SCHEMA} with {data_here!r:.100}: verify it with xlgo {version:.40}"
        )
    return dict(recipe)


def _check_names(folder: Path, names: set[str]) -> None:
    """Require just these files, none of them a link or a pipe."""
    expected = names | {parent.as_posix() for name in names for parent in Path(name).parents}
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    present = {name: path for name, path in paths.items() if name.split("/")[0] not in HIDDEN}
    for path in present.values():
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise ValueError(f"{path} is a link or no plain file: a link's target is not checked")
    for name in sorted(expected ^ {".", *present}):
        what = "is missing" if name in expected else "does not belong to this export"
        raise ValueError(f"{folder / name} {what}")


def _check_text(path: Path, text: str) -> None:
    """Require a text file to be what an export writes, byte for byte."""
    content = path.read_bytes().decode("utf-8", "surrogateescape")
    if content != text:
        raise ValueError(
            f"{path} {_unlike(content, text)}: it was edited, or another release has other words"
        )


def _unlike(value: str, expected: str) -> str:
    """Where a text begins to differ from another, in words."""
    pairs = enumerate(zip_longest(value, expected))
    start = next(number for number, (ours, theirs) in pairs if ours != theirs)
    part = slice(max(0, start - _BEFORE), start + _BEHIND)
    line = expected.count("\n", 0, start) + 1
    return f"differs in line {line}: it has {value[part]!r} and should have {expected[part]!r}"


def check_block(work: tuple[Path, Path, Block]) -> bool:
    """Whether the shards of a block have the bytes that are written again.

    Args:
        work: the folder, another one to write to, and the block.

    Returns:
        ``False`` if only their rows are the same.

    Raises:
        ValueError: naming the first thing that is wrong.
    """
    folder, remade, block = work
    is_same, limit = True, len(block.indexes or ())
    for path in block.files.values():
        try:
            rows = pq.read_metadata(folder / path).num_rows
        except (OSError, ValueError) as error:
            raise ValueError(f"{folder}/{path}: cannot be read: {error!s:.200}") from error
        if rows < limit:  # nobody makes a billion for nothing
            raise ValueError(f"{folder}/{path}: has {rows:,} rows, should have {limit:,} or more")
    for shard in write_block((remade, block)):
        if sha256_of(folder / shard.path) != shard.sha256:
            is_same = False
            try:
                tables = [pq.ParquetFile(top / shard.path).read() for top in (folder, remade)]
                difference = _difference(*tables)
            except (OSError, ValueError) as error:
                difference = f": cannot be read: {error!s:.200}"
            if difference:
                raise ValueError(f"{folder}/{shard.path}{difference}")
        (remade / shard.path).unlink()
    return is_same


def _difference(table: pa.Table, expected: pa.Table) -> str:
    """Describe the first difference of two tables; empty if they are equal."""
    if not table.schema.equals(expected.schema, check_metadata=True):
        return f": the columns are not {', '.join(expected.column_names)}, in their types"
    if table.equals(expected):
        return ""
    for number, (row, ours) in enumerate(zip(table.to_pylist(), expected.to_pylist())):
        for name, value in ours.items():
            if row[name] != value:
                unlike = _unlike(str(row[name]), str(value))
                return f", row {number}: ({ours['id']}) {name} {unlike}"
    return f": has {len(table)} rows and should have {len(expected)}"
