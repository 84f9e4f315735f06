"""``xlgo export``: write the data as a folder that ``load_dataset`` reads without our code.

The shards are written into a hidden folder beside the wanted one, each under a temporary name
first. Once all are there, that folder takes the place of the wanted one in a single step. Killed
at any moment, an export leaves the old folder or the new one, and the next run of the same command
goes on with the shards that were finished.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import xlgo_dataset as xd
from xlgo_lm_eval.replies import sha256_of

from .. import workers
from ..arguments import PROCESSES, Argument, Names
from ..display.formats import megabytes
from ..folders import (
    CHECKSUMS,
    MANIFEST,
    check_replaceable,
    explained,
    listing,
    locked,
    read_checksums,
    recover_folder,
    replace_folder,
    write_checksums,
    write_text,
)
from . import card
from .layout import Manifest, Recipe, ShardRecord
from .plan import Block, Request
from .recipe import dumps, manifest_of, recipe_of

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
    Argument("--preset", help="paper, lite, smoke or quick (default: paper)"),
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
    with explained("write", target):
        check_replaceable(target)
        blocks = request.blocks()
        recipe = recipe_of(request.parts(), request)
        partial.mkdir(parents=True, exist_ok=True)
        with locked(partial / "lock"):
            recover_folder(partial / "folder", target)
            manifest = _current(target, recipe)
            if manifest is None:
                shards = _make_shards(partial, recipe, blocks, processes)
                manifest = manifest_of(recipe, target.name, shards)
                _finish(partial / "folder", manifest, request)
                replace_folder(partial / "folder", target)
            shutil.rmtree(partial)
    return manifest


def _current(target: Path, recipe: Recipe) -> Manifest | None:
    """The manifest of ``target`` if the recipe has made it and every file is undamaged."""
    if not (target / MANIFEST).is_file():
        return None
    try:
        manifest: Manifest = json.loads((target / MANIFEST).read_bytes())
    except json.JSONDecodeError:
        return None
    if manifest.get("recipe") != recipe:
        return None
    sums = read_checksums(target)
    whole = all(
        (target / name).is_file() and sha256_of(target / name) == digest
        for name, digest in sums.items()
    )
    return manifest if whole and {*sums, CHECKSUMS} == set(listing(target)) else None


def _make_shards(
    partial: Path, recipe: Recipe, blocks: Sequence[Block], processes: int | None
) -> list[ShardRecord]:
    """Make all shards that an earlier run has not finished; their records, in order of path."""
    from tqdm import tqdm

    from .shards import write_block

    finished = _resume(partial, recipe, blocks)
    todo = [block for block in blocks if block.name not in finished]
    work = [(partial / "folder", block) for block in todo]
    with tqdm(total=len(blocks), initial=len(finished), desc="export", unit="block") as bar:
        done = sum(map(_text, finished.values()))
        for place, records in workers.each(
            write_block, work, processes or workers.available_processors()
        ):
            finished[todo[place].name] = records
            write_text(partial / "done" / f"{todo[place].name}.json", json.dumps(records))
            done += _text(records)
            bar.set_postfix_str(f"{megabytes(done)} of text")
            bar.update()
    return sorted((s for records in finished.values() for s in records), key=lambda s: s["path"])


def _text(records: Iterable[ShardRecord]) -> int:
    return sum(record["text"] for record in records)


def _resume(partial: Path, recipe: Recipe, blocks: Sequence[Block]) -> dict[str, list[ShardRecord]]:
    """The records of blocks whose shards an earlier run of the same recipe has left, by name."""
    note = partial / "recipe.json"
    if not note.is_file() or json.loads(note.read_bytes()) != recipe:
        for name in ("folder", "done"):
            shutil.rmtree(partial / name, ignore_errors=True)
        (partial / "folder").mkdir()
        write_text(note, json.dumps(recipe))
        return {}
    finished = {}
    for block in blocks:
        path = partial / "done" / f"{block.name}.json"
        if path.is_file():
            records = json.loads(path.read_bytes())
            files = [(partial / "folder" / record["path"], record) for record in records]
            if all(file.is_file() and sha256_of(file) == r["sha256"] for file, r in files):
                finished[block.name] = records
    return finished


def _finish(folder: Path, manifest: Manifest, request: Request) -> None:
    """Add the files that are not shards, and remove leftovers of a killed process."""
    texts = {
        "README.md": card.readme(manifest),
        MANIFEST: dumps(manifest),
    }
    if manifest["recipe"]["wording"]:
        path = Path(request.options["text"])
        texts[path.name] = path.read_text(encoding="utf-8")
    sums = {shard["path"]: shard["sha256"] for shard in manifest["shards"]}
    for name in set(listing(folder, hidden=True)) - set(sums):
        (folder / name).unlink()
    for name, text in texts.items():
        write_text(folder / name, text)
    write_checksums(folder, sums)
