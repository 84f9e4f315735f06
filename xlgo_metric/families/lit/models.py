"""Several models against ratings from outside, and their metrics against each other."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core import Record, Table, allowed_name
from ...statistics.draws import Floats
from ...statistics.measures import spearman
from ...table import DASH, Column, columns, interval
from .records import PARTS, parts_of
from .tables import label
from .values import HEADLINE, METRICS, Options, values_of
from .views import DRAWS, grid, layout_of, replicates, views

FEW = 10
_TIES = 1e-9
_BLOCK = 2_000_000  # numbers held at once


def agreement(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, Any]:
    """Spearman's correlation of two scores over the models that have both (the paper's Table 5).

    Returns:
        ``n``, ``models``, ``spearman`` with a two-sided ``p`` (exact up to eight models; both
        ``None`` with fewer than three or where one side does not vary), and ``warning`` below ten.
    """
    models = sorted(set(first) & set(second))
    rho, p = spearman(*([side[name] for name in models] for side in (first, second)))
    warning = None
    if len(models) < FEW:
        warning = (
            f"Only {len(models)} models have both scores: below {FEW} a correlation says little."
        )
    return {"n": len(models), "models": models, "spearman": rho, "p": p, "warning": warning}


def read_ratings(path: Path) -> dict[tuple[str, str], dict[str, float]]:
    """Ratings from a CSV file with the columns ``model, score`` and perhaps ``source, language``.

    Returns:
        Scores by model, for each source and language; these are empty where they are not given.

    Raises:
        ValueError: the file cannot be read, lacks a column, or has a score that is no number or a
            model twice for one source and language.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            rows, heads = list(reader), reader.fieldnames or ()
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"the ratings {path} cannot be read: {error}") from error
    if missing := [name for name in ("model", "score") if name not in heads]:
        raise ValueError(
            f"{path} has no column {missing[0]!r}: give model and score, and where known source "
            "and language"
        )
    ratings: dict[tuple[str, str], dict[str, float]] = {}
    for number, row in enumerate(rows, start=2):
        source, language, model = (
            (row.get(key) or "").strip() for key in ("source", "language", "model")
        )
        try:
            score = float(row["score"] or "")
        except ValueError:
            score = math.nan
        if not math.isfinite(score) or not model:
            raise ValueError(f"line {number} of {path} needs a model and a number as its score")
        rated = ratings.setdefault((source, language), {})
        if model in rated:
            raise ValueError(f"line {number} of {path} rates {model!r} a second time")
        rated[model] = score
    return ratings


def correlation_table(
    scores: Mapping[str, float],
    ratings: Mapping[tuple[str, str], Mapping[str, float]],
    drawn: Mapping[str, Floats],
    notes: Sequence[str] = (),
) -> Table:
    """Agreement of a score with ratings from outside, a row for each source and language of them.

    Args:
        scores: by model.
        ratings: from :func:`read_ratings`.
        drawn: by model, the score under resampling of the texts, shape (draws,). The interval is
            the middle 95 % of correlations over these: it holds the choice of texts, not that of
            models.
        notes: sentences for the caption.
    """
    rows, warnings = [], dict[str | None, None]()
    for (source, language), rated in sorted(ratings.items()):
        found = agreement(scores, rated)
        warnings[found["warning"]] = None
        low = high = None
        if found["spearman"] is not None:
            values = np.stack([drawn[name] for name in found["models"]], axis=1)
            redrawn = rank_correlations(values, [rated[name] for name in found["models"]])
            if len(known := redrawn[~np.isnan(redrawn)]):
                low, high = map(float, np.quantile(known, [0.025, 0.975]))
        rows.append(
            (source or DASH, language or DASH, found["n"], found["spearman"], found["p"], low, high)
        )
    return Table(
        "lit_correlation",
        "LiT: agreement with ratings from outside",
        (
            *columns("text", "source", "language"),
            Column("models", "count"),
            Column("Spearman", "number", 3),
            Column("p", "p"),
            *interval("95% (texts)", "number", 2),
        ),
        tuple(rows),
        " ".join(["Up to 8 models p values are exact.", *filter(None, warnings), *notes]),
    )


def rank_correlations(values: Floats, fixed: npt.ArrayLike) -> Floats:
    """Spearman's correlation of each row of ``values``, shape (draws, n), with ``fixed``, (n,).

    NaN for a row that does not vary or has a NaN.
    """
    from scipy.stats import rankdata

    ranks = rankdata(values, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    other = rankdata(np.asarray(fixed, dtype=np.float64))
    other -= other.mean()
    scale = np.sqrt((ranks**2).sum(axis=1) * (other @ other))
    return np.divide(ranks @ other, scale, out=np.full(len(ranks), np.nan), where=scale > 0)


def correlate(
    records: Mapping[str, Sequence[Record]],
    ratings: Path,
    *,
    metric: str = "mqm80_gated",
    view: str = "global",
    part: str = PARTS[0],
) -> list[Table]:
    """Agreement of a score with ratings from outside, and of the metrics with each other.

    Args:
        records: by model, as the ratings call it.
        ratings: see :func:`read_ratings`.
        metric: as in the section.
        view: ``global``, ``macro_category``, or one as ``tier:low``.
        part: of the result: ``main``, ``robustness``, ``pairwise`` or ``custom``.

    Raises:
        ValueError: an unknown metric or part, ratings that cannot be read, or no value at all.
    """
    allowed_name(part, "part", PARTS)
    allowed_name(metric, "metric", METRICS)
    rated = read_ratings(ratings)
    scores: dict[str, dict[str, float]] = {name: {} for name in METRICS}
    drawn: dict[str, Floats] = {}
    for model, graded in records.items():
        chains = parts_of(graded)[0].get(part, [])
        layout, values = layout_of(chains), values_of(chains, Options())
        for name in METRICS if chains else ():
            cells = grid(layout, values, name)
            point = views(layout, cells).get(view, [np.nan])[0]
            if not np.isnan(point):
                scores[name][model] = float(point)
                if name == metric:
                    drawn[model] = replicates(layout, {name: cells}, DRAWS, 0)[name][view]
    points = scores[metric]
    if not points:
        raise ValueError(f"no model has a value of {metric} over {view} in the part {part}")
    notes = [f"{metric}, {view}, {part}; models: {', '.join(sorted(points))}."]
    if unrated := sorted(set(points).difference(*rated.values())):
        notes.append(f"Without a rating: {', '.join(unrated)}.")
    compared = (*HEADLINE, "chrf_gated")
    return [
        correlation_table(points, rated, drawn, notes),
        *agreement_tables({label(name): scores[name] for name in compared if scores[name]}),
    ]


def agreement_tables(scores: Mapping[str, Mapping[str, float]]) -> list[Table]:
    """Whether scores, by name and model, rank the models alike; none below three models."""
    rows = [
        (first, second, found["n"], found["spearman"], found["p"])
        for first, second in itertools.combinations(scores, 2)
        if (found := agreement(scores[first], scores[second]))["n"] > 2
    ]
    heads = (
        *columns("text", "metric", "and"),
        Column("models", "count"),
        Column("Spearman", "number", 3),
        Column("p", "p"),
    )
    title = "LiT: do the metrics rank these models alike?"
    caption = "Up to 8 models p values are exact."
    return [Table("lit_metrics", title, heads, tuple(rows), caption)] if rows else []
