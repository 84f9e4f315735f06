"""The columns that the rows of every family have, and rows as Arrow tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = (
    "id", "instance_id", "task", "language", "complexity", "level", "index", "seed", "prompt",
    "answer", "reference",
)  # fmt: skip

_NUMBERS = ("complexity", "level", "index", "seed")
_BATCH_ROWS = 512


def schema() -> pa.Schema:
    """The Arrow schema of the columns."""
    import pyarrow as pa

    return pa.schema([(name, pa.int64() if name in _NUMBERS else pa.string()) for name in COLUMNS])


def tables_of_rows(rows: Iterable[Mapping[str, object]]) -> Iterator[pa.Table]:
    """Rows as Arrow tables; the first holds one row, so that a stream starts at once."""
    import pyarrow as pa

    batch: list[dict[str, object]] = []
    limit = 1
    for row in rows:
        batch.append({name: row[name] for name in COLUMNS})
        if len(batch) >= limit:
            yield pa.Table.from_pylist(batch, schema=schema())
            batch, limit = [], min(2 * limit, _BATCH_ROWS)
    if batch:
        yield pa.Table.from_pylist(batch, schema=schema())
