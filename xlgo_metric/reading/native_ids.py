"""Identifiers in the letters and digits of a language, read as the plain ones they stand for.

A prompt may write its identifiers so; the reference then says how: 26 letters in the places of A to
Z and ten digits in those of 0 to 9. Plain identifiers do not occur in such a prompt, and are none
in the answer to it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from xlgo_metric.core import UnusableReferenceError
from xlgo_metric.reading.normalise import CYRILLIC, GREEK, TEXT_LIMIT, compatible, form_notes

_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LIST_LIMIT = 30_000
_ALIKE = str.maketrans("ABEKMHOPCTYX", "АВЕКМНОРСТУХ")
"""Latin letters and the Cyrillic ones that nobody can tell from them."""


@dataclass(frozen=True)
class NativeIds:
    """How a prompt writes identifiers.

    Attributes:
        letters: 26 letters, that for A first.
        digits: ten digits, that for 0 first.
    """

    letters: str
    digits: str

    @cached_property
    def _identifier(self) -> re.Pattern[str]:
        letters, digits = re.escape(self.letters), re.escape(self.digits)
        return re.compile(f"[{letters}](?:[{digits}]|\\d){{4}}(?![{digits}]|\\d)")

    @cached_property
    def _any_identifier(self) -> re.Pattern[str]:
        digits = re.escape(self.digits)
        foreign = "".join(set(CYRILLIC + GREEK) - set(self.letters))
        return re.compile(
            f"(?<![A-Za-z])[A-Z{foreign}](?=(?:[{digits}]|\\d){{4}}(?![{digits}]|\\d))"
        )

    def plain(self, value: Any, notes: set[str]) -> Any:
        """A value out of an answer with plain identifiers in the places of these.

        Args:
            value: in plain JSON types.
            notes: names of the lenient rules that were needed are added.
        """
        if isinstance(value, str):
            return self._plain_text(value, notes)
        if isinstance(value, list):
            return [self.plain(item, notes) for item in value]
        return value

    def _plain_text(self, text: str, notes: set[str]) -> str:
        if len(text) > (_LIST_LIMIT if text.lstrip()[:1] in "[(［（" else TEXT_LIMIT):
            return ""
        folded = compatible(text)
        in_capitals = folded.upper()
        upper = self._own_letters(in_capitals, notes)
        found = self._identifier.findall(upper)
        if found and folded != text and found != self._identifier.findall(text.upper()):
            form_notes(text, notes)
        if self._identifier.findall(in_capitals) != self._identifier.findall(folded):
            notes.add("id_case")
        if any(digit not in self.digits for name in found for digit in name[1:]):
            notes.add("other_digits")
        # What stands for no letter of the prompt must not look like an identifier afterwards.
        return self._identifier.sub(
            lambda match: self._plain_name(match[0]), self._any_identifier.sub("?", upper)
        )

    def _own_letters(self, text: str, notes: set[str]) -> str:
        """The text with Latin letters of identifiers as those of the prompt that look like them."""
        if "А" not in self.letters:
            return text
        own = self._any_identifier.sub(lambda match: match[0].translate(_ALIKE), text)
        if own != text:
            notes.add("lookalike")
        return own

    def _plain_name(self, name: str) -> str:
        digits = (
            str(self.digits.index(digit))
            if digit in self.digits
            else str(unicodedata.decimal(digit))
            for digit in name[1:]
        )
        return f"{_LATIN[self.letters.index(name[0])]}{''.join(digits)}"


def native_ids(reference: Mapping[str, object]) -> NativeIds | None:
    """How the prompt of a reference writes identifiers; ``None`` for the plain way.

    Raises:
        UnusableReferenceError: the reference says something else than letters and digits.
    """
    told = reference.get("ids")
    if told is None:
        return None
    parts = told if isinstance(told, dict) else {}
    letters, digits = parts.get("letters"), parts.get("digits")
    if not _is_alphabet(letters, 26) or not _is_alphabet(digits, 10):
        raise UnusableReferenceError(
            "'ids' of a reference must hold 26 letters and ten digits, as the dataset writes them"
        )
    return _made(str(letters), str(digits))


_made = lru_cache(maxsize=64)(NativeIds)


def _is_alphabet(text: Any, size: int) -> bool:
    return isinstance(text, str) and len(set(text)) == len(text) == size
