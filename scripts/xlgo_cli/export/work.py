"""Verify one block, and describe its errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .layout import ShardRecord
from .plan import Block


@dataclass(frozen=True)
class Work:
    """The shards of one block.

    Attributes:
        folder: the exported folder.
        block: the questions.
        records: of the manifest, by path.
        pyarrow: the release that wrote it, as the recipe says.
        read: also read every prompt back (see ``readback``).
        sums: SHA-256 by path of the files that this installation must write byte for byte; empty
            where another one made the folder.
    """

    folder: Path
    block: Block
    records: dict[str, ShardRecord]
    pyarrow: str
    read: bool = False
    sums: Mapping[str, str] = field(default_factory=dict)

    @property
    def prompts(self) -> int:
        """How many different prompts the shards hold."""
        return sum(record["rows"] for record in self.records.values())


class Problem(ValueError):
    """What is wrong in a shard, with its path and row."""
