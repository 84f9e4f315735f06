"""The rows of shards, compared byte for byte with those that are generated again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from xlgo_dataset.core.schema import COLUMNS, schema
from xlgo_dataset.family import Row

from .shards import ROW_GROUP_BYTES, RowWriter, by_language, tables, text_bytes
from .work import Problem, Work

_BATCH_ROWS = 64
_COUNTED = ("complexity", "level", "index")
_LISTED = ("task", "language")
_FRAME = 12  # a Parquet file: PAR1, the columns, the footer, its length, PAR1


class Shard:
    """A Parquet file, read on from where the last rows ended.

    Raises:
        Problem: it cannot be read, or was not written as an export writes.
    """

    def __init__(self, work: Work, path: str) -> None:
        self._work, self.path, self.row = work, path, 0
        self.text = 0
        try:
            self._file = pq.ParquetFile(work.folder / path)
            self._check_form()
            self._batches = self._file.iter_batches(batch_size=_BATCH_ROWS)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise self.problem(_line(error)) from None
        self._left = schema().empty_table()
        self._ids: set[str] = set()

    def problem(self, text: str, row: int | None = None) -> Problem:
        """What is wrong with the file, or with a row of it."""
        return Problem(f"{self.path}{'' if row is None else f', row {row}'}: {text}")

    def compare(self, wanted: pa.Table) -> None:
        """Compare the next rows with the expected ones.

        Raises:
            Problem: naming the first row and column that differ.
        """
        taken = self._take(len(wanted))
        if len(taken) == len(wanted) and taken.equals(wanted):
            ids = set(wanted["id"].to_pylist())
            if len(ids) < len(wanted) or ids & self._ids:
                raise self.problem("an id stands twice")
            self._ids |= ids
            self.row += len(wanted)
            self.text += text_bytes(wanted)
            return
        for number in range(len(wanted)):
            if number == len(taken):
                raise self.problem(f"ends after {self.row + number} rows")
            one, other = (t.slice(number, 1).to_pylist()[0] for t in (taken, wanted))
            for name in COLUMNS:
                if one[name] != other[name]:
                    row = self.row + number
                    raise self.problem(f"({other['id']}) {_difference(name, one, other)}", row)

    def finish(self) -> None:
        """Compare the totals of manifest and file with the rows read.

        Raises:
            Problem: a number is wrong, or there are more rows.
        """
        record = self._work.records[self.path]
        if len(self._take(1)):
            raise self.problem(f"has more than {self.row} rows")
        if record["rows"] != self.row or type(record["rows"]) is not int:
            raise self.problem(f"has {self.row} rows; the manifest says {record['rows']!r:.40}")
        if type(record["text"]) is not int or record["text"] != self.text:
            raise self.problem(f"has {self.text} bytes of text; the manifest says {record['text']}")
        self._file.close()

    def _take(self, count: int) -> pa.Table:
        """The next rows, at most ``count``."""
        waiting, have = [self._left], len(self._left)
        while have < count:
            try:
                batch = next(self._batches, None)
            except (pa.ArrowException, OSError, ValueError) as error:
                raise self.problem(_line(error)) from None
            if batch is None:
                break
            waiting.append(pa.Table.from_batches([batch], schema=schema()))
            have += len(batch)
        table = pa.concat_tables(waiting)
        self._left = table.slice(count)
        return table.slice(0, count)

    def _check_form(self) -> None:
        """Compare all that the file says beside its rows with what an export writes."""
        data = self._file.metadata
        if not self._file.schema_arrow.equals(schema(), check_metadata=True):
            raise self.problem(f"the columns are not {', '.join(COLUMNS)}, in their types")
        if set(data.metadata or {}) - {b"ARROW:schema"}:
            raise self.problem("the file has metadata that no export writes")
        if data.created_by != f"parquet-cpp-arrow version {self._work.pyarrow}":
            raise self.problem(
                f"was written by {data.created_by}; the recipe says pyarrow {self._work.pyarrow}"
            )
        size = _FRAME + data.serialized_size
        for number in range(data.num_row_groups):
            group = data.row_group(number)
            last = number == data.num_row_groups - 1
            size += self._check_group(number, group, small=last)
        if size != (self._work.folder / self.path).stat().st_size:
            raise self.problem("the file holds bytes that belong to no column")

    def _check_group(self, number: int, group: Any, *, small: bool) -> int:
        """Check the form of a row group; its bytes in the file."""
        counted = self._file.read_row_group(number, columns=list(_COUNTED))
        if not small and group.total_byte_size < ROW_GROUP_BYTES // 2:
            raise self.problem(f"row group {number} is smaller than an export makes them")
        size = 0
        for place in range(group.num_columns):
            column = group.column(place)
            name = column.path_in_schema
            size += column.total_compressed_size
            limits = column.statistics
            if column.compression != "ZSTD":
                raise self.problem(f"{name} has the compression {column.compression}, not ZSTD")
            if column.has_column_index or column.has_offset_index or group.sorting_columns:
                raise self.problem(f"{name} has an index that no export writes")
            if column.has_dictionary_page != (name in _LISTED):
                raise self.problem(f"{name} has or lacks a dictionary against the form of exports")
            if (limits is not None) != (name in _COUNTED):
                raise self.problem(f"{name} has or lacks statistics against the form of exports")
            if limits is not None:
                edges = pc.min_max(counted[name]).as_py()
                if {"min": limits.min, "max": limits.max} != edges or limits.null_count:
                    raise self.problem(f"{name} has statistics that are not those of its rows")
        return size


class _Written:
    """The bytes that an export would write, of which only the hash is kept."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._size = 0
        self.rows = RowWriter(pa.PythonFile(self, mode="w"))

    closed = False

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def sha256(self) -> str:
        """Of the whole file, which ends here."""
        self.rows.close()
        return self._digest.hexdigest()


def check_block(work: Work) -> str | None:
    """The first thing that is wrong in the shards of a block, or ``None``."""
    from . import readback

    part = work.block.part
    try:
        shards = {name: Shard(work, work.block.file(name)) for name in part.folders}
        written = {name: _Written() for name in part.folders if work.sums}
        for table in tables(work.block):
            alone = by_language(table)
            for name, code in part.folders.items():
                rows = alone.get(code, table.slice(0, 0))
                shards[name].compare(rows)
                if name in written:
                    written[name].rows.write(rows)
        for name, shard in shards.items():
            shard.finish()
            if name in written and written[name].sha256() != work.sums[shard.path]:
                raise shard.problem("holds the right rows, and not the bytes that an export writes")
        if work.read:
            readback.check(work)
    except Problem as problem:
        return str(problem)
    return None


def _difference(name: str, found: Row, wanted: Row) -> str:
    one, other = found[name], wanted[name]
    if one is None:
        return f"{name} is missing"
    if not isinstance(one, str) or len(one) + len(other) < 160:
        return f"{name} is {one!r} and should be {other!r}"
    place = next(
        (i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(map(len, (one, other)))
    )
    return (
        f"{name} differs at character {place}: it has {one[place : place + 40]!r} and should have "
        f"{other[place : place + 40]!r}"
    )


def _line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


__all__: Sequence[str] = ["Problem", "Shard", "Work", "check_block"]
