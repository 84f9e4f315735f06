"""``xlgo audit``: let people who speak a language check its strings, and take in what they say.

``export`` writes the spreadsheet of XLGoBench, appendix C.2, ``import`` reads it back into the
language file, ``diff`` shows the paper's wording beside the proposed revision,
``backtranslation`` prepares the check of appendix A.3, and ``discordant`` asks of questions that a
model solved in English only whether the wording is to blame.
"""

from __future__ import annotations

import argparse
import datetime
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import xlgo_dataset as xd
from xlgo_dataset.core.instance import Instance
from xlgo_dataset.family import generated_family_of
from xlgo_dataset.text.languages import Language, String, load_language

from ..arguments import MODEL, OVERWRITE, RUN, Action, Actions, Argument
from . import backtranslation, discordant
from .file import FILES, LANGUAGE, Edit, check_new, save_edits
from .sheet import FULL_EXAMPLE, Row, read, write

_PRESET = "smoke"
_TRIES = 100
_ID = "[A-Z][0-9]{4}"


def _export(args: argparse.Namespace) -> int:
    language = load_language(args.language, args.folder)
    path = args.out or Path(f"{language.code}_audit.csv")
    check_new([path], overwrite=args.overwrite)
    rows = export_rows(language)
    write(path, language.code, rows)
    print(f"{path}: {len(rows)} rows")
    if language.doubts:
        print("What the reader of this text was unsure of, please look at this first:")
        print("\n".join(f"- {doubt}" for doubt in language.doubts))
    return 0


def _import(args: argparse.Namespace) -> int:
    date = args.reviewed or datetime.date.today()
    if discordant.is_pair_sheet(args.file):
        print(discordant.take(args, args.reviewer, date.isoformat()))
    else:
        language = load_language(args.language, args.folder)
        print(import_file(language, args.file, args.folder, args.reviewer, date))
    return 0


def _diff(args: argparse.Namespace) -> int:
    print(diff_text(load_language(args.language, args.folder)), end="")
    return 0


def _date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date like 2026-03-31") from None


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
            Argument(
                "--date", dest="reviewed", type=_date, metavar="DATE",
                help="YYYY-MM-DD (default: today)",
            ),
            Argument(
                "--results", type=Path,
                help="of a sheet of discordant pairs: the results it was made from",
            ),
            MODEL,
            RUN,
            FILES,
        ),
        "diff": Action(
            "show the paper's wording beside the revision", _diff, LANGUAGE, FILES
        ),
        **backtranslation.ACTIONS,
        **discordant.ACTIONS,
    }),
)  # fmt: skip


def export_rows(language: Language) -> list[Row]:
    """The rows for one language: per task a full example, then every string in context."""
    from xlgo_dataset.text.languages.checks import SEPARATOR

    english = load_language("en")
    exported: list[Row] = []
    for task, strings in language.tasks.items():
        example = _example(task)
        ours, theirs = (prompt(example, which) for which in (language, english))
        exported.append(Row(theirs, ours, f"{task} {FULL_EXAMPLE}"))
        wordings = language.strings(task)
        for key, string in strings.items():
            carrier = "question" if key == SEPARATOR else key
            exported.append(
                Row(
                    english.tasks[task][key].text,
                    string.text,
                    f"{task}.{key}",
                    context=_context(wordings[carrier], ours).removeprefix("- "),
                    origin=f"{string.source}. {string.note}" if string.note else string.source,
                    proposal=_proposal(string),
                )
            )
    return exported


def prompt(instance: Instance, language: Language) -> str:
    """The prompt of an instance in a language that need not be an installed one."""
    strings = language.strings(instance.task)
    return generated_family_of(instance.task).render_with(instance, strings)


def diff_text(language: Language) -> str:
    """Both wordings of every string that has a revision, and why."""
    parts = []
    for task, strings in language.tasks.items():
        for key, string in strings.items():
            if string.revised is not None:
                parts.append(
                    f"{task}.{key}: {string.revised_note}\n- {string.text}\n+ {string.revised}\n"
                )
    return "\n".join(parts) or f"{language.name} has no revisions\n"


@dataclass(frozen=True)
class Imported:
    """What an import did; its text is the message to the user.

    Attributes:
        path: the language file.
        edits: that were made in it.
        status: of the language afterwards.
        issues: that the audit left open.
        touched: whether anything was filled in; if not, the file is as it was.
    """

    path: Path
    edits: tuple[Edit, ...]
    status: str
    issues: tuple[str, ...]

    touched: bool = True

    def __str__(self) -> str:
        if not self.touched:
            return f"{self.path}: left as it is, no reviewer recorded: no row was filled in"
        lines = [f"{self.path}: {len(self.edits)} edits, status {self.status!r}"]
        lines += [f"  {edit.task}.{edit.key} ({edit.field})" for edit in self.edits]
        if self.issues:
            lines += ["Issues that the audit left open:", *(f"  {issue}" for issue in self.issues)]
        return "\n".join(lines)


def import_file(
    language: Language, path: Path, folder: Path, reviewer: str, date: datetime.date
) -> Imported:
    """Check a filled-in spreadsheet and write its edits into the language file.

    A sheet in which nobody has filled in anything records nothing, the reviewer neither.

    The wording of the paper is never overwritten: in a language of the default set an edit
    becomes the ``revised`` text, in any other it replaces the text.

    Raises:
        ValueError: every problem found, each with its sheet and row; nothing is written then.
    """
    rows = read(path, language.code)
    problems = list(_row_problems(language, rows))
    edits = tuple(_edit(language, row) for row in rows if row.edit)
    if not problems:
        problems = _edit_problems(language, rows, edits)
    if problems:
        raise ValueError("nothing was imported:\n" + "\n".join(problems))
    status = _status(language, [row for row in rows if not row.is_example])
    issues = tuple(
        f"{row.place}, {row.row}: {row.audit_comment}" for row in rows if row.issues == "True"
    )
    target = folder / f"{language.code}.toml"
    if not any(row.is_filled_in for row in rows):
        return Imported(target, (), status, (), touched=False)
    review = {"status": status, "reviewer": reviewer, "date": date.isoformat()}
    save_edits(target, edits, review)
    load_language.cache_clear()
    return Imported(target, edits, status, issues)


def _row_problems(language: Language, rows: list[Row]) -> Iterator[str]:
    expected = {row.row: row for row in export_rows(language)}
    times = Counter(row.row for row in rows)
    for row in rows:
        for problem in _problems_of(row, expected.get(row.row)):
            yield f"{row.place}: {problem}"
        if times[row.row] > 1:
            yield f"{row.place}: {row.row} is there more than once"
    for name in expected.keys() - times.keys():
        yield f"{rows[-1].place if rows else 'the sheet'}: the row {name} is missing"


def _problems_of(row: Row, expected: Row | None) -> Iterator[str]:
    """What is wrong with a row; of each group of mistakes the first."""
    if expected is None:
        yield f"there is no string {row.row!r}"
        return
    edit, ok = row.edit, row.ok
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
            "Translation OK is No, but there is no Edited Translation":
                ok == "No" and not edit and not row.is_example,
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


def _edit(language: Language, row: Row) -> Edit:
    task, _, key = row.row.partition(".")
    return Edit(task, key, "revised" if language.default else "text", row.edit, row.comment.strip())


def _edit_problems(language: Language, rows: list[Row], edits: tuple[Edit, ...]) -> list[str]:
    """What the edits would break, by the rules of ``check_language``, with the row of each."""
    from xlgo_dataset.text.languages.checks import check_language

    tasks = {task: dict(strings) for task, strings in language.tasks.items()}
    for edit in edits:
        before = tasks[edit.task][edit.key]
        tasks[edit.task][edit.key] = (
            replace(before, revised=edit.text, revised_note=edit.comment)
            if edit.field == "revised"
            else replace(before, text=edit.text)
        )
    old = set(check_language(language))
    edited = replace(language, tasks=tasks)
    new = [p for p in check_language(edited) if p not in old]
    places = {row.row: row.place for row in rows}
    return [f"{places.get(re.split('[: ]', p)[0], rows[0].place)}: {p}" for p in new]


def _status(language: Language, rows: list[Row]) -> str:
    """``audited`` once a second person found no issue in any string; never by half."""
    if any(row.ok == "" for row in rows):
        return language.review["status"]
    if all(row.audit_done == "Yes" and row.issues == "False" for row in rows):
        return "audited"
    return "checked, not audited"


def _example(task: str) -> Instance:
    """A small instance whose English prompt shows every string of its task.

    Raises:
        ValueError: there is none among the first few.
    """
    english = load_language("en")
    sizes = xd.family_of(task).levels(task, preset=_PRESET)
    complexity = 2 * min(sizes) if sizes else 1
    strings = english.tasks[task]
    for index in range(_TRIES):
        found = xd.generate(task, complexity=complexity, index=index)
        text = prompt(found, english)
        if all(_context(string.text, text) for string in strings.values()):
            return found
    raise ValueError(f"{task}: no prompt of complexity {complexity} shows every English string")


def _context(wording: str, rendered: str) -> str:
    """The line of a prompt in which a string stands; empty if it does not."""
    from xlgo_dataset.text.document import PLACEHOLDER

    parts = re.split(f"({PLACEHOLDER.pattern})", wording)[0::3]
    names = PLACEHOLDER.findall(wording)
    pattern = re.escape(parts[0])
    for name, part in zip(names, parts[1:]):
        pattern += (_ID if name == "id" else ".+?") + re.escape(part)
    match = re.search(f"^.*{pattern}.*$", rendered, re.MULTILINE)
    return match[0] if match else ""


def _proposal(string: String) -> str:
    return f"{string.revised}\n\n({string.revised_note})" if string.revised is not None else ""
