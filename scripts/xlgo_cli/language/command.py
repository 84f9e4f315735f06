"""``xlgo language``: begin a language, list the languages, check their files.

Files are changed in place: comments and layout stay. What ``check`` sees of the meaning of strings
has the English ones as its pattern; what is particular to a language stands in its file, under
``[words]`` and the other rules. A fault that is found may be none in a language that says things
otherwise: its file then names the words that it uses.
"""

import argparse
import json
import re
import shlex
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import xlgo_dataset as xd
from xlgo_dataset.family import generated_family_of
from xlgo_dataset.text.document import PLACEHOLDER
from xlgo_dataset.text.languages import (
    FOLDER,
    FORMAT_BLOCKS,
    TEXTS,
    Language,
    available,
    load_language,
)
from xlgo_dataset.text.languages.checks import check_blocks, check_language, is_script
from xlgo_metric.core import refuse
from xlgo_metric.reading.words import table
from xlgo_metric.table import Column, Table

from ..arguments import Action, Actions, Argument
from ..display.formats import show
from ..folders import write_text
from .audit import FILES, strings_beside, toml_string

_COLUMNS = ("code", "name", "native name", "review", "strings")

_WORDINGS = Path(xd.__file__).parents[1] / "xlgo_metric/families/xlgobench/wordings.json"


def _new(args: argparse.Namespace) -> int:
    path = args.folder / f"{args.code}.toml"
    text = scaffold(args.code, args.name, args.native_name, args.script, args.direction)
    if path.exists() or path == args.folder / FORMAT_BLOCKS.name:
        raise ValueError(f"{path} exists: the language {args.code!r} is already there")
    write_text(path, text)
    where = "" if args.folder == FOLDER else f" --folder {shlex.quote(str(args.folder))}"
    print(f"{path}: translate every string, then run `xlgo language check {args.code}{where}`")
    return 0


def _list(args: argparse.Namespace) -> int:
    show(language_table(args.folder))
    return 0


def _check(args: argparse.Namespace) -> int:
    """Print the problems of language files; 1 if there are some."""
    problems = check_blocks() if args.folder == FOLDER else []
    for code in args.codes or available(args.folder):
        language = load_language(code, args.folder)
        of_language = [*check_language(language), *meaning_problems(language)]
        problems += [f"{code}: {problem}" for problem in of_language]
    print("\n".join(problems) or "no problems")
    return 1 if problems else 0


def _wordings(args: argparse.Namespace) -> int:
    write_text(_WORDINGS, wordings())
    print(_WORDINGS)
    return 0


ARGUMENTS = (
    Actions({
        "new": Action(
            "write a file with every string to translate",
            _new,
            Argument("code", help="ISO 639 code, such as sw"),
            Argument("--name", required=True, help="English name, such as Swahili"),
            Argument(
                "--native-name", required=True, help="name in the language, such as Kiswahili"
            ),
            Argument(
                "--script", required=True, help='Unicode script, such as Latin, or "Han, Hiragana"'
            ),
            Argument("--direction", choices=("ltr", "rtl"), default="ltr"),
            FILES,
        ),
        "list": Action("list all languages and their review status", _list, FILES),
        "check": Action(
            "check language files against the rules",
            _check,
            Argument("codes", nargs="*", help="language codes (default: all)"),
            FILES,
        ),
        "wordings": Action("record the status of every wording for the metric", _wordings),
    }),
)  # fmt: skip


def scaffold(code: str, name: str, native_name: str, script: str, direction: str) -> str:
    """The text of a language file in which every string is still to be translated.

    Raises:
        ValueError: the code is not two or three lower-case letters, or Unicode has no such script.
    """
    refuse(
        "",
        (
            not re.fullmatch("[a-z]{2,3}", code),
            f"the code {code!r} must be two or three lower-case letters (ISO 639)",
        ),
        (
            not is_script(script),
            f"--script {script!r}: Unicode has no such script; give its name there, such as Latin, "
            "Kannada, or 'Han, Hiragana'",
        ),
    )
    head = {
        "code": code,
        "name": name,
        "native_name": native_name,
        "script": script,
        "direction": direction,
    }
    lines = [
        f"# {name}: translate each string between the quotes; the English is above it.",
        "# Keep the text in braces unchanged. Identifiers such as A1234 take no endings, and no",
        "# wording may have to agree with a number. source: translated or machine-written.",
        "",
        *(f"{key} = {toml_string(value).as_string()}" for key, value in head.items()),
        "default = false",
        "",
        "[review]",
        'status = "translated, not audited"',
        'reviewer = ""',
        'date = ""',
    ]
    for task, strings in load_language("en").tasks.items():
        for key, string in strings.items():
            english = [f"# {line}" for line in string.text.splitlines()]
            lines += ["", f"[{task}.{key}]", *english, 'text = ""', 'source = "translated"']
    return "\n".join([*lines, ""])


def language_table(folder: Path = FOLDER) -> Table:
    """All languages: who reviewed them, sources of their strings, and the attribution of gaps.

    A puzzle's column says whether a gap can be attributed to the model (``ATTRIBUTIONS``), with
    the paper's wording and with the revised one.
    """
    rows = []
    for language in (load_language(code, folder) for code in available(folder)):
        judged = [language.attribution.get(task) for task in xd.TASKS]
        sources = Counter(s.source for keys in language.tasks.values() for s in keys.values())
        rows.append(
            (
                language.code,
                language.name,
                language.native_name,
                ": ".join(filter(None, (language.review["status"], language.review["reviewer"]))),
                ", ".join(f"{count} {source}" for source, count in sources.most_common()),
                *(part and f"{part.paper}/{part.revised}" for part in judged),
            )
        )
    return Table(
        "languages",
        "Languages",
        tuple(map(Column, (*_COLUMNS, *xd.TASKS))),
        tuple(rows),
        "Puzzles: whether a gap can be attributed to the model, paper/revised wording.",
    )


def wordings(folder: Path = FOLDER) -> str:
    """JSON for the metric: task, wording, what is known of it, and the languages of which it is."""
    codes: dict[tuple[str, str, str], list[str]] = {}
    puzzles = generated_family_of(xd.TASKS[0])
    for task in puzzles.TASKS:
        for code in puzzles.languages(task):
            judged = load_language(code, folder).attribution.get(task)
            for text in TEXTS:
                is_doubtful = judged is not None and getattr(judged, text) == "no"
                for name in (xd.wording_status(task, code, text), *["doubtful"] * is_doubtful):
                    codes.setdefault((task, text, name), []).append(code)
    rows = (json.dumps([*key, of_key]) for key, of_key in sorted(codes.items()))
    return "[\n" + ",\n".join(rows) + "\n]\n"


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
