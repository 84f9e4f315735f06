"""Numbers, tables and sentences as people read them: in Markdown, CSV, on a terminal and a page.

Every kind of sentence that states a result stands in one place, ``SENTENCES``: what it says and
what it asserts. Report, terminal, leaderboard, ``xlgo compare`` and parallel benchmarks print a
result only through ``say``. ``benchmarks/sentences.py`` makes data of known truth and counts how
often a kind of sentence is printed where what it asserts is false, and where it is true. A sentence
that is not here fails a test (``tests/report/test_many_sentences.py``).
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from xlgo_metric.table import DASH, Table, count, ends, p_value, percent, points, right_of

from ..folders import write_text
from . import labels

if TYPE_CHECKING:
    from jinja2 import Environment
    from rich.console import Console


__all__ = [
    "COUNTS", "DASH", "SENTENCES", "Fields", "Finding", "Sentence", "Statement", "View", "clean",
    "comma_separated", "count", "ends", "escape_formula", "fact", "joined", "latex", "markdown",
    "megabytes", "money", "p_value", "percent", "points", "render", "right_of", "say", "several",
    "show", "sizes", "sortable", "tex", "unescape_formula", "write_table",
]  # fmt: skip

View: TypeAlias = "dict[str, Any]"
"""What a template shows of one thing."""

_WIDE = 200
_EQUAL = (" to ", " / ")
"""What parts two numbers of one cell of which neither is beside the other."""

FOLDER = Path(__file__).parent / "html"
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def sizes(complexities: Sequence[float], unit: str) -> str:
    """Complexities with their unit: "1 transaction", "3 or 4 rooms", "10 to 40 rooms".

    Args:
        complexities: by rising size, at least one.
        unit: in the plural, such as "units of complexity".
    """
    first, last = (f"{round(size, 1):g}" for size in (complexities[0], complexities[-1]))
    if first == last:
        return f"{first} {_singular(unit) if first == '1' else unit}"
    return f"{first} {'or' if len(complexities) == 2 else 'to'} {last} {unit}"


def _singular(unit: str) -> str:
    word, _, rest = unit.partition(" ")
    word = word[:-2] if word.endswith(("ches", "shes", "xes")) else word.removesuffix("s")
    return f"{word} {rest}".rstrip()


def fact(n: int, noun: str) -> tuple[str, str]:
    """A number and what it counts, such as "1", "task" or "1,204", "tasks"."""
    return count(n), noun if n == 1 else f"{noun}s"


def several(n: int, noun: str) -> str:
    """A number with what it counts, such as "1 task" or "1,204 tasks"."""
    return " ".join(fact(n, noun))


def money(amount: float, currency: str) -> str:
    """An amount with as many digits as people need."""
    return f"{amount:,.2f} {currency}" if amount >= 0.1 else f"{amount:.2g} {currency}"


def megabytes(size: float) -> str:
    """A number of bytes: 48.1 MB, 1.2 GB."""
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def markdown(table: Table) -> str:
    """The table in GitHub's Markdown, with its title above and its caption below."""
    rule = [("---:" if numeric else "---") for numeric in table.numeric]
    rows = [table.headings(), rule, *table.shown()]
    lines = [f"## {_escaped(table.title)}", ""]
    lines += ["| " + " | ".join(map(_escaped, row)) + " |" for row in rows]
    return "\n".join([*lines, *(["", table.caption] if table.caption else [])]) + "\n"


def comma_separated(table: Table) -> str:
    """The table as CSV: a column for each, numbers in full precision, a gap as an empty cell.

    Shares and their differences are fractions, as in ``scores.json``.
    Texts that a spreadsheet would take for a formula are marked as text with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_plain(name) for name in table.names])
    writer.writerows([_plain(value) for value in row] for row in table.rows)
    return out.getvalue()


_TEX = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "●": r"$\bullet$", "○": r"$\circ$", "†": r"$\dagger$", "−": "$-$", "±": r"$\pm$", "–": "--",
    "≥": r"$\geq$", "≤": r"$\leq$", "×": r"$\times$", "ρ": r"$\rho$", "→": r"$\to$", "<": "$<$",
    ">": "$>$", "“": "``", "”": "''", "…": r"\dots{}", "|": r"\textbar{}", "[": "{[}", "*": "{*}",
}  # fmt: skip


def tex(text: str) -> str:
    """A text for LaTeX: nothing in it is a command."""
    return "".join(_TEX.get(sign, sign) for sign in " ".join(text.split()))


def latex(table: Table) -> str:
    """The table for LaTeX with the package booktabs, with the numbers of the Markdown."""
    sides = "".join("r" if numeric else "l" for numeric in table.numeric)
    lines = [" & ".join(map(tex, row)) + r" \\" for row in [table.headings(), *table.shown()]]
    caption = tex(" ".join(filter(None, (table.title.rstrip(".") + ".", table.caption))))
    return "\n".join([
        r"\begin{table}", rf"\caption{{{caption}}}", rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{sides}}}", r"\toprule", lines[0], r"\midrule", *lines[1:],
        r"\bottomrule", r"\end{tabular}", r"\end{table}",
    ]) + "\n"  # fmt: skip


def write_table(table: Table, stem: Path) -> None:
    """Write a table as Markdown and as CSV.

    Args:
        table: the numbers.
        stem: path of the files without their suffix; it may hold dots.
    """
    for suffix, text in ((".md", markdown(table)), (".csv", comma_separated(table))):
        write_text(stem.with_name(f"{stem.name}{suffix}"), text)


def show(*tables: Table, console: Console | None = None) -> None:
    """Print tables on a terminal; a file or pipe is wide enough for any of them.

    Args:
        tables: the numbers.
        console: where; the standard output by default.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = console or Console(width=None if Console().is_terminal else _WIDE)
    for table in tables:
        rich_table = RichTable(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
        for heading, numeric in zip(table.headings(), table.numeric):
            rich_table.add_column(Text(heading), justify="right" if numeric else "left")
        for row in table.shown():
            rich_table.add_row(*map(Text, row))
        # A title or caption of the table itself would be broken to its width.
        console.print(Text(table.title, style="table.title"))
        console.print(rich_table)
        if table.caption:
            console.print(Text(table.caption, style="table.caption"))
        console.print()


def sortable(table: Table, *, languages: bool = False, words: Sequence[object] = ()) -> View:
    """A table as the pages show it: what each cell says, and by which number it sorts.

    Args:
        table: the numbers.
        languages: the first column holds codes of languages, and names stand in their place.
        words: what stands in the place of the first column, one of each row, as ``labels`` has it.
    """
    heads = [labels.language(str(raw[0])) for raw in table.rows] if languages else list(words)
    rows = [
        [
            _cell(table, raw, group, text, is_number)
            for group, text, is_number in zip(table.groups, texts, table.numeric)
        ]
        for raw, texts in zip(table.rows, table.shown())
    ]
    views = (
        [{"words": head, "cells": cells[1:]} for head, cells in zip(heads, rows)]
        if heads
        else [{"words": None, "cells": cells} for cells in rows]
    )
    return {
        "title": table.title,
        "caption": table.caption,
        "heads": list(zip(table.headings(), table.numeric)),
        "rows": views,
    }


def _cell(
    table: Table, raw: Sequence[Any], group: Sequence[int], text: str, is_number: bool
) -> View:
    """One cell; text after a number is small, except the end of an interval."""
    small = next((n for n in group if table.columns[n].after not in (None, *_EQUAL)), None)
    if small is None or raw[group[0]] is None:
        main, rest = text, ""
    else:
        main = table.cell(raw, range(group[0], small))
        rest = text[len(main) :].strip(" ,")
    sort = raw[group[0]] if is_number else ""
    return {"sort": "" if sort is None else sort, "text": main, "sd": rest, "numeric": is_number}


Finding = tuple[str, str]
"""A kind (``behind``, ``ahead``, ``warn`` or "") and a sentence."""


def leading(findings: Sequence[Finding]) -> tuple[Finding | None, list[Finding]]:
    """The sentence below the title of a page, and the others.

    Args:
        findings: kinds (``behind``, ``ahead``, ``warn`` or "") and sentences, the main one first.
    """
    rest = list(findings)
    first = next((index for index, (kind, _) in enumerate(rest) if kind != "warn"), 0)
    return (rest.pop(first) if rest else None), rest


def render(
    template: str,
    more_scripts: Sequence[str] = (),
    findings: Sequence[Finding] = (),
    **context: Any,
) -> str:
    """A page from one of the templates, complete and free of any network address.

    Args:
        template: its file name.
        more_scripts: file names of scripts that this page needs besides the common one.
        findings: kinds and sentences; the main one stands below the title.
        context: what the template shows.
    """
    import xlgo_metric

    style = (FOLDER / "style.css").read_text("utf-8").replace("/* colours */", VARIABLES)
    scripts = ("page.js", *more_scripts)
    script = "\n".join((FOLDER / name).read_text("utf-8") for name in scripts)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    from markupsafe import Markup

    page_template = environment().get_template(template)
    lead, rest = leading(findings)
    page = page_template.render(
        lead=lead,
        findings=rest,
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        script_hash=f"sha256-{digest}",
        version=getattr(xlgo_metric, "__version__", ""),
        statuses=list(labels.STATUSES.items()),
        glossary=labels.glossary(str(context.get("baseline", ""))),
        **context,
    )
    return clean(page)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates; everything put into them is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    templates.globals["light"] = LIGHT
    return templates


def clean(text: str) -> str:
    """Replace characters not allowed in HTML: control characters and unpaired surrogates."""
    return _UNSAFE.sub("\ufffd", text)


def _escaped(text: str) -> str:
    return " ".join(re.sub(r"([\\|<>`*_\[\]&#!~$])", r"\\\1", text).splitlines())


def _plain(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    # A carriage return would end the row: csv does not quote it on every Python.
    return escape_formula(value.replace("\r\n", "\n").replace("\r", "\n"))


_MARK = "'"
_FORMULA = re.compile("(?:[\\s\\0\ufeff\u200b]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\\t\\r\\n])")


def escape_formula(text: str) -> str:
    """``text`` with an apostrophe before it if a spreadsheet program would run it.

    That is what begins with ``= + - @``, blanks before them or not, or with a tab or a line's end.
    Numbers are no texts: a table holds them as such, and a text that looks like one is a text.
    """
    return _MARK + text if _FORMULA.match(text.lstrip(_MARK)) else text


def unescape_formula(text: str) -> str:
    """The text that ``escape_formula`` was given."""
    return text[1:] if text.startswith(_MARK) and escape_formula(text[1:]) == text else text


COLOURS: dict[str, tuple[str, str]] = {
    "card": ("#ffffff", "#1b1e24"),
    "ink": ("#1d1c1a", "#eceae6"),
    "muted": ("#5d5850", "#b0aba3"),
    "line": ("#e4dfd7", "#343840"),
    "behind": ("#d55e00", "#c85f14"),
    "ahead": ("#0072b2", "#2f86c4"),
    "base": ("#55514b", "#b9b4ab"),
    "first": ("#c44e00", "#ff8a3d"),
    "second": ("#0069a8", "#5ab0f0"),
}
"""By name; the style sheet has each as a variable, such as ``--ink``."""

VARIABLES = "\n".join(
    f"  --{name}: light-dark({light}, {dark});" for name, (light, dark) in COLOURS.items()
)
"""The declarations of the style sheet."""

LIGHT = {name: on_light for name, (on_light, _) in COLOURS.items()}
"""On light ground, for pictures outside the pages."""


Fields: TypeAlias = "dict[str, Any]"
"""What stands in the braces of a sentence, and what it is about."""

COUNTS = "nothing beyond the answers that were counted"


class Sentence(NamedTuple):
    """A kind of sentence.

    Attributes:
        text: the words, with fields in braces.
        asserts: the condition that must be true of the model.
    """

    text: str
    asserts: str = COUNTS


SENTENCES: dict[str, Sentence] = {
    # Over the tasks that count for every language, one language or several
    "verdict.most": Sentence(
        "{name} is behind {base}{over} by {points} points ({ends}), significantly more than any "
        "other.",
        "the mean gap over the tasks counted is above 0, and larger than that of every other",
    ),
    "verdict.behind": Sentence(
        "{name} is significantly behind {base}{over}, by {points} points ({ends}).",
        "the mean gap over the tasks counted is above 0",
    ),
    "verdict.none": Sentence(
        "No {which} is significantly behind {base}{over}. {name} has the largest observed gap, "
        "{points} points ({ends})."
    ),
    "verdict.no_observed": Sentence("No {which} has a lower accuracy than {base}{over}."),
    "verdict.unaudited": Sentence(
        "No language is called the most affected: no speaker has read the wordings (--unaudited "
        "names it)."
    ),
    "verdict.wordings": Sentence("Wordings: {told}."),
    "verdict.equal": Sentence(
        "Equal to {base}{over} within ±{margin} points (95%, all languages together): {names}.",
        "the mean gap over the tasks counted lies within the margin, for each language named",
    ),
    "verdict.wording": Sentence("No claim about {names}: the wording of {tasks} differs."),
    "verdict.settle": Sentence("To settle it, repeat the run with `xlgo run … --text revised`."),
    "verdict.left_out": Sentence("Not in the mean over tasks: {reasons}."),
    "verdict.no_tasks": Sentence("No claim over all tasks: {reasons}."),
    # Pairs of language and task
    "pairs.refused": Sentence("No significance test: {where}."),
    "pairs.unequal": Sentence(
        "No claim where missing answers differ between the languages by more than chance: {where}."
    ),
    "pairs.chosen": Sentence(
        "In {tasks} answers chose the questions; these gaps count in no sentence about several "
        "tasks."
    ),
    "pairs.none": Sentence("None of {pairs} shows a significant gap to {base}."),
    "pairs.behind": Sentence(
        "The model is significantly behind {base} in {behind} of {pairs}{ahead}.",
        "in each pair counted the gap, as a mean over complexities, has the direction said",
    ),
    # One language on one task
    "gap.difference": Sentence(
        "{name} is {points} points {side} {base} in {task} ({ends}).",
        "the gap, as a mean over the complexities asked, lies in the interval",
    ),
    "gap.chosen": Sentence(
        "{name} is {points} points {side} {base} over the questions that answers chose in {task} "
        "({ends}).",
        "the gap, as a mean over the questions asked, lies in the interval",
    ),
    "gap.reverses": Sentence(
        "At {sizes} the gap reverses: {right} in {language}, {right_en} in {base}.",
        "the language is ahead at some of these levels, or behind where it is ahead elsewhere",
    ),
    "gap.wording": Sentence("The {language} wording differs and may cause the gap."),
    "gap.extreme": Sentence("The model solves almost {extreme} in both languages."),
    "gap.largest": Sentence("The largest observed gap is not significant: {sentence}"),
    "readings.depend": Sentence(
        "The gap to {base} depends on the reading (strict, asked form or lenient): {where}."
    ),
    # Where answers tell nothing
    "extreme.solved": Sentence(
        "The model solves almost {kind}: {right} of {total} answers are correct{where}. No gap can "
        "be measured there: ask {easier} puzzles."
    ),
    "extreme.cut": Sentence(
        "{cut} of {total} answers were truncated by the token limit{where}. Raise it with "
        "--gen_kwargs max_gen_toks=... before you compare languages."
    ),
    "extreme.unread": Sentence(
        "{lost} of {total} answers are truncated or unparsable{where}. Read some of them before "
        "you compare languages."
    ),
    "alone.solves": Sentence("In {name} the model solves {right}."),
    "alone.no_english": Sentence("This run has no {base} answers to compare with; add {base}."),
    "unread": Sentence(
        "{share} of responses were unparsable or truncated ({kinds}). They count as incorrect. The "
        "highest rate is {most}, for {language} in {task}."
    ),
    # Several models
    "board.best": Sentence(
        "On the {n} questions that all {models} models answered, {name} has the highest accuracy, "
        "as a mean over tasks: {share}. It is significantly better than every other.",
        "the model has a higher accuracy than every other",
    ),
    "board.first": Sentence(
        "On the {n} questions that all {models} models answered, {name} has the highest accuracy, "
        "as a mean over tasks: {share}. No model is significantly better than any of these: "
        "{others}."
    ),
    "board.many_first": Sentence(
        "On the {n} questions that all {models} models answered, {name} has the highest accuracy, "
        "as a mean over tasks: {share}. {number} models cannot be ruled out for first place."
    ),
    "board.standings": Sentence(
        "There are {cells} pairs of a model and a language over the tasks counted. {behind} are "
        "behind {base}, {ahead} ahead, {equal} equal within ±{margin} points, {unknown} not known.",
        "in each pair counted the mean gap is above 0, below 0, or within the margin, as said",
    ),
    "board.behind": Sentence(
        "{number} of {models} models are significantly behind {base} in at least one task. "
        "Languages: {names}.",
        "in at least one task the gap is above 0, for each of the models and languages counted",
    ),
    "board.none": Sentence(
        "Of {cells} gaps of models, tasks and languages, none is significant, all together."
    ),
    "board.left_out": Sentence(
        "{number} of the results given {are} not ranked, see “What may be compared”."
    ),
    # Two models
    "compare.settings": Sentence("Settings differ: {text}."),
    "compare.shares": Sentence(
        "As a mean over tasks, the accuracy of {a} is {share_a} and that of {b} {share_b} ({n} "
        "common questions)."
    ),
    "compare.overall": Sentence(
        "Overall {name} is significantly better, by {points} points ({ends}).",
        "the model named has the higher accuracy, as a mean over languages, tasks and complexities",
    ),
    "compare.not_overall": Sentence(
        "Overall neither is significantly better ({b} minus {a}: {points} points, {ends})."
    ),
    "compare.gap": Sentence(
        "{language}: the gap to {base} is {more} in {b} than in {a}. It is {gap_b} against {gap_a} "
        "points (difference: {ends}).",
        "the gaps of the two models differ by an amount in the interval, in the direction said",
    ),
    "compare.no_gap": Sentence(
        "No gap to {base} differs significantly between the two ({languages} languages together)."
    ),
    "compare.better": Sentence(
        "Of {pairs} language-task pairs, {b} is significantly better in {better} and {a} in "
        "{worse} (paired test, all together, 5%).",
        "in each pair counted the model named is better",
    ),
    "compare.none": Sentence(
        "Neither model is significantly better in any of {pairs} (paired test, all together, 5%)."
    ),
    "compare.pair": Sentence("{language}, {task}: {share_a} against {share_b} ({points} points)."),
}


class Statement(str):
    """A sentence of the registry, with what it was made of.

    Attributes:
        parts: the kinds of sentence and their fields.
    """

    parts: tuple[tuple[str, Fields], ...]

    def __new__(cls, text: str, parts: Iterable[tuple[str, Fields]]) -> Statement:
        self = super().__new__(cls, text)
        self.parts = tuple(parts)
        return self


def say(kind: str, /, **fields: Any) -> Statement:
    """A sentence of the registry.

    Args:
        kind: its id.
        fields: of its text; further ones say what it is about, for the audit.
    """
    return Statement(SENTENCES[kind].text.format(**fields), [(kind, fields)])


def joined(sentences: Iterable[Statement]) -> Statement:
    """Several sentences, one behind the other."""
    every = list(sentences)
    return Statement(" ".join(every), [part for sentence in every for part in sentence.parts])
