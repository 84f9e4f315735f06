"""The work of one export process: the rows of a block, into one Parquet shard per language."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from xlgo_dataset.declared import schema, strings
from xlgo_lm_eval.replies import sha256_of

from ..folders import explained, replacing
from .plan import Block

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
        parts = [by_language(table) for table in tables(block)]
        for code, path in block.files.items():
            rows = pa.concat_tables(
                [schema().empty_table(), *(part[code] for part in parts if code in part)]
            )
            with explained("write", folder, FULL_DISK), replacing(folder / path) as file:
                write_shard(rows, file)
    finally:
        gc.unfreeze()
    return [shard_of(folder, path, block.split) for path in block.files.values()]


def by_language(table: pa.Table) -> dict[str, pa.Table]:
    """The rows of each language, in their order."""
    numbers: dict[str, list[int]] = {}
    for number, code in enumerate(table["language"].to_pylist()):
        numbers.setdefault(code, []).append(number)
    return {code: table.take(strings(rows).cast(pa.int64())) for code, rows in numbers.items()}


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
        OSError, pa.ArrowException: it is not there, or no Parquet file.
    """
    file = folder / path
    rows = pq.read_metadata(file).num_rows
    return Shard(path, split, rows, file.stat().st_size, sha256_of(file))


def tables(block: Block) -> Iterator[pa.Table]:
    """The rows of a block as Arrow tables."""
    part = block.part
    yield from part.family.tables(
        part.task, part.languages, split=block.split, indexes=block.indexes, **part.given
    )
