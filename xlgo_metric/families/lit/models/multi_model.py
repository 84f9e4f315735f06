"""Several models: two side by side on the same texts, and all against ratings from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ....core import Record, Table
from ..records import ChainRecord
from ..section import PARTS, judges_of, parts_of
from ..tables import agreement_table, correlation_table, pair_tables
from ..values import HEADLINE
from .agreement import correlate as correlations
from .agreement import read_ratings
from .compare import Pair, drawn_scores, metric_agreement, paired

_SURFACE = ("chrf_gated",)


def compare(
    first: Sequence[Record], second: Sequence[Record], names: tuple[str, str]
) -> list[Table]:
    """Differences of two models on the chains that both did, paired by text; none without any.

    Scores of a judge are compared only if one and the same judged both.

    Raises:
        ValueError: a text is not the same in both.
    """
    judges = judges_of(first), judges_of(second)
    judged = judges[0] is not None and judges[0] == judges[1]
    metrics = (*HEADLINE, *_SURFACE) if judged else _SURFACE
    sides = [parts_of(records)[0] for records in (first, second)]
    shared = [part for part in PARTS if _keys(sides[0], part) & _keys(sides[1], part)]
    tables: list[Table] = []
    for part in shared:
        pair = paired(sides[0][part], sides[1][part], metrics=metrics)
        tables += pair_tables(names, pair["metrics"], part, _caption(pair, judges))
    return tables


def _keys(parts: Mapping[str, Sequence[ChainRecord]], part: str) -> set[tuple[str, str]]:
    return {(chain.text_id, chain.sequence) for chain in parts.get(part, ())}


def _caption(pair: Pair, judges: tuple[str | None, str | None]) -> str:
    told = f"{pair['chains']} chains of {pair['texts']} texts that both have."
    if judges[0] == judges[1]:
        return f"{told} {f'Judged by {judges[0]}.' if judges[0] else 'Nobody judged these chains.'}"
    a, b = (judge or "nobody" for judge in judges)
    return (
        f"{told} Judged by {a} and by {b}: judge both with the same judge to compare their scores."
    )


def correlate(
    records: Mapping[str, Sequence[Record]],
    ratings: Path,
    *,
    metric: str = "mqm80_gated",
    view: str = "global",
    part: str = PARTS[0],
) -> list[Table]:
    """Agreement of a score with ratings from outside, for each source and language of these.

    A second table says how far the metrics agree with each other on the same models.

    Args:
        records: by model, as the ratings call it.
        ratings: see ``agreement.read_ratings``.
        metric: as in the section.
        view: ``global``, ``macro_category``, or one as ``tier:low``.
        part: of the result: ``main``, ``robustness``, ``pairwise`` or ``custom``.

    Raises:
        ValueError: an unknown metric or part, ratings that cannot be read, or no value at all.
    """
    if part not in PARTS:
        raise ValueError(f"unknown part {part!r}: allowed are {', '.join(PARTS)}")
    rated = read_ratings(ratings)
    chains: dict[str, list[ChainRecord]] = {}
    for model, own in records.items():
        by_part = parts_of(own)[0]
        if part in by_part:
            chains[model] = by_part[part]
    points, drawn = drawn_scores(chains, metric=metric, view=view) if chains else ({}, {})
    if not points:
        raise ValueError(f"no model has a value of {metric} over {view} in the part {part}")
    unrated = sorted(set(points) - {rating.model for rating in rated})
    table = correlation_table(correlations(points, rated, drawn))
    notes = [f"{metric}, {view}, {part}; models: {', '.join(sorted(points))}."]
    if unrated:
        notes.append(f"Without a rating: {', '.join(unrated)}.")
    made = [replace(table, caption=" ".join([table.caption, *notes]))]
    if len(points) > 1:
        made.append(agreement_table(metric_agreement(chains, view=view)))
    return made
