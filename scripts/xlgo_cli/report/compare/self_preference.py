"""``xlgo correlate --self-preference``: do judges favour models of their own maker?"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from xlgo_metric.family import family
from xlgo_metric.judge import self_preference
from xlgo_metric.table import Column, Table

from ...logs.graded_run import score_folder
from ...logs.judgements import all_judgements
from ...logs.results import find_run

_COLUMNS = ("name", "family")


def self_preference_table(
    families: Path, results: Sequence[Path], metric: str | None = None
) -> Table:
    """Ranks of models under judges of their own family and under others.

    Args:
        families: a CSV file with ``name`` and ``family``, of models and judges as the results call
            them.
        results: the folder of each model, each judged by several judges.
        metric: of the headline of a score; the first of a family with a judge by default.

    Raises:
        ValueError: the file cannot be read, or no model was judged by its own kin and by others.
    """
    kin = read_families(families)
    scores: dict[str, dict[str, float]] = {}
    for path in results:
        run = find_run(path)
        for judgements in all_judgements([file.path for file in run.files]):
            name = judgements.model
            score = score_folder(path, judge=judgements.judge).score
            value = _value(score, metric)
            if value is not None:
                scores.setdefault(name or judgements.judge, {})[run.model] = value
    preferences = self_preference(scores, kin)
    if not preferences:
        judges = "; ".join(f"{judge}: {', '.join(row)}" for judge, row in scores.items())
        raise ValueError(
            "no model is judged both by a judge of its own family and by others (judges and "
            f"models: {judges or 'none'}): judge each folder with several judges "
            f"(xlgo judge), and name their families in {families}"
        )
    return _table(preferences, scores)


def _value(score: Mapping[str, Any], metric: str | None) -> float | None:
    for name, section in score["families"].items():
        found = family(name).headline(section) if family(name).judge else {}
        if metric in found or (metric is None and found):
            return found[metric] if metric is not None else next(iter(found.values()))
    return None


def read_families(path: Path) -> dict[str, str]:
    """Families of models and judges, by name.

    Raises:
        ValueError: the file cannot be read, or has no such columns.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} cannot be read ({error})") from None
    if not rows or not set(_COLUMNS) <= set(rows[0]):
        raise ValueError(f"{path}: needs the columns {' and '.join(_COLUMNS)}")
    return {str(row["name"]).strip(): str(row["family"]).strip() for row in rows}


def _table(
    found: Sequence[Mapping[str, object]], scores: Mapping[str, Mapping[str, float]]
) -> Table:
    return Table(
        "self_preference",
        "Do judges favour models of their own family?",
        (
            Column("judge"),
            Column("model"),
            Column("rank under it", "number", 1),
            Column("mean rank under others", "number", 1),
            Column("preference", "number", 1, signed=True),
        ),
        tuple(
            (one["judge"], one["model"], one["own"], one["others"], one["preference"])
            for one in found
        ),
        f"Ranks, 1 is best, of {len({m for row in scores.values() for m in row})} "
        f"models under {len(scores)} judges. Preference: places by which the model stands better "
        "under the judge of its own family.",
    )
