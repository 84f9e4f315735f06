"""Differences that need no curve: of each task, and one verdict a language over all tasks.

Another question than that of ``comparison.compare``, which pools answers: here every task has the
same weight, and the limits of a verdict hold for as many as are told together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, cast

import numpy as np

from xlgo_metric.comparison.compare import adjusted
from xlgo_metric.comparison.table import Side, matched
from xlgo_metric.families.xlgobench.section import OverTasks, Verdicts
from xlgo_metric.statistics.claims import (
    STATISTIC,
    Rank,
    Verdict,
    compared,
    may_be_last,
    ranks,
    verdict,
)
from xlgo_metric.statistics.differences import CONFIDENCE

if TYPE_CHECKING:
    import pandas as pd


def values(base: Side, cell: Side) -> pd.DataFrame:
    """The differences of all questions that were answered in both languages.

    Returns:
        A row for each pair with ``task``, ``cluster`` and ``gain``, which is right in the baseline
        minus right in the language.
    """
    first, second = matched((base.named, cell.named))
    gain = first["correct"].to_numpy(dtype=np.int64) - second["correct"].to_numpy(dtype=np.int64)
    return second[["task", "cluster"]].assign(gain=gain)


def verdict_on(found: pd.DataFrame, among: int = 1) -> Verdict:
    """The verdict on some differences, at least one; its limits hold for so many together."""
    confidence = 1.0 - (1.0 - CONFIDENCE) / among
    task, cluster = (found[name].factorize()[0] for name in ("task", "cluster"))
    return verdict(found["gain"].to_numpy(), task, cluster, confidence=confidence)


def over_tasks(
    differences: Mapping[str, Mapping[str, pd.DataFrame]],
    cells: Mapping[str, Mapping[str, Side]],
    wording: Collection[tuple[str, str]] = (),
) -> Verdicts:
    """One verdict a language over the tasks, and which languages may be the most affected.

    Args:
        differences: of each language but the baseline, by task.
        cells: the languages of each task.
        wording: tasks and languages whose wording may cause a gap. They do not count where other
            tasks were asked in the language.

    Returns:
        ``statistic`` (what the test looks at), ``languages`` (the verdict of each with ``p_holm``
        over all languages, ``low_all`` and ``high_all``, its limits all languages together,
        ``standing``, ``rank``, from the best, and ``left_out``, tasks that do not count) and
        ``last`` (languages that may be the most affected one: simultaneous rank intervals).
    """
    import pandas as pd

    by_language: dict[str, OverTasks] = {}
    for language, by_task in differences.items():
        counted = [task for task in by_task if (task, language) not in wording] or list(by_task)
        answers = pd.concat([by_task[task] for task in counted])
        if len(answers):
            together = verdict_on(answers, among=len(differences))
            more = {
                "low_all": together["low"],
                "high_all": together["high"],
                "left_out": [task for task in by_task if task not in counted],
                "p_holm": None,
            }
            by_language[language] = cast(OverTasks, {**verdict_on(answers), **more})
    for verdict_of, p in zip(
        by_language.values(), adjusted([verdict_of["p"] for verdict_of in by_language.values()])
    ):
        verdict_of["p_holm"] = p
    doubted = {task for task, language in wording if language in by_language}
    alike = [of for task, of in cells.items() if task not in doubted] or list(cells.values())
    order = _ranks(list(by_language), alike)
    for verdict_of, rank in zip(by_language.values(), order):
        verdict_of["rank"] = asdict(rank)
    last = [list(by_language)[place] for place in may_be_last(order)]
    return {"statistic": STATISTIC, "languages": by_language, "last": last}


def _ranks(languages: Sequence[str], cells: Sequence[Mapping[str, Side]]) -> tuple[Rank, ...]:
    """The rank of each language by correct answers to the questions that all were asked.

    Tasks weigh alike, up to integers. Empty where the languages share no question.
    """
    import pandas as pd

    if len(languages) < 2:
        return ()
    right, clusters, weights = [], [], []
    for each in cells:
        if not set(languages) <= each.keys():
            continue
        answers = matched([each[language].named for language in languages])
        right.append(np.stack([one["correct"].to_numpy(dtype=np.int64) for one in answers]))
        clusters.append(answers[0]["cluster"])
        weights += [len(answers[0])] * len(answers[0])
    if not clusters:
        return ()
    size = np.array(weights)
    weighted = np.hstack(right) * np.rint(120 * size.min() / size).astype(int)
    cluster = pd.concat(clusters).factorize()[0]
    return ranks(weighted.mean(axis=1), compared(weighted, cluster))
