"""``xlgo audit``: let people who speak a language check its strings, and take in what they say.

``export`` writes the spreadsheet of XLGoBench, appendix C.2, ``import`` reads it back into the
language file. Columns A to H are the paper's: five for the annotator and three for the separate
auditor. Three columns after them tell where a row belongs and where its text came from.
"""

import argparse
import csv
import datetime
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_dataset.core import Instance
from xlgo_dataset.family import FAMILIES, drawn, generated_family_of
from xlgo_dataset.text.languages import FOLDER, Language, format_blocks, load_language
from xlgo_metric.reading.values import PLACES, table

from ..arguments import OVERWRITE, Action, Actions, Argument, existing_folder
from ..display.formats import escape_formula, unescape_formula
from ..folders import replacing, write_text

FILES = Argument("--folder", type=existing_folder, default=FOLDER, help="the language files")

Field = Literal["text", "revised"]
"""Of a string: ``revised`` beside the paper's wording, or ``text`` in its place."""


def toml_string(text: str) -> Any:
    """A TOML string on one line, as the language files write it: a value of tomlkit."""
    import tomlkit

    if '"' in text and not set("'\n\\") & set(text) and text.isprintable():
        return tomlkit.string(text, literal=True)
    written = tomlkit.string(text).as_string()
    # Joiners cannot be seen, so they are written out.
    return tomlkit.value(written.replace("\u200c", "\\u200c").replace("\u200d", "\\u200d"))


FULL_EXAMPLE = "full example"
_COLUMNS = (
    "english", "translation", "ok", "edit", "comment", "audit_done", "issues", "audit_comment",
    "row", "origin", "proposal",
)  # fmt: skip
_CHOICES = {"ok": ("Yes", "No"), "audit_done": ("Yes", "No"), "issues": ("True", "False")}


@dataclass(frozen=True)
class Row:
    """One row of the spreadsheet.

    Attributes:
        where: its file and row, for messages; empty for a row not yet written.
        english: the ground truth.
        translation: the text to check.
        ok: ``Yes``, ``No`` or empty.
        edit: the corrected text.
        comment: the annotator's remark.
        audit_done: ``Yes``, ``No`` or empty.
        issues: ``True``, ``False`` or empty.
        audit_comment: the auditor's remark.
        row: ``task.key``, or the task and ``full example``.
        origin: where the translation came from.
        proposal: a suggested correction and its reason.
    """

    english: str
    translation: str
    row: str
    origin: str = ""
    proposal: str = ""
    ok: str = ""
    edit: str = ""
    comment: str = ""
    audit_done: str = ""
    issues: str = ""
    audit_comment: str = ""
    where: str = ""

    @property
    def is_example(self) -> bool:
        """Whether the row shows a whole prompt, not a string."""
        return self.row.endswith(FULL_EXAMPLE)


def headings(code: str) -> tuple[str, ...]:
    """The heading of each column for a language."""
    return (
        "ENGLISH_GROUNDTRUTH", f"{code.upper()}_TRANSLATION", "Translation OK",
        "Edited Translation", "Comments", "Audit Done?", "Issues Found?", "Comments",
        "Row", "Origin", "Proposed revision",
    )  # fmt: skip


def write(path: Path, code: str, rows: Sequence[Row]) -> None:
    """Write the spreadsheet.

    Raises:
        ValueError: the ending is not ``.csv``, or there is no such folder.
    """
    if path.suffix != ".csv":
        raise ValueError(f"{path}: the name must end in .csv")
    if not path.parent.is_dir():
        raise ValueError(f"{path.parent}: there is no such folder")
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8-sig", errors="replace", newline="") as file,
    ):  # the byte order mark makes Excel read UTF-8
        writer = csv.writer(file)
        writer.writerow(headings(code))
        for row in rows:
            writer.writerow([escape_formula(getattr(row, column)) for column in _COLUMNS])


def read(path: Path, code: str) -> list[Row]:
    """The filled-in rows of a spreadsheet; ``where`` says where each stands.

    Raises:
        ValueError: the file cannot be read, is for another language or lacks columns; with the
            file and the row.
    """
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not in UTF-8; save it as 'CSV UTF-8'") from None
    # Excel writes semicolons where the comma is the decimal mark.
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    lines = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    expected = list(headings(code))[: _COLUMNS.index("row") + 1]
    if next(lines, [])[: len(expected)] != expected:
        raise ValueError(f"{path.name}, row 1: the headings must be {', '.join(expected)}")
    rows = enumerate(lines, 2)
    return [_row(cells, f"{path.name}, row {number}") for number, cells in rows if any(cells)]


def _row(cells: Sequence[str], where: str) -> Row:
    """A row; yes, no, true and false are spelt as the lists offer them: programs vary."""
    texts = [unescape_formula(cell.replace("\r\n", "\n")) for cell in cells]
    values = dict(zip(_COLUMNS, [*texts, *[""] * len(_COLUMNS)]))
    for column, allowed in _CHOICES.items():
        value, spelt = values[column].strip(), {choice.lower(): choice for choice in ("", *allowed)}
        if value.lower() not in spelt:
            raise ValueError(
                f"{where}: {headings('')[_COLUMNS.index(column)]!r} must be "
                f"{' or '.join(allowed)}, not {value!r}"
            )
        values[column] = spelt[value.lower()]
    return Row(**values, where=where)


_PRESET = "smoke"
_SOLVED = ("slt", "dsa", "graph_sp", "t_rank")
_PROMPTS, _ENOUGH = 5, 18
"""Of each of these puzzles, prompts that both people solve; how many of all must be right."""

_SOLVE, _SEED = "solve.", 77


def _export(args: argparse.Namespace) -> int:
    language = load_language(args.language, args.folder)
    path = args.out or Path(f"{language.code}_audit.csv")
    if path.exists() and not args.overwrite:
        raise ValueError(f"{path} exists: give --overwrite or another --out")
    rows = export_rows(language)
    write(path, language.code, rows)
    print(f"{path}: {len(rows)} rows")
    if language.doubts:
        print("What the reader of this text was unsure of, please look at this first:")
        print("\n".join(f"- {doubt}" for doubt in language.doubts))
    return 0


def _import(args: argparse.Namespace) -> int:
    language = load_language(args.language, args.folder)
    people = (args.reviewer, args.auditor or "")
    date = args.reviewed or datetime.date.today()
    print(import_file(language, args.file, args.folder, people, date))
    return 0


def _date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date like 2026-03-31") from None


LANGUAGE = Argument("language", help="language code, such as te")

ARGUMENTS = (
    Actions({
        "export": Action(
            "write the spreadsheet for annotators",
            _export,
            LANGUAGE,
            Argument("--out", type=Path, help="file to write (default: <language>_audit.csv)"),
            OVERWRITE,
            FILES,
        ),
        "import": Action(
            "read a filled-in spreadsheet into the language file",
            _import,
            LANGUAGE,
            Argument("file", type=Path, help="the .csv file"),
            Argument("--reviewer", required=True, help="who checked it, as it will be recorded"),
            Argument("--auditor", help="the second person, who filled in the columns of the audit"),
            Argument(
                "--date", dest="reviewed", type=_date, metavar="DATE",
                help="YYYY-MM-DD (default: today)",
            ),
            FILES,
        ),
    }),
)  # fmt: skip


def export_rows(language: Language) -> list[Row]:
    """The rows for one language: per task a full example, then every string.

    After them stand, to be judged but not edited here, the strings of conditions and of other
    families, the reader's words and the doubts of the writer, and prompts to be solved.
    """
    english = load_language("en")
    exported: list[Row] = []
    for task, strings in language.tasks.items():
        # A small instance whose English prompt shows every string of its task.
        sizes = xd.family_of(task).levels(task, preset=_PRESET)
        example = xd.generate(task, complexity=2 * min(sizes) if sizes else 1)
        ours, theirs = (prompt(example, which) for which in (language, english))
        exported.append(Row(theirs, ours, f"{task} {FULL_EXAMPLE}"))
        for key, string in strings.items():
            exported.append(
                Row(
                    english.tasks[task][key].text,
                    string.text,
                    f"{task}.{key}",
                    origin=f"{string.source}. {string.note}" if string.note else string.source,
                    proposal=f"{string.revised}\n\n({string.revised_note})"
                    if string.revised is not None
                    else "",
                )
            )
    to_solve = ((drawn(json.loads(row["reference"])), name) for name, row in _to_solve())
    solve_rows = (Row("", prompt(instance, language), name) for instance, name in to_solve)
    return [*exported, *_judged_rows(language), *solve_rows]


def _judged_rows(language: Language) -> Iterator[Row]:
    for where, text, english in strings_beside(language):
        yield Row(english, text, where)
    for position, phrases in table(language.code).items():
        yield Row(PLACES[position], ", ".join(phrases), f"reader.{position}")
    for number, doubt in enumerate(language.doubts, 1):
        yield Row(doubt, "", f"doubt.{number}")


def _to_solve() -> Iterator[tuple[str, dict[str, Any]]]:
    """The smallest questions of each puzzle in English, with the names of their rows."""
    for task in _SOLVED:
        size = min(xd.family_of(task).levels(task, preset=_PRESET) or (1,))
        options: dict[str, Any] = {"levels": 1, "per_level": _PROMPTS, "c_min": size, "c_max": size}
        for row in xd.family_of(task).rows(task, ["en"], seed=_SEED, split="validation", **options):
            yield f"{_SOLVE}{task}.{row['index']}", row


def _solved(rows: list[Row], column: str) -> int:
    """How many of the prompts somebody solved, by the answers in a column."""
    keys = {name: row["reference"] for name, row in _to_solve()}
    answers = [(getattr(row, column), keys[row.row]) for row in rows if row.row in keys]
    return sum(xm.grade(*answer).correct for answer in answers)


def prompt(instance: Instance, language: Language) -> str:
    """The prompt of an instance in a language that need not be an installed one."""
    return generated_family_of(instance.task).render_with(instance, language.strings(instance.task))


def import_file(
    language: Language, path: Path, folder: Path, people: tuple[str, str], date: datetime.date
) -> str:
    """Check a filled-in spreadsheet and write its edits into the language file.

    A sheet in which nobody has filled in anything records nothing, the reviewer neither.

    Args:
        people: the annotator and the auditor, ``""`` where there is none.

    The wording of the paper is never overwritten: in a language of the default set an edit
    becomes the ``revised`` text, in any other it replaces the text.

    Returns:
        What was done, in words.

    Raises:
        ValueError: every problem found, each with its sheet and row; nothing is written then.
    """
    rows = read(path, language.code)
    problems = list(_row_problems(language, rows))
    edits = [row for row in rows if row.edit and not row.row.startswith(_SOLVE)]
    if not problems:
        problems = _edit_problems(language, rows, edits)
    if problems:
        raise ValueError("nothing was imported:\n" + "\n".join(problems))
    status = _status(language, [row for row in rows if not row.is_example], people)
    issues = [
        f"  {row.where}, {row.row}: {row.audit_comment}" for row in rows if row.issues == "True"
    ]
    target = folder / f"{language.code}.toml"
    if not any(getattr(row, column).strip() for row in rows for column in _COLUMNS[2:8]):
        return f"{target}: left as it is, no reviewer recorded: no row was filled in"
    review = {"status": status, "reviewer": ", ".join(filter(None, people))}
    field = _field(language)
    save_edits(target, edits, field, {**review, "date": date.isoformat()})
    load_language.cache_clear()
    return "\n".join(
        [
            f"{target}: {len(edits)} edits, status {status!r}",
            *(f"  {edit.row} ({field})" for edit in edits),
            *(["Issues that the audit left open:", *issues] if issues else []),
        ]
    )


def _row_problems(language: Language, rows: list[Row]) -> Iterator[str]:
    expected = {row.row: row for row in export_rows(language)}
    times = Counter(row.row for row in rows)
    for row in rows:
        for problem in _problems_of(row, expected.get(row.row)):
            yield f"{row.where}: {problem}"
        if times[row.row] > 1:
            yield f"{row.where}: {row.row} is there more than once"
    for name in expected.keys() - times.keys():
        yield f"{rows[-1].where if rows else 'the sheet'}: the row {name} is missing"


def _problems_of(row: Row, expected: Row | None) -> Iterator[str]:
    """What is wrong with a row; of each group of mistakes the first."""
    if expected is None:
        yield f"there is no string {row.row!r}"
        return
    # An answer to a prompt stands where other rows have an edit.
    edit, ok = ("", "") if row.row.startswith(_SOLVE) else (row.edit, row.ok)
    is_edited_here = row.is_example or row.row.partition(".")[0] in load_language("en").tasks
    groups = (
        {  # Spreadsheet programs drop spaces at the ends of a cell.
            "the English ground truth is not that of this version; export again":
                row.english.strip() != expected.english.strip(),
            "the translation is not that of the language file: put changes into column D":
                row.translation.strip() != expected.translation.strip(),
        },
        {
            "a full example cannot be edited: edit the string that is wrong":
                row.is_example and edit,
            "this string is edited in its own file: say under Comments what is wrong":
                edit and not is_edited_here,
            "Translation OK is No, but there is no comment":
                ok == "No" and not row.comment and not is_edited_here,
            "Translation OK is No, but there is no Edited Translation":
                ok == "No" and not edit and not row.is_example and is_edited_here,
            "there is an Edited Translation, but Translation OK is not No": edit and ok != "No",
            "the Edited Translation is the same as the translation":
                edit and edit == expected.translation,
            "the edit has no comment: say what the issue was": edit and not row.comment.strip(),
        },
        {
            "Issues Found? is True, but the audit has no comment":
                row.issues == "True" and not row.audit_comment.strip(),
        },
    )  # fmt: skip
    for group in groups:
        yield from [message for message, is_wrong in group.items() if is_wrong][:1]


def _field(language: Language) -> Field:
    """Where the edits of a language go: the paper's wording is never overwritten."""
    return "revised" if language.default else "text"


def _edit_problems(language: Language, rows: list[Row], edits: Sequence[Row]) -> list[str]:
    """What the edits would break, by the rules of ``check_language``, with the row of each."""
    from xlgo_dataset.text.languages.checks import check_language

    tasks = {task: dict(strings) for task, strings in language.tasks.items()}
    for edit in edits:
        task, _, key = edit.row.partition(".")
        new = {"text": edit.edit}
        if _field(language) == "revised":
            new = {"revised": edit.edit, "revised_note": edit.comment.strip()}
        tasks[task][key] = replace(tasks[task][key], **new)
    old = set(check_language(language))
    broken = [p for p in check_language(replace(language, tasks=tasks)) if p not in old]
    where = {row.row: row.where for row in rows}
    return [f"{where.get(re.split('[: ]', p)[0], rows[0].where)}: {p}" for p in broken]


def save_edits(path: Path, edits: Sequence[Row], field: Field, review: Mapping[str, str]) -> None:
    """Write the edits of rows and the ``[review]`` table into a language file.

    An edit of a revised wording raises ``revised_revision``, one of a text the language's
    ``data_version``, so that scores of the wordings before and after can be distinguished.
    """
    import tomlkit

    document: Any = tomlkit.parse(path.read_text("utf-8"))
    document["review"].update(review)
    if edits:
        version = {"revised": "revised_revision", "text": "data_version"}[field]
        document[version] = document.get(version, 1) + 1
    for edit in edits:
        task, _, key = edit.row.partition(".")
        strings, comment = document[task], edit.comment.strip()
        if isinstance(strings[key], str):  # a plain text gets fields of its own
            fields = tomlkit.inline_table()
            fields.update(text=strings[key], source=strings["source"])
            strings[key] = fields
        entry = strings[key]
        entry.pop("back_translation", None)  # it is one of the wording before
        new = {"revised": edit.edit, "revised_note": comment}
        if field == "text":
            notes = "; ".join(filter(None, (entry.get("note"), comment)))
            new = {"text": edit.edit, "source": "edited", "note": notes}
        entry.update({name: toml_string(text) for name, text in new.items()})
    write_text(path, tomlkit.dumps(document))


def _status(language: Language, rows: list[Row], people: tuple[str, str]) -> str:
    """``audited`` once two people agree on every string and both solved the prompts."""
    strings = [row for row in rows if not row.row.startswith(_SOLVE)]
    if any(row.ok == "" for row in strings):
        return language.review["status"]
    annotator, auditor = (" ".join(name.casefold().split()) for name in people)
    is_open = any(
        row.audit_done != "Yes" or row.issues != "False" or (row.ok == "No" and not row.edit)
        for row in strings
    )
    if is_open or not auditor or annotator == auditor:
        return "checked, not audited"
    solved = min(_solved(rows, column) for column in ("edit", "audit_comment"))
    return "audited" if solved >= _ENOUGH else "checked, not audited"


def strings_beside(language: Language) -> Iterator[tuple[str, str, str]]:
    """Each string of conditions and families: place, newest wording and the English."""
    for name, strings in language.conditions.items():
        for key, string in strings.items():
            block = format_blocks().get(name, {}).get(key)
            yield f"conditions.{name}.{key}", string.wording("revised"), block.text if block else ""
    for family in FAMILIES.values():
        known_words = dict(family.wordings("en"))
        for where, text in family.wordings(language.code):
            yield f"{family.name}.{where}", text, known_words.get(where, "")
