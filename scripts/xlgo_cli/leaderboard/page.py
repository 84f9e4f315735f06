"""The page of a leaderboard: a row for each model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from xlgo_metric.comparison import Rank
from xlgo_metric.comparison.section import READINGS, readings_by_cell
from xlgo_metric.score_dict import Score
from xlgo_metric.table import Column, Table

from ..display import labels
from ..display.formats import count, fact, percent, points, render, sortable
from ..display.sentences import Said, say
from ..report.findings import depending, left_out
from ..report.gap_marks import MARGIN_POINTS, ordered
from ..report.heat import Heat, heatmap
from .heatmaps import anchor, difference_heat, matrix, model_label, standings
from .standings import Board

_MOST_NAMED = 6

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
        "Models are ranked by accuracy on the questions that all of them answered. Possible ranks "
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
        "cannot cause a gap in any of them. ● and ▲ stand where the 95% interval leaves out 0; "
        "marks and intervals hold for all models and languages together.",
    ),
)
"""What the words of the page mean; ``{base}`` is the name of the baseline."""


def page(board: Board, title: str, *, site: bool = True) -> str:
    """The HTML page of a leaderboard.

    Args:
        board: what it shows.
        title: its heading.
        site: files of numbers stand beside it.
    """
    codes = [code for code in ordered(board.languages) if code != board.baseline]
    heats = [heat for heat in (difference_heat(board, codes),) if heat]
    warnings = _warnings(board)
    details = _details(board)
    contents = [("ranking", "Ranking")]
    contents += [("gaps", f"Gaps to {board.base}")] if heats else []
    contents += [("tasks", "Models and languages"), ("alike", "What may be compared")]
    contents += [("words", "Definitions")]
    return render(
        "leaderboard.html",
        title=title,
        contents=contents,
        facts=_facts(board),
        findings=findings(board),
        warnings=warnings,
        ranking=ranking(board, codes),
        heats=heats,
        matrix=matrix(board),
        by_language=_by_language(board),
        readings=_readings(board),
        details=details,
        alike=_alike(board),
        left_out=board.field.left_out,
        conditions=_conditions(board),
        terms=tuple(tuple(text.format(base=board.base) for text in term) for term in TERMS),
        baseline=board.base,
        site=site,
    )


def findings(board: Board) -> list[tuple[str, Said]]:
    """The main results in sentences."""
    names, best = [entry.name for entry in board.entries], board.ranks[0]
    first = [name for name, rank in zip(names, board.ranks) if rank.low == 1]
    kind = "best" if best.high == 1 else "first" if len(first) <= _MOST_NAMED else "many_first"
    sentences: list[tuple[str, Said]] = [
        (
            "",
            say(
                f"board.{kind}",
                n=count(len(board.field.common)),
                models=len(names),
                name=names[0],
                share=percent(board.accuracy[0], 1),
                others=", ".join(first),
                number=len(first),
            ),
        )
    ]
    if (most := _loses_most(board)) is not None:
        lost = points(mean_difference(board, most) or 0.0)
        said = say("board.losses", base=board.base, most=names[most], points=lost)
        sentences.append(("", said))
    if board.differences:
        stands = standings(board)
        of = Counter(stands.values())
        counted = {"behind": of["behind"], "ahead": of["ahead"], "equal": of["equal"],
                   "unknown": of["not known"], "margin": MARGIN_POINTS}  # fmt: skip
        of_pairs = {"cells": len(stands), "stands": stands, "base": board.base}
        sentences.append(("", say("board.standings", **of_pairs, **counted)))
    behind = {
        code: len({
            place for (place, _, _, other), gap in board.gaps.items()
            if other == code and gap.is_significant and gap.difference > 0
        })
        for code in board.languages
    }  # fmt: skip
    worst = max(behind, key=lambda code: behind[code])
    cells = count(len(board.gaps))
    if behind[worst]:
        counted = {"number": behind[worst], "models": len(names), "cells": cells, "code": worst}
        named = labels.language(worst).name
        sentences.append(("behind", say("board.behind", name=named, base=board.base, **counted)))
    elif board.gaps:
        sentences.append(("", say("board.none", cells=cells)))
    if board.field.left_out:
        left = len(board.field.left_out)
        are = "is" if left == 1 else "are"
        sentences.append(("warn", say("board.left_out", number=left, are=are)))
    return sentences


def mean_difference(board: Board, place: int) -> float | None:
    """The mean over languages of the baseline minus the language; ``None`` without the baseline."""
    found = [one.difference for (model, _), one in board.differences.items() if model == place]
    return sum(found) / len(found) if found else None


def _loses_most(board: Board) -> int | None:
    """The model whose mean gap is significantly larger than that of every other."""
    names = [entry.name for entry in board.entries]
    for place, name in enumerate(names):
        own = [cell if cell.baseline == name else cell.turned
               for cell in board.losses if name in (cell.baseline, cell.other)]  # fmt: skip
        if len(own) == len(names) - 1 and all(
            cell.is_significant and cell.difference > 0 for cell in own
        ):
            return place
    return None


def possible_ranks(rank: Rank) -> str:
    """The interval of a rank: "2" or "1 to 4"."""
    return str(rank.low) if rank.low == rank.high else f"{rank.low} to {rank.high}"


def ranking(board: Board, codes: Sequence[str]) -> dict[str, object]:
    """A row for each model, for a table that sorts."""
    columns = [
        Column("Rank", "count"), Column("Possible ranks", "count"),
        Column("Last possible rank", "count", after=" to "), Column("Correct", "share", unit="%"),
        Column("Questions"),
    ]  # fmt: skip
    if board.gaps:
        columns += [
            Column("Mean difference", "difference"),
            Column("Largest difference", "difference"), Column("Language", after=" "),
            Column("Behind in", "count"), Column("of", "count", after=" of "),
            Column("Ahead in", "count"), Column("of all", "count", after=" of "),
        ]  # fmt: skip
    rows = []
    for place, entry in enumerate(board.entries):
        rank = board.ranks[place]
        high = None if rank.low == rank.high else rank.high
        row = (rank.rank, rank.low, high, board.accuracy[place], entry.reproduced)
        rows.append((*row, *_gap_cells(board, place, codes)) if board.gaps else row)
    return _by_model(board, columns, rows)


def _by_model(
    board: Board, columns: Sequence[Column], rows: Sequence[tuple[Any, ...]]
) -> dict[str, object]:
    """A table with a row for each model, without the models' names, for a page."""
    named = tuple((entry.name, *row) for entry, row in zip(board.entries, rows))
    table = Table("models", "", (Column("Model"), *columns), named)
    return sortable(table, words=[model_label(board, place) for place in range(len(named))])


def _gap_cells(board: Board, place: int, codes: Sequence[str]) -> tuple[Any, ...]:
    apart = {code: board.differences[place, code].difference
             for code in codes if (place, code) in board.differences}  # fmt: skip
    worst = max(apart, key=lambda code: apart[code], default="")
    own = [gap for (model, *_), gap in board.gaps.items() if model == place]
    clear = [gap.difference > 0 for gap in own if gap.is_significant]
    return (
        mean_difference(board, place),
        apart.get(worst), labels.language(worst).name if worst else None,
        sum(clear), len(own), len(clear) - sum(clear), len(own),
    )  # fmt: skip


def _facts(board: Board) -> list[tuple[str, str]]:
    tasks = {key[:2] for key in board.field.common}
    return [
        (str(len(board.entries)), "models"),
        (count(len(board.field.common)), "questions that all answered"),
        fact(len(tasks), "task"),
        fact(len(board.languages), "language"),
    ]


def _warnings(board: Board) -> list[str]:
    told: list[str] = []
    unlike = [entry.name for entry in board.entries if board.field.unlike[entry.name]]
    if unlike:
        told.append(
            f"{len(unlike)} of the models (marked *) were run with other settings than most, "
            "which may cause a difference. “What may be compared” names the settings."
        )
    told += board.refused
    if board.uncounted:
        kind = "verdict.left_out" if board.differences else "verdict.no_tasks"
        told.append(say(kind, reasons=left_out(board.uncounted), base=board.base))
    for entry, score in zip(board.entries, board.scores):
        told += [f"{entry.name}: {said}" for said in _depending(score)]
    for entry in board.entries:
        told += [f"{entry.name}: {text}" for text in entry.problems if text]
    return list(dict.fromkeys(told))


def _depending(score: Score) -> list[Said]:
    """Where a model's gaps depend on how its answers are read."""
    return [
        said
        for section in score["families"].values()
        if READINGS in section
        for _, said in depending(
            labels.language(section[READINGS]["baseline"]).name,
            [(task, code) for task, _, code in readings_by_cell(section)],
        )
    ]


def _readings(board: Board) -> dict[str, object] | None:
    """Correct answers in each language under the three readings, if answers were read."""
    read = board.readings()
    codes = ordered(set().union(*read))
    if not codes:
        return None
    columns = [
        Column(labels.language(code).name, "share", unit="%", after=after)
        for code in codes
        for after in (None, " / ", " / ")
    ]
    rows = [tuple(share for code in codes for share in rates[code]) for rates in read]
    return _by_model(board, columns, rows)


def _by_language(board: Board) -> dict[str, object]:
    """Correct answers and places in each language by itself."""
    codes = ordered(board.languages)
    found = [(labels.language(code).name, *board.languages[code]) for code in codes]
    columns = [
        column
        for name, _, _ in found
        for column in (Column(name, "share", unit="%"), Column(f"{name}, ranks", after=" "))
    ]
    rows = [
        tuple(
            cell
            for _, right, ranks in found
            for cell in (right[n], f"({possible_ranks(ranks[n])})")
        )
        for n in range(len(board.entries))
    ]
    return _by_model(board, columns, rows)


def _details(board: Board) -> list[dict[str, object]]:
    """The heat map of each model, with the correction over all models."""
    found: list[dict[str, object]] = []
    for place, (entry, section) in enumerate(zip(board.entries, board.sections)):
        heats = [
            _of_model(heat, f"#{anchor(place)}", board.base)
            for name, part in section.items()
            if (heat := heatmap(part, name))
        ]
        if heats:
            found.append({"id": anchor(place), "name": entry.name, "heats": heats})
    return found


def _of_model(heat: Heat, href: str, base: str) -> Heat:
    """The heat map of one model among several."""
    rows = [
        replace(row, cells=[replace(cell, href=cell.href and href) for cell in row.cells])
        for row in heat.rows
    ]
    caption = f"{base} minus the language, in percentage points; all models together."
    return replace(heat, rows=rows, caption=caption)


def _alike(board: Board) -> list[dict[str, object]]:
    """How the answers of each model were made."""
    return [
        {
            "name": entry.name,
            "date": entry.date.partition("T")[0],
            "unlike": board.field.unlike[entry.name],
            "generation": entry.generation,
            "signature": board.scores[place]["signature"],
        }
        for place, entry in enumerate(board.entries)
    ]


def _conditions(board: Board) -> list[str]:
    return [
        f"{labels.family(family)}: " + ", ".join(f"{name} {value}" for name, value in found)
        for family, found in board.field.conditions.items()
        if found
    ]
