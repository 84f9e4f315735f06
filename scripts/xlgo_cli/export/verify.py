"""``xlgo verify``: prove that an exported folder is what its recipe gives: its rows, or its bytes.

Nothing in the folder is believed but a few options. From them every shard is written again, then
``export.json``, the card and the list of checksums; each is compared with what lies in the folder.

What cannot be seen: a recipe that was changed everywhere, with all that follows from it, is
another right export. Whether it is the one that you want is yours to say.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import xlgo_dataset as xd

from .. import workers
from ..arguments import MODEL, PROCESSES, REQUIRE, RUN, Argument, Group
from ..folders import CHECKSUMS, MANIFEST, check_sums, checksums, explained
from . import card
from .plan import Block
from .recipe import PROVENANCE, SCHEMA, Manifest, Recipe, dumps, recipe_of, request_of
from .shards import shard_of, write_block

ROWS, BYTES = "rows", "bytes"

HIDDEN = {".git", ".gitattributes", ".gitignore", ".cache", ".huggingface", ".DS_Store"}
"""What git, the Hub's client and desktops add at the top of a folder; nothing reads it as data."""

_MALFORMED = (OSError, LookupError, TypeError, AttributeError, RecursionError, ValueError)

ARGUMENTS = (
    Argument("folder", type=Path, help="folder written by xlgo export, or results of xlgo run"),
    PROCESSES,
    Group(
        "for results",
        MODEL,
        RUN,
        REQUIRE,
    ),
    Argument("--json", action="store_true", help="print the result as JSON"),
)


class OtherVersionError(ValueError):
    """The folder is of a version that this package cannot make again: nothing is proved."""


@dataclass(frozen=True)
class Proof:
    """A verified export.

    Attributes:
        manifest: of the folder.
        level: ``bytes`` if every file was written again with the same bytes, else ``rows``.
        unproved: what verification cannot show, in sentences.
    """

    manifest: Manifest
    level: str
    unproved: tuple[str, ...]


def run(args: argparse.Namespace) -> int:
    """Verify what the command line names; 0 if nothing is wrong.

    Raises:
        ValueError: naming the first thing that is wrong.
    """
    from ..verification import command as results

    if not (args.folder / CHECKSUMS).exists() and results.is_results(args.folder):
        return results.run(args)
    try:
        proof = verify(args.folder, args.processes)
    except OtherVersionError as error:
        print(f"unproved: {error}")
        return results.NOT_PROVED
    prompts, signature = card.count_prompts(proof.manifest), proof.manifest["signature"]
    if args.json:
        summary = {
            "folder": str(args.folder),
            "prompts": prompts,
            "signature": signature,
            "proved": proof.level,
            "unproved": proof.unproved,
        }
        print(json.dumps(summary, ensure_ascii=False, indent=1))
        return 0
    print(
        f"{args.folder}: {prompts:,} prompts generated again, all as they stand here\n{signature}\n"
        f"Proved: every {'byte of these files' if proof.level == BYTES else 'row'}."
    )
    print("\n".join(proof.unproved))
    return 0


def verify(folder: Path, processes: int | None = None) -> Proof:
    """Check an exported folder in full.

    Args:
        folder: as written by ``xlgo export``.
        processes: how many work at a time; one per processor by default.

    Raises:
        ValueError: naming the first file, or file and row, that is wrong.
    """
    from tqdm import tqdm

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
        provenance = {entry: str(recipe.get(entry)) for entry in PROVENANCE}
        is_own = all(expected[entry] == provenance[entry] for entry in PROVENANCE)
        paths = {path: block.split for block in blocks for path in block.files.values()}
        wording = {expected["options"]["text"]} if expected["wording"] else set()
        _check_names(folder, {*paths, "README.md", MANIFEST, CHECKSUMS, *wording})
        same_bytes = True
        work = [(next(iter(block.files.values())), (folder, remade, block)) for block in blocks]
        several = min(len(work), processes or workers.available_processors())
        with tqdm(total=len(blocks), desc="verify", unit="block") as bar:
            for shard, is_same in workers.in_order(check_block, work, several, patience=0):
                bar.update()
                same_bytes &= is_same
                if is_own and not is_same:
                    raise ValueError(
                        f"{folder}/{shard}: a shard of this block holds the right rows, and not "
                        "the bytes that an export writes"
                    )
        shards = [shard_of(folder, path, split) for path, split in paths.items()]
        text = dumps(expected | provenance, shards)
        manifest: Manifest = json.loads(text)
        _check_text(folder / MANIFEST, text)
        _check_text(folder / "README.md", card.readme(manifest))
        _check_text(folder / CHECKSUMS, checksums(folder, sums))
    hidden = sorted(HIDDEN & {path.name for path in folder.iterdir()})
    unproved = ["Not shown by this: that these options, seed and splits are the ones you want."]
    if not is_own:
        claims = ", ".join(f"{entry} {value:.12}" for entry, value in provenance.items())
        unproved.append(f"Nor that it was made as it says ({claims}), which is not installed here.")
    if hidden:
        unproved.append(f"Not looked at: {', '.join(hidden)}, of git, the Hub or a desktop.")
    level = BYTES if same_bytes and is_own and not hidden else ROWS
    return Proof(manifest, level, tuple(unproved))


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
    """Compare a text file with what an export writes, byte for byte; name the first other line."""
    content = path.read_bytes()
    if content == text.encode():
        return
    lines = zip_longest(content.split(b"\n"), text.encode().split(b"\n"))
    number, (line, expected) = next(
        (n, pair) for n, pair in enumerate(lines, 1) if len(set(pair)) > 1
    )
    raise ValueError(
        f"{path}, line {number} is {line!r:.150} and should be {expected!r:.150}: it was edited, "
        "or another release has other words"
    )


def check_block(work: tuple[Path, Path, Block]) -> bool:
    """Whether the shards of a block have the bytes that are written again.

    Args:
        work: the folder, another one to write to, and the block.

    Returns:
        ``False`` if only their rows are the same; the first thing that is wrong as a string.
    """
    folder, remade, block = work
    paths = list(block.files.values())
    try:
        shards = [shard_of(folder, path, block.split) for path in paths]
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{folder}/{paths[0]}: a shard of this block cannot be read: {error!s:.200}"
        ) from error
    if block.stop is not None and block.stop - (block.start or 0) > shards[0].rows:
        # nobody makes a billion for nothing
        raise ValueError(f"{folder}/{paths[0]}: ends after {shards[0].rows} rows")
    expected = write_block((remade, block))
    for shard in (
        shard for shard, expected_shard in zip(shards, expected) if shard != expected_shard
    ):
        try:
            tables = [pq.ParquetFile(top / shard.path).read() for top in (folder, remade)]
            difference = _difference(*tables)
        except (OSError, ValueError) as error:
            difference = f": cannot be read: {error!s:.200}"
        if difference:
            raise ValueError(f"{folder}/{shard.path}{difference}")
    for path in paths:
        (remade / path).unlink()
    return shards == expected


def _difference(table: pa.Table, expected: pa.Table) -> str:
    """Describe the first difference of two tables; empty if they are equal."""
    if not table.schema.equals(expected.schema, check_metadata=True):
        return f": the columns are not {', '.join(expected.column_names)}, in their types"
    if table.equals(expected):
        return ""
    for number, (row, ours) in enumerate(zip(table.to_pylist(), expected.to_pylist())):
        for name, value in ours.items():
            if row[name] != value:
                return f", row {number}: ({ours['id']}) {name} {_cell(row[name], value)}"
    short = f"ends after {len(table)} rows"
    return f": {short if len(table) < len(expected) else f'has more than {len(expected)} rows'}"


def _cell(value: object, expected: object) -> str:
    if not isinstance(value, str) or not isinstance(expected, str):
        return f"is {value!r:.80} and should be {expected!r:.80}"
    pairs = enumerate(zip_longest(value, expected))
    start = max(0, next(number for number, (ours, theirs) in pairs if ours != theirs) - 10)
    return (
        f"differs: it has {value[start : start + 60]!r} at character {start} and should have "
        f"{expected[start : start + 60]!r}"
    )
