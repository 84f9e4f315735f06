"""``xlgo gallery``: a page with one small question of every task in every language."""

import argparse
import html
from itertools import islice
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.core import GalleryExample
from xlgo_dataset.family import generated_family_of
from xlgo_dataset.text.languages import load_language

from ..arguments import Argument
from ..display import labels
from ..folders import write_text

_OPTIONS = {"preset": "smoke", "levels": 1, "per_level": 1, "n": 1, "seed": 0}
"""Those that a task knows make its questions small and few."""

_HEAD = """\
# Gallery

One small question of every task in every language, as the generators make it: the same instance,
rendered in each language, with one answer. Only what is counted differs: each language has a text
of its own. `xlgo gallery` writes this page.
"""

ARGUMENTS = (
    Argument(
        "--out",
        type=Path,
        default=Path("gallery.md"),
        help="page to write (default: gallery.md)",
    ),
)


def run(args: argparse.Namespace) -> int:
    """Write the page; 0 if it went well.

    Raises:
        ValueError: it cannot be written.
    """
    text = page()
    write_text(args.out, text)
    print(f"{args.out}: {text.count('<details>')} prompts")
    return 0


def page() -> str:
    """The page in Markdown: the paper's languages; of a parallel text all that have it."""
    sections = [
        _section(task, example)
        for family in xd.FAMILIES.values()
        for task in family.generated
        for example in family.gallery_examples(task)
    ]
    titles = [section.partition("\n")[0].removeprefix("## ") for section in sections]
    links = " · ".join(f"[{title}](#{title.replace(' ', '-')})" for title in titles)
    return "\n".join([_HEAD, links, "", *sections])


def _section(task: str, example: GalleryExample) -> str:
    family = generated_family_of(task)
    allowed = family.options(task)
    codes = [c for c in family.languages(task) if c in (example.languages or xd.LANGUAGES)]
    options: dict[str, Any] = {k: v for k, v in _OPTIONS.items() if k in allowed}
    options |= example.options
    rows = list(islice(family.rows(task, codes, split="test", **options), len(codes)))
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
