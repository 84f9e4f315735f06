"""The folder of a leaderboard: the page, its numbers, and the card of a static Space."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from xlgo_metric.comparison.section import NAMES
from xlgo_metric.table import Table

from ..display.formats import comma_separated, fact, render, sortable
from ..folders import explained, write_text
from ..report.grid import cells_table
from .entries import Entry
from .files import CARD, NUMBERS, PAGE, ROWS, TABLES
from .page import findings, mean_difference, page, ranking, readings
from .standings import Board

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
        bullets = "\n".join(f"- {_plain(text)}" for text in self.sentences)
        card = _CARD.format(
            title=json.dumps(self.title),
            heading=_plain(self.title),
            findings=bullets,
            page=PAGE,
            rows=ROWS,
            numbers=NUMBERS,
        )
        with explained("write", out):
            write_text(out / NUMBERS, json.dumps(self.numbers, ensure_ascii=False, indent=1) + "\n")
            write_text(out / ROWS, comma_separated(self.rows))
            for name in TABLES:
                (out / name).unlink(missing_ok=True)
            for each_table in self.tables:
                write_text(out / f"{each_table.name}.csv", comma_separated(each_table))
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
