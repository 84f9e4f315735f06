"""Differences that need no curve: of each task, and one verdict a language over all tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from xlgo_metric.comparison.adjustment import adjusted
from xlgo_metric.comparison.counts import Cell, by_question
from xlgo_metric.statistics.claims.equivalence import standing
from xlgo_metric.statistics.claims.ranks import Rank, compared, may_be_last, ranks
from xlgo_metric.statistics.claims.verdict import STATISTIC, Verdict, verdict
from xlgo_metric.statistics.differences import CONFIDENCE

Values = list[tuple[str, int]]
"""The question of each pair, and right in the baseline minus right in the language."""


def values(english: Cell, cell: Cell) -> Values:
    """The differences of all questions that were answered in both languages."""
    partners = by_question(english.records)
    return [
        (key[0], int(partners[key].grade.correct) - int(record.grade.correct))
        for key, record in by_question(cell.records).items()
        if key in partners
    ]


def difference(found: Values) -> dict[str, Any] | None:
    """The difference of one task over all questions, in JSON types; ``None`` without questions."""
    return _told(verdict([v for _, v in found], cluster=[q for q, _ in found])) if found else None


def over_tasks(
    differences: Mapping[str, Mapping[str, Values]], cells: Sequence[Mapping[str, Cell]]
) -> dict[str, Any]:
    """One verdict a language over the tasks, and which languages may be the most affected.

    Args:
        differences: of each language but the baseline, by task.
        cells: of each task, its languages.

    Returns:
        ``statistic`` (what the test looks at), ``languages`` (the verdict of each with ``p_holm``
        over all languages, ``low_all`` and ``high_all``, its limits all languages together,
        ``standing`` and ``rank``, from the best) and ``last`` (languages that
        may be the most affected one: simultaneous rank intervals).
    """
    found: dict[str, dict[str, Any]] = {}
    for language, by_task in differences.items():
        flat = [(task, *one) for task, each in by_task.items() for one in each]
        if flat:
            task, question, value = zip(*flat)
            found[language] = _told(verdict(value, task, question))
            together = 1.0 - (1.0 - CONFIDENCE) / len(differences)
            wide = verdict(value, task, question, confidence=together)
            found[language] |= {"low_all": wide.low, "high_all": wide.high}
    for one, p in zip(found.values(), adjusted([one["p"] for one in found.values()])):
        one["p_holm"] = p
    order = _ranks(list(found), cells)
    for one, rank in zip(found.values(), order):
        one["rank"] = asdict(rank)
    last = [list(found)[place] for place in may_be_last(order)]
    return {"statistic": STATISTIC, "languages": found, "last": last}


def _told(found: Verdict) -> dict[str, Any]:
    return asdict(found) | {"standing": standing(found.low, found.high)}


def _ranks(languages: Sequence[str], cells: Sequence[Mapping[str, Cell]]) -> tuple[Rank, ...]:
    """The rank of each language by right answers to the questions that all were asked.

    Tasks weigh alike, up to whole numbers. Empty where the languages share no question.
    """
    if len(languages) < 2:
        return ()
    right, questions, weights = [], [], []
    for each in cells:
        if not set(languages) <= each.keys():
            continue
        answers = [by_question(each[language].records) for language in languages]
        common = [key for key in answers[0] if all(key in one for one in answers)]
        for key in common:
            right.append([one[key].grade.correct for one in answers])
            questions.append(key[0])
        weights += [len(common)] * len(common)
    if not right:
        return ()
    size = np.array(weights)
    weighted = np.array(right, dtype=np.int64).T * np.rint(120 * size.min() / size).astype(int)
    cluster = np.unique(questions, return_inverse=True)[1]
    return ranks(weighted.mean(axis=1), compared(weighted, cluster))
