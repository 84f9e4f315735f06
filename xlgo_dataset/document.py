"""From an instance to the bytes of its prompt, for every puzzle and language alike.

A puzzle describes its prompt once, without any language, as a sequence of parts: a ``Text`` (a
paragraph with a few values in it) or ``Lines`` (a list, one line an item). For each language the
strings are compiled into a ``Sheet``: an Arrow table of rows in UTF-8, in which every identifier
is left as five blanks. A prompt is then one ``take`` of rows, after which the identifiers are
written over the blanks. No Python object is made per line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
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
        self.size = size
        self._first_line = size + 1
        rows = [str(number) for number in range(size + 1)] + list(template.lines)
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
        self._slots = _slots(rows)
        self._table: pa.Array = _arrow().array(
            [PLACEHOLDER.sub(BLANK, row).encode("utf-8") for row in rows], type=_arrow().binary()
        )

    def render(self, document: Document) -> pa.Buffer:
        """The prompt in UTF-8, as a buffer of exactly its length."""
        chosen: list[npt.NDArray[np.int32]] = []
        writes: list[tuple[str, npt.NDArray[np.int64], npt.NDArray[np.int32]]] = []
        length = 0
        for part in document:
            if isinstance(part, Text):
                rows = np.array(
                    [
                        item if isinstance(item, int) else self._number(part.numbers[item])
                        for item in self._texts[part.name]
                    ],
                    dtype=np.int32,
                )
                for name, value in part.ids.items():
                    codes = np.full(len(rows), value, dtype=np.int32)
                    writes.append((name, np.arange(length, length + len(rows)), codes))
            else:
                count = len(part.rows)
                rows, step = self._first_line + part.rows, 1
                if part.numbered:
                    step, items = 2, rows
                    rows = np.empty(2 * count, dtype=np.int32)
                    rows[0::2] = np.arange(1, count + 1)
                    rows[1::2] = items
                where = np.arange(length + step - 1, length + len(rows), step)
                writes.extend((name, where, codes) for name, codes in part.ids.items())
            chosen.append(rows)
            length += len(rows)
        index = np.concatenate(chosen)
        taken = self._table.take(_arrow().array(index))
        _, offsets, data = taken.buffers()
        starts = np.frombuffer(offsets, dtype=np.int32)[: length + 1]
        size = int(starts[-1])
        self._write(np.frombuffer(data, dtype=np.uint8, count=size), starts, index, writes)
        return data.slice(0, size)

    def _write(
        self,
        text: npt.NDArray[np.uint8],
        starts: npt.NDArray[np.int32],
        index: npt.NDArray[np.int32],
        writes: list[tuple[str, npt.NDArray[np.int64], npt.NDArray[np.int32]]],
    ) -> None:
        """Write the identifiers over the blanks, in place.

        Arrow marks the buffer read-only although nobody else has seen it yet.
        """
        address = text.__array_interface__["data"][0]
        places = _Overlapping(address, len(text)).view
        for name, where, codes in writes:
            names = ids.as_bytes()[codes]
            for column in self._slots.get(name, ()):
                shift = column[index[where]]
                if shift.min(initial=0) >= 0:
                    places[starts[where] + shift] = names
                else:
                    here = shift >= 0
                    places[starts[where[here]] + shift[here]] = names[here]

    def _number(self, value: int) -> int:
        if not 0 <= value <= self.size:
            raise ValueError(f"the number {value} is not in 0..{self.size}")
        return value


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


def _slots(rows: Sequence[str]) -> dict[str, list[npt.NDArray[np.int32]]]:
    """For each placeholder, by occurrence: its byte offset in every row, -1 where it has none."""
    columns: dict[str, list[npt.NDArray[np.int32]]] = {}
    for number, row in enumerate(rows):
        seen: dict[str, int] = {}
        removed = 0
        for match in PLACEHOLDER.finditer(row):
            name = match[1]
            nth = seen[name] = seen.get(name, -1) + 1
            occurrences = columns.setdefault(name, [])
            if nth == len(occurrences):
                occurrences.append(np.full(len(rows), -1, dtype=np.int32))
            before = len(row[: match.start()].encode("utf-8")) - removed
            occurrences[nth][number] = before
            removed += len(match[0]) - ids.WIDTH
    return columns


def _arrow() -> Any:  # imported when first needed: it takes longer than all else together
    import pyarrow

    return pyarrow
