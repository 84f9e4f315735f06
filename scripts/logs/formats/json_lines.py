"""Lines of JSON in a file of another tool, with the places where they begin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

LONGEST = 64 << 20
"""Bytes of a line; a longer one is not read."""


def lines(path: Path) -> Iterator[tuple[int, int, dict[str, object] | ValueError]]:
    """Number and place of each line that is not empty, and its object or what is wrong with it.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        number = place = 0
        while raw := file.readline(LONGEST):
            number += 1
            here, place = place, place + len(raw)
            if raw.strip():
                yield number, here, _object(raw)


def line_at(path: Path, place: int) -> dict[str, object]:
    """The object in the line that begins at a byte.

    Raises:
        ValueError: there is none.
    """
    with path.open("rb") as file:
        file.seek(place)
        found = _object(file.readline(LONGEST))
    if isinstance(found, ValueError):
        raise found
    return found


def first(path: Path) -> dict[str, object]:
    """The object in the first line; empty if there is none that can be read."""
    try:
        found = next((found for _, _, found in lines(path)), {})
    except OSError:
        return {}
    return {} if isinstance(found, ValueError) else found


def _object(raw: bytes) -> dict[str, object] | ValueError:
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return ValueError(f"cannot be read ({error})")
    return data if isinstance(data, dict) else ValueError("not a JSON object")


def mapping(value: object) -> dict[str, object]:
    """A value that should be an object; empty if it is none."""
    return value if isinstance(value, dict) else {}


def objects(value: object) -> list[dict[str, object]]:
    """The objects in a value that should be a list of them."""
    found = value if isinstance(value, list) else []
    return [one for one in found if isinstance(one, dict)]


def text(value: object) -> str:
    """A value that should be a text; empty if it is none."""
    return value if isinstance(value, str) else ""


def whole(value: object) -> int | None:
    """A value that should be a whole number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
