"""Files of other teams that hold a JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

Read = TypeVar("Read")


def json_lines(path: Path, read: Callable[[int, dict[str, Any]], Read]) -> Iterator[Read]:
    """What a reader makes of each line, blank ones left out.

    Args:
        path: of the file.
        read: gets the number of a line, from 1, and its object; it raises ``ValueError`` if the
            object is not what it should be.

    Raises:
        ValueError: a line is no JSON object, or the reader raised; file and line are named.
    """
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError(f"an object is needed, not {type(row).__name__}")
                yield read(number, row)
            except json.JSONDecodeError as error:
                raise ValueError(f"{path}, line {number}: not valid JSON ({error.msg})") from None
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
