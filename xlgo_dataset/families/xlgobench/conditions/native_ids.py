"""Identifiers in the letters and digits of a language, one to one with the plain ones.

The i-th letter of the language's alphabet stands for the i-th of A to Z, its digits for 0 to 9.
An identifier in a text is a letter of that alphabet with four digits behind it and no fifth.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ....core import ids
from ....text.languages import load_language

_PLAIN = re.compile(f"(?<![A-Za-z0-9]){ids.PATTERN}(?![0-9])")
_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = "0123456789"


@dataclass(frozen=True)
class Alphabet:
    """The letters for A to Z and the digits for 0 to 9."""

    letters: str
    digits: str

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        digits = re.escape(self.digits)
        return re.compile(f"[{re.escape(self.letters)}][{digits}]{{4}}(?![{digits}])")

    @cached_property
    def _to_native(self) -> dict[int, int]:
        return str.maketrans(_LATIN + _DIGITS, self.letters + self.digits)

    @cached_property
    def _to_plain(self) -> dict[int, int]:
        return str.maketrans(self.letters + self.digits, _LATIN + _DIGITS)

    def native(self, text: str) -> str:
        """The text with every plain identifier in it in these letters and digits."""
        return _PLAIN.sub(lambda found: found[0].translate(self._to_native), text)

    def plain(self, text: str) -> str:
        """The inverse of ``native``.

        Raises:
            ValueError: the text has plain identifiers already.
        """
        if found := _PLAIN.search(text):
            raise ValueError(
                f"not a prompt with identifiers in the letters {self.letters}: it has {found[0]!r}"
            )
        return self._pattern.sub(lambda found: found[0].translate(self._to_plain), text)

    def answer(self, value: Any) -> Any:
        """An answer in plain JSON types with its identifiers in these letters and digits."""
        if isinstance(value, str):
            return self.native(value)
        if isinstance(value, list):
            return [self.answer(item) for item in value]
        if isinstance(value, dict):
            return {key: self.answer(item) for key, item in value.items()}
        return value


@lru_cache(maxsize=64)
def alphabet(language: str) -> Alphabet:
    """The alphabet of a language, from its file."""
    table = load_language(language).conditions["native_ids"]
    return Alphabet(table["letters"].text, table["digits"].text)
