"""``xlgo export``: write the data as a folder that ``load_dataset`` reads without our code.

An export consists of blocks of questions, each of which becomes one shard a language.
``export.json`` holds the recipe, from which everything in the export can be made again.

All files are written into a hidden folder beside the wanted one, which then takes its place: the
old one is moved aside, the new one moved in. Killed at any moment, an export leaves the old folder
or the new one, at worst aside; the next run of the command puts it back.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import xlgo_dataset as xd
from xlgo_dataset.core import Options, schema
from xlgo_dataset.family import generated_family_of, known_texts
from xlgo_dataset.sources import digest_of
from xlgo_lm_eval.answers import sha256_of
from xlgo_metric.core import allowed_name

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
    replacing,
    write_checksums,
    write_text,
)
from . import card
from .card import Manifest, Recipe

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
    Argument("--text", help="paper (default) or revised"),
    PROCESSES,
)  # fmt: skip


TEXT_PER_BLOCK = 256 << 20
"""Bytes of prompts in a block, over all its languages: a second or so of work."""
MAX_BLOCKS = 512
"""Most shards of a split; very large splits get larger shards instead of more."""
_NAME = "{}-{:05d}-of-{:05d}.parquet"


@dataclass(frozen=True)
class Part:
    """One task of an export.

    Attributes:
        task: its name.
        languages: codes, in the order of the rows.
        given: the options asked for.
        options: all of the task's family, defaults filled in.
    """

    task: str
    languages: tuple[str, ...]
    given: Options
    options: Options

    @property
    def family(self) -> xd.Family:
        """The family of the task."""
        return xd.family_of(self.task)

    @property
    def folders(self) -> dict[str, str]:
        """The language whose rows each folder holds."""
        return {f"{self.task}_{code}": code for code in self.languages}


@dataclass(frozen=True)
class Block:
    """Questions of one split of a task, at every level.

    Attributes:
        part: the task.
        split: of ``xd.SPLITS``.
        name: of its files.
        indexes: of the questions; ``None`` for a task whose rows cannot be made in parts.
    """

    part: Part
    split: str
    name: str
    indexes: range | None = None

    @property
    def files(self) -> dict[str, str]:
        """The shard of each language, relative to the exported folder."""
        return {code: f"{folder}/{self.name}" for folder, code in self.part.folders.items()}


@dataclass(frozen=True)
class Request:
    """Everything that decides what an export holds.

    Attributes:
        tasks: names; ``None`` for the default ones.
        languages: codes, for all tasks or by task; ``None`` for the default ones.
        splits: of ``xd.SPLITS``.
        options: those given, such as ``preset`` and ``seed``.
    """

    tasks: Sequence[str] | None = None
    languages: Sequence[str] | Mapping[str, Sequence[str]] | None = None
    splits: Sequence[str] = ("test",)
    options: Options = field(default_factory=dict)

    def parts(self) -> list[Part]:
        """The tasks with their languages and options.

        Raises:
            ValueError: an unknown task, language, wording or option, or a task that is not
                generated.
        """
        allowed_name(self.options.get("text", "paper"), "text", known_texts())
        tasks = map(xd.task_named, self.tasks or xd.TASKS)
        return [self._part(task) for task in dict.fromkeys(tasks)]

    def _part(self, task: str) -> Part:
        family = generated_family_of(task)
        asked = self.languages[task] if isinstance(self.languages, Mapping) else self.languages
        # To know all languages of a task, the files of all are read.
        languages = family.default_languages(task)
        if asked:
            family.check_asked(task, asked)
            languages = tuple(code for code in family.languages(task) if code in asked)
        return Part(task, languages, self.options, family.options(task, **self.options))

    def blocks(self) -> list[Block]:
        """All blocks. Tasks of few blocks come first: their work cannot be divided further.

        Raises:
            ValueError: as for ``parts``, or an unknown split.
        """
        if unknown := [split for split in self.splits if split not in xd.SPLITS]:
            raise ValueError(f"unknown split {unknown[0]!r}: allowed are {', '.join(xd.SPLITS)}")
        groups = [
            _blocks(part, split) for part in self.parts() for split in dict.fromkeys(self.splits)
        ]
        return [block for group in sorted(groups, key=len) for block in group]


def _blocks(part: Part, split: str) -> list[Block]:
    indexes = part.family.shards(part.task, **part.given)
    if indexes == 1:
        return [Block(part, split, _NAME.format(split, 0, 1))]
    _, size = part.family.prompt_size(part.task, part.languages, **part.given)
    count = max(1, min(-(-size // TEXT_PER_BLOCK), indexes, MAX_BLOCKS))
    edges = [indexes * number // count for number in range(count + 1)]
    return [
        Block(part, split, _NAME.format(split, number, count), range(*edges[number : number + 2]))
        for number in range(count)
    ]


ROW_GROUP_BYTES = 32 << 20
"""A row group is closed at this many bytes of text: little to hold, and quick to seek in."""

FULL_DISK = "free some space and give the same command again"


@dataclass(frozen=True)
class Shard:
    """A finished file of rows, as listed in ``export.json``.

    Attributes:
        path: relative to the exported folder.
        split: that its rows belong to.
        rows: how many.
        size: bytes of the file.
        sha256: of the file.
    """

    path: str
    split: str
    rows: int
    size: int
    sha256: str


def write_block(work: tuple[Path, Block]) -> list[Shard]:
    """Generate a block and write its shards below a folder.

    All languages are made together, so that what they share is drawn once.

    Raises:
        ValueError: the file system refused.
    """
    folder, block = work
    gc.freeze()  # what is there stays there: not to be looked through again for every table
    try:
        made = [schema().empty_table(), *tables(block)]
        for code, path in block.files.items():
            rows = pa.concat_tables(rows_in(code, table) for table in made)
            with explained("write", folder, FULL_DISK), replacing(folder / path) as file:
                write_shard(rows, file)
    finally:
        gc.unfreeze()
    return [shard_of(folder, path, block.split) for path in block.files.values()]


def rows_in(code: str, table: pa.Table) -> pa.Table:
    """The rows in a language, in their order."""
    return table.take(pc.indices_nonzero(pc.equal(table["language"], code)))


def write_shard(rows: pa.Table, path: Path) -> None:
    """Write the rows of a language as a Parquet file.

    Prompts are all different: a dictionary and statistics of them would cost time and help nobody.
    """
    pq.write_table(
        rows, path, row_group_size=max(1, ROW_GROUP_BYTES * len(rows) // max(1, rows.nbytes)),
        compression="zstd", compression_level=1, use_dictionary=["task", "language"],
        write_statistics=["complexity", "level", "index"],
    )  # fmt: skip


def shard_of(folder: Path, path: str, split: str) -> Shard:
    """What ``export.json`` says of a file that lies in the folder.

    Raises:
        ValueError: it is not there, or no Parquet file.
    """
    file = folder / path
    try:
        rows = pq.read_metadata(file).num_rows
    except (OSError, ValueError) as error:
        raise ValueError(f"{file}: cannot be read: {error!s:.200}") from error
    return Shard(path, split, rows, file.stat().st_size, sha256_of(file))


def tables(block: Block) -> Iterator[pa.Table]:
    """The rows of a block as Arrow tables."""
    part = block.part
    yield from part.family.tables(
        part.task, part.languages, split=block.split, indexes=block.indexes, **part.given
    )


SCHEMA = 3
"""Of exported folders. It rises when the layout, the manifest or the words of the card change."""

PROVENANCE = ("code", "pyarrow", "version")
"""Entries of a recipe that say who made the folder. No row depends on them, so they are claims."""

_DEFAULTS = {"preset": "quick", "seed": 0, "text": "paper"}
_CODE = (Path(xd.__file__).parent, *map(Path(__file__).with_name, ("card.py", "command.py")))


def recipe_of(request: Request) -> Recipe:
    """Everything that the bytes of an export depend on, in plain JSON types."""
    parts = request.parts()
    recipe = {
        "tasks": {
            part.task: {
                "family": part.family.name,
                "data": part.family.DATA_VERSION,
                "languages": part.languages,
                "configs": {
                    part.task: list(part.folders),
                    **{name: [name] for name in part.folders},
                },
                "levels": None if levels is None else list(levels),
                "options": part.options,
            }
            for part in parts
            for levels in [part.family.levels(part.task, **part.given)]
        },
        "splits": list(dict.fromkeys(request.splits)),
        "options": _complete(request.options, [set(part.options) for part in parts]),
        "code": digest_of(_CODE),
        "pyarrow": version("pyarrow"),
        "version": version("xlgo"),
    }
    plain: Recipe = json.loads(json.dumps(recipe))
    return plain


def dumps(recipe: Recipe, shards: Iterable[Shard]) -> str:
    """The text of ``export.json``, the shards in the order of their paths."""
    manifest: Manifest = {
        "schema": SCHEMA,
        "command": command(recipe),
        "signature": signature(recipe),
        "recipe": recipe,
        "shards": [asdict(shard) for shard in sorted(shards, key=lambda shard: shard.path)],
    }
    return json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def command(recipe: Recipe) -> str:
    """The command that makes an export again, every list and option spelled out."""
    tasks = recipe["tasks"]
    by_task = [task["languages"] for task in tasks.values()]
    if any(languages != by_task[0] for languages in by_task):
        by_task = [[]]  # none were given: each task has its defaults
    lists = {"--tasks": tasks, "--languages": by_task[0], "--splits": recipe["splits"]}
    lists |= {
        "--xlgo-seed" if name == "seed" else f"--{name.replace('_', '-')}": [value]
        for name, value in recipe["options"].items()
    }
    words = (word for name, values in lists.items() if values for word in (name, *values))
    return shlex.join(["xlgo", "export", "--out", "xlgo", *map(str, words)])


def signature(recipe: Recipe) -> str:
    """What made the data, in one line."""
    tasks = recipe["tasks"]
    options = [task["options"] for task in tasks.values()]
    spelt = {"n": ("per_level", "n")}  # puzzles have so many a level
    fields = {
        "tasks": tasks,
        "languages": [code for task in tasks.values() for code in task["languages"]],
        "splits": recipe["splits"],
        **{
            name: [given[x] for given in options for x in spelt.get(name, (name,)) if x in given]
            for name in ("preset", "levels", "n", "text", "seed")
        },
        "data": [task["data"] for task in tasks.values()],
        "code": [recipe["code"][:12]],
        "version": [recipe["version"]],
    }
    return "|".join(
        f"{label}:{','.join(dict.fromkeys(map(str, values)))}"
        for label, values in fields.items()
        if values
    )


def request_of(recipe: Recipe) -> Request:
    """The export request that a recipe describes.

    Raises:
        LookupError, TypeError, AttributeError, ValueError: the recipe is malformed.
    """
    languages = {task: entry["languages"] for task, entry in recipe["tasks"].items()}
    return Request(list(languages), languages, list(recipe["splits"]), dict(recipe["options"]))


def _complete(options: Options, by_task: list[set[str]]) -> dict[str, object]:
    """Options in one order and spelling, the main ones even where they were not given.

    So the recorded command has the same recipe as the one that was typed.
    """
    common = set.intersection(*by_task) if by_task else set()
    spelled = {name: value for name, value in _DEFAULTS.items() if name in common}
    spelled |= {name: value for name, value in options.items() if value is not None}
    return {
        name: ",".join(map(str, value)) if isinstance(value, list | tuple) else value
        for name, value in sorted(spelled.items())
    }


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
            write_checksums(folder, {shard.path: shard.sha256 for shard in shards})
            replace_folder(folder, target)
            shutil.rmtree(partial)
    return manifest
