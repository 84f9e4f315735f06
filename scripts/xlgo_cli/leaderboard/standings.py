"""The statistics of a leaderboard: ranks, gaps to a baseline and what may be claimed of them.

Models are ranked by correct answers on the questions that all of them answered. Two models are
compared puzzle by puzzle, with all languages of a puzzle as one (``clustered_sign_test``), Holm's
correction over all pairs. The interval of a rank follows from these comparisons: as many models
are above as are significantly better, and as many below as are significantly worse. All intervals
hold together with a probability of at least 95% (Mogstad, Romano, Shaikh and Wilhelm 2024,
doi:10.1093/restud/rdad006, with simultaneous tests in the place of their bounds).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from operator import itemgetter
from pathlib import Path

from xlgo_metric.comparison import AnswerTable, Cell, Rank, adjusted, compare
from xlgo_metric.core import grouped
from xlgo_metric.score_dict import Score
from xlgo_metric.statistics.claims import is_significant

from .. import workers
from ..display import labels
from ..display.labels import ENGLISH
from ..logs.graded_run import Key
from ..report.gap_marks import (
    CellScores,
    GapSection,
    baseline,
    compared_cells,
    has_number,
    is_behind,
    is_supported,
    with_gaps,
)
from .entries import Entrants, Entry, read_records


@dataclass(frozen=True)
class Gap:
    """How far a model falls behind in a language, over all tasks.

    Not what ``comparison.compare`` says, and ``Board.differences`` hold: the gaps between curves
    and the tests by complexity, which the families make.

    Attributes:
        smd: the mean of the SMD over the tasks that have one and about 30 questions a level, a
            fraction; ``None`` without any.
        low, high: 95% interval of the mean: the tasks' own intervals put together as independent
            ones (Zou and Donner 2008, doi:10.1002/sim.3095); ``None`` where a task has none.
        tasks, of: how many tasks have a number, of how many with the language and the baseline.
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
    """A leaderboard; models are ordered by rank.

    Attributes:
        entries: the models.
        baseline: the language that the others are compared with.
        accuracy: share of correct answers on the common questions.
        ranks, pairs: over all languages.
        languages: accuracy and ranks in each language by itself, by its code.
        gaps, differences: by place of the model and code of the language.
        sections: of each model, by family, with ``p_holm`` corrected over all models.
        scores: of each model on the common questions.
        cells: how many paired tests of models, tasks and languages were corrected together.
        puzzles: how many puzzles the common questions are.
    """

    field: Entrants
    entries: tuple[Entry, ...]
    baseline: str
    accuracy: tuple[float, ...]
    ranks: tuple[Rank, ...]
    pairs: tuple[Cell, ...]
    languages: Mapping[str, tuple[tuple[float, ...], tuple[Rank, ...]]]
    gaps: Mapping[tuple[int, str], Gap]
    differences: Mapping[tuple[int, str], Cell]
    sections: tuple[dict[str, GapSection], ...]
    scores: tuple[Score, ...]
    cells: int
    puzzles: int

    @property
    def base(self) -> str:
        """The name of the baseline."""
        return labels.language(self.baseline).name

    @property
    def refused(self) -> list[str]:
        """Why pairs are not tested, if some are not, in sentences."""
        return [*dict.fromkeys(pair.refused for pair in self.pairs if pair.refused)]

    def readings(self) -> list[dict[str, tuple[float, ...]]]:
        """For each model by language the shares of the common answers that are correct.

        Read strictly, in the asked form and leniently, as in ``comparison.section``; none where
        another tool has graded the answers.
        """
        from xlgo_metric.family import family

        found = []
        for entry in self.entries:
            frame = entry.answers.loc[list(self.field.common)]
            frame = frame[frame["family"].map(lambda name: family(name).reads_responses)]
            means = frame[["language", "strict", "in_form", "correct"]].groupby("language").mean()
            found.append({str(code): tuple(map(float, row)) for code, *row in means.itertuples()})
        return found


def board(field: Entrants) -> Board:
    """Compute the leaderboard."""
    import pandas as pd

    common = list(field.common)
    right = {entry.name: int(entry.answers.loc[common, "correct"].sum()) for entry in field.ranked}
    entries = sorted(field.ranked, key=lambda entry: (-right[entry.name], entry.name))
    names = [entry.name for entry in entries]
    base = str(entries[0].options.get("baseline", ENGLISH))
    rows = [entry.answers.loc[common].assign(model=entry.name) for entry in entries]
    table = AnswerTable(pd.concat(rows, ignore_index=True))
    accuracy, ranks, pairs = _ranked(table)
    scores = _scores(entries, set(common))
    sections, cells = _sections(scores)
    codes = dict.fromkeys(key[2] for key in common)
    return Board(
        field=field,
        entries=tuple(entries),
        baseline=base,
        accuracy=accuracy,
        ranks=ranks,
        pairs=pairs,
        languages={code: _ranked(table.where(language=code))[:2] for code in codes},
        gaps={
            (place, code): gap
            for place, section in enumerate(sections)
            for code, gap in _gaps(section).items()
        },
        differences={
            (names.index(cell.where["model"]), cell.other): cell
            for cell in compare(
                table, "language", None if base == ENGLISH else base, within=["model"]
            ).cells
        },
        sections=tuple(sections),
        scores=tuple(scores),
        cells=cells,
        puzzles=len(table.frame[["family", "task", "question"]].drop_duplicates()),
    )


def _ranked(
    table: AnswerTable,
) -> tuple[tuple[float, ...], tuple[Rank, ...], tuple[Cell, ...]]:
    """Accuracy and rank of each model, and every pair.

    A pair without a test is distinguished by nothing.
    """
    found = compare(table, "model", within=(), ranked=True)
    accuracy = table.frame.astype({"correct": float}).groupby("model", sort=False)["correct"].mean()
    return tuple(map(float, accuracy)), tuple(found.ranks().values()), found.cells


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


def _scores(entries: Sequence[Entry], common: set[Key]) -> list[Score]:
    """The score of each model on the common questions and on no others."""
    found = [entry.score for entry in entries]
    more = [place for place, entry in enumerate(entries) if _has_more(entry, common)]
    items = [(entries[place].records, common, entries[place].options) for place in more]
    for number, score in workers.each(_score, items, workers.available_processors()):
        found[more[number]] = score
    return found


def _has_more(entry: Entry, common: set[Key]) -> bool:
    return len(entry.answers) > len(common) or any(
        name not in {key[0] for key in common} for name in entry.score["families"]
    )


def _score(work: tuple[Path, set[Key], Mapping[str, object]]) -> Score:
    from xlgo_metric.scoring import summarize

    path, common, options = work
    return summarize((record for key, record in read_records(path) if key in common), **options)


def _sections(scores: Sequence[Score]) -> tuple[list[dict[str, GapSection]], int]:
    """The parts with gaps of every score, their p values corrected over all of them together."""
    sections = [copy.deepcopy(dict(with_gaps(score))) for score in scores]
    tested = [
        paired
        for section in sections
        for part in section.values()
        for *_, cell in compared_cells(part)
        if (paired := cell.get("paired"))
    ]
    for found, p in zip(tested, adjusted([one["p"] for one in tested])):
        found["p_holm"] = p
    return sections, len(tested)


def _gaps(section: Mapping[str, GapSection]) -> dict[str, Gap]:
    cells = [
        (code, cell)
        for part in section.values()
        for name, code, cell in compared_cells(part)
        if baseline(part) in part["tasks"][name]["languages"]
    ]
    return {
        code: _gap([cell for _, cell in own]) for code, own in grouped(cells, itemgetter(0)).items()
    }


def _gap(cells: Sequence[CellScores]) -> Gap:
    sized = [
        cell for cell in cells
        if has_number(cell) and is_supported(cell) and not cell.get("small")
    ]  # fmt: skip
    holds = [cell for cell in cells if is_significant((cell.get("paired") or {}).get("p_holm"))]
    behind = sum(map(is_behind, holds))
    low = high = None
    ends = [
        (middle, lower, upper)
        for cell in sized
        if (paired := cell.get("paired"))
        and (middle := paired.get("estimate")) is not None
        and (lower := paired.get("low")) is not None
        and (upper := paired.get("high")) is not None
    ]
    if sized and len(ends) == len(sized):
        low, high = mean_interval(ends)
    smd = sum(cell["smd"] or 0.0 for cell in sized) / len(sized) if sized else None
    return Gap(smd, low, high, len(sized), len(cells), behind, len(holds) - behind)
