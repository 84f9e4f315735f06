"""The heat maps of a leaderboard: models by languages, and models by models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xlgo_metric.comparison import Cell
from xlgo_metric.statistics.claims import Standing, standing

from ..display import labels
from ..display.formats import count, ends, p_value, percent, points
from ..display.labels import LanguageLabels
from ..report.gap_marks import MARGIN_POINTS
from ..report.heat import Heat, HeatCell, to_baseline
from .standings import Board, Gap


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


def gap_heat(board: Board, codes: Sequence[str]) -> Heat | None:
    """The SMD of every model and language; ``None`` where no family has one."""
    if all(gap.smd is None for gap in board.gaps.values()):
        return None
    cells = {key: _gap_cell(board, *key, gap) for key, gap in board.gaps.items()}
    return _by_language(
        board,
        codes,
        cells,
        id="gaps",
        title="SMD by language",
        caption=f"Mean over tasks of the SMD, the largest fitted gap to {board.base} of any "
        "puzzle size, in percentage points, with its 95% interval. (4/5): only 4 of 5 tasks "
        "have a number.",
        marks=("● behind, ▲ ahead in at least one task (Holm over all cells, 5%)",),
    )


def _gap_cell(board: Board, place: int, code: str, gap: Gap) -> HeatCell:
    told = (
        f"{board.entries[place].name}, {labels.language(code).name}: behind in {gap.behind} and "
        f"ahead in {gap.ahead} of {gap.of} tasks"
    )
    if gap.smd is None:
        return HeatCell(sentence=told)
    mark = f"{'●' if gap.behind else ''}{'▲' if gap.ahead else ''}"
    few = f" ({gap.tasks}/{gap.of})" if gap.tasks < gap.of else ""
    spread = "" if gap.low is None or gap.high is None else ends(gap.low, gap.high)
    return HeatCell.of(
        gap.smd,
        f"{spread}{few}",
        clear=bool(mark),
        mark=mark,
        mark_words="significant" if mark else "",
        sentence=told + (f"; interval {spread}" if spread else ""),
        href=f"#{anchor(place)}",
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
        caption=f"Correct answers in {base} minus correct answers in the language, in "
        "percentage points, over all tasks, with its 95% interval. No mark: not known.",
        marks=(
            "● behind, ▲ ahead (exact sign test, Holm over all models and languages, 5%)",
            f"= within ±{MARGIN_POINTS} points (95%, all cells together)",
        ),
    )


def standings(board: Board) -> dict[tuple[int, str], Standing]:
    """Of each model and language: behind, ahead, equal within the margin, or not known.

    ``behind`` and ``ahead`` by the corrected exact test, ``equal`` by limits that hold for all
    models and languages together.
    """
    found: dict[tuple[int, str], Standing] = {}
    for key, cell in board.differences.items():
        stands = standing(*cell.limits_among(len(board.differences)))
        if stands != "equal":
            stands = "behind" if cell.difference > 0 else "ahead"
            stands = stands if cell.significant else "not known"
        found[key] = stands
    return found


def _difference_cell(
    board: Board, place: int, code: str, found: Cell, stands: Standing
) -> HeatCell:
    return HeatCell.of(
        found.difference,
        ends(found.low, found.high),
        clear=stands in ("behind", "ahead"),
        mark={"behind": "●", "ahead": "▲", "equal": "=", "not known": ""}[stands],
        mark_words=stands,
        sentence=f"{board.entries[place].name}, {labels.language(code).name}: "
        f"{percent(found.mean_other, 1)}, in {board.base} {percent(found.mean_base, 1)}, "
        f"{count(found.n)} questions",
        href=f"#{anchor(place)}" if board.gaps else "#languages",
    )


def matrix(board: Board) -> Heat:
    """Every model against every other; a row's gain over a column."""
    names = [entry.name for entry in board.entries]
    cells = {(place, place): HeatCell("same", "", name) for place, name in enumerate(names)}
    for pair in board.pairs:
        for turned in (pair, pair.turned):
            place = names.index(turned.base), names.index(turned.other)
            cells[place] = _pair_cell(turned)
    return Heat.of(
        {n: LanguageLabels("", f"{n + 1}. {name}", "", "") for n, name in enumerate(names)},
        {n: {"title": name, "short": f"{n + 1}."} for n, name in enumerate(names)},
        cells,
        id="pairs",
        title="Model against model",
        caption="Correct answers of the model of the row minus those of the model of the column, "
        "in percentage points, on the common questions. Columns are numbered as the rows are.",
        behind="the row is worse",
        ahead="the row is better",
        marks=(f"● significant (exact test over puzzles, Holm, {len(board.pairs)} pairs, 5%)",),
    )


def _pair_cell(pair: Cell) -> HeatCell:
    return HeatCell.of(
        -pair.difference,
        clear=pair.significant,
        value=points(pair.difference),
        mark="●" if pair.significant else "",
        mark_words="clear" if pair.significant else "",
        sentence=f"{pair.base} minus {pair.other}: {points(pair.difference)} points, "
        f"p {p_value(1.0 if pair.p_adjusted is None else pair.p_adjusted)}",
        href="#ranking",
    )
