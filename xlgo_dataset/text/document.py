"""From an instance to the bytes of its prompts, for every puzzle and language alike.

A puzzle describes its prompt once, without any language, as a sequence of parts: a ``Text`` (a
paragraph with a few values in it) or ``Lines`` (a list, one line an item). The strings of the
languages are compiled into a ``Sheet``: an Arrow table of rows in UTF-8, in which every identifier
is left as five blanks. The prompts of an instance in all languages are then one ``take`` of rows,
after which the identifiers are written over the blanks. No Python object is made per line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..core import arrow, ids

if TYPE_CHECKING:
    import pyarrow as pa

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
BLANK = " " * ids.WIDTH


def fill(text: str, /, **values: object) -> str:
    """The text with a value for each ``{placeholder}``, put in by name and in one pass.

    Braces in a value or elsewhere in the text mean nothing: prompts hold JSON and LaTeX.
    """
    return PLACEHOLDER.sub(lambda found: str(values[found[1]]), text)


LARGEST_NUMBER = (1 << 17) - 1
"""No number in a prompt is larger, apart from those that a template spells out."""


@dataclass(frozen=True)
class Text:
    """A paragraph by name, with its numbers and identifiers."""

    name: str
    numbers: Mapping[str, int] = field(default_factory=dict)
    ids: Mapping[str, int] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, np.bytes_]:
        """The identifiers in ASCII."""
        return {name: ids.as_bytes()[code] for name, code in self.ids.items()}

    @property
    def largest(self) -> int:
        """The largest number in it."""
        return max(self.numbers.values(), default=0)


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
        return {name: ids.as_bytes().take(codes) for name, codes in self.ids.items()}

    @property
    def largest(self) -> int:
        """The largest number in it."""
        return len(self.rows) if self.numbered else 0

    def index(self, first: npt.NDArray[np.int32], numbers: int) -> npt.NDArray[np.int32]:
        """Rows of a sheet whose languages have their lines from the rows ``first`` on.

        The row of the number i is ``numbers + i``. The shape is (languages, rows of a prompt).
        """
        rows = first[:, np.newaxis] + self.rows
        if not self.numbered:
            return rows
        index = np.empty((len(first), 2 * len(self.rows)), dtype=np.int32)
        index[:, 0::2] = np.arange(numbers + 1, numbers + 1 + len(self.rows))
        index[:, 1::2] = rows
        return index


Document = Sequence[Text | Lines]
_Places = tuple[npt.NDArray[np.intp], ...]


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
    """The templates of one puzzle in some languages, compiled for rendering them together.

    A row is the wording of a list item, a piece of text or a number. Each language has a block of
    rows; all blocks have the same size, and their lines at the same places.
    """

    def __init__(self, templates: Sequence[Template]) -> None:
        cut = [_cut(template) for template in templates]
        size = max(len(rows) for rows, _ in cut) + 1
        rows = [row for block, _ in cut for row in block + [""] * (size - len(block))]
        self._first = np.arange(0, len(rows), size, dtype=np.int32)
        self._texts = [texts for _, texts in cut]
        self._numbers = len(rows)
        blank, self._slots = _compiled(rows)
        self._words = arrow.strings(blank)
        self._table = self._words, -1
        self._paragraphs: dict[str, tuple[npt.NDArray[np.int32], list[tuple[str, _Places]]]] = {}

    def render(self, document: Document) -> pa.StringArray:
        """The prompts in UTF-8, one a language."""
        import pyarrow as pa

        table = self._with_numbers(max(part.largest for part in document))
        blocks = [
            self._text_rows(part)
            if isinstance(part, Text)
            else part.index(self._first, self._numbers)
            for part in document
        ]
        index = np.concatenate(blocks, axis=1)
        taken = table.take(arrow.integers(index.ravel(), "int32"))
        _, offsets, data = taken.buffers()
        starts = np.frombuffer(offsets, dtype=np.int32, count=index.size + 1)
        memory = _overlapping(data.address, int(starts[-1]))
        places, column = starts[:-1].reshape(index.shape), 0
        for part, rows in zip(document, blocks):
            if part.ids:
                step = 2 if isinstance(part, Lines) and part.numbered else 1
                here = slice(column + step - 1, column + rows.shape[1], step)
                self._write(memory, places[:, here], index[:, here], part.names)
            column += rows.shape[1]
        ends = starts[:: index.shape[1]].copy()
        return pa.StringArray.from_buffers(len(self._first), pa.py_buffer(ends), data)

    def _write(
        self,
        memory: npt.NDArray[np.bytes_],
        starts: npt.NDArray[np.int32],
        rows: npt.NDArray[np.int32],
        names: Mapping[str, npt.NDArray[np.bytes_] | np.bytes_],
    ) -> None:
        """Write identifiers over the blanks of rows that begin at ``starts``."""
        for slot, shifts in self._slots:
            if slot in names:
                shift = shifts.take(rows, mode="clip")  # numbers come last, and have no blanks
                where = np.add(starts, shift, dtype=np.int64)
                if shift.min(initial=0) < 0:  # not every row has this blank
                    has = shift >= 0
                    memory[where[has]] = np.broadcast_to(names[slot], where.shape)[has]
                else:
                    memory[where] = names[slot]

    def _text_rows(self, part: Text) -> npt.NDArray[np.int32]:
        """Rows of a paragraph, shape (languages, pieces); shorter ones end with empty rows."""
        if part.name not in self._paragraphs:
            self._paragraphs[part.name] = self._paragraph(part.name)
        found, numbers = self._paragraphs[part.name]
        if numbers:
            found = found.copy()
            for name, at in numbers:
                found[at] = self._number(part.numbers[name])
        return found

    def _paragraph(self, name: str) -> tuple[npt.NDArray[np.int32], list[tuple[str, _Places]]]:
        """Rows of a paragraph, and the positions of each placeholder's numbers."""
        width = max(len(texts[name]) for texts in self._texts)
        found = np.full((len(self._texts), width), self._numbers - 1, dtype=np.int32)
        numbers: dict[str, list[tuple[int, int]]] = {}
        for place, (first, texts) in enumerate(zip(self._first.tolist(), self._texts)):
            for column, item in enumerate(texts[name]):
                if isinstance(item, int):
                    found[place, column] = first + item
                else:
                    numbers.setdefault(item, []).append((place, column))
        places = [(of, tuple(np.array(at, dtype=np.intp).T)) for of, at in numbers.items()]
        return found, places

    def _number(self, value: int) -> int:
        if not 0 <= value <= LARGEST_NUMBER:
            raise ValueError(f"the number {value} is not in 0..{LARGEST_NUMBER}")
        return self._numbers + value

    def _with_numbers(self, largest: int) -> pa.Array:
        """All rows, with those of the numbers up to ``largest`` at least."""
        table, known = self._table
        if known < largest <= LARGEST_NUMBER:
            import pyarrow as pa

            size = max(1 << largest.bit_length(), 1024)
            table = pa.concat_arrays([self._words, _numbers(size)])
            self._table = table, size - 1  # at once: another thread may be rendering
        return table


def _cut(template: Template) -> tuple[list[str], dict[str, list[int | str]]]:
    """The rows of a template, and what each of its texts consists of: rows and numbers."""
    rows, texts = list(template.lines), {}
    numbers = "|".join(template.numbers) or "(?!)"
    for name, text in template.texts.items():
        pieces: list[int | str] = []
        for place, piece in enumerate(re.split(rf"\{{({numbers})\}}", text)):
            if place % 2:
                pieces.append(piece)
            elif piece:
                pieces.append(len(rows))
                rows.append(piece)
        texts[name] = pieces
    return rows, texts


@lru_cache(maxsize=8)
def _numbers(size: int) -> pa.Array:
    """The numbers below ``size`` as rows; the same in every language."""
    return arrow.strings([b"%d" % number for number in range(size)])


class _Memory:
    """Memory that NumPy is to see as an array of five-byte items that begin at every byte."""

    def __init__(self, address: int, size: int) -> None:
        self.__array_interface__ = {
            "data": (address, False),
            "shape": (max(size - ids.WIDTH + 1, 0),),
            "strides": (1,),
            "typestr": f"|S{ids.WIDTH}",
            "version": 3,
        }


def _overlapping(address: int, size: int) -> npt.NDArray[np.bytes_]:
    """An array to write identifiers to any place of a buffer.

    Arrow marks its buffer read-only although nobody else has seen it yet, hence the address.
    """
    return np.asarray(_Memory(address, size))


def _compiled(
    rows: Sequence[str],
) -> tuple[list[bytes], list[tuple[str, npt.NDArray[np.int32]]]]:
    """Rows in UTF-8 with every identifier left as blanks, and where the identifiers stand.

    Returns:
        The rows, and the placeholders, one entry for each of their occurrences in a row, with the
        byte offset of that occurrence in every row, -1 where it has none, shape (rows,).
    """
    blank, places = [], defaultdict[tuple[str, int], dict[int, int]](dict)
    for number, row in enumerate(rows):
        first, *pieces = PLACEHOLDER.split(row)
        text, names = first.encode("utf-8"), pieces[::2]
        for place, piece in enumerate(pieces[1::2]):
            name = names[place]
            places[name, names[:place].count(name)][number] = len(text)
            text += (BLANK + piece).encode("utf-8")
        blank.append(text)
    slots = []
    for (name, _), offsets in places.items():
        column = np.full(len(rows), -1, dtype=np.int32)
        column[list(offsets)] = list(offsets.values())
        slots.append((name, column))
    return blank, slots
