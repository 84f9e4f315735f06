"""Identifiers in the letters and digits of a language, one to one with the plain ones."""

from __future__ import annotations

import re
from functools import lru_cache

from ....core import ids
from ....text.languages import load_language

_PLAIN_ID = re.compile(f"(?<![A-Za-z0-9]){ids.PATTERN}(?![0-9])")
_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


@lru_cache(maxsize=64)
def alphabet(language: str) -> tuple[str, str]:
    """The letters of a language for A to Z, and its digits for 0 to 9."""
    table = load_language(language).conditions["native_ids"]
    return table["letters"].text, table["digits"].text


def native(text: str, language: str) -> str:
    """The text with every plain identifier in it in the letters and digits of a language.

    The i-th letter of its alphabet stands for the i-th of A to Z, its digits for 0 to 9.
    """
    signs = str.maketrans(_SIGNS, "".join(alphabet(language)))
    return _PLAIN_ID.sub(lambda found: found[0].translate(signs), text)


def plain(text: str, language: str) -> str:
    """The inverse of ``native``: an identifier is a letter, four digits behind it and no fifth.

    Raises:
        ValueError: the text has plain identifiers already.
    """
    letters, digits = map(re.escape, alphabet(language))
    if found := _PLAIN_ID.search(text):
        raise ValueError(
            f"not a prompt with identifiers in the letters {letters}: it has {found[0]!r}"
        )
    signs = str.maketrans("".join(alphabet(language)), _SIGNS)
    pattern = f"[{letters}][{digits}]{{4}}(?![{digits}])"
    return re.sub(pattern, lambda found: found[0].translate(signs), text)
