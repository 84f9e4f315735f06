"""The detector: CLD2 through pycld2, from the letters of a text to a language and how sure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

# Longer texts are read no further: CLD2 takes 0.2 s for a million characters.
READS = 200_000
# CLD2 refuses control characters, noncharacters and lone surrogates.
_REFUSED = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane + end) for plane in range(0, 0x110000, 0x10000) for end in (0xFFFE, 0xFFFF))
    + "]"
)
_CODES = {"zh-Hant": "zh", "iw": "he", "jw": "jv", "nn": "no", "nb": "no", "fil": "tl"}


@dataclass(frozen=True)
class Detected:
    """What the detector says of a text.

    Attributes:
        language: the code of the likeliest language, ``""`` if it has none.
        sure: whether it calls itself reliable, asked to say nothing else.
        share: the part of the text that it gives to the language, 0 to 1.
        score: how well the letters fit, per kilobyte; 800 is usual for prose of 100 letters,
            300 to 500 for what is wrongly named.
        variant: its own code, such as ``zh-Hant``.
    """

    language: str
    sure: bool
    share: float
    score: float
    variant: str


@cache
def _cld2() -> Any:
    try:
        import pycld2
    except ImportError:
        raise ImportError(
            "language identification needs pycld2: install it with pip install pycld2"
        ) from None
    return pycld2


def detect(text: str, guess: bool = False) -> Detected:
    """The likeliest language of ``text``; same text, same verdict.

    Args:
        text: of it, the first 200,000 characters are read.
        guess: name the likeliest language even where it is not sure.

    Raises:
        ImportError: the package pycld2 is missing.

    >>> detect("Piet fietst elke zondag langs het kanaal naar zijn oude tante.").language
    'nl'
    """
    clean = _REFUSED.sub(" ", text[:READS])
    sure, _, languages = _cld2().detect(clean, isPlainText=True)
    if guess and not sure:
        _, _, languages = _cld2().detect(clean, isPlainText=True, bestEffort=True)
    _, code, percent, score = languages[0]
    if code == "un":
        return Detected("", False, 0.0, 0.0, "")
    return Detected(_CODES.get(code, code), sure, percent / 100, score, code)
