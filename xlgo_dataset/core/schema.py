"""The columns that the rows of every family have, and rows as Arrow tables."""

from __future__ import annotations

import json
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


def strings(values: Iterable[object]) -> pa.StringArray:
    """Values as texts in an Arrow array, of at most 2 GB together.

    It is made from buffers: pyarrow's own constructors ask pandas about their argument, and
    importing pandas for that takes longer than generating a thousand prompts.
    """
    import numpy as np
    import pyarrow as pa

    texts = [str(value).encode() for value in values]
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    if offsets[-1] > np.iinfo(np.int32).max:
        raise ValueError(f"{offsets[-1]} bytes do not fit into one array: at most 2 GB do")
    starts, data = pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(b"".join(texts))
    return pa.StringArray.from_buffers(len(texts), starts, data)


def row_of(
    reference: Mapping[str, object], prompt: str, *, ending: str = "", **columns: object
) -> dict[str, object]:
    """The row of a question that is loaded or made with its reference.

    Args:
        reference: has ``instance_id``, ``task``, ``language`` and ``answer``, and the columns below
            as far as they are the same.
        prompt: in that language.
        ending: of the id, behind question and language.
        columns: ``complexity``, ``level``, ``index`` and ``seed`` (0 by default), where they are
            not those of the reference.
    """
    values = {
        "seed": 0,
        **reference,
        **columns,
        "prompt": prompt,
        "id": f"{reference['instance_id']}-{reference['language']}{ending}",
        "answer": json.dumps(reference["answer"], ensure_ascii=False),
        "reference": json.dumps(reference, ensure_ascii=False),
    }
    return {name: values[name] for name in COLUMNS}


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
