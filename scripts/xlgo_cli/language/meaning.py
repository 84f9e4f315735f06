"""What a program sees of the meaning of a language's strings, for ``xlgo language check``.

The English strings are the pattern; what is particular to a language stands in its file, under
``[words]`` and the other rules. A fault that is found may be none in a language that says things
otherwise: its file then names the words that it uses.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from xlgo_dataset.family import FAMILIES
from xlgo_dataset.text.document import PLACEHOLDER
from xlgo_dataset.text.languages import Language, format_blocks, load_language
from xlgo_metric.reading.values import table

WORDS = {
    "multiplied": r"\bmultipl(?:ied|ying)\b",
    "defeated": r"\bdefeated\b",
    "exactly": r"\bexactly\b",
    "gifted": r"\bgifted\b",
    "fee": r"\bfee\b",
}
"""Keys of ``[words]`` in a language file and the English that they stand for."""

_ORDERED = (
    ("winner", "loser"), ("prev", "cur"), ("source", "target"), ("room", "next"),
    ("room", "next1"), ("next1", "next2"), ("p1", "p2"),
)  # fmt: skip
"""Placeholders that come in this order, or other people and rooms do what is said."""

_TOUCHING = re.compile(r"\{(?:start|prev|cur)\} ?\{(?:a|b|capital)\}")


def meaning_problems(language: Language) -> Iterator[str]:
    """What seems to be wrong with the meaning of the newest wordings, as ``place: problem``."""
    for where, text, english in _strings(language):
        names = PLACEHOLDER.findall(text)
        for first, second in _ORDERED:
            if {first, second} <= {*names} and names.index(first) > names.index(second):
                yield f"{where}: {{{second}}} comes before {{{first}}}"
        if touching := _TOUCHING.search(text):
            yield f"{where}: an identifier and an amount touch: {touching[0]}"
        yield from (f"{where}: {problem}" for problem in parted_endings(language, text))
        for word, phrases in language.rules.get("words", {}).items():
            expected = len(re.findall(WORDS[word], english, re.IGNORECASE))
            if sum(text.lower().count(phrase.lower()) for phrase in phrases) < expected:
                yield (
                    f"{where}: the English says {word!r} {expected} times, and there are fewer of "
                    f"{', '.join(phrases)}"
                )
        if where.endswith(".false"):
            wrong = {*table(language.code).get("not_behind", [])}
            if text in wrong - {*language.rules.get("false_and_wrong", ())}:
                yield f"{where}: {text!r} also says that an answer is wrong, as the reader reads it"


def parted_endings(language: Language, text: str) -> Iterator[str]:
    """Endings of ``bound`` that stand apart from the word or the placeholder before them."""
    bound = {*language.rules.get("bound", ())}
    for before, word in pairwise(text.split(" ")):
        last = before[-1:] or " "
        is_native = unicodedata.category(last)[0] in "LM" and not last.isascii()
        if word.rstrip(".,;:!?।") in bound and (is_native or last == "}"):
            yield f"the ending {word!r} is parted from its word"


def _strings(language: Language) -> Iterator[tuple[str, str, str]]:
    """Each string of puzzles, conditions and families: place, newest wording and the English."""
    english = load_language("en").tasks
    for task, strings in language.tasks.items():
        for key, string in strings.items():
            original = english.get(task, {}).get(key)
            yield (
                f"{task}.{key}",
                string.wording("revised"),
                original.wording("revised") if original else "",
            )
    yield from strings_beside(language)


def strings_beside(language: Language) -> Iterator[tuple[str, str, str]]:
    """Each string of conditions and families: place, newest wording and the English."""
    for name, strings in language.conditions.items():
        for key, string in strings.items():
            block = format_blocks().get(name, {}).get(key)
            yield f"conditions.{name}.{key}", string.wording("revised"), block.text if block else ""
    for family in FAMILIES.values():
        known_words = dict(family.wordings("en"))
        for where, text in family.wordings(language.code):
            yield f"{family.name}.{where}", text, known_words.get(where, "")
