"""The page of a leaderboard: a row for each model, and the gaps of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from xlgo_metric.comparison import Cell, Rank
from xlgo_metric.comparison.section import NAMES, READINGS
from xlgo_metric.table import Column, Table

from ..display import labels
from ..display.formats import (
    Statement,
    comma_separated,
    count,
    fact,
    percent,
    render,
    say,
    sortable,
)
from ..display.labels import LanguageLabels
from ..folders import write_json, write_text
from ..page.findings import depending, left_out
from ..page.grid import (
    MARGIN_POINTS,
    Grid,
    Heading,
    cells_table,
    depending_cells,
    in_order,
    language_with_note,
    ordered,
    with_notes,
    wordings,
)
from .standings import Board, Entry

_MOST_NAMED = 6
Standing = Literal["behind", "ahead", "equal", "not known"]

TERMS: tuple[tuple[str, str], ...] = (
    (
        "Questions",
        "Proved: answered are the questions of the design that the host requires. Regenerated: "
        "questions and correct answers were generated again from the run's own design, which is "
        "its claim. As logged: the data are loaded, not generated. A run with another question, a "
        "repeated one or one without an answer is not ranked.",
    ),
    (
        "Rank",
        "Models are ranked by accuracy on the questions that all of them answered: the mean over "
        "tasks and languages, alike, of the mean over their sizes. Possible ranks "
        "are those that cannot be ruled out: models that are significantly better come before, "
        "those that are significantly worse after. These intervals hold together at 95%.",
    ),
    (
        "Significantly better",
        "Two models are compared puzzle by puzzle, all languages of a puzzle together: the signs "
        "of the puzzles' differences are exchanged, for all pairs of models at once, at 5%.",
    ),
    (
        "{base} minus the language",
        "The mean over tasks of the mean over sizes of the difference of accuracies on the same "
        "questions, in percentage points. Only tasks count that every language has, whose wording "
        "cannot cause a gap in any of them. ● stands where the 95% interval leaves out 0; "
        "marks and intervals hold for all models and languages together.",
    ),
)
"""What the words of the page mean; ``{base}`` is the name of the baseline."""


def page(board: Board, title: str) -> str:
    """The HTML page of a leaderboard.

    Args:
        board: what it shows.
        title: its heading.
    """
    by_model, words = differences(board), wordings(board.differences.values())
    if words:
        by_model = replace(by_model, caption=f"{by_model.caption} Wordings: {words}.")
    contents = [("ranking", "Ranking")]
    contents += [("gaps", f"Gaps to {board.base}")] if by_model.cells else []
    contents += [("tasks", "Models and languages"), ("details", "Method")]
    names = [model_label(board, index) for index in range(len(board.entries))]
    more = [table for table in (by_language(board), readings(board)) if table.rows]
    return render(
        "leaderboard.html",
        title=title,
        contents=contents,
        facts=_facts(board),
        findings=findings(board),
        warnings=_warnings(board),
        ranking=sortable(ranking(board), words=names),
        grids=[by_model] if by_model.cells else [],
        matrix=matrix(board),
        more=[sortable(table) for table in more],
        details=[grid for grid in (of_model(board, n) for n in range(len(names))) if grid.cells],
        alike=_alike(board),
        left_out=board.field.left_out,
        conditions=[
            f"{labels.family(family)}: " + ", ".join(f"{name} {value}" for name, value in values)
            for family, values in board.field.conditions.items()
            if values
        ],
        terms=tuple(tuple(text.format(base=board.base) for text in term) for term in TERMS),
        baseline=board.base,
    )


def model_label(board: Board, index: int) -> LanguageLabels:
    """The name of a model where the templates show a language, and that it was asked unlike."""
    entry = board.entries[index]
    suffix = " (other settings)" if board.field.unlike[entry.name] else ""
    return LanguageLabels("", f"{entry.name}{suffix}", "", "")


def differences(board: Board) -> Grid:
    """The baseline minus every language, of every model, over the tasks that count."""
    return Grid(
        title=f"Gaps to {board.base}",
        caption=f"{board.base} minus the language, percentage points over the tasks that count "
        "for every language, with the 95% interval for all cells together.",
        rows={index: model_label(board, index) for index in range(len(board.entries))},
        columns={
            code: Heading(label.native_name, label.name)
            for code in ordered(code for _, code in board.differences)
            for label in [labels.language(code)]
        },
        cells=board.differences,
        sentences={
            key: _in_words(board.entries[key[0]].name, cell)
            for key, cell in board.differences.items()
        },
        behind=f"behind {board.base}",
        ahead=f"ahead of {board.base}",
    )


def _in_words(model: str, cell: Cell) -> str:
    right = f"{percent(cell.accuracy)}, in the baseline {percent(cell.baseline_accuracy)}"
    return f"{model}, {language_with_note(cell)}: {right}, {count(cell.n)} questions"


def of_model(board: Board, index: int) -> Grid:
    """The gaps of one model by language and task, tested with those of all models."""
    cells = {
        (code, task): cell for (model, _, task, code), cell in board.gaps.items() if model == index
    }
    return Grid(
        title=board.entries[index].name,
        caption=f"{board.base} minus the language, percentage points; all models together.",
        rows=with_notes(ordered(code for code, _ in cells), cells.values()),
        columns={name: labels.task(name) for name, _ in in_order({task: 0 for _, task in cells})},
        cells=cells,
        behind=f"behind {board.base}",
        ahead=f"ahead of {board.base}",
    )


def matrix(board: Board) -> Grid:
    """Every model against every other: the model of the column minus that of the row."""
    names = [entry.name for entry in board.entries]
    turned = [cell for pair in board.pairs for cell in (pair, pair.turned)]
    return Grid(
        title="Model against model",
        caption="Accuracy of the model of the column minus that of the row, percentage points on "
        "the common questions. Columns are numbered as the rows are.",
        rows={name: LanguageLabels("", f"{n + 1}. {name}", "", "") for n, name in enumerate(names)},
        columns={name: Heading(name, f"{n + 1}.") for n, name in enumerate(names)},
        cells={(cell.other, cell.baseline): cell for cell in turned},
        sentences={
            (cell.other, cell.baseline): f"{cell.baseline} minus {cell.other}" for cell in turned
        },
        behind="the row is worse",
        ahead="the row is better",
    )


def standings(board: Board) -> dict[tuple[int, str], Standing]:
    """Of each model and language: behind, ahead, equal within the margin, or not known."""
    return {key: _standing(cell) for key, cell in board.differences.items()}


def _standing(cell: Cell) -> Standing:
    if cell.is_equal:
        return "equal"
    if not cell.is_significant:
        return "not known"
    return "behind" if cell.difference > 0 else "ahead"


def findings(board: Board) -> list[tuple[str, Statement]]:
    """The main results in sentences."""
    names, best = [entry.name for entry in board.entries], board.ranks[0]
    first = [name for name, rank in zip(names, board.ranks) if rank.low == 1]
    kind = "best" if best.high == 1 else "first" if len(first) <= _MOST_NAMED else "many_first"
    stands = standings(board)
    number = Counter(stands.values())
    behind_by_language = Counter(code for code, _ in {
        (code, index) for (index, _, _, code), gap in board.gaps.items()
        if gap.is_significant and gap.difference > 0 and (board.unaudited or not gap.is_unaudited)
    })  # fmt: skip
    most = max(behind_by_language.values(), default=0)
    tied = [code for code in ordered(behind_by_language) if behind_by_language[code] == most]
    lost = len(board.field.left_out)
    return [
        ("", say(
            f"board.{kind}", n=count(len(board.field.common)), models=len(names), name=names[0],
            share=percent(board.accuracy[0], 1), others=", ".join(first), number=len(first),
        )),
        *([("", say(
            "board.standings", cells=len(stands), stands=stands, base=board.base,
            behind=number["behind"], ahead=number["ahead"], equal=number["equal"],
            unknown=number["not known"], margin=MARGIN_POINTS,
        ))] if stands else []),
        *([("behind", say(
            "board.behind", names=", ".join(labels.language(code).name for code in tied),
            base=board.base, number=most, models=len(names), codes=tied,
        ))] if tied else []),
        *([("", say("board.none", cells=count(len(board.gaps))))]
          if board.gaps and not any(gap.is_significant for gap in board.gaps.values()) else []),
        *([("warn", say("board.left_out", number=lost, are="is" if lost == 1 else "are"))]
          if lost else []),
    ]  # fmt: skip


def mean_difference(board: Board, index: int) -> float | None:
    """The mean over languages of the baseline minus the language; ``None`` without the baseline."""
    found = [cell.difference for (model, _), cell in board.differences.items() if model == index]
    return sum(found) / len(found) if found else None


def possible_ranks(rank: Rank) -> str:
    """The interval of a rank: "2" or "1 to 4"."""
    return str(rank.low) if rank.low == rank.high else f"{rank.low} to {rank.high}"


def ranking(board: Board) -> Table:
    """A row for each model: its rank, accuracy, and gaps over the tasks that count."""
    codes = [
        code
        for code in ordered(board.languages)
        if any(language == code for _, language in board.differences)
    ]
    columns = [
        Column("Model"), Column("Rank", "count"), Column("Possible ranks"),
        Column("Correct", "share", unit="%"), Column("Questions"),
        *([Column("Mean gap", "difference")] if codes else []),
        *(Column(f"Gap {label.named}", "difference")
          for label in with_notes(codes, board.differences.values()).values()),
    ]  # fmt: skip
    rows = []
    for index, entry in enumerate(board.entries):
        gaps = [board.differences.get((index, code)) for code in codes]
        rows.append((
            entry.name, board.ranks[index].rank, possible_ranks(board.ranks[index]),
            board.accuracy[index], entry.scored.proof.status,
            *([mean_difference(board, index)] if codes else []),
            *(None if gap is None else gap.difference for gap in gaps),
        ))  # fmt: skip
    return Table(
        "leaderboard",
        f"{len(board.entries)} models on the {count(len(board.field.common))} questions that all "
        "answered",
        tuple(columns),
        tuple(rows),
        "Correct: the mean over tasks and languages. Possible ranks: those that cannot be ruled "
        "out (95%, all models together). Questions: "
        "proved: generated from the required design; regenerated: from the run's own, which is its "
        "claim; as logged: loaded data."
        + (f" Gap: percentage points behind {board.base}, mean over tasks." if codes else ""),
    )


def by_language(board: Board) -> Table:
    """Correct answers and possible ranks in each language by itself."""
    codes = ordered(board.languages)
    names = [labels.language(code).name for code in codes]
    of_each = (
        (Column(name, "share", unit="%"), Column(f"{name}, ranks", after=" ")) for name in names
    )
    rows = tuple(
        (entry.name, *(value for code in codes
                       for value in (board.languages[code][0][n],
                                     f"({possible_ranks(board.languages[code][1][n])})")))
        for n, entry in enumerate(board.entries)
    )  # fmt: skip
    caption = "In brackets: the ranks that cannot be ruled out in this language."
    columns = (Column("Model"), *chain(*of_each))
    return Table("languages", "By language", columns, rows, caption)


def readings(board: Board) -> Table:
    """Correct answers in each language under the three readings; no rows without any."""
    read = board.readings
    codes = ordered(set().union(*read))
    columns = [
        Column(f"{labels.language(code).name}, {name}", "share", after=after,
               heading=labels.language(code).name)
        for code in codes for name, after in zip(NAMES.values(), (None, " / ", " / "))
    ]  # fmt: skip
    rows = tuple(
        (entry.name, *(share for code in codes for share in rates.get(code, (None,) * 3)))
        for entry, rates in zip(board.entries, read)
    )
    return Table(
        "readings",
        "Three readings (%)",
        (Column("Model"), *columns),
        rows if codes else (),
        "Correct answers: strict / in the asked form / lenient (the verdict of the grader).",
    )


def _facts(board: Board) -> list[tuple[str, str]]:
    tasks = {key[:2] for key in board.field.common}
    return [
        (str(len(board.entries)), "models"),
        (count(len(board.field.common)), "questions that all answered"),
        fact(len(tasks), "task"),
        fact(len(board.languages), "language"),
    ]


def _warnings(board: Board) -> list[str]:
    unlike = [entry.name for entry in board.entries if board.field.unlike[entry.name]]
    kind = "verdict.left_out" if board.differences else "verdict.no_tasks"
    sections = [
        (entry.name, section)
        for entry in board.entries
        for section in entry.scored.score["families"].values()
    ]
    sentences = [
        *([
            f"{len(unlike)} of the models were run with other settings than most, which may cause "
            "a difference. “What may be compared” names the settings."
        ] if unlike else []),
        *(pair.refused for pair in board.pairs if pair.refused),
        *([say(kind, reasons=left_out(board.uncounted), base=board.base)]
          if board.uncounted else []),
        *(f"{name}: {sentence}" for name, section in sections if READINGS in section
          for _, sentence in depending(
              labels.language(section[READINGS]["baseline"]).name, depending_cells(section))),
        *(f"{entry.name}: {text}" for entry in board.entries
          for text in entry.scored.problems.items),
    ]  # fmt: skip
    return list(dict.fromkeys(sentences))


def _alike(board: Board) -> list[dict[str, object]]:
    """How the answers of each model were made."""
    return [
        {
            "name": entry.name,
            "date": entry.scored.run.date.partition("T")[0],
            "unlike": board.field.unlike[entry.name],
            "generation": entry.scored.score["generation"],
            "signature": entry.scored.score["signature"],
        }
        for entry in board.entries
    ]


PAGE, NUMBERS, ROWS, CARD = "index.html", "leaderboard.json", "leaderboard.csv", "README.md"
TABLES = ("pairs.csv", "gaps.csv", "readings.csv")
FILES = (PAGE, NUMBERS, ROWS, CARD)
"""Those that every leaderboard has."""

SCHEMA = 2

_CARD = """\
---
title: {title}
emoji: 🧭
colorFrom: indigo
colorTo: green
sdk: static
app_file: {page}
pinned: false
tags:
- leaderboard
- multilingual
---

# {heading}

{findings}

Made by `xlgo leaderboard`; `{rows}` and `{numbers}` hold the numbers of the page.
"""


@dataclass(frozen=True)
class Site:
    """What a leaderboard shows.

    Attributes:
        title: of the page.
        page: the HTML.
        numbers: the same in plain JSON types.
        rows: a row for each model.
        sentences: for the card of a Space.
        tables: further numbers, by the name of their file.
    """

    title: str
    page: str
    numbers: Mapping[str, object]
    rows: Table
    sentences: Sequence[str]
    tables: Sequence[Table] = ()

    def write(self, out: Path) -> Path:
        """Write the folder, each file in one step, and return the path of the page.

        Raises:
            ValueError: the folder cannot be written.
        """
        card = _CARD.format(
            title=json.dumps(self.title),
            heading=_plain(self.title),
            findings="\n".join(f"- {_plain(text)}" for text in self.sentences),
            page=PAGE,
            rows=ROWS,
            numbers=NUMBERS,
        )
        write_json(out / NUMBERS, self.numbers)
        for name in TABLES:
            (out / name).unlink(missing_ok=True)
        more = {f"{each_table.name}.csv": each_table for each_table in self.tables}
        for name, each_table in {ROWS: self.rows, **more}.items():
            write_text(out / name, comma_separated(each_table))
        write_text(out / CARD, card)
        write_text(out / PAGE, self.page)
        return out / PAGE


def site_of(board: Board, title: str) -> Site:
    """The site of a leaderboard.

    Args:
        board: what it shows.
        title: its heading.
    """
    sentences = [text for _, text in findings(board)]
    html = page(board, title)
    pairs = cells_table(board.pairs, "pairs", "Model against model")
    models = {n: entry.name for n, entry in enumerate(board.entries)}
    gaps = [
        replace(cell, where={**cell.where, "model": models[key[0]]})
        for cells in (board.differences, board.gaps)
        for key, cell in cells.items()
    ]
    tables = [
        each_table for each_table in (pairs, cells_table(gaps), readings(board)) if each_table.rows
    ]
    return Site(title, html, as_json(board), ranking(board), sentences, tables)


def site_of_tables(tables: Sequence[Table], entries: Sequence[Entry], title: str) -> Site:
    """The site of models whose answers are scored, not correct or incorrect.

    Args:
        tables: of all models, the ranking first.
        entries: the models.
        title: of the page.
    """
    models = [
        {
            "name": entry.name,
            "date": entry.scored.run.date,
            "signature": entry.scored.score["signature"],
            "generation": entry.scored.score["generation"],
        }
        for entry in entries
    ]
    shown = [{"id": table.name, **sortable(table)} for table in tables]
    html = render(
        "tables.html",
        contents=[
            ("ranking", "Ranking"),
            *([("tables", "All tables")] if tables[1:] else []),
            ("details", "Method"),
        ],
        title=title,
        facts=[fact(len(entries), "model"), fact(len(tables), "table")],
        ranking=shown[0],
        tables=shown[1:],
        warnings=[
            f"{entry.name}: {text}" for entry in entries for text in entry.scored.problems.items
        ],
        models=models,
    )
    numbers = {
        "schema": SCHEMA,
        "models": models,
        "tables": {
            table.name: {
                "title": table.title,
                "caption": table.caption,
                "rows": [dict(zip(table.names, row)) for row in table.rows],
            }
            for table in tables
        },
    }
    return Site(title, html, numbers, tables[0], [f"{len(entries)} models: {tables[0].title}."])


def _plain(text: str) -> str:
    """A line of Markdown in which nothing that a name holds is markup."""
    line = " ".join(text.split())
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|!$~" else letter for letter in line)


def as_json(board: Board) -> dict[str, Any]:
    """The numbers of a leaderboard in plain JSON types; accuracies and gaps are fractions."""
    read = board.readings
    models = [
        {
            "name": entry.name,
            "accuracy": board.accuracy[index],
            **asdict(board.ranks[index]),
            "mean_gap": mean_difference(board, index),
            "languages": {
                code: {"accuracy": accuracy[index], **asdict(ranks[index])}
                for code, (accuracy, ranks) in board.languages.items()
            },
            "gaps": [gap.as_json() for (model, *_), gap in board.gaps.items() if model == index],
            "differences": {
                code: gap.as_json()
                for (model, code), gap in board.differences.items()
                if model == index
            },
            "readings": {code: dict(zip(NAMES, shares)) for code, shares in read[index].items()},
            "signature": entry.scored.score["signature"],
            "generation": entry.scored.score["generation"],
            "questions": entry.scored.proof.status,
            "unlike": list(board.field.unlike[entry.name]),
        }
        for index, entry in enumerate(board.entries)
    ]
    return {
        "schema": SCHEMA,
        "baseline": board.baseline,
        "questions": len(board.field.common),
        "puzzles": board.puzzles,
        "models": models,
        "pairs": [pair.as_json() for pair in board.pairs],
        "uncounted": dict(board.uncounted),
        "left_out": [{"name": name, "why": why} for name, why in board.field.left_out],
    }
