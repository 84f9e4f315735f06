"""The page of a leaderboard: a row for each model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xlgo_metric.statistics.claims.ranks import Rank

from ..display import labels
from ..display.formats import DASH, count, number, percent, points
from ..display.labels import ENGLISH
from ..display.sentences import Said, say
from ..report.cells import ordered
from ..report.heat import heatmap
from ..report.view import render
from ..verification.results import REPRODUCED
from .heats import anchor, difference_heat, gap_heat, matrix, words
from .standings import Board

_MOST_NAMED = 6

TERMS: tuple[tuple[str, str], ...] = (
    (
        "Questions",
        "Reproduced: every question of the model was made again and is the same. Unproved: nothing "
        "differs, but not all could be made here. A run in which a question differs is not ranked.",
    ),
    (
        "Rank",
        "Models stand in the order of their right answers on the questions that all of them "
        "answered. Beside the rank stand the places that cannot be ruled out: as many models are "
        "above as are clearly better, and as many below as are clearly worse. All these intervals "
        "hold together with a chance of 95%.",
    ),
    (
        "Clearly better",
        "Two models are compared puzzle by puzzle, all languages of a puzzle together, by an exact "
        "test of whether the sign of each puzzle's difference is a matter of chance, with Holm's "
        "correction for the number of pairs of models, at 5%.",
    ),
    (
        "Gap to English",
        "The mean of the SMD over the tasks, in percentage points, with a 95% interval made of the "
        "tasks' own intervals, or none where a task has none. ● marks a language in which English "
        "is ahead in at least one task, ▲ one that is ahead of English in at least one, with "
        "Holm's correction over all models, tasks and languages at once. A mean over fewer tasks "
        "than are there says so, and may not "
        "be compared with one over all.",
    ),
    (
        "English minus the language",
        "The difference of right answers on the same questions, without any curve, in percentage "
        "points, with its exact 95% interval; ● and ▲ after Holm's correction over all models and "
        "languages. It also counts puzzles that are too easy or too hard for both languages, so it "
        "is smaller than the SMD.",
    ),
)


def page(board: Board, title: str, *, site: bool = True) -> str:
    """The HTML page of a leaderboard.

    Args:
        board: what it shows.
        title: its heading.
        site: files of numbers stand beside it.
    """
    codes = [code for code in ordered(board.languages) if code != ENGLISH]
    heats = [heat for heat in (gap_heat(board, codes), difference_heat(board, codes)) if heat]
    warnings = _warnings(board)
    contents = [("overview", "Overview"), ("ranking", "Ranking")]
    contents += [("gaps", "Gaps to English")] if heats else []
    contents += [("warnings", "Mind these")] if warnings else []
    contents += [("pairs", "Model against model"), ("languages", "By language")]
    details = _details(board)
    contents += [("models", "Task by task")] if details else []
    contents += [("alike", "What may be compared"), ("words", "What the numbers mean")]
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
        details=details,
        alike=_alike(board),
        left_out=board.field.left_out,
        conditions=_conditions(board),
        terms=TERMS,
        site=site,
    )


def findings(board: Board) -> list[tuple[str, Said]]:
    """The main results in sentences."""
    names, best = [entry.name for entry in board.entries], board.ranks[0]
    first = [name for name, rank in zip(names, board.ranks) if rank.low == 1]
    kind = "best" if best.high == 1 else "first" if len(first) <= _MOST_NAMED else "many_first"
    told: list[tuple[str, Said]] = [
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
    means = {names[place]: mean_difference(board, place) for place in range(len(names))}
    known = {name: mean for name, mean in means.items() if mean is not None}
    if known:
        least, most = min(known, key=lambda n: known[n]), max(known, key=lambda n: known[n])
        losses = {"most": most, "points": points(known[most])}
        fewest = {"least": least, "fewest": points(known[least])}
        told.append(("", say("board.losses", **losses, **fewest)))
    behind = {
        code: sum(gap.behind > 0 for (_, one), gap in board.gaps.items() if one == code)
        for code in board.languages
    }
    worst = max(behind, key=lambda code: behind[code])
    cells = count(board.cells)
    if behind[worst]:
        counted = {"number": behind[worst], "models": len(names), "cells": cells, "code": worst}
        named = labels.language(worst).name
        told.append(("behind", say("board.behind", name=named, **counted)))
    elif board.cells:
        told.append(("", say("board.none", cells=cells)))
    if board.field.left_out:
        left = len(board.field.left_out)
        are = "is" if left == 1 else "are"
        told.append(("warn", say("board.left_out", number=left, are=are)))
    return told


def mean_difference(board: Board, place: int) -> float | None:
    """The mean over languages of English minus the language; ``None`` without English."""
    found = [one.difference for (model, _), one in board.differences.items() if model == place]
    return sum(found) / len(found) if found else None


def mean_gap(board: Board, place: int) -> float | None:
    """The mean of a model's gaps over languages; ``None`` where a language has none."""
    found = [gap.smd for (model, _), gap in board.gaps.items() if model == place]
    known = [smd for smd in found if smd is not None]
    return sum(known) / len(known) if known and len(known) == len(found) else None


def places(rank: Rank) -> str:
    """The interval of a rank: "2" or "1 to 4"."""
    return str(rank.low) if rank.low == rank.high else f"{rank.low} to {rank.high}"


def ranking(board: Board, codes: Sequence[str]) -> dict[str, Any]:
    """A row for each model, for a table that sorts."""
    has_gaps = bool(board.gaps)
    heads = [("Model", False), ("Rank", True), ("Places", True), ("Right", True)]
    heads += [("Questions", False)]
    if has_gaps:
        heads += [
            ("Mean gap", True), ("Furthest behind", True), ("Behind in", True), ("Ahead in", True),
        ]  # fmt: skip
    rows = []
    for place, entry in enumerate(board.entries):
        rank, right = board.ranks[place], board.accuracy[place]
        cells = [
            number(rank.rank, str(rank.rank)),
            number(rank.low + rank.high / 1000, places(rank)),
            number(right, percent(right, 1)),
            number(entry.reproduced == REPRODUCED, entry.reproduced),
        ]
        if has_gaps:
            cells += _gap_cells(board, place, codes)
        rows.append({"words": words(board, place), "cells": cells})
    return {"heads": heads, "rows": rows}


def _gap_cells(board: Board, place: int, codes: Sequence[str]) -> list[dict[str, Any]]:
    gaps = {code: board.gaps[place, code] for code in codes if (place, code) in board.gaps}
    sized = {code: gap.smd for code, gap in gaps.items() if gap.smd is not None}
    worst = max(sized, key=lambda code: sized[code] or 0.0, default="")
    of = sum(gap.of for gap in gaps.values())
    behind = sum(gap.behind for gap in gaps.values())
    ahead = sum(gap.ahead for gap in gaps.values())
    mean = mean_gap(board, place)
    missing = sum(gap.of - gap.tasks for gap in gaps.values())
    return [
        number(
            mean, points(mean), f"{of - missing} of {of}" if missing and mean is not None else ""
        ),
        number(sized.get(worst), points(sized.get(worst)), labels.language(worst).name)
        if worst
        else number(None, DASH),
        number(behind, f"{behind} of {of}"),
        number(ahead, f"{ahead} of {of}"),
    ]


def _facts(board: Board) -> list[tuple[str, str]]:
    tasks = {key[:2] for key in board.field.common}
    return [
        (str(len(board.entries)), "models"),
        (count(len(board.field.common)), "questions that all answered"),
        (str(len(tasks)), "task" if len(tasks) == 1 else "tasks"),
        (str(len(board.languages)), "language" if len(board.languages) == 1 else "languages"),
    ]


def _warnings(board: Board) -> list[str]:
    told = []
    unlike = [entry.name for entry in board.entries if board.field.unlike[entry.name]]
    if unlike:
        told.append(
            f"{len(unlike)} of the models (marked *) made their answers with other settings than "
            "most: a difference between them and others may come from that. "
            "“What may be compared” names the settings."
        )
    for entry in board.entries:
        told += [f"{entry.name}: {text}" for text in entry.problems if text]
    return list(dict.fromkeys(told))


def _by_language(board: Board) -> dict[str, Any]:
    """Right answers and places in each language by itself."""
    codes = ordered(board.languages)
    heads = [("Model", False), *((labels.language(code).name, True) for code in codes)]
    rows = []
    for place in range(len(board.entries)):
        cells = []
        for code in codes:
            accuracy, ranks = board.languages[code]
            cells.append(
                number(accuracy[place], percent(accuracy[place], 1), f"({places(ranks[place])})")
            )
        rows.append({"words": words(board, place), "cells": cells})
    return {"heads": heads, "rows": rows}


def _details(board: Board) -> list[dict[str, Any]]:
    """The heat map of each model, with the correction over all models."""
    found = []
    for place, (entry, section) in enumerate(zip(board.entries, board.sections)):
        heats = [heat for name, part in section.items() if (heat := heatmap(part, name))]
        for heat in heats:
            heat["caption"] = "SMD in percentage points, ± one standard deviation."
            heat["marks"] = [
                "● holds in the paired test (Holm over all models, 5%)",
                *heat["marks"][1:],
            ]
            for cell in (cell for row in heat["rows"] for cell in row["cells"]):
                cell["href"] = cell["href"] and f"#{anchor(place)}"
        if heats:
            found.append({"id": anchor(place), "name": entry.name, "heats": heats})
    return found


def _alike(board: Board) -> list[dict[str, Any]]:
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
