"""Models against each other on the same texts: pairs, and all rankings at once.

Another question than that of ``comparison.compare``, which takes a mean over chains: categories of
texts weigh alike here, and chains may lack a value. ``xlgo compare --measure`` asks the other one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np

from ....statistics.draws import Floats, Stream
from ..records import ChainRecord
from ..spread import Spread, spreads
from ..summary import cells_of
from ..values import HEADLINE, Options, scale_of
from ..views import DRAWS, Layout, layout_of, mean_of_known, replicates, views
from .agreement import agreement

FLIPS = 9_999
_TIES = 1e-9
_BLOCK = 2_000_000  # numbers held at once


class Difference(Spread):
    """The first model minus the second over a view; the two averages have a ``p``."""

    difference: float
    p: float | None


class Pair(TypedDict):
    """Two models on the same chains; see ``paired``."""

    texts: int
    chains: int
    only_first: int
    only_second: int
    metrics: dict[str, dict[str, Difference]]


def paired(
    first: Sequence[ChainRecord],
    second: Sequence[ChainRecord],
    *,
    metrics: Sequence[str] = HEADLINE,
    draws: int = DRAWS,
    seed: int = 0,
) -> Pair:
    """The difference of two models, first minus second, over the chains that both have.

    A chain counts for a metric only where both models have a value; errors and intervals come from
    resampling the texts, the same for both models; the p value of ``macro_category`` and
    ``global`` exchanges the two models within texts, all sequences of a text together.

    Args:
        first, second: records of one split each, with chains in common.
        metrics: those to compare; ones without values are left out.

    Returns:
        ``texts`` (number of common ones), ``only_first`` and ``only_second`` (chains that one
        model lacks), and ``metrics[metric][view]`` with ``difference``, ``se``, ``low``, ``high``
        and, for the two averages, ``p``.

    Raises:
        ValueError: a text that differs between the two.
    """
    settings = Options()
    chains = [{(r.text_id, r.sequence): r for r in records} for records in (first, second)]
    common = sorted(chains[0].keys() & chains[1].keys())
    for key in common:
        a, b = chains[0][key], chains[1][key]
        if (a.original, a.subcategory, a.split) != (b.original, b.subcategory, b.split):
            raise ValueError(f"the text {key[0]!r} is not the same in both runs")
    sides = [[side[key] for key in common] for side in chains]
    layout = layout_of(sides[0])
    grids = [cells_of(side, settings)[2] for side in sides]
    cells = {name: grids[0][name] - grids[1][name] for name in metrics}
    known = {name: values for name, values in cells.items() if not np.isnan(values).all()}
    drawn = replicates(layout, known, draws, seed) if known else {}
    by_metric: dict[str, dict[str, Difference]] = {}
    for name, values in known.items():
        point = views(layout, values)
        spread = spreads(layout, values, drawn[name])
        bottom, top = scale_of(name)
        for cell in spread.values():  # a difference cannot be larger than the scale
            if cell["low"] is not None and cell["high"] is not None:
                cell["low"] = max(cell["low"], bottom - top)
                cell["high"] = min(cell["high"], top - bottom)
        p = _exchange(layout, values, seed)
        by_metric[name] = {
            view: {"difference": float(point[view][0]), "p": p.get(view), **spread[view]}
            for view in point
            if not np.isnan(point[view][0])
        }
    return {
        "texts": len(layout.texts),
        "chains": len(common),
        "only_first": len(chains[0]) - len(common),
        "only_second": len(chains[1]) - len(common),
        "metrics": by_metric,
    }


def _exchange(layout: Layout, cells: Floats, seed: int) -> dict[str, float]:
    """Two-sided p values of "the models are alike", by random changes of sign per text."""
    known = ~np.isnan(cells)
    filled = np.where(known, cells, 0.0)
    means = mean_of_known(cells)
    has_value = ~np.isnan(means)
    means = np.nan_to_num(means)
    # Both averages are sums over texts with fixed weights, so a changed sign is a changed weight.
    macro = np.zeros(len(means))
    strata = [at for at in layout.strata.values() if has_value[at].any()]
    for at in strata:
        macro[at] = means[at] / (has_value[at].sum() * len(strata))
    per_sequence = known.sum(axis=0)
    used = per_sequence > 0
    overall = (filled[:, used] / per_sequence[used]).sum(axis=1) / max(1, int(used.sum()))
    weights = np.stack([macro, overall], axis=1)
    bounds = np.abs(weights.sum(axis=0)) - _TIES
    stream = Stream("lit exchange", seed, len(macro))
    block = max(1, _BLOCK // len(macro))
    extreme = np.zeros(2, dtype=np.int64)
    for begin in range(0, FLIPS, block):
        rows = min(block, FLIPS - begin)
        flips = (stream.words(rows * len(macro)) >> np.uint64(63)).astype(np.float64)
        sums = (1.0 - 2.0 * flips.reshape(rows, len(macro))) @ weights
        extreme += (np.abs(sums) >= bounds).sum(axis=0)
    p = (extreme + 1) / (FLIPS + 1)
    return {"macro_category": float(p[0]), "global": float(p[1])}


def metric_agreement(
    records: Mapping[str, Sequence[ChainRecord]],
    *,
    view: str = "global",
) -> list[dict[str, object]]:
    """How far metrics rank the same models alike.

    Args:
        records: by model, chains of one part of the results.
        view: over what each metric is the mean.

    Returns:
        For each pair of headline metrics and gated chrF++, and for raw MQM and further weightings
        that some model has, ``first``, ``second`` and what ``agreement.agreement`` gives.
    """
    scores: dict[str, dict[str, float]] = {}
    for model, chains in records.items():
        layout, _, cells = cells_of(chains, Options())
        for metric, values in cells.items():
            mean = views(layout, values).get(view)
            if mean is not None and not np.isnan(mean[0]):
                scores.setdefault(metric, {})[model] = float(mean[0])
    first = [name for name in (*HEADLINE, "chrf_gated") if name in scores]
    weighted = [name for name in scores if name.startswith("raw_mqm[") and name.endswith("_gated")]
    metric_pairs = [(a, b) for i, a in enumerate(first) for b in first[i + 1 :]]
    metric_pairs += [("raw_mqm_gated", name) for name in weighted]
    return [{"first": a, "second": b, **agreement(scores[a], scores[b])} for a, b in metric_pairs]


def drawn_scores(
    records: Mapping[str, Sequence[ChainRecord]],
    *,
    metric: str = "mqm80_gated",
    view: str = "global",
    draws: int = DRAWS,
) -> tuple[dict[str, float], dict[str, Floats]]:
    """A mean of each model, and the same under resampling, for ``agreement.correlate``.

    Models that did the same texts meet the same resamples. Models without a value are left out.
    """
    points: dict[str, float] = {}
    drawn: dict[str, Floats] = {}
    for model, chains in records.items():
        layout, _, cells = cells_of(chains, Options())
        if metric not in cells:
            raise ValueError(f"unknown metric {metric!r}: allowed are {', '.join(cells)}")
        point = views(layout, cells[metric]).get(view)
        if point is not None and not np.isnan(point[0]):
            points[model] = float(point[0])
            drawn[model] = replicates(layout, {metric: cells[metric]}, draws, 0)[metric][view]
    return points, drawn
