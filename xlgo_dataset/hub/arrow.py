"""Arrow arrays from buffers.

pyarrow's own constructors ask pandas about their argument, and importing pandas for that takes
longer than generating a thousand prompts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa


def integers(values: Any, dtype: str) -> pa.Array:
    """Integers as an Arrow array; an array of that type already is not copied.

    Args:
        values: a list or an array of integers.
        dtype: ``int32`` or ``int64``.
    """
    import pyarrow as pa

    held = np.ascontiguousarray(values, dtype=dtype)
    return pa.Array.from_buffers(getattr(pa, dtype)(), len(held), [None, pa.py_buffer(held)])


def strings(values: Sequence[bytes]) -> pa.StringArray:
    """Strings in UTF-8 as an Arrow array, of at most 2 GB together."""
    import pyarrow as pa

    offsets = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum([len(value) for value in values], out=offsets[1:])
    if offsets[-1] > np.iinfo(np.int32).max:
        raise ValueError(f"{offsets[-1]} bytes do not fit into one array: at most 2 GB do")
    starts, data = pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(b"".join(values))
    return pa.StringArray.from_buffers(len(values), starts, data)
