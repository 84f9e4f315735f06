"""Several models: two on the same texts, all in the paper's tables, and against ratings."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core import Record, Table, grouped, mean
from ...statistics.draws import Floats
from ...statistics.measures import spearman
from ...table import DASH, Column, columns, interval
from .records import PARTS, parts_of
from .tables import label
from .values import HEADLINE, Options, values_of
from .views import DRAWS, grid, layout_of, replicates, views

FLIPS = 9_999
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


class Rating(NamedTuple):
    """A row of a file of ratings; ``language`` and ``source`` may be empty."""

    source: str
    language: str
    model: str
    score: float


def read_ratings(path: Path) -> list[Rating]:
    """Ratings from a CSV file with the columns ``model, score`` and perhaps ``language, source``.

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
    for name in ("model", "score"):
        if name not in heads:
            raise ValueError(
                f"{path} has no column {name!r}: give model and score, and where known language "
                "and source"
            )
    ratings: dict[tuple[str, str, str], Rating] = {}
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
        if (source, language, model) in ratings:
            raise ValueError(f"line {number} of {path} rates {model!r} a second time")
        ratings[source, language, model] = Rating(source, language, model, score)
    return list(ratings.values())


def correlations(
    scores: Mapping[str, float], ratings: Iterable[Rating], drawn: Mapping[str, Floats]
) -> list[dict[str, Any]]:
    """Agreement of a score with ratings from outside, for each source and language of them.

    Args:
        scores: by model.
        ratings: from :func:`read_ratings`.
        drawn: by model, the score under resampling of the texts, shape (draws,).

    Returns:
        What :func:`agreement` gives, with ``source``, ``language`` and, where there is a
        correlation, ``low`` and ``high``: its middle 95 % over the resamples. They hold the choice
        of texts, not the choice of models.
    """
    entries = []
    by_source = grouped(ratings, lambda rating: (rating.source, rating.language))
    for (source, language), group in sorted(by_source.items()):
        rated = {rating.model: rating.score for rating in group}
        entry = {"source": source, "language": language, **agreement(scores, rated)}
        if entry["spearman"] is not None:
            values = np.stack([drawn[name] for name in entry["models"]], axis=1)
            found = rank_correlations(values, [rated[name] for name in entry["models"]])
            if len(known := found[~np.isnan(found)]):
                entry["low"], entry["high"] = map(float, np.quantile(known, [0.025, 0.975]))
        entries.append(entry)
    return entries


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
    if part not in PARTS:
        raise ValueError(f"unknown part {part!r}: allowed are {', '.join(PARTS)}")
    metrics = Options().metrics()
    if metric not in metrics:
        raise ValueError(f"unknown metric {metric!r}: allowed are {', '.join(metrics)}")
    rated = read_ratings(ratings)
    scores: dict[str, dict[str, float]] = {name: {} for name in metrics}
    drawn: dict[str, Floats] = {}
    for model, graded in records.items():
        chains = parts_of(graded)[0].get(part, [])
        layout, values = layout_of(chains), values_of(chains, Options())
        for name in metrics if chains else ():
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
    if unrated := sorted(set(points) - {rating.model for rating in rated}):
        notes.append(f"Without a rating: {', '.join(unrated)}.")
    compared = (*HEADLINE, "chrf_gated", *(n for n in metrics if n.startswith("raw_mqm[")))
    return [
        correlation_table(correlations(points, rated, drawn), notes),
        *agreement_tables({label(name): scores[name] for name in compared if scores[name]}),
    ]


def correlation_table(entries: Sequence[Mapping[str, Any]], notes: Sequence[str] = ()) -> Table:
    """What :func:`correlations` gives, a row for each source and language."""
    warnings = dict.fromkeys(entry["warning"] for entry in entries if entry["warning"])
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
        tuple(
            (entry["source"] or DASH, entry["language"] or DASH,
             *map(entry.get, ("n", "spearman", "p", "low", "high")))
            for entry in entries
        ),
        " ".join(["Up to 8 models p values are exact.", *warnings, *notes]),
    )  # fmt: skip


def agreement_tables(scores: Mapping[str, Mapping[str, float]]) -> list[Table]:
    """Whether scores, by name and model, rank the models alike; none below three models."""
    rows = [
        (first, second, found["n"], found["spearman"], found["p"])
        for first, second in itertools.combinations(scores, 2)
        if (found := agreement(scores[first], scores[second]))["n"] > 2
    ]
    heads = (*columns("text", "metric", "and"), Column("models", "count"),
             Column("Spearman", "number", 3), Column("p", "p"))  # fmt: skip
    title = "LiT: do the metrics rank these models alike?"
    caption = "Up to 8 models p values are exact."
    return [Table("lit_metrics", title, heads, tuple(rows), caption)] if rows else []


_VIEWS = (
    ("category", "macro_category", "average", ("subcategory:",), {
        "main": "Layout of the paper's Tables 2, 6 and 7. ",
        "robustness": "Layout of the paper's Table 4. ",
    }),
    ("sequence", "global", "global", ("tier:", "sequence:"), {
        "main": "Layout of the paper's Tables 3, 8 and 9. ",
    }),
)  # fmt: skip


def result_tables(sections: Mapping[str, Mapping[str, Any]]) -> list[Table]:
    """The paper's Tables 2 to 9 for many models: a row each, the best first, gated.

    None of texts that fewer than two models did.

    Args:
        sections: by model, of its score.
    """
    tables: list[Table] = []
    scores: dict[str, dict[str, float]] = {}
    for part in dict.fromkeys(part for one in sections.values() for part in one["splits"]):
        contents = {name: s["splits"][part] for name, s in sections.items() if part in s["splits"]}
        asked = {name: (one["texts"], one["sequences"]) for name, one in contents.items()}
        usual = max(asked.values(), key=list(asked.values()).count)
        alike = [name for name in contents if asked[name] == usual]
        judges = dict.fromkeys(sections[name]["options"]["judge"] or "nobody" for name in alike)
        told = f"Judged by {', '.join(judges)}."
        if len(judges) > 1:
            told += " Scores of different judges cannot be compared: judge all with one judge."
        if others := [name for name in contents if name not in alike]:
            told += f" Left out, since their texts or sequences are others: {', '.join(others)}."
        for metric in HEADLINE:
            measured = {name: one["metrics"] for name, one in contents.items()}
            cells = {name: one[metric] for name, one in measured.items() if metric in one}
            if part in ("main", "robustness"):
                means = {name: by_view["macro_category"]["mean"] for name, by_view in cells.items()}
                scores |= {f"{part}: {label(metric)}": means} if means else {}
            # Raw MQM, which has more values than a share, ranks models whose scores are equal.
            ties = {name: measured[name].get("raw_mqm_gated", {}) for name in alike}
            order = sorted(alike, key=lambda name: (-_global(ties[name]), name))
            rows = {name: cells[name] for name in order if name in cells}
            if len(rows) > 1:
                tables += [_result_table(part, metric, view, rows, told) for view in _VIEWS]
    return [*tables, *agreement_tables(scores)]


def _global(by_view: Mapping[str, Any]) -> float:
    return float(by_view["global"]["mean"]) if "global" in by_view else 0.0


def _result_table(
    part: str, metric: str, view: tuple[Any, ...], rows: Mapping[str, Any], told: str
) -> Table:
    """One table: models by their mean over all, a stable order of equal ones; column means last."""
    kind, overall, head, kinds, layouts = view
    used = dict.fromkeys(name for by_view in rows.values() for name in by_view)
    names = [name for one in kinds for name in used if name.startswith(one)]
    body: list[tuple[Any, ...]] = [
        (model, by_view[overall]["mean"], by_view[overall]["se"],
         *(by_view[name]["mean"] if name in by_view else None for name in names))
        for model, by_view in sorted(rows.items(), key=lambda row: -row[1][overall]["mean"])
    ]  # fmt: skip
    averages = [mean([v for v in column if v is not None]) for column in list(zip(*body))[1:]]
    averages[1] = None
    return Table(
        f"lit_{part}_{metric}_{kind}",
        f"LiT {part}, {label(metric)}: models by {kind}",
        (
            Column("model"), Column(head, "number", 1), Column("SE", "number", 1, after=" ± "),
            *(Column(name.partition(":")[2], "number", 1) for name in names),
        ),
        (*body, ("Average", *averages)),
        f"{layouts.get(part, '')}A chain counts 0 unless each of its hops is a translation into "
        f"the language that was asked for (the paper has no such condition). {told}",
    )  # fmt: skip
