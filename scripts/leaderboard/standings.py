"""The statistics of a leaderboard: ranks, gaps to English and what may be claimed of them.

Models are ranked by right answers on the questions that all of them answered. Two models are
compared puzzle by puzzle, with all languages of a puzzle as one (``clustered_sign_test``), Holm's
correction over all pairs. The interval of a rank follows from these comparisons: as many models
stand above as are clearly better, and as many below as are clearly worse. All intervals hold
together with a chance of at least 95% (Mogstad, Romano, Shaikh and Wilhelm 2024,
doi:10.1093/restud/rdad006, with simultaneous tests in the place of their bounds).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from xlgo_metric.comparison import Cell, Contrast, adjusted, corrected
from xlgo_metric.statistics.claims.ranks import Pair, Rank, compared, ranks

from .. import workers
from ..display.labels import ENGLISH
from ..logs.graded_run import Key
from ..report.cells import ALPHA, has_number, is_behind, is_supported, others, with_gaps
from .entries import Entry, Field, read_records


@dataclass(frozen=True)
class Gap:
    """How far a model falls behind in a language, over all tasks.

    Attributes:
        smd: the mean of the SMD over the tasks that have one, a fraction; ``None`` without any.
        low, high: 95% interval of the mean: the tasks' own intervals put together as independent
            ones (Zou and Donner 2008, doi:10.1002/sim.3095); ``None`` where a task has none.
        tasks, of: how many tasks have a number, of how many with the language and English.
        behind, ahead: in how many tasks that holds after Holm's correction over all models, tasks
            and languages.
    """

    smd: float | None
    low: float | None
    high: float | None
    tasks: int
    of: int
    behind: int
    ahead: int


@dataclass(frozen=True)
class Board:
    """A leaderboard; models stand in the order of their ranks.

    Attributes:
        entries: the models.
        accuracy: share of right answers on the common questions.
        ranks, pairs: over all languages.
        languages: accuracy and ranks in each language by itself, by its code.
        gaps, differences: by place of the model and code of the language.
        sections: of each model, by family, with ``p_holm`` corrected over all models.
        scores: of each model on the common questions.
        cells: how many paired tests of models, tasks and languages were corrected together.
        puzzles: how many puzzles the common questions are.
    """

    field: Field
    entries: tuple[Entry, ...]
    accuracy: tuple[float, ...]
    ranks: tuple[Rank, ...]
    pairs: tuple[Pair, ...]
    languages: Mapping[str, tuple[tuple[float, ...], tuple[Rank, ...]]]
    gaps: Mapping[tuple[int, str], Gap]
    differences: Mapping[tuple[int, str], Cell]
    sections: tuple[dict[str, Any], ...]
    scores: tuple[dict[str, Any], ...]
    cells: int
    puzzles: int


Bools = npt.NDArray[np.bool_]


def board(field: Field) -> Board:
    """Compute the leaderboard."""
    common = field.common
    right = np.array([[entry.right[key] for key in common] for entry in field.ranked], dtype=bool)
    order = sorted(range(len(right)), key=lambda m: (-int(right[m].sum()), field.ranked[m].name))
    entries, right = tuple(field.ranked[m] for m in order), right[order]
    clusters = dict.fromkeys(map(_puzzle, common))
    number = {name: place for place, name in enumerate(clusters)}
    cluster = np.array([number[_puzzle(key)] for key in common])
    pairs = compared(right, cluster)
    scores = _scores(entries, set(common))
    sections, cells = _sections(scores)
    codes = dict.fromkeys(key[2] for key in common)
    languages = {}
    for code in codes:
        some = np.array([key[2] == code for key in common])
        found = compared(right[:, some], cluster[some])
        languages[code] = (_shares(right[:, some]), ranks(right[:, some].sum(axis=1), found))
    return Board(
        field=field,
        entries=entries,
        accuracy=_shares(right),
        ranks=ranks(right.sum(axis=1), pairs),
        pairs=tuple(pairs),
        languages=languages,
        gaps={
            (place, code): gap
            for place, section in enumerate(sections)
            for code, gap in _gaps(section).items()
        },
        differences=_differences(right, common, list(codes)),
        sections=tuple(sections),
        scores=tuple(scores),
        cells=cells,
        puzzles=len(clusters),
    )


def _puzzle(key: Key) -> tuple[str, str, str]:
    """The same for a puzzle in all languages."""
    return key[0], key[1], key[3]


def mean_interval(
    cells: Sequence[tuple[float, float, float]],
) -> tuple[float, float]:
    """The interval of a mean of independent estimates that have intervals of their own.

    Args:
        cells: estimate, lower and upper limit of each, at least one.

    Returns:
        Lower and upper limit (Zou and Donner 2008, with equal weights).
    """
    n = len(cells)
    mean = sum(estimate for estimate, _, _ in cells) / n
    down = sqrt(sum((estimate - low) ** 2 for estimate, low, _ in cells)) / n
    up = sqrt(sum((high - estimate) ** 2 for estimate, _, high in cells)) / n
    return mean - down, mean + up


def _shares(right: Bools) -> tuple[float, ...]:
    return tuple(map(float, right.mean(axis=1)))


def _scores(entries: Sequence[Entry], common: set[Key]) -> list[dict[str, Any]]:
    """The score of each model on the common questions and on no others."""
    found = [entry.score for entry in entries]
    more = [place for place, entry in enumerate(entries) if _has_more(entry, common)]
    items = [(entries[place].records, common) for place in more]
    for number, score in workers.each(_score, items, workers.available_processors()):
        found[more[number]] = score
    return found


def _has_more(entry: Entry, common: set[Key]) -> bool:
    return len(entry.right) > len(common) or any(
        name not in {key[0] for key in common} for name in entry.score["families"]
    )


def _score(work: tuple[Path, set[Key]]) -> dict[str, Any]:
    from xlgo_metric.scoring import summarize

    path, common = work
    return summarize(record for key, record in read_records(path) if key in common)


def _sections(scores: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """The parts with gaps of every score, their p values corrected over all of them together."""
    sections = [copy.deepcopy(dict(with_gaps(score))) for score in scores]
    tested = [
        cell["paired"]
        for section in sections
        for part in section.values()
        for task in part["tasks"].values()
        for _, cell in others(task)
        if cell.get("paired")
    ]
    for found, p in zip(tested, adjusted([one["p"] for one in tested])):
        found["p_holm"] = p
    return sections, len(tested)


def _gaps(section: Mapping[str, Any]) -> dict[str, Gap]:
    cells: dict[str, list[Mapping[str, Any]]] = {}
    for part in section.values():
        for task in part["tasks"].values():
            if ENGLISH in task["languages"]:
                for code, cell in others(task):
                    cells.setdefault(code, []).append(cell)
    return {code: _gap(found) for code, found in cells.items()}


def _gap(cells: Sequence[Mapping[str, Any]]) -> Gap:
    sized = [cell for cell in cells if has_number(cell) and is_supported(cell)]
    holds = [c for c in cells if (c.get("paired") or {}).get("p_holm", 1.0) < ALPHA]
    behind = sum(map(is_behind, holds))
    low = high = None
    paired = [cell.get("paired") or {} for cell in sized]
    if sized and all(one.get("low") is not None for one in paired):
        low, high = mean_interval([(p["estimate"], p["low"], p["high"]) for p in paired])
    smd = sum(cell["smd"] for cell in sized) / len(sized) if sized else None
    return Gap(smd, low, high, len(sized), len(cells), behind, len(holds) - behind)


def _differences(
    right: Bools, common: Sequence[Key], codes: Sequence[str]
) -> dict[tuple[int, str], Cell]:
    """English against each language, on the questions asked in both; corrected together."""
    places = {key: place for place, key in enumerate(common)}
    found: dict[tuple[int, str], Cell] = {}
    for code in codes:
        both = [
            (twin, place)
            for key, place in places.items()
            if key[2] == code != ENGLISH
            and (twin := places.get((*key[:2], ENGLISH, *key[3:]))) is not None
        ]
        if not both:
            continue
        english, other = (np.array(column) for column in zip(*both))
        for model, row in enumerate(right):
            found[model, code] = Cell.of(Contrast.of(row[english], row[other]), ENGLISH, code)
    return dict(zip(found, corrected(list(found.values()))))
