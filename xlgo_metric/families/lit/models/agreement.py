"""How far two scores agree on models: rank correlations, moves in rank, ratings from outside."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core import grouped
from ....statistics.draws import Floats
from ....statistics.measures import pearson, spearman

EXACT_UP_TO = 8
"""Models whose orders are counted in full."""
FEW = 10
_TIES = 1e-12
_COLUMNS = ("model", "score")


def agreement(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, Any]:
    """Correlations of two scores over the models that have both.

    Up to eight models p values count all orders, so that they are exact; beyond that they are
    approximations (Student's for Spearman and Pearson, the normal one for Kendall).

    Returns:
        ``n``, ``models``, ``spearman``, ``pearson`` and ``kendall`` (tau-b), each with a two-sided
        ``<name>_p``, ``exact``, ``largest_move`` (places by which a model moves at most, the best
        first) with ``moved`` (its name), and ``warning`` below ten models. Coefficients are
        ``None`` with fewer than three models or where one side does not vary.
    """
    models = sorted(set(first) & set(second))
    x, y = (np.array([side[name] for name in models], dtype=np.float64) for side in (first, second))
    coefficients: dict[str, object] = {"n": len(models), "models": models}
    exact = len(models) <= EXACT_UP_TO
    rho, p = spearman(x, y)
    coefficients |= {"spearman": rho, "spearman_p": p}
    coefficients |= {"pearson": None, "pearson_p": None, "kendall": None, "kendall_p": None}
    if rho is not None:
        coefficients |= _pearson(x, y, exact) | _kendall(x, y, exact)
    moves = rank_moves(first, second)
    moved = max(models, key=lambda name: moves[name], default=None)
    coefficients |= {
        "exact": exact,
        "largest_move": moves[moved] if moved is not None else None,
        "moved": moved,
        "warning": None,
    }
    if len(models) < FEW:
        coefficients["warning"] = (
            f"Only {len(models)} models have both scores: below {FEW} a correlation says little."
        )
    return coefficients


def rank_moves(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, int]:
    """By how many places each model moves between two rankings, the highest score first.

    Models of equal score share the better place.
    """
    models = set(first) & set(second)
    places = [
        {name: sum(side[other] > side[name] for other in models) for name in models}
        for side in (first, second)
    ]
    return {name: abs(places[0][name] - places[1][name]) for name in sorted(models)}


def _pearson(x: Floats, y: Floats, exact: bool) -> dict[str, float | None]:
    r = pearson(x, y)
    if r is None:
        return {"pearson": None, "pearson_p": None}
    if exact:
        left, right = x - x.mean(), y - y.mean()
        orders = np.array(list(itertools.permutations(left))) @ right
        scale = float(np.abs(left).sum() * np.abs(right).max())
        close = np.abs(orders) >= abs(float(left @ right)) - _TIES * max(scale, 1.0)
        return {"pearson": r, "pearson_p": float(close.mean())}
    from scipy.stats import pearsonr

    return {"pearson": r, "pearson_p": float(pearsonr(x, y).pvalue)}


def _kendall(x: Floats, y: Floats, exact: bool) -> dict[str, float | None]:
    pairs = np.array(list(itertools.combinations(range(len(x)), 2)))
    signs = [np.sign(side[pairs[:, 0]] - side[pairs[:, 1]]) for side in (x, y)]
    concordance = float(signs[0] @ signs[1])
    untied = math.sqrt(float(np.abs(signs[0]).sum() * np.abs(signs[1]).sum()))
    tau = concordance / untied
    if exact:
        orders = np.array(list(itertools.permutations(range(len(x)))))
        moved = x[orders]
        sums = np.sign(moved[:, pairs[:, 0]] - moved[:, pairs[:, 1]]) @ signs[1]
        return {"kendall": tau, "kendall_p": float((np.abs(sums) >= abs(concordance)).mean())}
    from scipy.stats import kendalltau

    return {"kendall": tau, "kendall_p": float(kendalltau(x, y, method="asymptotic").pvalue)}


@dataclass(frozen=True)
class Rating:
    """A row of a file of ratings: ``language``, ``source`` and ``date`` may be empty."""

    model: str
    score: float
    language: str = ""
    source: str = ""
    date: str = ""


def read_ratings(path: str | Path) -> list[Rating]:
    """Ratings from a CSV file with the columns ``model, score[, language], source, date``.

    Raises:
        ValueError: the file cannot be read, lacks a column, or has a score that is no number or a
            model twice for one source and language.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            return _ratings(csv.DictReader(file), str(path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"the ratings {path} cannot be read: {error}") from error


def _ratings(rows: csv.DictReader[str], name: str) -> list[Rating]:
    missing = [column for column in _COLUMNS if column not in (rows.fieldnames or ())]
    if missing:
        raise ValueError(
            f"{name} has no column {missing[0]!r}: give model and score, and where known "
            "language, source and date"
        )
    ratings: dict[tuple[str, str, str], Rating] = {}
    for number, row in enumerate(rows, start=2):
        values = {key: (row.get(key) or "").strip() for key in ("model", "language", "source")}
        try:
            score = float(row["score"] or "")
        except ValueError:
            score = math.nan
        if not math.isfinite(score) or not values["model"]:
            raise ValueError(f"line {number} of {name} needs a model and a number as its score")
        key = values["source"], values["language"], values["model"]
        if key in ratings:
            raise ValueError(f"line {number} of {name} rates {values['model']!r} a second time")
        ratings[key] = Rating(score=score, date=(row.get("date") or "").strip(), **values)
    return list(ratings.values())


def correlate(
    scores: Mapping[str, float],
    ratings: Iterable[Rating],
    drawn: Mapping[str, Floats] | None = None,
) -> list[dict[str, object]]:
    """Agreement of a score with ratings from outside, for each source and language of them.

    Args:
        scores: by model.
        ratings: from :func:`read_ratings`.
        drawn: by model, the score under resampling of the texts, shape (draws,): each rank
            correlation then gets ``low`` and ``high``, the middle 95 % over the resamples. The
            interval holds the choice of texts, not the choice of models.

    Returns:
        What :func:`agreement` gives, with ``source``, ``language``, ``dates`` and, where they can
        be had, ``low`` and ``high``.
    """
    groups = grouped(ratings, lambda rating: (rating.source, rating.language))
    entries = []
    for (source, language), group in sorted(groups.items()):
        rated = {rating.model: rating.score for rating in group}
        entry = {
            "source": source,
            "language": language,
            "dates": sorted({rating.date for rating in group} - {""}),
            **agreement(scores, rated),
        }
        if drawn is not None and entry["spearman"] is not None:
            entry |= _interval(entry["models"], rated, drawn)
        entries.append(entry)
    return entries


def _interval(
    models: Sequence[str], rated: Mapping[str, float], drawn: Mapping[str, Floats]
) -> dict[str, float]:
    if any(name not in drawn for name in models):
        return {}
    values = np.stack([drawn[name] for name in models], axis=1)
    values = values[~np.isnan(values).any(axis=1)]
    coefficients = rank_correlations(values, [rated[name] for name in models])
    known = coefficients[~np.isnan(coefficients)]
    if not len(known):
        return {}
    low, high = np.quantile(known, [0.025, 0.975])
    return {"low": float(low), "high": float(high)}


def rank_correlations(values: Floats, fixed: npt.ArrayLike) -> Floats:
    """Spearman's correlation of each row of ``values``, shape (draws, n), with ``fixed``, (n,)."""
    from scipy.stats import rankdata

    ranks = rankdata(values, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    other = rankdata(np.asarray(fixed, dtype=np.float64))
    other -= other.mean()
    scale = np.sqrt((ranks**2).sum(axis=1) * (other @ other))
    return np.divide(ranks @ other, scale, out=np.full(len(ranks), np.nan), where=scale > 0)
