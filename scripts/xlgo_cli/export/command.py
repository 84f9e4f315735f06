"""``xlgo export``: write the data as a folder that ``load_dataset`` reads without our code.

All files are written into a hidden folder beside the wanted one, which then takes its place: the
old one is moved aside, the new one moved in. Killed at any moment, an export leaves the old folder
or the new one, at worst aside; the next run of the command puts it back.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
from pathlib import Path

import xlgo_dataset as xd

from .. import workers
from ..arguments import PROCESSES, Argument, Names
from ..display.formats import megabytes
from ..folders import (
    MANIFEST,
    check_replaceable,
    explained,
    locked,
    recover_folder,
    replace_folder,
    write_checksums,
    write_text,
)
from . import card
from .plan import Manifest, Request, dumps, recipe_of, write_block

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
        print("\nxlgo export: interrupted; nothing was replaced")
        return 130
    shards = manifest["shards"]
    print(
        f"{args.out}: {card.count_prompts(manifest):,} prompts, "
        f"{len(card.configs(manifest))} configurations, {len(shards)} Parquet files, "
        f"{megabytes(sum(shard['size'] for shard in shards))}\n{manifest['signature']}"
    )
    return 0


def export(request: Request, out: Path, processes: int | None = None) -> Manifest:
    """Write an exported folder.

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
    folder = partial / "folder"
    with explained("write", target):
        check_replaceable(target)
        work = [(folder, block) for block in request.blocks()]
        recipe = recipe_of(request)
        partial.mkdir(parents=True, exist_ok=True)
        with locked(partial / "lock"):
            recover_folder(folder, target)
            shutil.rmtree(folder, ignore_errors=True)
            shards = [
                shard
                for shards_of_block in workers.with_bar(write_block, work, processes, "export")
                for shard in shards_of_block
            ]
            text = dumps(recipe, shards)
            manifest: Manifest = json.loads(text)
            write_text(folder / MANIFEST, text)
            write_text(folder / "README.md", card.readme(manifest))
            if recipe["wording"]:
                shutil.copy(request.options["text"], folder)
            write_checksums(folder, {shard.path: shard.sha256 for shard in shards})
            replace_folder(folder, target)
            shutil.rmtree(partial)
    return manifest
