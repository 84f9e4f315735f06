"""``xlgo gallery``: a page with one small question of every task in every language."""

from __future__ import annotations

import argparse
import html
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.declared import GalleryExample
from xlgo_dataset.family import generated_family_of
from xlgo_dataset.text.languages import load_language

from ..arguments import Argument, languages
from ..display import labels
from ..folders import write_text

_OPTIONS = {"preset": "smoke", "levels": 1, "per_level": 1, "n": 1, "seed": 0}
"""Those that a task knows make its questions small and few."""

_HEAD = """\
# Gallery

One small question of every task in every language, as the generators make it: the same instance,
rendered in each language, with one answer. Only what is counted differs: each language has a text
of its own. `xlgo gallery` writes this page, and a test keeps it current.
"""


ARGUMENTS = (
    Argument(
        "--out",
        type=Path,
        default=Path("GALLERY.md"),
        help="page to write (default: GALLERY.md)",
    ),
    languages("the paper's, and all that have parallel texts"),
    Argument("--check", action="store_true", help="write nothing; fail if the page is out of date"),
)


def run(args: argparse.Namespace) -> int:
    """Write or check the page; 0 if it went well.

    Raises:
        ValueError: an unknown language; the page is out of date, or cannot be written.
    """
    text = page(args.languages or None)
    if args.check:
        if not args.out.is_file() or args.out.read_text(encoding="utf-8") != text:
            raise ValueError(f"{args.out} is out of date: write it again with `xlgo gallery`")
        return 0
    write_text(args.out, text)
    print(f"{args.out}: {text.count('<details>')} prompts")
    return 0


def page(languages: Sequence[str] | None = None) -> str:
    """The page in Markdown.

    Args:
        languages: codes; each task is shown in those of them that it has. By default those of the
            paper, and where a text is parallel all that have it.

    Raises:
        ValueError: no task has one of the languages.
    """
    allowed = xd.available()
    for code in languages or ():
        if code not in allowed:
            raise ValueError(f"unknown language {code!r}: allowed are {', '.join(allowed)}")
    sections = [
        _section(task, example, languages)
        for family in xd.FAMILIES.values()
        for task in family.generated
        for example in family.gallery_examples(task)
    ]
    found = list(filter(None, sections))
    heads = [section.partition("\n")[0].removeprefix("## ") for section in found]
    links = " · ".join(f"[{head}](#{head.replace(' ', '-')})" for head in heads)
    return "\n".join([_HEAD, links, "", *found])


def _section(task: str, example: GalleryExample, languages: Sequence[str] | None) -> str:
    family = generated_family_of(task)
    own = example.languages
    wanted = {*(own or languages or xd.LANGUAGES)} & {*(languages or own or xd.LANGUAGES)}
    codes = [code for code in family.languages(task) if code in wanted]
    allowed = family.options(task)
    known = {k: v for k, v in _OPTIONS.items() if k in allowed}
    options: dict[str, Any] = {**known, **example.options}
    rows = list(islice(family.rows(task, codes, split="test", **options), len(codes)))
    if not rows:
        return ""
    answers = {row["answer"] for row in rows}
    identities = list(dict.fromkeys(f"`{row['instance_id']}`" for row in rows))
    words = labels.task(task)
    lines = [" ".join(["##", task, *filter(None, [example.name])]), ""]
    lines += [f"**{words.title}.** {words.about}", ""]
    lines += [identities[0] if len(identities) == 1 else "A text of its own in each language.", ""]
    if len(answers) == 1:
        lines += ["Answer in every language:", "", *_fenced(answers.pop(), "json")]
    for row in rows:
        lines += _example(row, with_answer=bool(answers))
    return "\n".join(lines)


def _example(row: dict[str, Any], *, with_answer: bool) -> list[str]:
    language = load_language(row["language"])
    own = "" if language.native_name == language.name else f" ({language.native_name})"
    title = f"{language.name}{own}, <code>{row['id']}</code>"
    lines = ["<details>", f"<summary>{title}</summary>", ""]
    if language.direction == "rtl":
        # A code block of Markdown would run from left to right.
        lines += [f'<pre dir="rtl">{html.escape(row["prompt"], quote=False)}</pre>', ""]
    else:
        lines += _fenced(row["prompt"], "text")
    if with_answer:
        lines += ["Answer:", "", *_fenced(row["answer"], "json")]
    return [*lines, "</details>", ""]


def _fenced(text: str, kind: str) -> list[str]:
    """Text in a code block; its fence is longer than any in the text."""
    return [f"````{kind}", text, "````", ""]
