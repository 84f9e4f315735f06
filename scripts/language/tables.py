"""The tables on languages: to whom a gap may be put down, and the back-translations."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from xlgo_dataset.text.languages import FOLDER, Attribution, Language, available, load_language

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
    """The puzzles that somebody has judged in some language."""
    languages = [load_language(code, folder) for code in available(folder)]
    found = {
        task
        for language in languages
        for task, judged in language.attribution.items()
        if judged != Attribution()
    }
    return [task for task in load_language("en", folder).tasks if task in found]


def reasons(folder: Path = FOLDER) -> str:
    """A Markdown table with the reason of every judgement; equal ones share a row."""
    tasks = _judged(folder)
    grouped: dict[tuple[str, str], list[str]] = {}
    for code in available(folder):
        mine: dict[str, list[str]] = {}
        for task, judged in load_language(code, folder).attribution.items():
            if task in tasks:
                mine.setdefault(judged.reason, []).append(f"`{task}`")
        for reason, names in mine.items():
            grouped.setdefault((", ".join(names), reason), []).append(f"`{code}`")
    rows = [["languages", "puzzles", "reason"], ["---"] * 3]
    rows += [[", ".join(codes), names, reason] for (names, reason), codes in grouped.items()]
    return _markdown(rows)


def back_translations(folder: Path = FOLDER) -> str:
    """CSV with the English, the wording and its back-translation of each string in ``KEYS``."""
    english = load_language("en", folder)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("string", "language", "english", "wording", "back_translation"))
    for where in KEYS:
        task, key = where.split(".")
        for code in available(folder):
            string = load_language(code, folder).tasks[task][key]
            if string.back_translation:
                original, wording = english.tasks[task][key].text, string.wording("revised")
                writer.writerow((where, code, original, wording, string.back_translation))
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
    """Write the tables of ``languages.md`` and ``data/back_translations.csv`` in ``docs``.

    Raises:
        ValueError: the page lacks its markers.
        OSError: a file cannot be read or written.
    """
    path, data = docs / "languages.md", docs / "data" / "back_translations.csv"
    page = path.read_text("utf-8")
    for name, table in (("attribution", attribution(folder)), ("reasons", reasons(folder))):
        page = replaced(page, name, table)
    path.write_text(page, "utf-8")
    data.parent.mkdir(exist_ok=True)
    data.write_text(back_translations(folder), "utf-8", newline="\n")
    return [path, data]


def _markdown(rows: list[list[str]]) -> str:
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows
    )
