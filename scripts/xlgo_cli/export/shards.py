"""The work of one export process: the rows of a block, into one Parquet shard per language."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from xlgo_dataset.core.schema import schema, strings
from xlgo_lm_eval.replies import sha256_of

from ..folders import explained, replacing
from .plan import Block

ROW_GROUP_BYTES = 32 << 20
"""A row group is closed at this many bytes of text: little to hold, and quick to seek in."""

FULL_DISK = "free some space and give the same command again: finished shards are kept"


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


class ShardWriter:
    """Writes tables as the Parquet file of a shard.

    Prompts are all different: a dictionary and statistics of them would cost time and help
    nobody.
    """

    def __init__(self, path: Path) -> None:
        self._waiting: list[pa.Table] = []
        self._bytes = 0
        self._writer = pq.ParquetWriter(
            path,
            schema(),
            compression="zstd",
            compression_level=1,
            use_dictionary=["task", "language"],
            write_statistics=["complexity", "level", "index"],
        )

    def write(self, table: pa.Table) -> None:
        """Add rows."""
        self._waiting.append(table)
        self._bytes += text_bytes(table)
        if self._bytes >= ROW_GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        """Write what waits, and the footer."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._waiting:
            table = pa.concat_tables(self._waiting)
            self._writer.write_table(table, row_group_size=len(table))
        self._waiting, self._bytes = [], 0


def text_bytes(table: pa.Table) -> int:
    """Bytes of the rows: of their texts in UTF-8, and eight for every number."""
    return sum(
        pc.sum(pc.binary_length(column)).as_py() or 0
        if pa.types.is_string(column.type)
        else 8 * len(column)
        for column in table.columns
    )


def write_block(work: tuple[Path, Block]) -> list[Shard]:
    """Generate a block and write its shards below a folder; files of finished shards stay.

    All languages are made together, so that what they share is drawn once.

    Raises:
        ValueError: the file system refused.
    """
    folder, block = work
    gc.freeze()  # what is there stays there: not to be looked through again for every table
    before = pa.default_memory_pool()
    # Arrow's own pool gives large blocks back at once and gets them again for the next table: a
    # fifth of the time goes into page faults.
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        with explained("write", folder, FULL_DISK), ExitStack() as stack:
            writers = {
                code: ShardWriter(stack.enter_context(replacing(folder / path)))
                for code, path in block.files.items()
            }
            for table in tables(block):
                for code, rows in by_language(table).items():
                    writers[code].write(rows)
            for writer in writers.values():
                writer.close()
    finally:
        pa.set_memory_pool(before)
        gc.unfreeze()
    return [shard_of(folder, path, block.split) for path in block.files.values()]


def shard_of(folder: Path, path: str, split: str) -> Shard:
    """What ``export.json`` says of a file that lies in the folder.

    Raises:
        OSError, pa.ArrowException: it is not there, or no Parquet file.
    """
    file = folder / path
    rows = pq.read_metadata(file).num_rows
    return Shard(path, split, rows, file.stat().st_size, sha256_of(file))


def by_language(table: pa.Table) -> dict[str, pa.Table]:
    """The rows of each language, in their order; their prompts are not copied."""
    places: dict[str, list[int]] = {}
    for row, code in enumerate(table["language"].to_pylist()):
        places.setdefault(code, []).append(row)
    if len(places) == 1:
        return dict.fromkeys(places, table)
    column = table.column_names.index("prompt")
    prompts = [chunk.slice(i, 1) for chunk in table[column].chunks for i in range(len(chunk))]
    order = strings(row for rows in places.values() for row in rows).cast(pa.int32())
    rest, begin, by_code = table.remove_column(column).take(order), 0, {}
    for code, rows in places.items():
        alone = pa.chunked_array([prompts[row] for row in rows], pa.string())
        by_code[code] = rest.slice(begin, len(rows)).add_column(column, "prompt", alone)
        begin += len(rows)
    return by_code


def tables(block: Block) -> Iterator[pa.Table]:
    """The rows of a block as Arrow tables."""
    part = block.part
    indexes = None if block.start is None or block.stop is None else range(block.start, block.stop)
    yield from part.family.tables(
        part.task, part.languages, split=block.split, indexes=indexes, **part.given
    )
