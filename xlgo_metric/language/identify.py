"""Which language and script a text is in as a whole, as a hop of a translation chain needs it."""

from __future__ import annotations

from dataclasses import dataclass

from .detector import READS, SURE, SURE_OTHER_LETTERS, Detected, detect
from .language_text import prose
from .scripts import (
    SCRIPTS,
    enough_letters,
    group,
    iso_script,
    letters_by_script,
    runs,
    users_of,
)
from .words import casefolded, has_list, is_indonesian, is_malay, scores

# A text belongs to the script that most of its letters have.
_MOST = 0.5
_OWN_WORDS = 0.2
_OTHER_WORDS = 2.0
_FAR = 4.0  # a margin that no text of 20 letters has against its own language
_NAMED = 1.0
"""Margin between Malay and Indonesian: of 76 pieces of one to six sentences, 0.6 at most against
their own language."""
LEAST_SURE = 50
"""Letters from which on the detector alone may call a text foreign: of shorter ones in the own
language it took one in a hundred for another language, and called itself reliable."""


@dataclass(frozen=True)
class Identified:
    """What a text is written in.

    Attributes:
        language: the code of the likeliest language, also one that is not in ``LANGUAGES``; ``""``
            where there are too few letters to tell.
        sure: whether the detector calls itself reliable.
        script: of most letters, as in ISO 15924 (``Latn``, ``Guru``); ``Hans`` or ``Hant`` for
            Chinese, ``""`` without letters.
        script_share: of all letters, those of that script, 0 to 1.
        letters: of prose, vowel signs counted.
    """

    language: str
    sure: bool
    script: str
    script_share: float
    letters: int


def identify_language(text: str) -> Identified:
    """The language and script of ``text``, without its formulas, code, JSON and links.

    >>> found = identify_language("ਦਾਦੀ ਜੀ ਹਰ ਸਵੇਰ ਸਭ ਤੋਂ ਪਹਿਲਾਂ ਉੱਠਦੇ ਅਤੇ ਚੁੱਲ੍ਹਾ ਬਾਲਦੇ।")
    >>> found.language, found.script
    ('pa', 'Guru')
    """
    words = prose(text)
    counts = letters_by_script(words)
    letters = sum(counts.values())
    if not letters:
        return Identified("", False, "", 0.0, 0)
    script, most = next(iter(counts.items()))
    code = iso_script(script)
    if script == "han" and counts.get("kana", 0) * 10 >= most:
        code = iso_script("kana")
    if script in ("han", "kana"):
        most = counts.get("han", 0) + (counts.get("kana", 0) if code == "Jpan" else 0)
    if not enough_letters(counts):
        return Identified("", False, "" if code == "Hani" else code, most / letters, letters)
    seen = detect(words)
    if code == "Hani":
        code = "Hant" if _is_traditional(words) else "Hans"
    return Identified(seen.named, seen.sure, code, most / letters, letters)


def written_in(text: str, language: str) -> bool | None:
    """Whether ``text`` as a whole is in ``language``; a foreign word or quotation is no harm.

    ``language_consistent`` is stricter: it asks it of every sentence.

    Args:
        text: such as one hop of a translation chain.
        language: a code of ``LANGUAGES``.

    Returns:
        ``None`` where the language is not supported, where the text has too few letters (20, seven
        in Chinese, Japanese or Korean), where the detector only guesses another language, where
        neither words nor detector separate Malay and Indonesian, and
        where a text of fewer than 50 letters neither fits another language very well nor has its
        frequent words. A text in another script is never in the language: Punjabi in Arabic
        letters is not ``pa``.

    >>> written_in("Piet fietst elke zondag langs het kanaal naar zijn oude tante.", "de")
    False
    """
    if language not in SCRIPTS:
        return None
    words = prose(text)
    counts = letters_by_script(words)
    if not enough_letters(counts):
        return None
    own = sum(counts.get(script, 0) for script in SCRIPTS[language])
    if own < _MOST * sum(counts.values()):
        return False
    seen = detect(words)
    if seen.language == group(language):
        return _apart(seen, words, language)
    letters = sum(counts.values())
    latin = SCRIPTS[language] == ("latin",)
    if seen.foreign_to(language, SURE if latin or letters < LEAST_SURE else SURE_OTHER_LETTERS):
        short = letters < LEAST_SURE and not seen.foreign_to(language, _FAR)
        return None if short and not _other_words(words, seen.language, language) else False
    return True if users_of(language) == 1 or _own_words(words, language) else None


def in_doubt(text: str, language: str) -> bool:
    """Whether a text in the scripts of a language may be in another one of the same script."""
    counts = letters_by_script(prose(text))
    own = sum(counts.get(script, 0) for script in SCRIPTS[language])
    return own >= _MOST * sum(counts.values()) and written_in(text, language) is not True


def _apart(seen: Detected, text: str, language: str) -> bool | None:
    """Whether a text in one of two close languages is in this one; ``None`` where neither shows."""
    if language not in ("id", "ms"):
        return True
    words = casefolded(runs(text))
    for code, is_in in (("ms", is_malay), ("id", is_indonesian)):
        if is_in(words):
            return code == language
    return seen.named == language if seen.apart >= _NAMED else None


def _is_traditional(text: str) -> bool:
    """Whether more characters are in the Taiwanese code alone than in the Chinese one alone."""
    signs = [sign for sign in text[:READS] if "\u4e00" <= sign <= "\u9fff"]
    taiwan, china = (
        "".join(signs).encode(code, "ignore").decode(code) for code in ("big5", "gb2312")
    )
    return len(taiwan) > len(china)


def _other_words(text: str, other: str, language: str) -> bool:
    """Whether frequent words bear out the detector, which calls a short text foreign."""
    weights = scores(casefolded(runs(text)))
    theirs = weights.get(other, 0.0)
    return theirs > weights.get(group(language), 0.0) and theirs >= _OTHER_WORDS


def _own_words(text: str, language: str) -> bool:
    """Whether frequent words name the language, where the detector only guesses another."""
    if not has_list(language):
        return False
    words = casefolded(runs(text))
    weights = scores(words)
    own = weights.pop(group(language), 0.0)
    return own > max(weights.values(), default=0.0) and own >= _OWN_WORDS * len(words)
