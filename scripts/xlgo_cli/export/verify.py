"""``xlgo verify``: prove that an exported folder is what its recipe gives: its rows, or its bytes.

Nothing in the folder is believed but a few options. From them every shard is written again, then
``export.json``, the card and the list of checksums; each is compared with what lies in the folder.

What cannot be seen: a recipe that was changed everywhere, with all that follows from it, is
another right export. Whether it is the one that you want is yours to say. Nor does it show that
the release and the pyarrow of the recipe made the folder.

Results are checked against questions made again (see ``logs.questions``), as far as that proves.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import xlgo_dataset as xd

from .. import workers
from ..arguments import MODEL, PROCESSES, REQUIRE, Argument, Group
from ..folders import CHECKSUMS, MANIFEST, check_sums, explained
from ..logs.lines import printable
from ..logs.questions import DIFFERS, INCOMPLETE, UNPROVED, Proof, Required, read_design
from . import card
from .card import Manifest, Recipe
from .command import (
    PROVENANCE,
    SCHEMA,
    Block,
    Shard,
    dumps,
    recipe_of,
    request_of,
    shard_of,
    write_block,
)

HIDDEN = {".git", ".gitattributes", ".gitignore", ".cache", ".huggingface", ".DS_Store"}
"""What git, the Hub's client and desktops add at the top of a folder; nothing reads it as data."""

NOT_SHOWN = (
    "Not shown by this: that these options, seed and splits are the ones you want. Not looked at: "
    "files of git, the Hub or a desktop."
)
OTHER_BYTES = (
    "Not proved: what else {} hold: a reader finds just these rows in them, but their bytes are "
    "not those that are written here, by the same or another release of pyarrow."
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


NOT_PROVED = 3
"""The exit code where nothing is wrong, but not everything could be checked."""

RESULTS_NOT_SHOWN = (
    "Not shown by this: that the model named here gave these answers, that it was asked once only, "
    "and what a server or a judge said (see docs/trust.md)."
)


class OtherVersionError(ValueError):
    """The folder is of a version that this package cannot make again: nothing is proved."""


def run(args: argparse.Namespace) -> int:
    """Verify what the command line names; 0 if nothing is wrong, 3 if not all could be checked.

    Raises:
        ValueError: naming the first thing that is wrong in an export, or there is nothing.
    """
    is_export = (args.folder / CHECKSUMS).exists() or not is_results(args.folder)
    code, summary, lines = (_export if is_export else _results)(args)
    shown = json.dumps(summary, ensure_ascii=False, indent=1)
    print(shown if args.json else "\n".join(map(printable, lines)))
    return code


Shown = tuple[int, dict[str, object], Iterable[str]]
"""The exit code, and what is shown as JSON and in lines."""


def _export(args: argparse.Namespace) -> Shown:
    where = str(args.folder)
    try:
        manifest, others = verify(args.folder, args.processes)
    except OtherVersionError as error:
        return NOT_PROVED, {"folder": where, "unproved": [str(error)]}, [f"unproved: {error}"]
    prompts, signature = card.count_prompts(manifest), manifest["signature"]
    unlike = f"{len(others)} of {len(manifest['shards'])} Parquet files ({', '.join(others[:1])})"
    not_shown = [OTHER_BYTES.format(unlike)] * bool(others) + [NOT_SHOWN]
    summary = {"folder": where, "prompts": prompts, "signature": signature,
               "proved": "rows" if others else "bytes", "unproved": not_shown}  # fmt: skip
    proved = f"Proved: every {'row' if others else 'byte of these files'}."
    said = f"{where}: {prompts:,} prompts generated again, all as they stand here"
    return 0, summary, [said, signature, proved, *not_shown]


def verify(folder: Path, processes: int | None = None) -> tuple[Manifest, list[str]]:
    """Check an exported folder in full.

    Args:
        folder: as written by ``xlgo export``.
        processes: how many work at a time; one per processor by default.

    Returns:
        Its manifest, and the shards that have the same rows in other bytes than are written here.

    Raises:
        ValueError: naming the first file, or file and row, that is wrong.
    """
    with tempfile.TemporaryDirectory(prefix="xlgo-") as name, explained("read", folder):
        if not (folder / MANIFEST).is_file():
            raise ValueError(f"{folder} is not an exported folder: it has no file {MANIFEST}")
        remade, names = Path(name), _names(folder)
        recipe = _recipe(folder)
        try:
            request = request_of(recipe)
            blocks, expected = request.blocks(), recipe_of(request)
        except _MALFORMED as error:
            raise ValueError(
                f"{folder / MANIFEST}: the recipe cannot be followed: {error!s:.300}"
            ) from error
        expected |= {entry: str(recipe.get(entry)) for entry in PROVENANCE}
        paths = {path: block.split for block in blocks for path in block.files.values()}
        files = {*paths, "README.md", MANIFEST, CHECKSUMS}
        expected_names = files | {top.as_posix() for file in files for top in Path(file).parents}
        for wrong in sorted(expected_names ^ {".", *names}):
            what = "is missing" if wrong in expected_names else "does not belong to this export"
            raise ValueError(f"{folder / wrong} {what}")
        shards = {path: shard_of(folder, path, split) for path, split in paths.items()}
        check_sums(folder, {path: shard.sha256 for path, shard in shards.items()})
        work = [
            (folder, remade, block, [shards[path] for path in block.files.values()])
            for block in blocks
        ]
        checked = [*workers.with_bar(check_block, work, processes, "verify")]
        text = dumps(expected, shards.values())
        manifest: Manifest = json.loads(text)
        _check_text(folder / MANIFEST, text)
        _check_text(folder / "README.md", card.readme(manifest))
    return manifest, [path for others in checked for path in others]


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


def _names(folder: Path) -> list[str]:
    """The relative paths of files and folders, none of them a link or a pipe."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    present = {name: path for name, path in paths.items() if name.split("/")[0] not in HIDDEN}
    for path in present.values():
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise ValueError(f"{path} is a link or no plain file: a link's target is not checked")
    return list(present)


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


def check_block(work: tuple[Path, Path, Block, list[Shard]]) -> list[str]:
    """The shards of a block whose bytes are not those that are written again, but their rows are.

    Args:
        work: the folder, another one to write to, the block, and its shards in the folder.

    Raises:
        ValueError: naming the first thing that is wrong.
    """
    (folder, remade, block, shards), others = work, []
    limit = len(block.indexes or ())
    for shard in shards:
        if shard.rows < limit:  # nobody makes a billion for nothing
            raise ValueError(
                f"{folder}/{shard.path}: has {shard.rows:,} rows, should have {limit:,} or more"
            )
    for shard, ours in zip(shards, write_block((remade, block))):
        if shard != ours:
            others.append(shard.path)
            try:
                tables = [pq.ParquetFile(top / shard.path).read() for top in (folder, remade)]
                difference = _difference(*tables)
            except (OSError, ValueError) as error:
                difference = f": cannot be read: {error!s:.200}"
            if difference:
                raise ValueError(f"{folder}/{shard.path}{difference}")
        (remade / shard.path).unlink()
    return others


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


def is_results(folder: Path) -> bool:
    """Whether a path holds results of a run, not an exported folder."""
    samples = [folder] if folder.is_file() else folder.rglob("samples_*.jsonl")
    return any(path.suffix == ".jsonl" for path in samples)


def _results(args: argparse.Namespace) -> Shown:
    required = None if args.require is None else read_design(args.require)
    proof = verified(args.folder, required, model=args.model)
    code = {DIFFERS: 1, INCOMPLETE: 1, UNPROVED: NOT_PROVED}.get(proof.status, 0)
    summary = {
        "folder": str(args.folder),
        "status": proof.status,
        "answers": proof.answers,
        "asked": proof.expected,
        "missing": proof.missing.total(),
        "challenge": proof.challenge,
        "differs": [str(problem) for problem in proof.differs.items],
        "as_logged": dict(proof.logged),
        "notes": dict(proof.notes),
    }
    return code, summary, _lines(args.folder, proof)


def verified(folder: Path, required: Required | None = None, **selection: Any) -> Proof:
    """Check all of a results folder.

    Args:
        folder: the folder, or a file of samples.
        required: the host's design.
        selection: ``model``, see ``find_run``.

    Raises:
        ValueError: there are no results.
    """
    from ..logs.graded_run import filed, score_folder

    path = folder / "report" / "scores.json"
    has_report = path.is_file() and not any(selection.values())
    scored = score_folder(folder, partial=True, quiet=True, required=required, **selection)
    proof = scored.proof
    proof.differs.items += [
        problem
        for problem in scored.problems.items
        if problem.lost and problem not in proof.differs.items
    ]
    if has_report:
        try:
            report = json.loads(path.read_text("utf-8"))
            signature, families = report["signature"], report["families"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            signature, families = "", type(error).__name__
        # A report is of the run's own design.
        own = score_folder(folder, partial=True, quiet=True) if required is not None else scored
        score = own.score
        families_again = json.loads(json.dumps(filed(score["families"])))
        if families_again != families or score["signature"] != signature:
            proof.differs.add(
                str(path), "is not the score of these answers: write the report again and compare"
            )
    return proof


def _lines(folder: Path, proof: Proof) -> Iterator[str]:
    yield f"{folder}: {proof.status}"
    for problem in proof.differs.items:
        yield f"differs: {problem}"
    if proof.lacking:
        yield f"missing: {proof.lacking}"
    for why, count in (proof.logged + proof.notes).items():
        yield f"not proved: {why} ({count:,})"
    design = "the required design" if proof.required else "its own design"
    yield (
        f"{proof.answers:,} answers were graded again; questions and golds of generated tasks "
        f"were made again from {design}."
    )
    if proof.challenge is not None:
        yield f"The seed is that of the challenge {proof.challenge!r:.80}."
    if not proof.required:
        yield "The design is the folder's own claim: --require FILE compares it with yours."
    yield RESULTS_NOT_SHOWN
