"""Tables of the docs: whether a gap can be attributed to the model, back-translations."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

import xlgo_dataset as xd
from xlgo_dataset.family import generated_family_of
from xlgo_dataset.text.languages import (
    FOLDER,
    TEXTS,
    Attribution,
    Language,
    available,
    load_language,
)

KEYS = (
    "slt.intro", "slt.gift", "slt.fee", "prdsa.intro", "prdsa.transition", "prdsa.question",
    "t_rank.match", "t_rank.count",
)  # fmt: skip
"""The strings that hold a number, a count, or say who did what to whom. None holds a negation."""

BEGIN, END = "<!-- {name}: begin -->", "<!-- {name}: end -->"


def summary(language: Language) -> str:
    """The attribution of a language in one cell: each task with ``paper/revised``."""
    return " ".join(
        f"{task}:{judged.paper}/{judged.revised}" for task, judged in language.attribution.items()
    )


def attribution(folder: Path = FOLDER) -> str:
    """A Markdown table: language by puzzle, each cell the judgement of ``paper / revised``.

    Languages with the same judgements share a row. Puzzles that nobody has judged in any language
    have no column.
    """
    tasks = _judged(folder)
    rows = [["language", "wording", *(f"`{task}`" for task in tasks)], ["---"] * (2 + len(tasks))]
    grouped: dict[tuple[str, ...], list[str]] = {}
    for code in available(folder):
        language = load_language(code, folder)
        cells = [language.attribution.get(task) for task in tasks]
        revision = language.revised_revision
        wording = "paper / revised" if revision == 1 else f"paper / revised {revision}"
        judged = ("–" if cell is None else f"{cell.paper} / {cell.revised}" for cell in cells)
        grouped.setdefault((wording, *judged), []).append(f"{language.name} (`{code}`)")
    return _markdown(rows + [[", ".join(names), *cells] for cells, names in grouped.items()])


def _judged(folder: Path) -> list[str]:
    """The puzzles that were judged in at least one language."""
    languages = [load_language(code, folder) for code in available(folder)]
    found = {
        task
        for language in languages
        for task, judged in language.attribution.items()
        if judged != Attribution()
    }
    return [task for task in load_language("en", folder).tasks if task in found]


def reasons(folder: Path = FOLDER) -> str:
    """CSV with each puzzle of each language: both judgements and their reason."""
    tasks = _judged(folder)
    return _csv(
        ("language", "task", "paper", "revised", "reason"),
        (
            (code, task, judged.paper, judged.revised, judged.reason)
            for code in available(folder)
            for task, judged in load_language(code, folder).attribution.items()
            if task in tasks
        ),
    )


def back_translations(folder: Path = FOLDER) -> str:
    """CSV with the English, the wording and its back-translation of each string in ``KEYS``."""
    english = load_language("en", folder)
    rows = []
    for where in KEYS:
        task, key = where.split(".")
        for code in available(folder):
            string = load_language(code, folder).tasks[task][key]
            if string.back_translation:
                original, wording = english.tasks[task][key].text, string.wording("revised")
                rows.append((where, code, original, wording, string.back_translation))
    return _csv(("string", "language", "english", "wording", "back_translation"), rows)


def wordings(folder: Path = FOLDER) -> str:
    """JSON for the metric: task, wording, what is known of it, and the languages of which it is."""
    of: dict[tuple[str, str, str], list[str]] = {}
    languages = {code: load_language(code, folder) for code in available(folder)}
    puzzles = generated_family_of(next(iter(languages["en"].tasks)))
    for task in puzzles.TASKS:
        for code in puzzles.languages(task):
            language = languages[code]
            for text in TEXTS:
                known = [xd.wording_status(task, code, text)]
                judged = language.attribution.get(task)
                known += ["doubtful"] if judged and getattr(judged, text) == "no" else []
                for name in known:
                    of.setdefault((task, text, name), []).append(code)
    rows = (json.dumps([*where, codes]) for where, codes in sorted(of.items()))
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _csv(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """CSV with a head line."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows((head, *rows))
    return out.getvalue()


def replaced(page: str, name: str, table: str) -> str:
    """``page`` with the text between the markers of ``name`` replaced by ``table``.

    Raises:
        ValueError: the page lacks the markers.
    """
    begin, end = BEGIN.format(name=name), END.format(name=name)
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no markers {begin} and {end}")
    return f"{before}{begin}\n{table}\n{end}{after}"


def write_pages(folder: Path, docs: Path) -> list[Path]:
    """Write the tables between markers in the pages of ``docs``, and two files of its ``data``.

    A page has the table of languages where it has the markers of ``attribution``. The metric
    beside ``docs`` learns the status of each wording, too.

    Raises:
        ValueError: a page has one marker of two.
        OSError: a file cannot be read or written.
    """
    table, written = attribution(folder), []
    for page in sorted(docs.glob("*.md")):
        text = page.read_text("utf-8")
        if BEGIN.format(name="attribution") in text:
            page.write_text(replaced(text, "attribution", table), "utf-8", newline="\n")
            written.append(page)
    data = docs / "data"
    data.mkdir(exist_ok=True)
    files = {"attribution.csv": reasons(folder), "back_translations.csv": back_translations(folder)}
    paths = {data / name: content for name, content in files.items()}
    families = docs.parent / "xlgo_metric" / "families"
    paths |= {path: wordings(folder) for path in families.glob("*/wordings.json")}
    for path, content in paths.items():
        path.write_text(content, "utf-8", newline="\n")
    return [*written, *paths]


def _markdown(rows: list[list[str]]) -> str:
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows
    )
