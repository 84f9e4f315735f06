"""Scores and comparisons as pieces of HTML that a notebook shows, without scripts or style sheets.

Everything that comes out of a run is escaped: names of models may hold anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from xlgo_metric.table import Table

from ..display.colours import LIGHT
from ..display.formats import clean
from ..report.compare.comparison import Comparison, difference, tables
from ..report.gap_marks import with_gaps
from ..report.grid import Grid, of_section
from ..report.screen import sentences

_CELL = "padding:.25em .6em;text-align:right;white-space:nowrap"
_HEAD = "padding:.25em .6em;text-align:left;white-space:nowrap"


def scores_html(score: Mapping[str, Any], model: str, page: Path | None) -> str:
    """A score: sentences, gaps by task and language, signature."""
    parts = [f"<p><b>{_safe(model)}</b></p>"]
    told = [*score.get("warnings", []), *sentences(score)]
    parts.append("<ul>" + "".join(f"<li>{_safe(one)}</li>" for one in told) + "</ul>")
    parts += [_grid(grid) for part in with_gaps(score).values() if (grid := of_section(part))]
    parts.append(_foot(score["signature"], page))
    return f"<div>{''.join(parts)}</div>"


def comparison_html(found: Comparison, page: Path | None) -> str:
    """A comparison: warnings and tables."""
    told = [*map(difference, found.differences), *found.notes]
    parts = ["<ul>" + "".join(f"<li>{_safe(one)}</li>" for one in told) + "</ul>"] if told else []
    parts += [_table(one) for one in tables(found)]
    parts += [_foot(score["signature"], page) for score in found.scores[:1]]
    return f"<div>{''.join(parts)}</div>"


def _grid(grid: Grid) -> str:
    heads = "".join(f'<th style="{_CELL}">{_safe(one.short)}</th>' for one in grid.columns.values())
    rows = []
    for row in grid.view():
        cells = "".join(_cell(cell) for cell in row["cells"])
        rows.append(f'<tr><th style="{_HEAD}">{_safe(row["words"].name)}</th>{cells}</tr>')
    legend = " ".join([grid.caption, *(f"{one}." for one in grid.legend)])
    return (
        f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"<p><small>{_safe(legend)}</small></p>"
    )


def _cell(cell: Mapping[str, Any]) -> str:
    style = _CELL
    if cell.get("strength"):
        style += f";background:{LIGHT[cell['kind']]}{round(2.55 * cell['strength']):02x}"
    words = f"{cell['value']} {cell.get('mark', '')}".strip()
    limits = f" <small>{_safe(cell['limits'])}</small>" if cell.get("limits") else ""
    return f'<td style="{style}" title="{_safe(cell["sentence"])}">{_safe(words)}{limits}</td>'


def _table(found: Table) -> str:
    styles = [_CELL if numeric else _HEAD for numeric in found.numeric]
    heads = _row("th", found.headings(), styles)
    rows = "".join(_row("td", row, styles) for row in found.shown())
    caption = f"<p><small>{_safe(found.caption)}</small></p>" if found.caption else ""
    return (
        f"<p><b>{_safe(found.title)}</b></p>"
        f"<table><thead>{heads}</thead><tbody>{rows}</tbody></table>{caption}"
    )


def _row(tag: str, cells: Sequence[str], styles: Sequence[str]) -> str:
    inner = "".join(
        f'<{tag} style="{style}">{_safe(cell)}</{tag}>' for cell, style in zip(cells, styles)
    )
    return f"<tr>{inner}</tr>"


def _foot(signature: str, page: Path | None) -> str:
    where = f"<br>Report: <code>{_safe(page)}</code>" if page is not None else ""
    return f"<p><small><code>{_safe(signature)}</code>{where}</small></p>"


def _safe(value: Any) -> str:
    return clean(escape(str(value)))
