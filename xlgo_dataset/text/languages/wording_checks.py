"""Rules of good wording, as far as a program can see them: register, endings, numbers, marks.

A language file says what is particular to its language (``register``, ``other_register``,
``bound``, ``after_number``, ``not_before_number``, ``[nouns]``); the rules read the newest wording
of each string. What was printed in the paper and has no revision is left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..document import PLACEHOLDER
from . import Language, format_blocks, load_language

NOUNS = ("merchant", "room", "key", "player")
"""The nouns of the puzzles, each of which is to have one translation in a language."""

AWKWARD_NUMBERS = (1, 2, 5, 8, 11, 21)
"""Numbers at which nouns, articles and verbs change in one language or another."""

_ROOMS = ("next", "next1", "next2", "room")
_NATIVE = ("counted", "gold", "items", "key", "keys", "silver")

_UNSPACED = ("Khmer", "Myanmar", "Thai")
"""Scripts without spaces between words, which set off Latin letters and digits by one."""

_FOREIGN_MARKS = {
    "am": ".,;", "ar": ",;?", "bn": ".", "el": "?", "fa": ",;?", "hi": ".", "ja": ",.;?!",
    "km": ".", "my": ".,;?", "pa": ".", "ur": ",;?.", "zh": ",.;?!",
}  # fmt: skip
"""By language, marks of other scripts that must not follow one of its letters."""

_LOOK_ALIKES = (
    "ا١۱", "ه٥ہە", "O0ОoоΟ੦೦൦૦๐០၀ဝഠಠઠਠ", "З3", "၇ရ", "၈ဂ", "૨ર", "૫પ", "൧മ", "IІ1Ι",
)  # fmt: skip
"""Characters that look the same, or nearly, beside each other."""

_BREAKS = re.compile(r"[\s.,;:!?()\[\]{}\"'«»“”/–—।۔،؛؟、。，：；！？።፣፤፦၊။៖·-]+")


def wording_problems(language: Language) -> Iterator[str]:
    """What is wrong with the newest wording of the strings, as ``task.key: what is wrong``."""
    for where, text, english in newest(language):
        for problem in string_problems(language, text):
            yield f"{where}: {problem}"
        for problem in _number_problems(language, text, numbers_of(where)):
            yield f"{where}: {problem}"
        for noun in NOUNS:
            stems = language.nouns.get(noun, ())
            asked = re.search(rf"\b{noun}s?\b", PLACEHOLDER.sub("", english))  # not Room, Key
            if stems and asked and not any(stem.lower() in text.lower() for stem in stems):
                yield f"{where}: no word of [nouns] {noun} ({', '.join(stems)}) is in it"
    letters = language.conditions.get("native_ids", {})
    written = "".join(string.text for string in letters.values())
    for alike in _LOOK_ALIKES:
        if len(both := [c for c in written if c in alike]) > 1:
            yield f"conditions.native_ids: {' and '.join(both)} look alike"


def newest(language: Language) -> Iterator[tuple[str, str, str]]:
    """Each string that is not printed: its place, its newest wording and the English of it."""
    english = load_language("en")
    for task, strings in language.tasks.items():
        for key, string in strings.items():
            if string.revised is not None or string.source not in ("printed", "repaired"):
                known = english.tasks.get(task, {}).get(key)
                yield f"{task}.{key}", string.wording("revised"), known.text if known else ""
    blocks = format_blocks()
    for table, strings in language.conditions.items():
        if table == "filler" or language.code == "en":
            continue
        for key, string in strings.items():
            known = blocks.get(table, {}).get(key)
            if table != "native_ids":
                shown = string.wording("revised")
                yield f"conditions.{table}.{key}", shown, known.text if known else ""


def string_problems(language: Language, text: str) -> Iterator[str]:
    """Problems of one wording."""
    words = {word.lower() for word in _BREAKS.split(text)}
    for word in language.other_register:
        if word.lower() in words:
            yield f"{word!r} is of another register than {language.register!r}"
    spaced = text.split(" ")
    for before, word in pairwise(spaced):
        letter = before[-1:].isalpha() or unicodedata.category(before[-1:] or " ")[0] == "M"
        if word.rstrip(".,;:!?") in language.bound and letter and not before[-1:].isascii():
            yield f"the ending {word!r} is parted from its word"
    yield from _spacing_problems(language, text)
    marks = _FOREIGN_MARKS.get(language.code, "")
    for before, mark in re.findall(r"(\S)([.,;:?!])(?=\s|$)", PLACEHOLDER.sub("0", text)):
        if mark in marks and unicodedata.category(before)[0] in "LM" and not before.isascii():
            yield f"{mark!r} is not a mark of this language"
            return


def numbers_of(where: str) -> tuple[str, ...]:
    """The placeholders of a string that are numbers; ``a`` and ``b`` are people elsewhere."""
    return ("a", "b", "capital") if where.startswith("slt.") else ("k", "n")


def _number_problems(language: Language, text: str, names: Sequence[str]) -> Iterator[str]:
    """Nouns that would have to agree with a number, and articles that change before one."""
    number = rf"\{{(?:{'|'.join(names)})\}}"
    for word in re.findall(rf"{number} ([^\W\d_]+)", text) if language.after_number else ():
        if word not in language.after_number:
            yield f"{word!r} behind a number would have to agree with it"
    for word in language.not_before_number:
        if re.search(rf"(?<!\w){re.escape(word)} ?{number}", text, re.IGNORECASE):
            yield f"{word!r} before a number changes with it (8, 11)"


def _spacing_problems(language: Language, text: str) -> Iterator[str]:
    """Latin letters and digits that touch a script which sets them off by a space."""
    if language.script not in _UNSPACED:
        return
    shown = PLACEHOLDER.sub(lambda m: _shown(m[1]), text)
    prefix = language.script.upper()
    for one, other in pairwise(shown):
        latin = [c for c in (one, other) if c.isascii() and c.isalnum()]
        native = [
            c
            for c in (one, other)
            if unicodedata.name(c, "").startswith(prefix) and unicodedata.category(c)[0] in "LM"
        ]
        if latin and native:
            yield f"{one}{other}: a space belongs between the scripts"
            return


def _shown(name: str) -> str:
    """How a placeholder begins and ends: names of rooms and keys begin with native letters."""
    if name in _NATIVE:
        return " "
    return " 0" if name in _ROOMS else "0"


def at_numbers(where: str, text: str) -> list[str]:
    """A string with each of ``AWKWARD_NUMBERS`` in it, for a reader; empty without a number."""
    names = set(PLACEHOLDER.findall(text)) & set(numbers_of(where))
    if not names:
        return []
    pattern = re.compile(rf"\{{(?:{'|'.join(names)})\}}")
    return [pattern.sub(str(number), text) for number in AWKWARD_NUMBERS]
