"""Rules that every string of a language file must keep, or its prompts cannot be used.

The English file is the pattern: another language has the same tasks and keys, and each string the
same placeholders. The other rules catch what damages text on its way from a page, a spreadsheet or
another program: mixed scripts, invisible characters, typeset quotes, doubled spaces. Rules of good
wording, and of the record of the readers, stand in the tests (``tests/languages/test_files.py``).
"""

import json
import unicodedata
from collections.abc import Iterator, Sequence

import regex

from ..document import PLACEHOLDER
from . import Language, String, format_blocks, load_language

SOURCES: tuple[str, ...] = (
    "printed", "repaired", "rebuilt", "machine-written", "translated", "edited",
)  # fmt: skip
"""What ``source`` of a string may say: where its ``text`` came from."""

Rules = Sequence[tuple[str, str]]
"""A regular expression that no text may match, and what is wrong then, with its groups."""

_SEPARATOR: Rules = ((r"(?s)\A(?!.{1,3}\Z)", "a separator is a comma with or without a space"),)
_SHAPE: Rules = (
    (r"(?s)\{(keys|id)\}.*\{\1\}", r"{\1} occurs more than once"),
    (r"(?s)\A(?:(?!\{keys\}).)*\{k\}.*\{keys\}", "{k} comes before {keys}"),
    (r"\A\s|\s\Z", "it begins or ends with a space"),
    (r"\A[=+@-]", "it begins with a character that makes a spreadsheet take it for a formula"),
    (
        r"\A(?:[-*•] |[0-9]+\. )",
        "it begins with a list mark: bullets and numbers are added when it is rendered",
    ),
)
_OF_LANGUAGE: Rules = ((r"\n", "it has a line break"),)
_FORMAT: Rules = ((r"(IMPORTANT|JSON|step by step)", r"'\1' belongs to the English format blocks"),)
"""The format of an answer is English everywhere, where it is a block."""

_CHARACTERS: Rules = (
    (
        r"(?<!\p{ccc=9})(?:\u200d|(?<!(?=\p{Arabic})\p{L})\u200c)",
        "a joiner is allowed after a virama only, a non-joiner inside an Arabic word, too",
    ),
    (r"(?![\n\u200c\u200d])\p{C}", "invisible or unassigned"),
    ("[“”‘’«»`*\ufffd]", "a leftover of typesetting"),
    (r"(?! )\p{Zs}", "not the ordinary space"),
    (r"(?![0-9])\p{Nd}", "digits must be ASCII, as in identifiers"),
    (r"[\ufb00-\ufdff\ufe10-\ufe4f\ufe70-\ufeff\uff61-\uffdc]", "a presentation form"),
    (r"(?<![\p{L}\p{M}\u200c\u200d])\p{M}", "a sign without a letter before it"),
)
_ID = regex.compile("[A-Z][0-9]{4}")
_MORE_PLACEHOLDERS = {("prdsa", "rules"): {"gold", "silver"}}
"""Placeholders a string may have although the paper's English does not."""

_JSON = regex.compile(r"\{[\"“].*\}")
_DIFFERENT = (
    ("gold", "silver"),
    ("gift", "fee"),
    ("friends", "neighbors", "classmates", "coworkers", "relatives"),
)
"""Strings of a puzzle that its reader must tell apart."""


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
        return json.loads(match[0]) if match else None
    except ValueError:
        return None


def _shape_problems(task: str, key: str, text: str, is_block: bool) -> list[str]:
    if key == "key_separator":
        return _matched(_SEPARATOR, text)
    others = _JSON.sub("", PLACEHOLDER.sub("", text))
    return [
        *_matched(_SHAPE, text),
        *broken(("{" in others or "}" in others, "there is a brace outside the placeholders")),
        *_matched(() if is_block else _OF_LANGUAGE, text),
        *_matched(() if is_block or task not in format_blocks() else _FORMAT, text),
    ]


def _matched(rules: Rules, text: str) -> list[str]:
    matches = ((regex.search(pattern, text), problem) for pattern, problem in rules)
    return [match.expand(problem) for match, problem in matches if match]


def _character_problems(text: str, language: Language, *, english: bool) -> list[str]:
    bare = _ID.sub("", PLACEHOLDER.sub("", text))
    # The key of a sample answer is English in every language.
    bare = _JSON.sub(lambda sample: regex.sub(r'"\w+":', "", sample[0], count=1), bare)
    if not english:
        bare = bare.translate(dict.fromkeys(map(ord, language.rules.get("letters", ""))))
    script = _script("Latin" if english else language.script)
    own = (rf"(?!{script}|\p{{Inherited}})[\p{{L}}\p{{M}}]", "not of this language's script")
    return [
        f"U+{ord(match[0]):04X} ({unicodedata.name(match[0], 'no name').lower()}): {problem}"
        for pattern, problem in (*_CHARACTERS, own)
        if (match := regex.search(pattern, bare))
    ]


def _script(names: str) -> str:
    """What matches a character of the scripts, named as in ``Han, Hiragana``."""
    return "|".join(rf"\p{{scx={name}}}" for name in names.split(", "))


def is_script(names: str) -> bool:
    """Whether Unicode has every script named, as in ``Han, Hiragana``."""
    try:
        return bool(regex.compile(_script(names)))
    except regex.error:
        return False


def _ambiguities(task: str, strings: dict[str, str]) -> Iterator[str]:
    """Wordings that the prompt parser cannot distinguish."""
    for keys in _DIFFERENT:
        texts = [strings[key] for key in keys if strings.get(key)]
        if len(set(texts)) < len(texts):
            yield f"{task}.{keys[0]}: two of {', '.join(keys)} are the same"
