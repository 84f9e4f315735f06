"""``xlgo verify``: prove that an exported folder is what its recipe gives: its rows, or its bytes.

Everything in the folder follows from a few options: the recipe is completed again from them, every
row is generated again and compared, and the card is written again. Where this installation is the
one that the recipe names, the files are written again too and their bytes compared. With
``--read`` every question is also read from the text of its prompt and solved, with nothing from
the generator.

What cannot be seen: a recipe that was changed everywhere, with all that follows from it, is
another right export. Whether it is the one that you want is yours to say.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

from .. import workers
from ..arguments import MODEL, PROCESSES, RUN, Argument, Group
from ..folders import CHECKSUMS, explained, read_checksums
from ..verification.command import NOT_PROVED, is_results
from ..verification.command import run as verify_results
from . import card, checks
from .layout import Manifest
from .plan import Part, Request
from .recipe import PROVENANCE, recipe_of
from .work import Work

ROWS, BYTES = "rows", "bytes"


ARGUMENTS = (
    Argument("folder", type=Path, help="folder written by xlgo export, or results of xlgo run"),
    Argument(
        "--read", action="store_true",
        help="also parse every question from its prompt and solve it (slower)",
    ),
    PROCESSES,
    Argument(
        "--family",
        help="family of the data, if the folder is a copy of other authors' data: grade every "
        "reference answer in it",
    ),
    Group(
        "for results",
        MODEL,
        RUN,
        Argument(
            "--challenge", metavar="NONCE",
            help="text from which the seed must be derived (see xlgo run --challenge)",
        ),
    ),
    Argument("--json", action="store_true", help="print the result as JSON"),
)  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Verify what the command line names; 0 if nothing is wrong, 1 if it is in another team's data.

    Raises:
        ValueError: naming the first thing that is wrong.
    """
    if args.family is not None:
        if args.json:
            raise ValueError("--json goes with an exported folder, not with --family")
        from .echo import check_source

        return check_source(args.folder, args.family)
    if not (args.folder / CHECKSUMS).exists() and is_results(args.folder):
        return verify_results(args)
    try:
        manifest = verify(args.folder, args.processes, read=args.read)
    except checks.OtherVersionError as error:
        print(f"unproved: {error}")
        return NOT_PROVED
    proved = proves(args.folder, manifest)
    if args.json:
        summary = {
            "folder": str(args.folder),
            "prompts": card.count_prompts(manifest),
            "read": args.read,
            "checksums": len(read_checksums(args.folder)),
            "signature": manifest["signature"],
            "proved": proved,
            "unproved": unproved(args.folder, manifest),
        }
        print(json.dumps(summary, ensure_ascii=False, indent=1))
        return 0
    print(
        f"{args.folder}: {card.count_prompts(manifest):,} prompts generated again"
        f"{', read from their text and solved' if args.read else ''}, all as they stand here; "
        f"{len(read_checksums(args.folder))} checksums right\n{manifest['signature']}"
    )
    print(f"Proved: {'every byte of these files' if proved == BYTES else 'every row'}.")
    print("\n".join(unproved(args.folder, manifest)))
    return 0


def verify(folder: Path, processes: int | None = None, *, read: bool = False) -> Manifest:
    """Check an exported folder in full; its manifest.

    Args:
        folder: as written by ``xlgo export``.
        processes: how many work at a time; one per processor by default.
        read: also read every prompt back from its text and solve it.

    Raises:
        ValueError: naming the first file, or file and row, that is wrong.
    """
    from tqdm import tqdm

    from .compare import check_block

    with tempfile.TemporaryDirectory(prefix="xlgo-") as own, explained("read", folder):
        sums = checks.check_files(folder)
        manifest = checks.read_manifest(folder)
        wording = _wording(folder, manifest, Path(own))
        parts = checks.check_manifest(folder, manifest, wording)
        checks.check_names(folder, manifest, sums)
        checks.check_languages(folder, manifest, parts)
        work = _work(folder, manifest, parts, read, sums if made_here(manifest) else {})
        checks.check_card(folder, manifest)
        problems: dict[int, str] = {}
        with tqdm(total=card.count_prompts(manifest), desc="verify", unit="prompt") as bar:
            done = workers.each(check_block, work, processes or workers.available_processors())
            for place, problem in done:
                bar.update(work[place].prompts)
                if problem:
                    problems[place] = problem
    if problems:
        others = f" ({len(problems)} blocks have errors)" if len(problems) > 1 else ""
        raise ValueError(f"{folder}/{problems[min(problems)]}{others}")
    return manifest


def _wording(folder: Path, manifest: Manifest, own: Path) -> Path:
    """A folder with a copy of a wording of one's own: texts are kept in memory by their path, and
    this one may have changed since it was read."""
    if manifest["recipe"].get("wording") is None:
        return folder
    for path in folder.glob("*.toml"):
        shutil.copyfile(path, own / path.name)
    return own


def made_here(manifest: Manifest) -> bool:
    """Whether the recipe names this installation: code, release and writer of Parquet files."""
    recipe = manifest["recipe"]
    own = recipe_of([], Request())
    return all(recipe[n] == own[n] for n in PROVENANCE)


def proves(folder: Path, manifest: Manifest) -> str:
    """``bytes`` if every byte of a verified folder is proved, else ``rows``."""
    if not made_here(manifest):
        return ROWS
    same = (folder / "README.md").read_bytes() == card.readme(manifest).encode()
    return BYTES if same and not checks.beside(folder) else ROWS


def _work(
    folder: Path, manifest: Manifest, parts: list[Part], read: bool, sums: dict[str, str]
) -> list[Work]:
    recipe = manifest["recipe"]
    records = {record["path"]: record for record in manifest["shards"]}
    return [
        Work(
            folder,
            block,
            {path: records[path] for path in map(block.file, block.part.folders)},
            recipe["pyarrow"],
            read,
            {path: sums[path] for path in map(block.file, block.part.folders) if path in sums},
        )
        for block in checks.blocks_of(folder, manifest, parts)
    ]


def unproved(folder: Path, manifest: Manifest) -> list[str]:
    """What verification cannot show of a folder, in sentences."""
    recipe = manifest["recipe"]
    lines = ["Not shown by this: that these options, seed and splits are the ones you want."]
    own = recipe_of([], Request())
    if differing := [name for name in PROVENANCE if recipe[name] != own[name]]:
        lines.append(
            f"Nor that it was made as it says: its {', '.join(differing)} "
            f"({', '.join(recipe[name][:12] for name in differing)}) "
            f"{'is' if len(differing) == 1 else 'are'} not what is installed here."
        )
    if beside := checks.beside(folder):
        lines.append(f"Not looked at: {', '.join(beside)}, of git, the Hub's client or a desktop.")
    return lines


__all__ = ["ARGUMENTS", "run", "unproved", "verify"]
