"""A language in Latin letters, by libraries of others (``pip install 'xlgo[romanise]'``).

The libraries differ, as the scripts do: uroman writes what letters stand for, which leaves out the
vowels that Arabic leaves out and the spaces that Thai leaves out; Chinese is written as pinyin
without tones, Japanese as a dictionary reads it. Nobody has checked the result, and it is not how
people who write these languages in Latin letters spell them.
"""

import importlib
import importlib.metadata
import importlib.util
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

_UROMAN = {
    "ar": "ara", "bn": "ben", "hi": "hin", "ko": "kor", "mr": "mar", "ru": "rus", "ta": "tam",
    "te": "tel", "th": "tha",
}  # fmt: skip
"""What uroman calls the languages that it writes here."""

LANGUAGES = ("hi", "te", "ta", "bn", "mr", "ar", "ja", "zh", "ko", "ru", "th")

_PACKAGES = {"ja": ("cutlet", "unidic_lite"), "zh": ("pypinyin",)}
_OTHERS = ("uroman",)
_RUNS = re.compile(r"([^\x00-\x7f]+(?:\s+[^\x00-\x7f]+)*)")
_BEFORE = re.compile(r"[\w{},.:?!]")
_SPACES = re.compile(" {2,}")
_AFTER = re.compile(r"[\w{}]")
_MARKS = str.maketrans(
    {"，": ",", "。": ".", "：": ":", "？": "?", "、": ",", "！": "!", "—": "-", "²": ""}
)
"""Punctuation that the libraries leave, and what uroman writes for the Thai mark of repetition."""


def check(language: str, where: str) -> None:
    """Refuse a language that cannot be written, or whose library is not installed.

    Args:
        language: a code.
        where: of whom the message speaks.

    Raises:
        ValueError: with what is allowed, or the package and how to install it.
    """
    if language not in LANGUAGES:
        raise ValueError(
            f"{where} is for {', '.join(LANGUAGES)} alone: leave out the language or the condition"
        )
    for package in _PACKAGES.get(language, _OTHERS):
        if importlib.util.find_spec(package) is None:
            raise ValueError(
                f"the condition romanised needs the package {package} for {language}, which is "
                "not installed: pip install 'xlgo[romanise]'"
            )


def romaniser(language: str) -> str:
    """The library that writes a language, with its version, as references name it."""
    package = _PACKAGES.get(language, _OTHERS)[0]
    return f"{package} {importlib.metadata.version(package)}"


@lru_cache(maxsize=4096)
def romanised(text: str, language: str) -> str:
    """The text in Latin letters; what is ASCII stays as it is, placeholders included.

    Args:
        text: a string of a language file.
        language: one of ``LANGUAGES``.
    """
    if language in _UROMAN:
        written: str = _library("uroman").romanize_string(text, lcode=_UROMAN[language])
        return _SPACES.sub(" ", written.translate(_MARKS))
    pieces = [""]
    for piece in _RUNS.split(text):  # every second one is not ASCII
        parts = [piece] if len(pieces) % 2 else _words(piece, language)
        pieces.append(_joined(parts))
    return _joined(pieces)


def _words(text: str, language: str) -> list[str]:
    if language == "zh":
        return [syllable.translate(_MARKS) for syllable in _library("pypinyin").lazy_pinyin(text)]
    return [str(_library("cutlet").romaji(text, capitalize=False)).strip()]


def _joined(pieces: Iterable[str]) -> str:
    """The pieces, with a space where two words would run together."""
    text = ""
    for piece in filter(None, pieces):
        apart = text and _BEFORE.match(text[-1]) and _AFTER.match(piece[0])
        text += f" {piece}" if apart else piece
    return text


@lru_cache(maxsize=4)
def _library(name: str) -> Any:
    """The object that writes; loading one takes seconds."""
    module = importlib.import_module(name)
    if name == "uroman":
        return module.Uroman()
    if name == "cutlet":
        return module.Cutlet(ensure_ascii=True, use_foreign_spelling=False)
    return module
