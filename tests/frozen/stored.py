"""What is frozen, as files: a part is a flat mapping of keys to plain values.

A key is a path, such as ``score/families/xlgobench/…/p_holm``; a value is a number, a truth value,
a text or ``None``. Every part is one small file, ``files/<kind>/<name>.json.xz``.
"""

import dataclasses
import hashlib
import json
import lzma
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FILES = Path(__file__).parent / "files"
_RELATIVE, _ABSOLUTE = 1e-5, 1e-7
"""Fits stop at a tolerance: processors that add in another order differ by up to 3e-6 behind it."""

Value = str | int | float | bool | None
Values = dict[str, Value]


@dataclass(frozen=True)
class Part:
    """A part of what is frozen.

    Attributes:
        kind: one of ``KINDS``.
        name: unique within the kind.
        compute: the values by today's code. Its argument is 1 for all of them; above, one response
            in so many is graded, and of questions there are fewer kinds.
        missing: why it cannot be computed now, in a sentence; empty where it can.
    """

    kind: str
    name: str
    compute: Callable[[int], Values]
    missing: str = ""

    @property
    def title(self) -> str:
        """Kind and name, as the command line takes them."""
        return f"{self.kind}/{self.name}"

    @property
    def path(self) -> Path:
        """The file, whether it is there or not."""
        return FILES / self.kind / f"{self.name}.json.xz"

    def stored(self) -> Values:
        """The frozen values.

        Raises:
            FileNotFoundError: the part was never frozen.
        """
        values: Values = json.loads(lzma.decompress(self.path.read_bytes()))
        return values

    def write(self, values: Values) -> None:
        """Freeze values."""
        text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def digest(text: str, length: int = 16) -> str:
    """The first hexadecimal digits of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def flat(value: object) -> Values:
    """A nest of mappings, sequences, arrays and dataclasses as one mapping of paths."""
    return dict(_leaves(value, ""))


def _leaves(value: object, place: str) -> Iterator[tuple[str, Value]]:
    entries: Mapping[Any, object]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        entries = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    elif isinstance(value, np.ndarray | np.generic):
        yield from _leaves(value.tolist(), place)
        return
    elif isinstance(value, Mapping):
        entries = value
    elif isinstance(value, list | tuple | set | frozenset):
        ordered = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        entries = dict(enumerate(ordered))
    else:
        plain = value is None or isinstance(value, str | int | float | bool)
        yield place, value if plain else repr(value)  # type: ignore[misc]
        return
    if not entries:
        yield place, "empty"
    for key, entry in entries.items():
        yield from _leaves(entry, f"{place}/{key}" if place else str(key))


def equal(old: Value, new: Value) -> bool:
    """Whether two values are the same; numbers within the tolerance of a fit."""
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    if not (isinstance(old, int | float) and isinstance(new, int | float)):
        return old == new
    if math.isnan(old) or math.isnan(new):
        return math.isnan(old) and math.isnan(new)
    return math.isclose(old, new, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE)
