"""Which language and script a text is in as a whole, as a hop of a translation chain needs it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from .detector import READS, detect
from .language_text import prose
from .scripts import SCRIPTS, enough_letters, iso_script, letters_by_script, runs

# A text belongs to the script that most of its letters have.
_MOST = 0.5
_NAMED = 1.0
"""Margin between Malay and Indonesian: of 76 pieces of one to six sentences, 0.6 at most against
their own language."""


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
        in Chinese, Japanese or Korean), where the detector only guesses another language, and where
        it does not separate Malay and Indonesian. A text in another script is never in the
        language: Punjabi in Arabic letters is not ``pa``.

    >>> written_in("Piet fietst elke zondag langs het kanaal naar zijn oude tante.", "de")
    False
    """
    if language not in SCRIPTS:
        return None
    words = prose(text)
    counts = letters_by_script(words)
    if not enough_letters(counts):
        return None
    return by_detector(words, language) if is_mostly_own(counts, language) else False


def is_mostly_own(letters: Mapping[str, int], language: str) -> bool:
    """Whether most letters, counted by script, are in the scripts of a language."""
    count = sum(letters.get(script, 0) for script in SCRIPTS[language])
    return count >= _MOST * sum(letters.values())


def by_detector(words: str, language: str, doubt: float = 0.0) -> bool | None:
    """What the detector, and words of Malay and Indonesian, say of prose in a language's scripts.

    Args:
        words: the prose.
        language: a code of ``LANGUAGES``.
        doubt: the margin of another language above which there is no verdict.
    """
    seen = detect(words)
    if seen.foreign_to(language, sum(letters_by_script(words).values())):
        return False
    if seen.margin(language) > doubt:
        return None
    if language not in ("id", "ms"):
        return True
    variety = malay_or_indonesian(words) or (seen.named if seen.apart >= _NAMED else "")
    return variety == language if variety else None


@cache
def _words_of() -> dict[str, frozenset[str]]:
    """Words that only Malay has, that only Indonesian has, and that rather Malay has.

    Those that are good in both, such as "dari", "harus" and "setelah", are in none. The third are
    frequent in Malay and good Indonesian, so they only speak for Malay.
    """
    lists = resources.files(__package__).joinpath("malay_indonesian.json").read_text("utf-8")
    return {name: frozenset(words.split()) for name, words in json.loads(lists).items()}


def malay_or_indonesian(text: str) -> str:
    """``ms`` or ``id``, whose own words are at least two and the majority; else empty."""
    words = [word for _, run in runs(text.casefold()) for word in run]
    malay, indonesian, rather_malay = (
        sum(word.strip("'’") in _words_of()[name] for word in words)
        for name in ("ms", "id", "rather_ms")
    )
    if malay >= 2 and malay > indonesian:
        return "ms"
    return "id" if indonesian >= 2 and indonesian > malay + rather_malay else ""


def _is_traditional(text: str) -> bool:
    """Whether more characters are in the Taiwanese code alone than in the Chinese one alone."""
    signs = [sign for sign in text[:READS] if "\u4e00" <= sign <= "\u9fff"]
    taiwan, china = (
        "".join(signs).encode(code, "ignore").decode(code) for code in ("big5", "gb2312")
    )
    return len(taiwan) > len(china)
