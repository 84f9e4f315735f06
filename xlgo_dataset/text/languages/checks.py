"""Rules that every string of a language file must keep.

The English file is the pattern: another language has the same tasks and keys, and each string the
same placeholders. The other rules catch what damages text on its way from a page, a spreadsheet or
another program: mixed scripts, invisible characters, typeset quotes, doubled spaces.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterator

from ..document import PLACEHOLDER
from . import ATTRIBUTIONS, Language, String, format_blocks, load_language
from .condition_checks import broken, common_problems, condition_problems, placeholder_problems
from .wording_checks import wording_problems

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

SOURCES: tuple[str, ...] = (
    "printed", "repaired", "rebuilt", "machine-written", "translated", "edited",
)  # fmt: skip
"""What ``source`` of a string may say: where its ``text`` came from."""

VERDICTS: tuple[str, ...] = ("agreed", "changed", "taken", "refused")
"""How ``second_reader`` of a string may begin."""

SEPARATOR = "key_separator"

_NAME_PREFIX = {"Han": ("CJK", "IDEOGRAPHIC")}
"""How Unicode character names of a script begin, where not with the script's own name."""

_NON_JOINER = "\u200c"
_JOINERS = _NON_JOINER + "\u200d"
_VIRAMA = 9  # the canonical combining class of viramas
_INVISIBLE = ("Cc", "Cf", "Cn", "Co", "Cs")
_TYPESET = "“”‘’«»`*\ufffd"
_FORMS = ("PRESENTATION FORM", "LIGATURE", "HALFWIDTH")
_FORMULA = ("=", "+", "-", "@")
_LEAKS = ("IMPORTANT", "JSON", "step by step")
_ID = re.compile("[A-Z][0-9]{4}")
_JSON = re.compile(r"\{[\"“].*\}")
_LIST_MARK = re.compile(r"(?:[-*•] |[0-9]+\. )")
_COPIES = (("gold", "silver"), ("gift", "fee"))
_RELATIONS = ("friends", "neighbors", "classmates", "coworkers", "relatives")


def placeholders(text: str) -> list[str]:
    """The placeholders of a string in order, repetitions included."""
    return PLACEHOLDER.findall(text)


def check_string(language: Language, task: str, key: str, text: str) -> list[str]:
    """What is wrong with ``text`` as a wording of ``task.key``: one sentence each, or nothing."""
    english = _english(task, key)
    if not text.strip():
        return ["it is empty"]
    is_block = (task, key) in _blocks()
    return [
        *placeholder_problems(task, key, text, english),
        *_order_problems(text),
        *_example_problems(text, english),
        *_shape_problems(key, text),
        *common_problems(text),
        *([] if is_block else _native_problems(text, leaks=task in format_blocks())),
        *_character_problems(text, language, english=is_block),
    ]


def check_language(language: Language, *, wording: bool = True) -> list[str]:
    """Every problem of a language file, as ``task.key: what is wrong``.

    Args:
        language: the language.
        wording: the rules of good wording too, which a speaker may overrule.
    """
    problems = [*_head_problems(language), *_record_problems(language)]
    english = load_language("en")
    for task in english.tasks.keys() | language.tasks.keys():
        if task not in language.tasks and task not in format_blocks():
            continue  # a puzzle with a format of its own in each language may exist in few
        ours, theirs = language.tasks.get(task, {}), english.tasks.get(task, {})
        problems += [f"{task}.{key}: it is missing" for key in theirs if key not in ours]
        problems += [f"{task}.{key}: there is no such string" for key in ours if key not in theirs]
        for key in ours.keys() & theirs.keys():
            problems += _string_problems(language, task, key, ours[key])
        for text in ("paper", "revised"):
            problems += _ambiguities(task, {key: ours[key].wording(text) for key in ours})
    for table, strings in language.conditions.items():
        problems += [
            f"conditions.{table}.{key}: source {string.source!r} is not one of {', '.join(SOURCES)}"
            for key, string in strings.items()
            if string.source not in SOURCES
        ]
    problems += condition_problems(language)
    problems += wording_problems(language) if wording else ()
    return sorted(set(problems))


def check_blocks() -> list[str]:
    """Every problem of the English format blocks, as ``task.key: what is wrong``."""
    english = load_language("en")
    return [
        problem
        for task, blocks in format_blocks().items()
        for key, block in blocks.items()
        for problem in _string_problems(english, task, key, block)
    ]


def _string_problems(language: Language, task: str, key: str, string: String) -> list[str]:
    where, revised = f"{task}.{key}", string.revised
    words = any(character.isalpha() for character in PLACEHOLDER.sub("", string.text))
    is_english = language.code != "en" and words and string.text == _english(task, key)
    found = [f": {problem}" for problem in check_string(language, task, key, string.text)]
    if revised is not None:
        found += [f" (revised): {one}" for one in check_string(language, task, key, revised)]
    found += broken(
        (revised == string.text, " (revised): it is the same as the text"),
        (revised is not None and not string.revised_note, ": the revision has no revised_note"),
        (
            string.source not in SOURCES,
            f": source {string.source!r} is not one of {', '.join(SOURCES)}",
        ),
        (is_english, ": it is still the English text"),
    )
    return [f"{where}{problem}" for problem in found]


def _head_problems(language: Language) -> list[str]:
    return broken(
        (
            language.review.get("status") not in STATUSES,
            f"review.status: it is not one of {'; '.join(STATUSES)}",
        ),
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
        verdicts = [string.second_reader for string in strings.values()]
        is_read = any(verdict.startswith("agreed") for verdict in verdicts)
        for key, string in strings.items():
            verdict, back = string.second_reader, string.back_translation
            names = sorted(placeholders(string.wording("revised")))
            for problem in broken(
                (
                    verdict and not verdict.startswith(VERDICTS),
                    f"second_reader does not begin with one of {', '.join(VERDICTS)}",
                ),
                (
                    is_read and not verdict,
                    "the second reader gave no verdict, though other strings have one",
                ),
                (
                    back and sorted(placeholders(back)) != names,
                    "the back translation has other placeholders than the wording",
                ),
            ):
                yield f"{task}.{key}: {problem}"
    for task, judged in language.attribution.items():
        unknown = {judged.paper, judged.revised} - set(ATTRIBUTIONS)
        for problem in broken(
            (task not in language.tasks, "there is no such puzzle"),
            (unknown, f"it is not one of {', '.join(ATTRIBUTIONS)}"),
            (not judged.reason.strip(), "it has no reason"),
        ):
            yield f"attribution.{task}: {problem}"


def _order_problems(text: str) -> list[str]:
    ours = placeholders(text)
    left = _JSON.sub("", PLACEHOLDER.sub("", text))
    return broken(
        *((ours.count(name) > 1, f"{{{name}}} occurs more than once") for name in ("keys", "id")),
        (
            "keys" in ours and "k" in ours and ours.index("k") < ours.index("keys"),
            "{k} comes before {keys}",
        ),
        ("{" in left or "}" in left, "there is a brace outside the placeholders"),
    )


def _example_problems(text: str, english: str) -> Iterator[str]:
    """A sample answer must be valid JSON of the form and with the identifiers of the English."""
    wanted = _sample(english)
    if wanted is None or PLACEHOLDER.search(english):
        return
    found = _sample(text)
    if found is None:
        yield "the sample answer is not a JSON object"
    elif found.keys() != wanted.keys() or _ID.findall(text) != _ID.findall(english):
        yield f"the sample answer must be like {json.dumps(wanted)}, only the room word translated"


def _sample(text: str) -> dict[str, object] | None:
    match = _JSON.search(text)
    try:
        found = json.loads(match[0]) if match else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _shape_problems(key: str, text: str) -> list[str]:
    if key == SEPARATOR:
        return broken((not 1 <= len(text) <= 3, "a separator is a comma with or without a space"))
    return broken(
        (text != text.strip(), "it begins or ends with a space"),
        (
            text.startswith(_FORMULA),
            "it begins with a character that makes a spreadsheet take it for a formula",
        ),
        (
            _LIST_MARK.match(text),
            "it begins with a list mark: bullets and numbers are added when it is rendered",
        ),
    )


def _native_problems(text: str, *, leaks: bool) -> list[str]:
    """What a string of a language must not have; ``leaks``: the format is English everywhere."""
    return broken(
        ("\n" in text, "it has a line break"),
        *(
            (leaks and leak in text, f"{leak!r} belongs to the English format blocks")
            for leak in _LEAKS
        ),
    )


def _character_problems(text: str, language: Language, *, english: bool) -> Iterator[str]:
    prefixes = ("LATIN",) if english else _prefixes(language.script)
    bare = _ID.sub("", PLACEHOLDER.sub("", text))
    sample = _JSON.search(bare)
    if sample is not None:  # its key is English in every language
        bare = bare.replace(sample[0], re.sub(r'"\w+":', "", sample[0], count=1))
    before = ""
    for character in bare:
        known = character in language.letters and not english
        problem = "" if known else _character_problem(character, before, prefixes)
        if problem:
            name = unicodedata.name(character, "no name")
            yield f"U+{ord(character):04X} ({name.lower()}): {problem}"
            return  # one is enough: damage comes in whole words
        before = character


def _character_problem(character: str, before: str, prefixes: tuple[str, ...]) -> str:
    category = unicodedata.category(character)
    name = unicodedata.name(character, "")
    if character in _JOINERS:
        arabic = unicodedata.name(before, "") if before else ""
        joined = bool(before) and unicodedata.combining(before) == _VIRAMA
        apart = character == _NON_JOINER and arabic.startswith("ARABIC LETTER")
        allowed = "a joiner is allowed after a virama only, a non-joiner inside an Arabic word, too"
        return "" if joined or apart else allowed
    kind = category[0]
    rules = (
        (category in _INVISIBLE and character != "\n", "invisible or unassigned"),
        (character in _TYPESET, "a leftover of typesetting"),
        (category == "Zs" and character != " ", "not the ordinary space"),
        (category == "Nd" and not character.isascii(), "digits must be ASCII, as in identifiers"),
        (any(form in name for form in _FORMS), "a presentation form"),
        (kind in "LM" and not name.startswith(prefixes), "not of this language's script"),
        (kind == "M" and not _carries(before), "a sign without a letter before it"),
    )
    return next((message for broken, message in rules if broken), "")


def _carries(before: str) -> bool:
    """Whether a sign may follow: after a letter, another sign or a joiner."""
    return before != "" and (before in _JOINERS or unicodedata.category(before)[0] in "LM")


def is_script(script: str) -> bool:
    """Whether Unicode has letters of every script named, as in ``Han, Hiragana``."""
    return all(
        any(
            unicodedata.name(chr(code), "").startswith(f"{prefix} ")
            for prefix in _prefixes(name)[1:]
            for code in range(sys.maxunicode + 1)
        )
        for name in script.split(", ")
    )


def _prefixes(script: str) -> tuple[str, ...]:
    found = ["COMBINING"]
    for name in script.split(", "):
        found.extend(_NAME_PREFIX.get(name, (name.upper(),)))
    return tuple(found)


def _ambiguities(task: str, strings: dict[str, str]) -> list[str]:
    """Wordings that the prompt parser cannot distinguish."""
    relations = [strings[key] for key in _RELATIONS if strings.get(key)]
    return broken(
        *(
            (
                strings.get(one) and strings.get(one) == strings.get(other),
                f"{task}.{one}: it is the same as {other}",
            )
            for one, other in _COPIES
        ),
        (
            len(set(relations)) < len(relations),
            f"{task}: two of {', '.join(_RELATIONS)} are the same",
        ),
    )


def _english(task: str, key: str) -> str:
    """The paper's English of a string, format blocks included.

    Raises:
        ValueError: there is no such string.
    """
    try:
        return load_language("en").strings(task)[key]
    except KeyError:
        raise ValueError(f"there is no string {task}.{key}") from None


def _blocks() -> set[tuple[str, str]]:
    return {(task, key) for task, keys in format_blocks().items() for key in keys}
