"""Parse the text of a prompt: the inverse of ``document``.

A ``Scanner`` walks over a prompt with the templates of one language. It reads nothing but the
text, so whatever it returns is proof that the text says it.
"""

import re
from functools import lru_cache
from itertools import chain, zip_longest

from ..core import ids
from .document import BLANK, PLACEHOLDER, Template

_ID = re.compile(f"({ids.PATTERN})")
_VALUE = {"id": ids.PATTERN, "number": "[0-9]+"}


class Scanner:
    """Reads a prompt part by part.

    Every method moves forward and raises ``ValueError`` where the text does not continue as the
    template says, with the position and the text found there.
    """

    def __init__(self, prompt: str, template: Template) -> None:
        self._prompt = prompt.strip()
        self._template = template
        self._at = 0

    def text(self, name: str) -> dict[str, str]:
        """The values in the paragraph ``name``, by placeholder."""
        template = self._template
        match = _pattern(template.texts[name], template.numbers).match(self._prompt, self._at)
        if match is None:
            raise self._unexpected(f"the paragraph {name!r}")
        self._at = match.end()
        return match.groupdict()

    def lines(self, *, numbered: bool = False) -> list[tuple[int, dict[str, str]]]:
        """The items of a list: which wording each has, and the identifiers in it."""
        items: list[tuple[int, dict[str, str]]] = []
        while item := self._item(f"{len(items) + 1}" if numbered else ""):
            items.append(item)
        if not items:
            raise self._unexpected("a list")
        return items

    def _item(self, number: str) -> tuple[int, dict[str, str]] | None:
        if not self._prompt.startswith(number, self._at):
            return None
        start = self._at + len(number)
        end = self._prompt.find("\n", start) + 1 or len(self._prompt)
        line = self._prompt[start:end]
        by_shape, plain = _shapes(self._template)
        pieces = _ID.split(line)
        names = pieces[1::2]
        if names and (entry := by_shape.get(BLANK.join(pieces[0::2]))) is not None:
            row, slots = entry
            values = dict(zip(slots, names))
            if [values[slot] for slot in slots] != names:
                return None  # a placeholder that stands there twice has two values
            self._at = end
            return row, values
        for text, row in plain:
            if line.startswith(text):
                self._at = start + len(text)
                return row, {}
        return None

    def end(self) -> None:
        """The prompt must end here."""
        if self._at != len(self._prompt):
            raise self._unexpected("the end")

    def _unexpected(self, expected: str) -> ValueError:
        result = self._prompt[self._at : self._at + 60]
        return ValueError(
            f"not this puzzle's prompt: {expected} should stand at character "
            f"{self._at}, found {result!r}"
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
