"""From an instance to the bytes of its prompts, and back, for every puzzle and language alike.

A puzzle describes its prompt once, without any language, as a sequence of parts: a ``Text`` (a
paragraph with a few values in it) or ``Lines`` (a list, one line an item). Every identifier has
five characters, so a list is joined from lines in UTF-8 that have blanks for their identifiers, and
all identifiers of one placeholder are written over the blanks at once.

``scan`` walks over a prompt with the template of a language. It reads nothing but the text, so
whatever it returns is proof that the text says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

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
    """A list. ``ids`` are the identifiers of each item, ``rows`` choose its wording.

    Attributes:
        ids: by placeholder, codes of shape (n,).
        rows: shape (n,), indices into the ``lines`` of the template; all are 0 by default.
        numbered: each item begins with its number, from 1.
    """

    ids: Mapping[str, npt.NDArray[np.int32]] = field(default_factory=dict)
    rows: npt.NDArray[np.int32] | None = None
    numbered: bool = False

    @cached_property
    def chosen(self) -> npt.NDArray[np.int32]:
        """``rows`` in full."""
        if self.rows is not None:
            return self.rows
        return np.zeros(len(next(iter(self.ids.values()))), np.int32)

    @cached_property
    def names(self) -> dict[str, npt.NDArray[np.bytes_]]:
        """The identifiers in ASCII; the same in every language, so looked up once."""
        return {name: ids.as_bytes().take(codes) for name, codes in self.ids.items()}


Document = Sequence[Text | Lines]


@dataclass(frozen=True, eq=False)
class Template:
    """All strings of one puzzle in one language.

    Attributes:
        texts: paragraphs by name in their order, a list between each two; their placeholders are
            numbers and identifiers.
        lines: every wording a list item can have; their placeholders are identifiers. One that
            stands behind a number begins with a full stop.
        numbers: which placeholders of the paragraphs are numbers.
        lists: of each list, which of the ``lines`` it may have; all by default.
    """

    texts: Mapping[str, str]
    lines: Sequence[str]
    numbers: frozenset[str] = frozenset()
    lists: Sequence[range] = ()

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
                template.blank.take(part.chosen).tolist(),
                template.lengths.take(part.chosen),
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
                    column_of = column.take(part.chosen)
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


_ID = re.compile(f"({ids.PATTERN})")
_VALUE = {"id": ids.PATTERN, "number": "[0-9]+"}


Values = dict[str, str]
"""Numbers and identifiers of a paragraph or a line, by placeholder."""

Items = list[tuple[int, Values]]
"""Of each line of a list, which wording it has and its identifiers."""


def scan(prompt: str, template: Template) -> list[Any]:
    """What the parts of a prompt say: ``Values`` and ``Items`` in turn.

    The paragraphs stand in the order of the template, and a list between each two.

    Raises:
        ValueError: the text does not continue as the template says; with the position, and what
            stands there.
    """
    text, at = prompt.strip(), 0
    parts: list[Any] = []
    for name, paragraph in template.texts.items():
        if parts:
            rows = template.lists[len(parts) // 2] if template.lists else None
            items, at = read_list(text, at, template, rows)
            parts.append(items)
        match = _pattern(paragraph, template.numbers).match(text, at)
        if match is None:
            raise _unexpected(f"the paragraph {name!r}", text, at)
        parts.append(match.groupdict())
        at = match.end()
    if at != len(text):
        raise _unexpected("the end", text, at)
    return parts


def read_list(
    text: str, at: int, template: Template, rows: range | None = None
) -> tuple[Items, int]:
    """The items of the list at a position, of which lines it may have, and where it ends.

    Raises:
        ValueError: there is none.
    """
    items: Items = []
    while item := _item(text, at, template, f"{len(items) + 1}"):
        if rows is not None and item[0] not in rows:
            break
        row, values, at = item
        items.append((row, values))
    if not items:
        raise _unexpected("a list", text, at)
    return items, at


def _item(text: str, at: int, template: Template, number: str) -> tuple[int, Values, int] | None:
    start = at + len(number) * text.startswith(f"{number}.", at)
    end = text.find("\n", start) + 1 or len(text)
    line = text[start:end]
    if line.startswith(".") != (start > at):  # a number and what follows it belong together
        return None
    by_shape, plain = _shapes(template)
    pieces = _ID.split(line)
    names = pieces[1::2]
    if names and (entry := by_shape.get(BLANK.join(pieces[0::2]))) is not None:
        row, slots = entry
        values = dict(zip(slots, names))
        # A placeholder that stands there twice must not have two values.
        return (row, values, end) if [values[slot] for slot in slots] == names else None
    fitting: Iterator[tuple[int, Values, int]] = (
        (row, {}, start + len(words)) for words, row in plain if line.startswith(words)
    )
    return next(fitting, None)


def _unexpected(expected: str, text: str, at: int) -> ValueError:
    return ValueError(
        f"not this puzzle's prompt: {expected} should stand at character "
        f"{at}, found {text[at : at + 60]!r}"
    )


@lru_cache(maxsize=1024)
def _pattern(text: str, numbers: frozenset[str]) -> re.Pattern[str]:
    """A regular expression for ``text`` with a group for each placeholder."""
    pieces = PLACEHOLDER.split(text)  # every second one is a name
    names = pieces[1::2]
    groups = [
        f"(?P={name})" if name in names[:i]
        else f"(?P<{name}>{_VALUE['number' if name in numbers else 'id']})"
        for i, name in enumerate(names)
    ]  # fmt: skip
    literals = map(re.escape, pieces[::2])
    return re.compile("".join(chain.from_iterable(zip_longest(literals, groups, fillvalue=""))))


@lru_cache(maxsize=256)
def _shapes(
    template: Template,
) -> tuple[dict[str, tuple[int, list[str]]], list[tuple[str, int]]]:
    """Rows with identifiers by their text with blanks; rows without, longest first."""
    rows = [(line, row, PLACEHOLDER.findall(line)) for row, line in enumerate(template.lines)]
    by_shape = {PLACEHOLDER.sub(BLANK, line): (row, slots) for line, row, slots in rows if slots}
    plain = [(line, row) for line, row, slots in rows if not slots]
    return by_shape, sorted(plain, key=lambda entry: -len(entry[0]))
