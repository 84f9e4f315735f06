"""The statistics of a leaderboard: ranks, gaps to a baseline and what may be claimed of them.

Models are ranked by accuracy on the questions that all of them answered. Every two models are
compared puzzle by puzzle, with all languages of a puzzle as one cluster, all pairs together
(``comparison.compare``). The interval of a rank follows from these comparisons: as many models are
above as are significantly better, and as many below as are significantly worse. All intervals hold
together with a probability of at least 95% (Mogstad, Romano, Shaikh and Wilhelm 2024,
doi:10.1093/restud/rdad006).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from xlgo_metric.comparison import (
    AnswerTable,
    Cell,
    Rank,
    common_tasks,
    compare,
)
from xlgo_metric.comparison.compare import UNEQUAL
from xlgo_metric.family import family

from ..display import labels
from ..report.gap_marks import unequal
from .entries import Entrants, Entry


@dataclass(frozen=True)
class Board:
    """A leaderboard; models are ordered by rank.

    Attributes:
        entries: the models.
        baseline: the language that the others are compared with.
        accuracy: share of correct answers on the common questions.
        ranks, pairs: over all languages.
        languages: accuracy and ranks in each language by itself, by its code.
        gaps: of each model, task and language, all tested together; by place of the model, family,
            task and language.
        differences: of each model and language over the tasks that count for all languages, all
            tested together; by place of the model and code of the language.
        uncounted: why tasks do not count for ``differences``, by their name.
        puzzles: how many puzzles the common questions are.
        unaudited: a sentence may name a language whose wordings no speaker has read.
    """

    field: Entrants
    entries: tuple[Entry, ...]
    baseline: str
    accuracy: tuple[float, ...]
    ranks: tuple[Rank, ...]
    pairs: tuple[Cell, ...]
    languages: Mapping[str, tuple[tuple[float, ...], tuple[Rank, ...]]]
    gaps: Mapping[tuple[int, str, str, str], Cell]
    differences: Mapping[tuple[int, str], Cell]
    uncounted: Mapping[str, str]
    puzzles: int
    unaudited: bool = False

    @property
    def base(self) -> str:
        """The name of the baseline."""
        return labels.language(self.baseline).name

    @property
    def refused(self) -> list[str]:
        """Why pairs are not tested, if some are not, in sentences."""
        return [*dict.fromkeys(pair.refused for pair in self.pairs if pair.refused)]

    @cached_property
    def readings(self) -> list[dict[str, tuple[float, ...]]]:
        """For each model by language the shares of the common answers that are correct.

        Read strictly, in the asked form and leniently, as in ``comparison.section``; none where
        another tool has graded the answers.
        """
        shares = []
        for entry in self.entries:
            frame = entry.answers.loc[list(self.field.common)]
            frame = frame[frame["family"].map(lambda name: family(name).reads_responses)]
            means = frame[["language", "strict", "in_form", "correct"]].groupby("language").mean()
            shares.append({str(code): tuple(map(float, row)) for code, *row in means.itertuples()})
        return shares


def board(field: Entrants) -> Board:
    """Compute the leaderboard."""
    common = list(field.common)
    right = {entry.name: int(entry.answers.loc[common, "correct"].sum()) for entry in field.ranked}
    entries = sorted(field.ranked, key=lambda entry: (-right[entry.name], entry.name))
    names = [entry.name for entry in entries]
    base = entries[0].scored.baseline
    rows = [entry.answers.loc[common].assign(model=entry.name) for entry in entries]
    table = AnswerTable(pd.concat(rows, ignore_index=True))
    accuracy, ranks, pairs = _ranked(table)
    place_of = {name: index for index, name in enumerate(names)}
    counted, uncounted = common_tasks(table, base)
    tasks = set(counted.frame["task"])
    doubted = {
        (entry.name, *task_and_language)
        for entry in entries
        for task_and_language in unequal(entry.scored.score)
    }
    within = ("model", "family", "task")
    gaps = {
        (place_of[cell.where["model"]], cell.family, cell.task, cell.other): (
            cell.refuse(UNEQUAL)
            if (cell.where["model"], cell.task, cell.other) in doubted
            else cell
        )
        for cell in compare(table, "language", base, within=within, required=False).cells
    }
    codes = dict.fromkeys(key[2] for key in common)
    return Board(
        field=field,
        entries=tuple(entries),
        baseline=base,
        accuracy=accuracy,
        ranks=ranks,
        pairs=pairs,
        languages={code: _ranked(table.where(language=code))[:2] for code in codes},
        gaps=gaps,
        differences={
            (place_of[cell.where["model"]], cell.other): (
                cell.refuse(UNEQUAL)
                if any((cell.where["model"], task, cell.other) in doubted for task in tasks)
                else cell
            )
            for cell in compare(counted, "language", base, within=("model",), required=False).cells
        },
        uncounted=uncounted,
        puzzles=len(table.frame[["family", "task", "question"]].drop_duplicates()),
    )


def _ranked(
    table: AnswerTable,
) -> tuple[tuple[float, ...], tuple[Rank, ...], tuple[Cell, ...]]:
    """Accuracy and rank of each model, and every pair.

    A pair without a test is distinguished by nothing.
    """
    comparison = compare(table, "model", within=(), ranked=True)
    accuracy = table.frame.astype({"correct": float}).groupby("model", sort=False)["correct"].mean()
    return tuple(map(float, accuracy)), tuple(comparison.ranks().values()), comparison.cells
