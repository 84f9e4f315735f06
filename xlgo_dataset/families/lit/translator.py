"""A simulated translator: a toy code for each language, and a loss that is known exactly.

A "translation" writes each letter of an English text as a frequent word of the other language, or
as a letter of its script where no other language has that script, and puts a mark with the code of
the language in front. So it can be read back letter by letter, and a detector of languages takes it
for a text in the language. What a translator loses are words: at each hop a share of the words that
are left, rounded to whole words, is replaced by one sign. Which words those are depends on seed,
languages and text alone; how many, on nothing but the shares.
"""

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from xlgo_metric.core import allowed_name, read_toml

from ...core.rng import Stream
from . import prompts
from .questions import CHAIN_LANGUAGES

LOST = "▢"
"""Stands for a word that was lost."""

DEFAULT = "default"
"""In a profile, all languages that it does not name."""

_ENGLISH = "en"
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_CAPITAL = "⁀"
"""Before a capital letter."""
_MARK = re.compile(r"⟦([a-z]{2,3})⟧ ")
_WORD = re.compile(r"\S+")

_WORDS_FILE = Path(__file__).parent / "toy_words.toml"
_END = "·"
"""After each word that stands for a letter."""


@dataclass(frozen=True)
class Translator:
    """Translates prompts of the family ``lit`` by toy codes.

    Attributes:
        loss: share of words, 0 to 1, that is lost in a translation into a language, by code;
            ``default`` holds for the others. English is a language like the others here.
        echo: codes of languages into which it does not translate at all: it repeats the text.
        seed: another seed loses other words, as many.
    """

    loss: Mapping[str, float] = field(default_factory=dict)
    echo: frozenset[str] = frozenset()
    seed: int = 0

    def answer(self, prompt: str) -> str | None:
        """The response to a prompt; ``None`` if it is not one for a translation."""
        codes = {language["asked"]: code for code, language in CHAIN_LANGUAGES.items()}
        text, src, tgt = prompts.read_translation(prompt) or ("", "", "")
        is_known = src in codes and tgt in codes
        return self.translate(text, codes[src], codes[tgt]) if is_known else None

    def translate(self, text: str, src: str, tgt: str) -> str:
        """One hop: read, lose words, write."""
        if tgt in self.echo:
            return text
        plain = decode(text)
        words = [match.span() for match in _WORD.finditer(plain) if LOST not in match.group()]
        rate = float(self.loss.get(tgt, self.loss.get(DEFAULT, 0.0)))
        # The share, rounded half up.
        count = min(len(words), math.floor(len(words) * rate + 0.5))
        if count:
            sha = hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()
            stream = Stream("xlgo-sim-translate", self.seed, src, tgt, sha)
            for word in sorted(stream.permutation(len(words))[:count].tolist(), reverse=True):
                start, end = words[word]
                plain = plain[:start] + LOST + plain[end:]
        return encode(plain, tgt)


def translator(profile: Mapping[str, object], seed: int = 0) -> Translator:
    """The translator of a profile: ``{"loss": {"default": 0.02, "ja": 0.1}, "echo": ["gn"]}``.

    Raises:
        ValueError: an unknown language, or a loss that is no number from 0 to 1.
    """
    loss, echo = profile.get("loss", {}), profile.get("echo", [])
    if not isinstance(loss, dict) or not isinstance(echo, list) or set(profile) - {"loss", "echo"}:
        raise ValueError(
            f"not the profile of a translator: {dict(profile)!r} must look like "
            '{"loss": {"default": 0.02, "ja": 0.1}, "echo": ["gn"]}'
        )
    for code in (*loss, *echo):
        allowed_name(code, "language", (DEFAULT, *CHAIN_LANGUAGES), "profile of a translator: ")
    for code, rate in loss.items():
        if not isinstance(rate, int | float) or isinstance(rate, bool) or not 0 <= rate <= 1:
            raise ValueError(
                f"profile of a translator: the loss of {code} must lie between 0 and "
                f"1, got {rate!r}"
            )
    return Translator(loss, frozenset(echo), seed)


def encode(text: str, code: str) -> str:
    """An English text in the toy code of a language; English stays as it is.

    It can be read back if the text has none of the signs that the code uses.

    Raises:
        ValueError: an unknown language.
    """
    if code == _ENGLISH:
        return text
    small = _signs(code)
    signs = small | {letter.upper(): _CAPITAL + sign for letter, sign in small.items()}
    return f"⟦{code}⟧ " + "".join(signs.get(letter, letter) for letter in text)


def decode(text: str) -> str:
    """A text in the toy code that its mark names, in English; without a mark, as it is."""
    match = _MARK.match(text)
    if not match or match[1] not in CHAIN_LANGUAGES or match[1] == _ENGLISH:
        return text
    letters = {sign: letter for letter, sign in _signs(match[1]).items()}
    longest_first = map(re.escape, sorted(letters, key=len, reverse=True))
    return re.sub(
        f"({_CAPITAL})?({'|'.join(longest_first)})",
        lambda sign: letters[sign[2]].upper() if sign[1] else letters[sign[2]],
        text[match.end() :],
    )


@lru_cache(maxsize=64)
def _signs(code: str) -> dict[str, str]:
    """The sign of each small letter: of twenty-six words, where its script is that of others."""
    words = read_toml(_WORDS_FILE)["words"]
    letters, *others = words[allowed_name(code, "language", words)].split()
    return dict(
        zip(_LATIN, [f"{word}{_END}" for word in (letters, *others)] if others else letters)
    )
