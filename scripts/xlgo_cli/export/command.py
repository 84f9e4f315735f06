"""``xlgo export``: write the data as a folder that ``load_dataset`` reads without our code.

The shards are written into a hidden folder beside the wanted one, each under a temporary name
first. Once all are there, that folder takes the place of the wanted one: the old one is moved
aside, the new one moved in. Killed at any moment, an export leaves the old folder or the new one,
at worst aside; the next run of the same command puts it back and reuses the finished shards.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import xlgo_dataset as xd

from .. import workers
from ..arguments import PROCESSES, Argument, Names
from ..display.formats import megabytes
from ..folders import (
    CHECKSUMS,
    MANIFEST,
    check_replaceable,
    check_sums,
    explained,
    listing,
    locked,
    recover_folder,
    replace_folder,
    write_checksums,
    write_text,
)
from . import card
from .plan import Block, Request
from .recipe import Manifest, Recipe, dumps, recipe_of
from .shards import Shard, shard_of

_OPTIONS = ("preset", "seed", "levels", "per_level", "complexities", "text")

ARGUMENTS = (
    Argument(
        "--out", type=Path, required=True,
        help="folder to write, or to replace if an export is there",
    ),
    Argument(
        "--tasks", nargs="+", action=Names, help=f"tasks (default: {' '.join(xd.TASKS)})"
    ),
    Argument(
        "--languages", nargs="+", action=Names,
        help=f"languages (default: {' '.join(xd.LANGUAGES)})",
    ),
    Argument(
        "--splits", nargs="+", action=Names,
        help="splits: test, validation, train (default: test)",
    ),
    Argument("--preset", help="paper, lite, smoke or quick (default: quick)"),
    Argument(
        "--xlgo-seed", dest="seed", type=int,
        help="seed of the puzzles (default: 0)",
    ),
    Argument("--levels", type=int, help="levels of complexity (default: the preset's)"),
    Argument("--per-level", type=int, help="questions per level (default: the preset's)"),
    Argument(
        "--complexities", help="comma-separated complexities, such as 2,5,11; replaces --levels"
    ),
    Argument("--text", help="paper (default), revised, or a TOML file of strings"),
    PROCESSES,
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Export what the command line asks for; 0 if it went well.

    Raises:
        ValueError: with the reason.
    """
    options = {name: getattr(args, name) for name in _OPTIONS}
    request = Request(
        tasks=args.tasks,
        languages=args.languages,
        splits=args.splits or ("test",),
        options={name: value for name, value in options.items() if value is not None},
    )
    try:
        manifest = export(request, args.out, args.processes)
    except KeyboardInterrupt:
        print("\nxlgo export: interrupted; rerun the same command to resume")
        return 130
    shards = manifest["shards"]
    print(
        f"{args.out}: {card.count_prompts(manifest):,} prompts, "
        f"{len(card.configs(manifest))} configurations, {len(shards)} Parquet files, "
        f"{megabytes(sum(shard['size'] for shard in shards))}\n{manifest['signature']}"
    )
    return 0


def export(request: Request, out: Path, processes: int | None = None) -> Manifest:
    """Write an exported folder, or leave it as it is if it already holds just that.

    Args:
        request: what it shall hold.
        out: the folder; an exported folder that is there is replaced.
        processes: how many work at a time; one per processor by default.

    Returns:
        The manifest, as it stands in the folder's ``export.json``.

    Raises:
        ValueError: an impossible request, a folder that is not ours, or the file system's reason.
    """
    target = Path(os.path.realpath(out))
    partial = target.with_name(f".{target.name}.partial")
    folder, note = partial / "folder", partial / "recipe.json"
    with explained("write", target):
        check_replaceable(target)
        blocks, recipe = request.blocks(), recipe_of(request)
        partial.mkdir(parents=True, exist_ok=True)
        with locked(partial / "lock"):
            recover_folder(folder, target)
            manifest = _current(target, recipe)
            if manifest is None:
                if not note.is_file() or json.loads(note.read_bytes()) != recipe:
                    shutil.rmtree(folder, ignore_errors=True)
                    write_text(note, json.dumps(recipe))
                shards = _make_shards(folder, blocks, processes)
                manifest = _finish(folder, dumps(recipe, shards), shards, request)
                replace_folder(folder, target)
            shutil.rmtree(partial)
    return manifest


def _current(target: Path, recipe: Recipe) -> Manifest | None:
    """The manifest of ``target`` if the recipe has made it and every file is undamaged."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        manifest: Manifest = json.loads((target / MANIFEST).read_bytes())
        names = {CHECKSUMS, *check_sums(target)}
        if manifest["recipe"] == recipe and names == set(listing(target)):
            return manifest
    return None


def _make_shards(folder: Path, blocks: Sequence[Block], processes: int | None) -> list[Shard]:
    """Make all shards that an earlier run of the same recipe has not finished."""
    from tqdm import tqdm

    from .shards import write_block

    finished = [_finished(folder, block) for block in blocks]
    shards = [shard for shards_of_block in finished for shard in shards_of_block]
    todo = [
        (folder, block) for block, shards_of_block in zip(blocks, finished) if not shards_of_block
    ]
    initial = len(blocks) - len(todo)
    with tqdm(total=len(blocks), initial=initial, desc="export", unit="block") as bar:
        several = min(len(todo), processes or workers.available_processors())
        for _, shards_of_block in workers.in_order(
            write_block, enumerate(todo), several, patience=0
        ):
            shards += shards_of_block
            bar.set_postfix_str(megabytes(sum(shard.size for shard in shards)))
            bar.update()
    return shards


def _finished(folder: Path, block: Block) -> list[Shard]:
    """The shards of a block that an earlier run has finished; none if one is not there."""
    with contextlib.suppress(OSError, ValueError):  # a power failure may leave half a file
        return [shard_of(folder, path, block.split) for path in block.files.values()]
    return []


def _finish(folder: Path, text: str, shards: Sequence[Shard], request: Request) -> Manifest:
    """Add the files that are not shards, and remove leftovers of a killed process."""
    manifest: Manifest = json.loads(text)
    sums = {shard.path: shard.sha256 for shard in shards}
    for name in set(listing(folder, hidden=True)) - set(sums):
        (folder / name).unlink()
    texts = {"README.md": card.readme(manifest), MANIFEST: text}
    if manifest["recipe"]["wording"]:
        path = Path(request.options["text"])
        texts[path.name] = path.read_text(encoding="utf-8")
    for name, content in texts.items():
        write_text(folder / name, content)
    write_checksums(folder, sums)
    return manifest
