"""Identifiers: a letter A-Z and four digits, in the words that may stand around one."""

from __future__ import annotations

import re

from .normalise import INVISIBLE, TEXT_LIMIT, fold, form_notes, latin_identifiers
from .words import touches

# Letters of the Latin script: none may touch an identifier, where those of other scripts may.
LATIN = (
    r"A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1d00-\u1dbf\u1e00-\u1eff"
    r"\u2c60-\u2c7f\ua722-\ua7ff\uab30-\uab6f"
)
IDENTIFIER = re.compile(
    rf"(?<![\d{LATIN}])[A-Z][0-9]{{4}}(?![\d{LATIN}]|[._-](?:\d|[A-Z](?![{LATIN}])))"
)
"""An identifier in a folded text in upper case."""
_PLAIN_IDENTIFIER = re.compile(r"[A-Z][0-9]{4}")
# A room's name: its identifier, and at most a word or two, as the prompts write it.
_LETTER = (
    r"[^\s\d!-/:-@\[-`{-~\u00a0-\u00bf\u060c\u061b\u061f\u0964\u0965\u2000-\u2bff\u3000-\u303f"
    r"\uff00-\uff65\U0001f000-\U0001ffff]"
)
_NAME = re.compile(
    rf"(?:{_LETTER}{{1,30}}\s){{0,2}}{_LETTER}{{0,30}}[A-Z]\d{{4}}"
    rf"(?:-?{_LETTER}{{1,30}})?(?:\s{_LETTER}{{1,30}})?"
)
# Marks of direction and the like, but not the two joiners that words of many scripts hold.
_MARKS = re.compile(f"(?![\u200c\u200d])[{INVISIBLE}]")


def plain_identifiers(values: list[object]) -> bool:
    """Whether all values are strings that are an identifier and nothing else."""
    return {*map(type, values)} == {str} and all(map(_PLAIN_IDENTIFIER.fullmatch, values))  # type: ignore[arg-type]


def identifiers(text: str, notes: set[str]) -> set[str]:
    """The distinct identifiers in a text: a letter A-Z and four digits.

    No Latin letter and no digit touches an identifier; room words and suffixes of other scripts
    may. Words around one are noted as ``id_text``, more than a name as ``decorated`` (a sentence,
    marks of formatting). A text longer than `TEXT_LIMIT` holds none, nor does one that denies its
    identifier.
    """
    if len(text) > TEXT_LIMIT:
        return set()
    seen = fold(text)
    folded = latin_identifiers(seen)
    if folded != seen:
        notes.add("lookalike")
    upper = folded.upper()
    matches = list(IDENTIFIER.finditer(upper))
    names = {match[0] for match in matches}
    if len(names) == 1 and upper.strip() not in names:
        if touches("denied", folded, matches[0].start(), matches[-1].end(), "any"):
            return set()
        notes.add("id_text")
        if not _NAME.fullmatch(upper.strip()):
            notes.add("decorated")
    if _MARKS.search(text):
        notes.add("invisible")
    if upper != folded and names != set(IDENTIFIER.findall(folded)):
        notes.add("id_case")
    if folded != text and names != set(IDENTIFIER.findall(text.upper())):
        form_notes(text, notes)
    return names
