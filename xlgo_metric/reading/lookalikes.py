"""Letters of other scripts that nobody can tell from Latin capitals: ``А`` and ``Α`` for ``A``.

A keyboard or a tokenizer of another script gives them; on the page the answer is the same.
"""

from __future__ import annotations

import re

CYRILLIC = "АВСЕНІЈКМОРЅТХҮѴԚԜ"
_LATIN_OF_CYRILLIC = "ABCEHIJKMOPSTXYVQW"
GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ"
_LATIN_OF_GREEK = "ABEZHIKMNOPTYXC"
TO_LATIN = str.maketrans(CYRILLIC + GREEK, _LATIN_OF_CYRILLIC + _LATIN_OF_GREEK)
_IDENTIFIER = re.compile(rf"(?<![^\W_])[{CYRILLIC}{GREEK}](?=\d{{4}}(?!\d))")
_OTHER_OPTIONS = re.compile(r"(?<![^\W_])[БГДΓΔ](?![^\W_])")


def latin_identifiers(text: str) -> str:
    """The text with the Latin letter at the head of every identifier; no letter stands before it.

    >>> latin_identifiers("комната Е2679"), latin_identifiers("ОЕ2679")
    ('комната E2679', 'ОЕ2679')
    """
    return text if text.isascii() else _IDENTIFIER.sub(lambda m: m[0].translate(TO_LATIN), text)


def latin_letter(letter: str, text: str) -> str:
    """The Latin letter that an option's letter looks like.

    A text with a letter that only the alphabet of another script has (``Б``, ``Г``) names its
    options by that alphabet: there ``В`` is the third, not ``B``, and is left as it is.

    >>> latin_letter("В", "Ответ: В"), latin_letter("В", "А, Б или В")
    ('B', 'В')
    """
    return (
        letter
        if _OTHER_OPTIONS.search(text)
        else letter.upper().translate(TO_LATIN)
        if letter.upper() in CYRILLIC + GREEK and (letter.isupper() or letter in "асе")
        else letter
    )
