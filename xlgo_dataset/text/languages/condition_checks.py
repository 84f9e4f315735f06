"""Rules for the conditions of experiments in a language file (docs/why.md)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from ..document import PLACEHOLDER
from . import Language, String, format_blocks

_OBJECT = re.compile(r'\{"[^{}]*\}')
_IDENTIFIER = re.compile("[A-Z][0-9]{4}")
_MORE_PLACEHOLDERS = {("prdsa", "rules"): {"gold", "silver"}}
"""Placeholders a string may have although the paper's English does not."""
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


def broken(*checks: tuple[object, str]) -> list[str]:
    """The messages of a table of checks whose first entry is true."""
    return [message for is_broken, message in checks if is_broken]


def common_problems(text: str) -> list[str]:
    """What is wrong with any string."""
    return broken(
        (unicodedata.normalize("NFC", text) != text, "it is not in Unicode normal form C"),
        ("  " in text, "doubled spaces"),
    )


def placeholder_problems(task: str, key: str, text: str, english: str) -> list[str]:
    """Placeholders that are not those of the English string."""
    ours, theirs = set(PLACEHOLDER.findall(text)), set(PLACEHOLDER.findall(english))
    more = ours - theirs - _MORE_PLACEHOLDERS.get((task, key), set())
    return [
        *(f"the placeholder {{{name}}} is missing" for name in sorted(theirs - ours)),
        *(f"{{{name}}} is not a placeholder of this string" for name in sorted(more)),
    ]


def condition_problems(language: Language) -> Iterator[str]:
    """Every problem of ``[conditions]``, as ``conditions.table.key: what is wrong``.

    A table may be missing; the language is then not asked under the conditions that need it.
    """
    blocks = format_blocks()
    allowed: dict[str, Iterable[str]] = {
        "thinking": _THINKING, "native_ids": _ALPHABET, **_MIXED, **blocks,
    }  # fmt: skip
    for table, strings in language.conditions.items():
        where = f"conditions.{table}"
        if table == _FILLER and language.code == "en":
            keys = list(strings)
        elif table in allowed:
            keys = list(allowed[table])
        else:
            yield f"{where}: there is no such table"
            continue
        yield from (f"{where}.{key}: it is missing" for key in keys if key not in strings)
        yield from (f"{where}.{key}: no such string" for key in strings if key not in keys)
        for key, string in strings.items():
            for text in filter(None, {string.text, string.revised}):
                for problem in _text_problems(table, key, text, blocks):
                    yield f"{where}.{key}: {problem}"


def _text_problems(
    table: str, key: str, text: str, blocks: Mapping[str, Mapping[str, String]]
) -> list[str]:
    names, wanted = (
        sorted(PLACEHOLDER.findall(text)),
        sorted(_MIXED.get(table, {}).get(key, "").split()),
    )
    if table == "native_ids":
        own = _alphabet_problems(key, text)
    elif table in blocks and key in blocks[table]:
        english = blocks[table][key].text
        own = placeholder_problems(table, key, text, english) + broken(
            (
                _OBJECT.findall(text) != _OBJECT.findall(english),
                "its JSON must be that of the English, letter by letter",
            ),
            (
                sorted(_IDENTIFIER.findall(text)) != sorted(_IDENTIFIER.findall(english)),
                "its identifiers must be those of the English",
            ),
        )
    else:
        message = (
            f"its placeholders must be {', '.join(wanted)}" if wanted else "it has a placeholder"
        )
        own = broken((names != wanted, message))
    return [*broken((not text.strip(), "it is empty")), *common_problems(text), *own]


def _alphabet_problems(key: str, text: str) -> list[str]:
    size = _ALPHABET.get(key)
    is_digits = all(unicodedata.decimal(c, -1) == i for i, c in enumerate(text))
    is_letters = all(c.isalpha() and not c.isascii() for c in text)
    return broken(
        (
            len(set(text)) != len(text) or len(text) != size,
            f"it must be {size} different characters",
        ),
        (
            unicodedata.normalize("NFKC", text) != text,
            "a character is a compatibility form of another",
        ),
        (key == "digits" and not is_digits, "it must be the digits from 0 to 9"),
        (key == "letters" and not is_letters, "it must be letters, and none of A to Z"),
    )
