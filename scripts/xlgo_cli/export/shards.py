"""The work of one export process: the rows of a block, into one Parquet shard per folder."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import xlgo_dataset as xd
from xlgo_dataset.core import arrow
from xlgo_dataset.core.schema import schema
from xlgo_lm_eval.replies import sha256_of

from ..folders import explained
from .layout import ShardRecord
from .plan import Block

ROW_GROUP_BYTES = 32 << 20
"""A row group is closed at this many bytes of text: little to hold, and quick to seek in."""

_GLIBC_KEEPS = ((-1, 1 << 30), (-3, 32 << 20))
"""``M_TRIM_THRESHOLD`` and ``M_MMAP_THRESHOLD`` of ``mallopt``: less than that stays in the
process, which halves its page faults."""

FULL_DISK = "free some space and give the same command again: finished shards are kept"


class RowWriter:
    """Writes tables as the Parquet file of a shard.

    Prompts are all different: a dictionary and statistics of them would cost time and help
    nobody.

    Args:
        where: a path, or a file to which bytes are written.
    """

    def __init__(self, where: Any) -> None:
        self._waiting: list[pa.Table] = []
        self._bytes = 0
        self.rows = 0
        self.text = 0
        self._writer = pq.ParquetWriter(
            where,
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

    def close(self, *, whole: bool = True) -> None:
        """End the file; not ``whole`` leaves out rows that were not written yet."""
        try:
            if whole:
                self._flush()
        finally:
            self._writer.close()

    def _flush(self) -> None:
        if self._waiting:
            table = pa.concat_tables(self._waiting)
            self._writer.write_table(table, row_group_size=len(table))
            self.rows += len(table)
            self.text += self._bytes
        self._waiting, self._bytes = [], 0


class ShardWriter(RowWriter):
    """Writes tables into a Parquet file that bears its name only once it is complete."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        path.parent.mkdir(parents=True, exist_ok=True)
        super().__init__(self._temporary)

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(whole=kind is None)
        if kind is None:
            os.replace(self._temporary, self._path)


def text_bytes(table: pa.Table) -> int:
    """Bytes of the rows: of their texts in UTF-8, and eight for every number."""
    found = 0
    for column in table.columns:
        if pa.types.is_string(column.type):
            found += pc.sum(pc.binary_length(column)).as_py() or 0
        else:
            found += 8 * len(column)
    return found


def write_block(work: tuple[Path, Block]) -> list[ShardRecord]:
    """Generate a block and write its shards below a folder.

    All languages are made together, so that what they share is drawn once.

    Raises:
        ValueError: the file system refused.
    """
    folder, block = work
    gc.freeze()  # what is there stays there: not to be looked through again for every table
    usual = pa.default_memory_pool()
    # Arrow's own pool gives large blocks back at once and gets them again for the next table: a
    # fifth of the time goes into page faults.
    pa.set_memory_pool(pa.system_memory_pool())
    _keep_freed_memory()
    try:
        with explained("write", folder, FULL_DISK):
            return _write_block(folder, block)
    finally:
        pa.set_memory_pool(usual)
        gc.unfreeze()


def _keep_freed_memory() -> None:
    """Have the C library keep what one table frees for the next one, where it is glibc."""
    with suppress(AttributeError, OSError, TypeError):  # another C library, or none by this name
        change = ctypes.CDLL(None).mallopt
        for parameter, size in _GLIBC_KEEPS:
            change(parameter, size)


def _write_block(folder: Path, block: Block) -> list[ShardRecord]:
    part = block.part
    with ExitStack() as stack:
        writers = {
            code: stack.enter_context(ShardWriter(folder / block.file(name)))
            for name, code in part.folders.items()
        }
        for table in tables(block):
            for code, rows in by_language(table).items():
                writers[code].write(rows)
    return [
        ShardRecord(
            path=block.file(name),
            split=block.split,
            rows=writers[code].rows,
            text=writers[code].text,
            size=(folder / block.file(name)).stat().st_size,
            sha256=sha256_of(folder / block.file(name)),
            start=block.start,
            stop=block.stop,
        )
        for name, code in part.folders.items()
    ]


def by_language(table: pa.Table) -> dict[str, pa.Table]:
    """The rows of each language, in their order; their prompts are not copied."""
    places: dict[str, list[int]] = {}
    for row, code in enumerate(table["language"].to_pylist()):
        places.setdefault(code, []).append(row)
    if len(places) == 1:
        return dict.fromkeys(places, table)
    column = table.column_names.index("prompt")
    prompts = [chunk.slice(i, 1) for chunk in table[column].chunks for i in range(len(chunk))]
    order = arrow.integers([row for rows in places.values() for row in rows], "int32")
    rest, begin, found = table.remove_column(column).take(order), 0, {}
    for code, rows in places.items():
        alone = pa.chunked_array([prompts[row] for row in rows], pa.string())
        found[code] = rest.slice(begin, len(rows)).add_column(column, "prompt", alone)
        begin += len(rows)
    return found


def tables(block: Block) -> Iterator[pa.Table]:
    """The rows of a block as Arrow tables."""
    part = block.part
    indexes = None if block.start is None or block.stop is None else range(block.start, block.stop)
    yield from xd.family_of(part.task).tables(
        part.task, part.languages, split=block.split, indexes=indexes, **part.given
    )
