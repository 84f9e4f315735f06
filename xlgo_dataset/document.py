"""From an instance to the bytes of its prompt, for every puzzle and language alike.

A puzzle describes its prompt once, without any language, as a sequence of parts: a ``Text`` (a
paragraph with a few values in it) or ``Lines`` (a list, one line an item). For each language the
strings are compiled into a ``Sheet``: an Arrow table of rows in UTF-8, in which every identifier
is left as five blanks. A prompt is then one ``take`` of rows, after which the identifiers are
written over the blanks. No Python object is made per line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import ids

if TYPE_CHECKING:
    import pyarrow as pa

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
BLANK = " " * ids.WIDTH


@dataclass(frozen=True)
class Text:
    """A paragraph by name, with the numbers and identifiers that stand in it."""

    name: str
    numbers: Mapping[str, int] = field(default_factory=dict)
    ids: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Lines:
    """A list. ``rows`` choose the wording of each item, ``ids`` the identifiers in it.

    Attributes:
        rows: shape (n,), indices into the ``lines`` of the template.
        ids: by placeholder, codes of shape (n,).
        numbered: each item begins with its number, from 1.
    """

    rows: npt.NDArray[np.int32]
    ids: Mapping[str, npt.NDArray[np.int32]] = field(default_factory=dict)
    numbered: bool = False

    @cached_property
    def names(self) -> dict[str, npt.NDArray[np.bytes_]]:
        """The identifiers in ASCII; the same in every language, so looked up once."""
        return {name: ids.as_bytes()[codes] for name, codes in self.ids.items()}

    def index(self, numbers: int) -> npt.NDArray[np.int32]:
        """Rows of the table, where the row of the number i is ``numbers + i``."""
        if not self.numbered:
            return self.rows
        index = np.empty(2 * len(self.rows), dtype=np.int32)
        index[0::2] = np.arange(numbers + 1, numbers + 1 + len(self.rows))
        index[1::2] = self.rows
        return index


Document = Sequence[Text | Lines]


@dataclass(frozen=True, eq=False)
class Template:
    """All strings of one puzzle in one language.

    Attributes:
        texts: paragraphs by name; their placeholders are numbers and identifiers.
        lines: every wording a list item can have; their placeholders are identifiers.
        numbers: which placeholders of the paragraphs are numbers.
    """

    texts: Mapping[str, str]
    lines: Sequence[str]
    numbers: frozenset[str] = frozenset()


class Sheet:
    """A template compiled for rendering, for numbers up to ``size``."""

    def __init__(self, template: Template, size: int) -> None:
        self._size = size
        self._numbers = len(template.lines)
        rows = list(template.lines) + [str(number) for number in range(size + 1)]
        self._texts: dict[str, list[int | str]] = {}
        for name, text in template.texts.items():
            parts: list[int | str] = []
            for piece in re.split(r"(\{[a-z][a-z0-9_]*\})", text):
                if piece[1:-1] in template.numbers and PLACEHOLDER.fullmatch(piece):
                    parts.append(piece[1:-1])
                elif parts and isinstance(parts[-1], int):
                    rows[parts[-1]] += piece
                else:
                    parts.append(len(rows))
                    rows.append(piece)
            self._texts[name] = parts
        self._slots = _slots(rows[self._numbers + size + 1 :])
        self._line_slots = _slots(template.lines)
        self._table: pa.Array = _arrow().array(
            [PLACEHOLDER.sub(BLANK, row).encode("utf-8") for row in rows], type=_arrow().binary()
        )

    def render(self, document: Document) -> pa.Buffer:
        """The prompt in UTF-8, as a buffer of exactly its length."""
        chosen = [
            np.array(self._text_rows(part), dtype=np.int32)
            if isinstance(part, Text)
            else part.index(self._numbers)
            for part in document
        ]
        taken = self._table.take(_arrow().array(np.concatenate(chosen)))
        _, offsets, data = taken.buffers()
        starts = np.frombuffer(offsets, dtype=np.int32)
        size = int(starts[len(taken)])
        found: list[tuple[int, int]] = []
        positions: list[npt.NDArray[Any]] = []
        names: list[npt.NDArray[np.bytes_]] = []
        first = 0
        for part, rows in zip(document, chosen):
            here = starts[first : first + len(rows)]
            first += len(rows)
            if isinstance(part, Text):
                if part.ids:
                    found += [
                        (start + shift, part.ids[slot])
                        for start, row in zip(here.tolist(), rows.tolist())
                        for slot, shift in self._text_slots(row)
                    ]
            elif part.ids:
                order, shifts = self._line_slots
                shift = shifts.take(part.rows, axis=1)
                where = (here[1::2] if part.numbered else here) + shift.astype(np.int64)
                values = np.concatenate([part.names[slot] for slot in order])
                if shift.min(initial=0) < 0:  # not every wording has every one of them
                    positions.append(where[shift >= 0])
                    names.append(values[shift.ravel() >= 0])
                else:
                    positions.append(where.ravel())
                    names.append(values)
        if found:
            positions.append(np.array([place for place, _ in found], dtype=np.int64))
            names.append(ids.as_bytes()[[code for _, code in found]])
        _write(data, size, np.concatenate(positions), np.concatenate(names))
        return data.slice(0, size)

    def _text_slots(self, row: int) -> Iterator[tuple[str, int]]:
        """The identifiers of a row of text: their placeholders and byte offsets."""
        order, shifts = self._slots
        text = row - self._numbers - self._size - 1
        if text >= 0:
            for slot, shift in zip(order, shifts[:, text].tolist()):
                if shift >= 0:
                    yield slot, shift

    def _text_rows(self, part: Text) -> list[int]:
        return [
            item if isinstance(item, int) else self._number(part.numbers[item])
            for item in self._texts[part.name]
        ]

    def _number(self, value: int) -> int:
        if not 0 <= value <= self._size:
            raise ValueError(f"the number {value} is not in 0..{self._size}")
        return self._numbers + value


def _write(
    data: pa.Buffer,
    size: int,
    positions: npt.NDArray[np.int64],
    names: npt.NDArray[np.bytes_],
) -> None:
    """Write identifiers over the blanks, in place.

    Arrow marks its buffer read-only although nobody else has seen it yet, hence the address.
    """
    _Overlapping(data.address, size).view[positions] = names


class _Overlapping:
    """Memory as an array of five-byte items that starts at every byte."""

    def __init__(self, address: int, size: int) -> None:
        self.__array_interface__ = {
            "data": (address, False),
            "shape": (max(size - ids.WIDTH + 1, 0),),
            "strides": (1,),
            "typestr": f"|S{ids.WIDTH}",
            "version": 3,
        }

    @property
    def view(self) -> npt.NDArray[np.bytes_]:
        return np.asarray(self)


def _slots(rows: Sequence[str]) -> tuple[list[str], npt.NDArray[np.int32]]:
    """Where the identifiers of each row stand.

    Returns:
        The placeholders, one entry for each of their occurrences in a row, shape (s,); and the
        byte offset of that occurrence in every row, -1 where it has none, shape (s, rows).
    """
    columns: dict[tuple[str, int], npt.NDArray[np.int32]] = {}
    for number, row in enumerate(rows):
        seen: Counter[str] = Counter()
        removed = 0
        for match in PLACEHOLDER.finditer(row):
            slot = match[1], seen[match[1]]
            seen[match[1]] += 1
            column = columns.setdefault(slot, np.full(len(rows), -1, dtype=np.int32))
            column[number] = len(row[: match.start()].encode("utf-8")) - removed
            removed += len(match[0]) - ids.WIDTH
    shifts = np.array(list(columns.values()), dtype=np.int32).reshape(len(columns), len(rows))
    return [name for name, _ in columns], shifts


def _arrow() -> Any:  # imported when first needed: it takes longer than all else together
    import pyarrow

    return pyarrow
