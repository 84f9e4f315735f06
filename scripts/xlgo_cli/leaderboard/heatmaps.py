"""The heat maps of a leaderboard: models by languages, and models by models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from xlgo_metric.comparison import Cell

from ..display import labels
from ..display.formats import count, ends, p_value, percent, points
from ..display.labels import LanguageLabels
from ..report.gap_marks import MARGIN_POINTS
from ..report.heat import Heat, HeatCell, to_baseline
from .standings import Board

Standing = Literal["behind", "ahead", "equal", "not known"]


def model_label(board: Board, place: int) -> LanguageLabels:
    """The name of a model where the templates show a language; a star says it was asked unlike."""
    entry = board.entries[place]
    return LanguageLabels(
        "", f"{entry.name}{' *' if board.field.unlike[entry.name] else ''}", "", ""
    )


def anchor(place: int) -> str:
    """The part of the page about one model."""
    return f"model-{place + 1}"


def _by_language(
    board: Board,
    codes: Sequence[str],
    cells: Mapping[tuple[int, str], HeatCell],
    **shown: Any,
) -> Heat | None:
    """Models by languages against the baseline; ``None`` without cells.

    Args:
        codes: languages; those without a cell are left out.
        cells: by place of the model and language.
        shown: what else the map has; see ``Heat``.
    """
    if not cells:
        return None
    there = [code for code in codes if any(one == code for _, one in cells)]
    return Heat.of(
        {place: model_label(board, place) for place in range(len(board.entries))},
        {
            code: {"title": labels.language(code).native_name, "short": labels.language(code).name}
            for code in there
        },
        cells,
        **to_baseline(board.base) | shown,
    )


def difference_heat(board: Board, codes: Sequence[str]) -> Heat | None:
    """The baseline minus every language, of every model; ``None`` without the baseline."""
    stands, base = standings(board), board.base
    cells = {
        key: _difference_cell(board, *key, found, stands[key])
        for key, found in board.differences.items()
    }
    return _by_language(
        board,
        codes,
        cells,
        id="differences",
        title=f"{base} minus the language, on the same questions",
        caption=f"Accuracy in {base} minus accuracy in the language, in percentage points, over "
        "the tasks that count for every language, with its 95% interval. No mark: not known.",
        marks=(
            "● behind, ▲ ahead (paired test, 5%; marks and intervals hold for all cells together)",
            f"= within ±{MARGIN_POINTS} points",
        ),
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


def _difference_cell(
    board: Board, place: int, code: str, found: Cell, stands: Standing
) -> HeatCell:
    return HeatCell.of(
        found.difference,
        ends(*found.interval) if found.interval else "",
        clear=stands in ("behind", "ahead"),
        mark={"behind": "●", "ahead": "▲", "equal": "=", "not known": ""}[stands],
        mark_words=stands,
        sentence=f"{board.entries[place].name}, {labels.language(code).name}: "
        f"{percent(found.accuracy, 1)}, in {board.base} {percent(found.baseline_accuracy, 1)}, "
        f"{count(found.n)} questions",
        href=f"#{anchor(place)}" if board.gaps else "#languages",
    )


def matrix(board: Board) -> Heat:
    """Every model against every other; a row's gain over a column."""
    names = [entry.name for entry in board.entries]
    cells = {(place, place): HeatCell("same", "", name) for place, name in enumerate(names)}
    for pair in board.pairs:
        for turned in (pair, pair.turned):
            place = names.index(turned.baseline), names.index(turned.other)
            cells[place] = _pair_cell(turned)
    return Heat.of(
        {n: LanguageLabels("", f"{n + 1}. {name}", "", "") for n, name in enumerate(names)},
        {n: {"title": name, "short": f"{n + 1}."} for n, name in enumerate(names)},
        cells,
        id="pairs",
        title="Model against model",
        caption="Accuracy of the model of the row minus that of the model of the column, in "
        "percentage points, on the common questions. Columns are numbered as the rows are.",
        behind="the row is worse",
        ahead="the row is better",
        marks=(f"● significant (paired test over puzzles, {len(board.pairs)} pairs together, 5%)",),
    )


def _pair_cell(pair: Cell) -> HeatCell:
    tested = pair.refused or f"p {p_value(pair.p_value)}"
    return HeatCell.of(
        -pair.difference,
        clear=pair.is_significant,
        value=points(pair.difference),
        mark="●" if pair.is_significant else "",
        mark_words="clear" if pair.is_significant else "",
        sentence=f"{pair.baseline} minus {pair.other}: {points(pair.difference)} points, {tested}",
        href="#ranking",
    )
