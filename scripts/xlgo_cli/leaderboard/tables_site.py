"""The folder of a leaderboard of models whose answers are scored, not correct or incorrect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xlgo_metric.table import Table

from ..display.formats import fact, render, sortable
from .site import SCHEMA, Site

if TYPE_CHECKING:
    from .entries import Entry


def site_of(tables: Sequence[Table], entries: Sequence[Entry], title: str) -> Site:
    """The site of such a leaderboard.

    Args:
        tables: of all models, the ranking first.
        entries: the models.
        title: of the page.
    """
    about = [f"{len(entries)} models: {tables[0].title}."]
    html = page(tables, entries, title)
    return Site(title, html, as_json(tables, entries), tables[0], about)


def page(tables: Sequence[Table], entries: Sequence[Entry], title: str) -> str:
    """The page: the first table open, the others folded."""
    sorted_tables = [{"id": one.name, **sortable(one)} for one in tables]
    contents = [("ranking", "Ranking"), *([("tables", "All tables")] if tables[1:] else [])]
    return render(
        "tables.html",
        contents=[*contents, ("details", "Method")],
        title=title,
        facts=[fact(len(entries), "model"), fact(len(tables), "table")],
        ranking=sorted_tables[0],
        tables=sorted_tables[1:],
        warnings=[f"{one.name}: {problem}" for one in entries for problem in one.problems],
        models=[_model(one) for one in entries],
    )


def as_json(tables: Sequence[Table], entries: Sequence[Entry]) -> dict[str, object]:
    """The tables in plain JSON types: a row as an object by the names of its columns."""
    return {
        "schema": SCHEMA,
        "models": [_model(one) for one in entries],
        "tables": {
            one.name: {
                "title": one.title,
                "caption": one.caption,
                "rows": [
                    dict(zip([column.name for column in one.columns], row)) for row in one.rows
                ],
            }
            for one in tables
        },
    }


def _model(entry: Entry) -> dict[str, str]:
    return {
        "name": entry.name,
        "date": entry.date,
        "signature": str(entry.score["signature"]),
        "generation": entry.generation,
    }
