"""Rules of the language files of this repository that a program can see, beyond ``check_language``.

A language file says what is particular to its language (``register``, ``other_register``,
``bound``, ``after_number``, ``not_before_number``, ``[nouns]``); the rules of good wording read the
newest wording of each string. What was printed in the paper and has no revision is left alone. The
other rules are about the record of the readers and about the conditions of experiments.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import xlgo_dataset as xd
from xlgo_cli.language.command import meaning_problems
from xlgo_dataset.text.document import PLACEHOLDER
from xlgo_dataset.text.languages import (
    ATTRIBUTIONS,
    Language,
    String,
    format_blocks,
    load_language,
)
from xlgo_dataset.text.languages.checks import (
    SOURCES,
    broken,
    check_language,
    common_problems,
    placeholder_problems,
)

STATUSES: tuple[str, ...] = (
    "printed",
    "repaired from print, not audited",
    "rebuilt in part, not audited",
    "machine-written, not audited",
    "translated, not audited",
    "checked, not audited",
    "audited",
)
"""What ``status`` under ``[review]`` may say."""

VERDICTS: tuple[str, ...] = ("agreed", "changed", "taken", "refused")
"""How ``second_reader`` of a string may begin."""

NOUNS = ("merchant", "room", "key", "player")
"""The nouns of the puzzles, each of which is to have one translation in a language."""

_ROOMS = ("next", "next1", "next2", "room")
_NATIVE = ("counted", "gold", "items", "key", "keys", "silver")

_UNSPACED = ("Khmer", "Myanmar", "Thai")
"""Scripts without spaces between words, which set off Latin letters and digits by one."""

_FOREIGN_MARKS = {
    "am": ".,;", "ar": ",;?", "bn": ".", "el": "?", "fa": ",;?", "hi": ".", "ja": ",.;?!",
    "km": ".", "my": ".,;?", "pa": ".", "ur": ",;?.", "zh": ",.;?!",
}  # fmt: skip
"""By language, marks of other scripts that must not follow one of its letters."""

_BREAKS = re.compile(r"[\s.,;:!?()\[\]{}\"'«»“”/–—।۔،؛؟、。，：；！？።፣፤፦၊။៖·-]+")

_OBJECT = re.compile(r'\{"[^{}]*\}')
_IDENTIFIER = re.compile("[A-Z][0-9]{4}")
_FILLER = "filler"
_MIXED = {
    "english_rules": {"dsa_start": "room", "prdsa_start": "room"},
    "english_names": {
        "dsa_start": "room",
        "dsa_transition": "key next room",
        "prdsa_start": "room",
        "prdsa_transition": "key next1 next2 p1 p2 room",
    },
}
"""Strings that a language needs where its names are inflected, and their placeholders."""


def problems(language: Language) -> list[str]:
    """Every problem of a language file of this repository, as ``task.key: what is wrong``."""
    return sorted(
        {
            *check_language(language),
            *_head_problems(language),
            *_record_problems(language),
            *condition_problems(language),
            *wording_problems(language),
            *meaning_problems(language),
            *(
                f"{family.name}.{where}: {problem}"
                for family in xd.FAMILIES.values()
                for where, text in family.wordings(language.code)
                for problem in string_problems(language, text)
            ),
        }
    )


def _head_problems(language: Language) -> list[str]:
    status = language.review.get("status")
    return broken(
        (status not in STATUSES, f"review.status: it is not one of {'; '.join(STATUSES)}"),
        (language.direction not in ("ltr", "rtl"), "direction: it is not one of ltr, rtl"),
        (language.revised_revision < 1, "revised_revision: it must be at least 1"),
        (
            language.conditions and language.conditions_status not in STATUSES,
            f"conditions.status: it is not one of {'; '.join(STATUSES)}",
        ),
    )


def _record_problems(language: Language) -> Iterator[str]:
    """What is wrong with the record of the second reader and with the attribution."""
    for task, strings in language.tasks.items():
        is_read = any(string.second_reader.startswith("agreed") for string in strings.values())
        for key, string in strings.items():
            verdict, back = string.second_reader, string.back_translation
            names = sorted(PLACEHOLDER.findall(string.wording("revised")))
            found = broken(
                (
                    verdict and not verdict.startswith(VERDICTS),
                    f"second_reader does not begin with one of {', '.join(VERDICTS)}",
                ),
                (
                    is_read and not verdict,
                    "the second reader gave no verdict, though other strings have one",
                ),
                (
                    back and sorted(PLACEHOLDER.findall(back)) != names,
                    "the back translation has other placeholders than the wording",
                ),
            )
            yield from (f"{task}.{key}: {problem}" for problem in found)
    for task, judged in language.attribution.items():
        found = broken(
            (task not in language.tasks, "there is no such puzzle"),
            (
                {judged.paper, judged.revised} - set(ATTRIBUTIONS),
                f"it is not one of {', '.join(ATTRIBUTIONS)}",
            ),
            (not judged.reason.strip(), "it has no reason"),
        )
        yield from (f"attribution.{task}: {problem}" for problem in found)


def condition_problems(language: Language) -> Iterator[str]:
    """Every problem of ``[conditions]``, as ``conditions.table.key: what is wrong``.

    A table may be missing; the language is then not asked under the conditions that need it.
    """
    blocks = format_blocks()
    allowed: dict[str, Iterable[str]] = {**_MIXED, **blocks}
    if language.code == "en":
        allowed |= {_FILLER: language.conditions[_FILLER]}
    for table, strings in language.conditions.items():
        where, keys = f"conditions.{table}", list(allowed.get(table, strings))
        if table not in allowed:
            yield f"{where}: there is no such table"
        yield from (f"{where}.{key}: it is missing" for key in keys if key not in strings)
        yield from (f"{where}.{key}: no such string" for key in strings if key not in keys)
        for key, string in strings.items():
            if string.source not in SOURCES:
                sources = ", ".join(SOURCES)
                yield f"{where}.{key}: source {string.source!r} is not one of {sources}"
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
    if table in blocks and key in blocks[table]:
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


def wording_problems(language: Language) -> Iterator[str]:
    """What is wrong with the newest wording of the strings, as ``task.key: what is wrong``."""
    for where, text, english in newest(language):
        for problem in string_problems(language, text):
            yield f"{where}: {problem}"
        for problem in _number_problems(language, text, numbers_of(where)):
            yield f"{where}: {problem}"
        for noun in NOUNS:
            stems = language.rules.get("nouns", {}).get(noun, ())
            asked = re.search(rf"\b{noun}s?\b", PLACEHOLDER.sub("", english))  # not Room, Key
            if stems and asked and not any(stem.lower() in text.lower() for stem in stems):
                yield f"{where}: no word of [nouns] {noun} ({', '.join(stems)}) is in it"


def newest(language: Language) -> Iterator[tuple[str, str, str]]:
    """Each string that is not printed: its place, its newest wording and the English of it."""
    english: dict[str, Mapping[str, String]] = {**load_language("en").tasks}
    english |= {f"conditions.{table}": strings for table, strings in format_blocks().items()}
    own = {**language.tasks}
    if language.code != "en":
        own |= {f"conditions.{table}": strings for table, strings in language.conditions.items()}
    for table, strings in own.items():
        for key, string in strings.items():
            is_printed = string.revised is None and string.source in ("printed", "repaired")
            if table.startswith("conditions.") or not is_printed:
                known = english.get(table, {}).get(key)
                yield f"{table}.{key}", string.wording("revised"), known.text if known else ""


def string_problems(language: Language, text: str) -> Iterator[str]:
    """Problems of one wording."""
    words = {word.lower() for word in _BREAKS.split(text)}
    for word in language.rules.get("other_register", ()):
        if word.lower() in words:
            yield f"{word!r} is of another register than {language.rules.get('register')!r}"
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
    allowed = language.rules.get("after_number", ())
    for word in re.findall(rf"{number} ([^\W\d_]+)", text) if allowed else ():
        if word not in allowed:
            yield f"{word!r} behind a number would have to agree with it"
    for word in language.rules.get("not_before_number", ()):
        if re.search(rf"(?<!\w){re.escape(word)} ?{number}", text, re.IGNORECASE):
            yield f"{word!r} before a number changes with it (8, 11)"


def _spacing_problems(language: Language, text: str) -> Iterator[str]:
    """Latin letters and digits that touch a script which sets them off by a space."""
    if language.script not in _UNSPACED:
        return
    for pair in pairwise(PLACEHOLDER.sub(lambda m: _shown(m[1]), text)):
        is_latin = [c.isascii() and c.isalnum() for c in pair]
        is_native = [
            unicodedata.name(c, "").startswith(language.script.upper())
            and unicodedata.category(c)[0] in "LM"
            for c in pair
        ]
        if any(is_latin) and any(is_native):
            yield f"{''.join(pair)}: a space belongs between the scripts"
            return


def _shown(name: str) -> str:
    """How a placeholder begins and ends: names of rooms and keys begin with native letters."""
    if name in _NATIVE:
        return " "
    return " 0" if name in _ROOMS else "0"
