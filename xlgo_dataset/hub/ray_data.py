"""Rows made on the machines of a Ray cluster (docs/long_runs.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..family import family_of

if TYPE_CHECKING:
    import pyarrow as pa
    import ray.data

BYTES_PER_TASK = 256 << 20
"""Text that one Ray task makes; it hands it on in Arrow tables of at most 32 MB."""


def ray_dataset(
    task: str,
    languages: Sequence[str],
    *,
    split: str = "train",
    bytes_per_task: int = BYTES_PER_TASK,
    **given: Any,
) -> ray.data.Dataset:
    """The rows of a task as a Ray dataset; nothing is generated before Ray asks for it.

    A row depends only on task, complexity, split, seed and index, so every machine makes its own
    range of indexes, and the rows are those of a local run. Ray keeps no order among blocks.

    Args:
        task: a task that is generated here.
        languages: codes; every question is asked in each of them.
        split: ``test``, ``validation`` or ``train``.
        bytes_per_task: about how much text one Ray task makes, at least one index.
        given: options of the task's family, such as ``seed`` and ``per_level``.

    Raises:
        ValueError: an unknown task, language or option.
        ModuleNotFoundError: Ray is not installed (``pip install "xlgo[ray]"``).
    """
    import ray.data

    ranges = [
        {"start": start, "stop": stop}
        for start, stop in index_ranges(task, languages, bytes_per_task, **given)
    ]

    planned = ray.data.from_items(ranges, override_num_blocks=len(ranges))
    make = partial(tables_of_ranges, task=task, languages=languages, split=split, given=given)
    return planned.map_batches(make, batch_size=1, batch_format="pyarrow")


def tables_of_ranges(
    ranges: pa.Table, task: str, languages: Sequence[str], split: str, given: Mapping[str, object]
) -> Iterator[pa.Table]:
    """The rows of the indexes ``start <= index < stop`` of each range; what one Ray task does."""
    for start, stop in zip(ranges["start"].to_pylist(), ranges["stop"].to_pylist()):
        yield from family_of(task).tables(
            task, languages, split=split, indexes=range(start, stop), **given
        )


def index_ranges(
    task: str, languages: Sequence[str], most_bytes: int, **given: Any
) -> list[tuple[int, int]]:
    """Cut the indexes of a task into ranges of about ``most_bytes`` of prompts.

    Returns:
        Pairs of first index and index after the last, which together cover every index once.

    Raises:
        ValueError: an unknown task, language or option, or ``most_bytes`` is below 1.
    """
    if most_bytes < 1:
        raise ValueError(f"bytes_per_task must be 1 or more, got {most_bytes}")
    family = family_of(task)
    family.check_asked(task, languages)
    shards = family.shards(task, **given)
    _, size = family.prompt_size(task, languages, **given)
    count = max(1, min(-(-size // most_bytes), shards))
    return [(shards * i // count, shards * (i + 1) // count) for i in range(count)]
