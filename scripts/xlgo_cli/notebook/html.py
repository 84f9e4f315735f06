"""Scores and comparisons as pieces of HTML that a notebook shows, without scripts or style sheets.

They are made by the macros of the pages. Everything that comes out of a run is escaped: names of
models may hold anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..display.formats import clean, environment, sortable
from ..report.compare.comparison import Comparison, difference, tables
from ..report.gap_marks import with_gaps
from ..report.grid import of_score
from ..report.screen import sentences


def scores_html(score: Mapping[str, Any], model: str, page: Path | None) -> str:
    """A score: sentences, gaps by task and language, signature."""
    return _piece(
        title=model,
        told=[*score.get("warnings", []), *sentences(score)],
        grids=of_score(score, with_gaps(score)),
        signature=score["signature"],
        page=page,
    )


def comparison_html(found: Comparison, page: Path | None) -> str:
    """A comparison: warnings and tables."""
    return _piece(
        told=[*map(difference, found.differences), *found.notes],
        tables=map(sortable, tables(found)),
        signature=found.scores[0]["signature"],
        page=page,
    )


def _piece(**context: Any) -> str:
    values = {"title": "", "grids": (), "tables": (), **context}
    return clean(environment().get_template("notebook.html").render(values))
