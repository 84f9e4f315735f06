"""``xlgo language``: begin a language, list the languages, check their files."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from xlgo_dataset.text.languages import (
    FOLDER,
    FORMAT_BLOCKS,
    Language,
    available,
    load_language,
)
from xlgo_dataset.text.languages.checks import check_blocks, check_language, is_script

from ..arguments import Action, Actions, Argument, existing_folder
from ..folders import write_text
from .file import FILES, toml_string
from .meaning import meaning_problems
from .tables import summary, write_pages


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
    if args.json:
        print(json.dumps(listed(args.folder), ensure_ascii=False, indent=1))
    else:
        print(table(args.folder))
    return 0


def _check(args: argparse.Namespace) -> int:
    """Print the problems of language files; 1 if there are some."""
    problems = check_blocks() if args.folder == FOLDER else []
    for code in args.codes or available(args.folder):
        language = load_language(code, args.folder)
        found = [*check_language(language), *meaning_problems(language)]
        problems += [f"{code}: {problem}" for problem in found]
        if args.numbers:
            print("".join(f"{code}: {line}\n" for line in at_numbers(language)), end="")
    print("\n".join(problems) or "no problems")
    return 1 if problems else 0


def _tables(args: argparse.Namespace) -> int:
    print("\n".join(map(str, write_pages(args.folder, args.docs))))
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
        "list": Action(
            "list all languages and their review status",
            _list,
            Argument("--json", action="store_true", help="print them as JSON"),
            FILES,
        ),
        "check": Action(
            "check language files against the rules",
            _check,
            Argument("codes", nargs="*", help="language codes (default: all)"),
            Argument(
                "--numbers", action="store_true",
                help="also print each string with a number at 1, 2, 5, 8, 11 and 21, to be read",
            ),
            FILES,
        ),
        "tables": Action(
            "bring the generated tables of the docs up to date",
            _tables,
            Argument("docs", type=existing_folder, help="folder of the docs pages, such as docs"),
            FILES,
        ),
    }),
)  # fmt: skip


_AWKWARD_NUMBERS = (1, 2, 5, 8, 11, 21)
"""Numbers at which nouns, articles and verbs change in one language or another."""


def at_numbers(language: Language) -> Iterator[str]:
    """Each string that has a number with each of ``_AWKWARD_NUMBERS`` in it, for a reader."""
    tables = language.tasks | {f"conditions.{name}": of for name, of in language.conditions.items()}
    for table, strings in tables.items():
        # a and b are people elsewhere
        number = re.compile(rf"\{{(?:{'a|b|capital' if table == 'slt' else 'k|n'})\}}")
        for key, string in strings.items():
            text = string.wording("revised")
            if number.search(text):
                for value in _AWKWARD_NUMBERS:
                    yield f"{table}.{key}: {number.sub(str(value), text)}"


def scaffold(code: str, name: str, native_name: str, script: str, direction: str) -> str:
    """The text of a language file in which every string is still to be translated.

    Raises:
        ValueError: the code is not two or three lower-case letters, or Unicode has no such script.
    """
    if not re.fullmatch("[a-z]{2,3}", code):
        raise ValueError(f"the code {code!r} must be two or three lower-case letters (ISO 639)")
    if not is_script(script):
        raise ValueError(
            f"--script {script!r}: Unicode has no such script; give its name there, such as Latin, "
            "Kannada, or 'Han, Hiragana'"
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


def listed(folder: Path = FOLDER) -> list[dict[str, Any]]:
    """All languages in plain JSON types, with what :func:`table` shows of them."""
    entries = []
    for code in available(folder):
        language = load_language(code, folder)
        strings = [string for keys in language.tasks.values() for string in keys.values()]
        entries.append(
            {
                "code": code,
                "name": language.name,
                "native_name": language.native_name,
                "script": language.script,
                "direction": language.direction,
                "default": language.default,
                "review": dict(language.review),
                "strings": dict(Counter(string.source for string in strings)),
                "revised": sum(string.revised is not None for string in strings),
                "gap_due_to_model": summary(language),
            }
        )
    return entries


def table(folder: Path = FOLDER) -> str:
    """All languages: code, name, in the default set or not, sources of the strings, review.

    The last column says for each puzzle whether a gap can be put down to the model, with the
    paper's wording and with the revised one.
    """
    rows = [
        ("code", "name", "default", "review", "reviewer", "strings", "revised",
         "gap due to the model (paper/revised)"),
    ]  # fmt: skip
    for language in listed(folder):
        sources = Counter(language["strings"]).most_common()
        rows.append(
            (
                language["code"],
                language["name"],
                "yes" if language["default"] else "no",
                language["review"]["status"],
                language["review"]["reviewer"] or "-",
                ", ".join(f"{count} {source}" for source, count in sources),
                str(language["revised"]),
                language["gap_due_to_model"],
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
    )
