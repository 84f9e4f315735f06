"""Rules that every string of a language file must keep, or its prompts cannot be used.

The English file is the pattern: another language has the same tasks and keys, and each string the
same placeholders. The other rules catch what damages text on its way from a page, a spreadsheet or
another program: mixed scripts, invisible characters, typeset quotes, doubled spaces. Rules of good
wording, and of the record of the readers, stand in the tests (``tests/languages/rules.py``).
"""

import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from itertools import chain, islice, pairwise

from ..document import PLACEHOLDER
from . import Language, String, format_blocks, load_language

SOURCES: tuple[str, ...] = (
    "printed", "repaired", "rebuilt", "machine-written", "translated", "edited",
)  # fmt: skip
"""What ``source`` of a string may say: where its ``text`` came from."""

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
_MORE_PLACEHOLDERS = {("prdsa", "rules"): {"gold", "silver"}}
"""Placeholders a string may have although the paper's English does not."""

_JSON = re.compile(r"\{[\"“].*\}")
_LIST_MARK = re.compile(r"(?:[-*•] |[0-9]+\. )")
_COPIES = (("gold", "silver"), ("gift", "fee"))
_RELATIONS = ("friends", "neighbors", "classmates", "coworkers", "relatives")


def broken(*checks: tuple[object, str]) -> list[str]:
    """The messages of a table of checks whose first entry is true."""
    return [message for is_broken, message in checks if is_broken]


def check_string(language: Language, task: str, key: str, text: str) -> list[str]:
    """What is wrong with ``text`` as a wording of ``task.key``: one sentence each, or nothing.

    Raises:
        ValueError: there is no such string.
    """
    english = load_language("en").strings(task).get(key)
    if english is None:
        raise ValueError(f"there is no string {task}.{key}")
    if not text.strip():
        return ["it is empty"]
    is_block = key in format_blocks().get(task, {})
    return [
        *placeholder_problems(task, key, text, english),
        *_example_problems(text, english),
        *common_problems(text),
        *_shape_problems(task, key, text, is_block),
        *_character_problems(text, language, english=is_block),
    ]


def check_language(language: Language) -> list[str]:
    """Every problem of the strings of a language, as ``task.key: what is wrong``."""
    problems = []
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
    revised, english_text = string.revised, load_language("en").strings(task)[key]
    words = any(character.isalpha() for character in PLACEHOLDER.sub("", string.text))
    is_english = language.code != "en" and words and string.text == english_text
    result = [f": {problem}" for problem in check_string(language, task, key, string.text)]
    if revised is not None:
        result += [f" (revised): {one}" for one in check_string(language, task, key, revised)]
    result += broken(
        (revised == string.text, " (revised): it is the same as the text"),
        (revised is not None and not string.revised_note, ": the revision has no revised_note"),
        (
            string.source not in SOURCES,
            f": source {string.source!r} is not one of {', '.join(SOURCES)}",
        ),
        (is_english, ": it is still the English text"),
    )
    return [f"{task}.{key}{problem}" for problem in result]


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


def _example_problems(text: str, english: str) -> Iterator[str]:
    """A sample answer must be valid JSON of the form and with the identifiers of the English."""
    expected = _sample(english)
    if expected is None or PLACEHOLDER.search(english):
        return
    sample = _sample(text)
    if sample is None:
        yield "the sample answer is not a JSON object"
    elif sample.keys() != expected.keys() or _ID.findall(text) != _ID.findall(english):
        yield (
            f"the sample answer must be like {json.dumps(expected)}, only the room word translated"
        )


def _sample(text: str) -> dict[str, object] | None:
    match = _JSON.search(text)
    try:
        result = json.loads(match[0]) if match else None
    except ValueError:
        return None
    return result if isinstance(result, dict) else None


def _shape_problems(task: str, key: str, text: str, is_block: bool) -> list[str]:
    if key == SEPARATOR:
        return broken((not 1 <= len(text) <= 3, "a separator is a comma with or without a space"))
    names = PLACEHOLDER.findall(text)
    others = _JSON.sub("", PLACEHOLDER.sub("", text))
    # The format of an answer is English everywhere, where it is a block.
    leaks = [word for word in _LEAKS if word in text and not is_block and task in format_blocks()]
    return broken(
        *((names.count(name) > 1, f"{{{name}}} occurs more than once") for name in ("keys", "id")),
        (
            {"k", "keys"} <= {*names} and names.index("k") < names.index("keys"),
            "{k} comes before {keys}",
        ),
        ("{" in others or "}" in others, "there is a brace outside the placeholders"),
        (text != text.strip(), "it begins or ends with a space"),
        (
            text.startswith(_FORMULA),
            "it begins with a character that makes a spreadsheet take it for a formula",
        ),
        (
            _LIST_MARK.match(text),
            "it begins with a list mark: bullets and numbers are added when it is rendered",
        ),
        ("\n" in text and not is_block, "it has a line break"),
        *((word, f"{word!r} belongs to the English format blocks") for word in leaks),
    )


def _character_problems(text: str, language: Language, *, english: bool) -> list[str]:
    prefixes = ("LATIN",) if english else _prefixes(language.script)
    letters = "" if english else language.rules.get("letters", "")
    bare = _ID.sub("", PLACEHOLDER.sub("", text))
    # The key of a sample answer is English in every language.
    bare = _JSON.sub(lambda sample: re.sub(r'"\w+":', "", sample[0], count=1), bare)
    problems = (
        f"U+{ord(character):04X} ({unicodedata.name(character, 'no name').lower()}): {problem}"
        for before, character in pairwise(f" {bare}")
        if character not in letters
        for problem in _character_problem(character, before, prefixes)
    )
    return list(islice(problems, 1))  # one is enough: damage comes in whole words


def _character_problem(character: str, before: str, prefixes: tuple[str, ...]) -> list[str]:
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    kind, is_joiner = category[0], character in _JOINERS
    in_arabic = unicodedata.name(before, "").startswith("ARABIC LETTER")
    joins = unicodedata.combining(before) == _VIRAMA or (character == _NON_JOINER and in_arabic)
    carries = before in _JOINERS or unicodedata.category(before)[0] in "LM"
    return broken(
        (
            is_joiner and not joins,
            "a joiner is allowed after a virama only, a non-joiner inside an Arabic word, too",
        ),
        (
            category in _INVISIBLE and character != "\n" and not is_joiner,
            "invisible or unassigned",
        ),
        (character in _TYPESET, "a leftover of typesetting"),
        (category == "Zs" and character != " ", "not the ordinary space"),
        (category == "Nd" and not character.isascii(), "digits must be ASCII, as in identifiers"),
        (any(form in name for form in _FORMS), "a presentation form"),
        (kind in "LM" and not name.startswith(prefixes), "not of this language's script"),
        (kind == "M" and not carries, "a sign without a letter before it"),
    )


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
    names = (_NAME_PREFIX.get(name, (name.upper(),)) for name in script.split(", "))
    return ("COMBINING", *chain.from_iterable(names))


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
