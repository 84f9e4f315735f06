"""From an instance to the bytes of its prompts, for every puzzle and language alike.

A puzzle describes its prompt once, without any language, as a sequence of parts: a ``Text`` (a
paragraph with a few values in it) or ``Lines`` (a list, one line an item). Every identifier has
five characters, so a list is joined from lines in UTF-8 that have blanks for their identifiers, and
all identifiers of one placeholder are written over the blanks at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..core import ids

if TYPE_CHECKING:
    import pyarrow as pa

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
BLANK = " " * ids.WIDTH


def fill(text: str, /, **values: object) -> str:
    """The text with a value for each ``{placeholder}``, put in by name and in one pass.

    Braces in a value or elsewhere in the text mean nothing: prompts hold JSON and LaTeX.
    """
    return PLACEHOLDER.sub(lambda match: str(values[match[1]]), text)


@dataclass(frozen=True)
class Text:
    """A paragraph by name, with its numbers and identifiers."""

    name: str
    numbers: Mapping[str, int] = field(default_factory=dict)
    ids: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def values(self) -> dict[str, object]:
        """What is put in, by placeholder."""
        return {**self.numbers, **{name: ids.name(code) for name, code in self.ids.items()}}


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

    @cached_property
    def _cut(self) -> dict[str, list[str]]:
        return {name: PLACEHOLDER.split(text) for name, text in self.texts.items()}

    def paragraph(self, part: Text) -> bytes:
        """A paragraph in UTF-8."""
        pieces = self._cut[part.name].copy()
        pieces[1::2] = [str(part.values[name]) for name in pieces[1::2]]
        return "".join(pieces).encode()

    @cached_property
    def blank(self) -> npt.NDArray[np.object_]:
        """The lines in UTF-8, with blanks for their identifiers."""
        return np.array([PLACEHOLDER.sub(BLANK, line).encode() for line in self.lines], object)

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Bytes of each line."""
        return np.array([len(line) for line in self.blank])

    @cached_property
    def positions(self) -> list[tuple[str, npt.NDArray[np.int64]]]:
        """For each occurrence of a placeholder its byte in every line; -1 where it has none."""
        columns: dict[tuple[str, int], npt.NDArray[np.int64]] = {}
        for row, line in enumerate(self.lines):
            seen: list[str] = []
            for match in PLACEHOLDER.finditer(line):
                before = PLACEHOLDER.sub(BLANK, line[: match.start()])
                key = match[1], seen.count(match[1])
                column = columns.setdefault(key, np.full(len(self.lines), -1))
                column[row] = len(before.encode())
                seen.append(match[1])
        return [(name, column) for (name, _), column in columns.items()]


@lru_cache(maxsize=64)
def _numbers(count: int) -> tuple[list[bytes], npt.NDArray[np.int64]]:
    """The numbers from 1 in ASCII, and the length of each."""
    numbers = [b"%d" % number for number in range(1, count + 1)]
    return numbers, np.array([len(number) for number in numbers])


def render_all(templates: Sequence[Template], document: Document) -> pa.StringArray:
    """The prompts of a document in UTF-8, one a template, as an Arrow array.

    All of them are one join of bytes, over which the identifiers are written: no copy is made.
    """
    import pyarrow as pa

    pieces: list[bytes] = []
    blanks: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.bytes_]]] = []
    ends, at = [0], 0
    for template in templates:
        for part in document:
            if isinstance(part, Text):
                pieces.append(template.paragraph(part))
                at += len(pieces[-1])
                continue
            lines, lengths = (
                template.blank.take(part.rows).tolist(),
                template.lengths.take(part.rows),
            )
            spans = lengths
            if part.numbered:
                numbers, sizes = _numbers(len(lines))
                numbered = [b""] * (2 * len(lines))
                numbered[::2], numbered[1::2] = numbers, lines
                lines, spans = numbered, lengths + sizes
            pieces += lines
            line_ends = at + np.cumsum(spans)
            at = int(line_ends[-1])
            for name, column in template.positions:
                if name in part.ids:
                    column_of = column.take(part.rows)
                    where, names = line_ends - lengths + column_of, part.names[name]
                    if column_of.min() < 0:  # not every line has this one
                        where, names = where[column_of >= 0], names[column_of >= 0]
                    blanks.append((where, names))
        ends.append(at)
    text = bytearray().join(pieces)
    # As items of five bytes that begin at every byte, so that one assignment writes all.
    memory = np.ndarray(max(at - ids.WIDTH + 1, 0), f"S{ids.WIDTH}", text, strides=(1,))
    for where, names in blanks:
        memory[where] = names
    offsets = pa.py_buffer(np.array(ends, dtype=np.int32))
    return pa.StringArray.from_buffers(len(templates), offsets, pa.py_buffer(text))
