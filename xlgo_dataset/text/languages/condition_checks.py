"""Rules for the conditions of experiments in a language file (docs/why.md)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from ..document import PLACEHOLDER
from . import Language, String, format_blocks

_OBJECT = re.compile(r'\{"[^{}]*\}')
_IDENTIFIER = re.compile("[A-Z][0-9]{4}")
_MORE_PLACEHOLDERS = {("prdsa", "rules"): {"gold", "silver"}}
_THINKING = ("english", "language")
_ALPHABET = {"letters": 26, "digits": 10}
_FILLER = "filler"
_MIXED = {
    "english_rules": {"room": "id"},
    "english_names": {
        "dsa_start": "room",
        "dsa_transition": "key next room",
        "prdsa_start": "room",
        "prdsa_transition": "key next1 next2 p1 p2 room",
    },
}
"""Strings that a language needs where its names are inflected, and their placeholders."""


def condition_problems(language: Language) -> Iterator[str]:
    """Every problem of ``[conditions]``, as ``conditions.table.key: what is wrong``.

    A table may be missing; the language is then not asked under the conditions that need it.
    """
    blocks = format_blocks()
    for table, strings in language.conditions.items():
        where = f"conditions.{table}"
        keys: dict[str, None] = {}
        if table == "thinking":
            keys = dict.fromkeys(_THINKING)
        elif table == "native_ids":
            keys = dict.fromkeys(_ALPHABET)
        elif table in blocks:
            keys = dict.fromkeys(blocks[table])
        elif table in _MIXED:
            keys = dict.fromkeys(_MIXED[table])
        elif table != _FILLER or language.code != "en":
            yield f"{where}: there is no such table"
            continue
        if table != _FILLER:
            yield from (f"{where}.{key}: it is missing" for key in keys if key not in strings)
            yield from (f"{where}.{key}: no such string" for key in strings if key not in keys)
        for key, string in strings.items():
            for text in filter(None, {string.text, string.revised}):
                for problem in _text_problems(table, key, text, blocks):
                    yield f"{where}.{key}: {problem}"


def _text_problems(
    table: str, key: str, text: str, blocks: Mapping[str, Mapping[str, String]]
) -> Iterator[str]:
    if not text.strip():
        yield "it is empty"
    if unicodedata.normalize("NFC", text) != text:
        yield "it is not in Unicode normal form C"
    if "  " in text:
        yield "doubled spaces"
    if table == "native_ids":
        yield from _alphabet_problems(key, text)
    elif table in blocks and key in blocks[table]:
        yield from _block_problems((table, key), text, blocks[table][key].text)
    elif table in _MIXED:
        wanted = sorted(_MIXED[table].get(key, "").split())
        if sorted(PLACEHOLDER.findall(text)) != wanted:
            yield f"its placeholders must be {', '.join(wanted)}"
    elif PLACEHOLDER.search(text):
        yield "it has a placeholder"


def _alphabet_problems(key: str, text: str) -> Iterator[str]:
    size = _ALPHABET.get(key)
    if len(set(text)) != len(text) or len(text) != size:
        yield f"it must be {size} different characters"
    if unicodedata.normalize("NFKC", text) != text:
        yield "a character is a compatibility form of another"
    if key == "digits" and any(unicodedata.decimal(c, -1) != i for i, c in enumerate(text)):
        yield "it must be the digits from 0 to 9"
    if key == "letters" and not all(c.isalpha() and not c.isascii() for c in text):
        yield "it must be letters, and none of A to Z"


def _block_problems(where: tuple[str, str], text: str, english: str) -> Iterator[str]:
    ours, theirs = set(PLACEHOLDER.findall(text)), set(PLACEHOLDER.findall(english))
    for name in sorted(theirs - ours):
        yield f"the placeholder {{{name}}} is missing"
    for name in sorted(ours - theirs - _MORE_PLACEHOLDERS.get(where, set())):
        yield f"{{{name}}} is not a placeholder of this string"
    if _OBJECT.findall(text) != _OBJECT.findall(english):
        yield "its JSON must be that of the English, letter by letter"
    if sorted(_IDENTIFIER.findall(text)) != sorted(_IDENTIFIER.findall(english)):
        yield "its identifiers must be those of the English"
