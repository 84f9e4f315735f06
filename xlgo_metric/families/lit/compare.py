"""Models beside each other: two paired by text, and many in the tables of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core import Record, Table, mean
from ...statistics.draws import Floats, Stream
from ...table import Column, columns, interval
from .models import agreement_tables
from .records import PARTS, ChainRecord, judges_of, parts_of
from .spread import spreads
from .tables import label
from .values import HEADLINE, Options, scale_of, values_of
from .views import DRAWS, Layout, grid, layout_of, readable, replicates, views

FLIPS = 9_999
_TIES = 1e-9
_BLOCK = 2_000_000  # numbers held at once


def paired(
    first: Sequence[ChainRecord],
    second: Sequence[ChainRecord],
    *,
    metrics: Sequence[str] = HEADLINE,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, Any]:
    """The difference of two models, first minus second, over the chains that both have.

    Another question than that of ``comparison.compare``, which takes a mean over chains: categories
    of texts weigh alike here, and a chain counts only where both models have a value. Errors and
    intervals come from resampling the texts, the same for both models; the p value of
    ``macro_category`` and ``global`` exchanges the two models within texts, all sequences of a text
    together.

    Args:
        first, second: records of one part each, with chains in common.
        metrics: those to compare; ones without values are left out.

    Returns:
        ``texts`` and ``chains`` (numbers of common ones), and ``metrics[metric][view]`` with
        ``difference``, ``se``, ``low``, ``high``, ``texts`` and, for the two averages, ``p``.

    Raises:
        ValueError: a text that differs between the two.
    """
    chains = [{(r.text_id, r.sequence): r for r in records} for records in (first, second)]
    common = sorted(chains[0].keys() & chains[1].keys())
    for key in common:
        a, b = chains[0][key], chains[1][key]
        if (a.original, a.subcategory, a.split) != (b.original, b.subcategory, b.split):
            raise ValueError(f"the text {key[0]!r} is not the same in both results")
    sides = [[side[key] for key in common] for side in chains]
    layout = layout_of(sides[0])
    values = [values_of(side, Options()) for side in sides]
    gaps = {
        name: gap
        for name in metrics
        if not np.isnan(gap := grid(layout, values[0], name) - grid(layout, values[1], name)).all()
    }
    drawn = replicates(layout, gaps, draws, seed)
    by_metric: dict[str, dict[str, Any]] = {}
    for name, gap in gaps.items():
        bottom, top = scale_of(name)
        ends = (bottom - top, top - bottom)  # a difference cannot be larger than the scale
        spread = spreads(layout, gap, drawn[name], ends=ends, levels=False)
        p = _exchange(layout, gap, seed)
        by_metric[name] = {
            view: {"difference": float(value[0]), "p": p.get(view), **spread[view]}
            for view, value in views(layout, gap).items()
            if not np.isnan(value[0])
        }
    return {"texts": len(layout.texts), "chains": len(common), "metrics": by_metric}


def _exchange(layout: Layout, gaps: Floats, seed: int) -> dict[str, float]:
    """Two-sided p values of "the models are alike", by random changes of sign per text."""
    averages = ("macro_category", "global")
    # Both are sums over texts: what each adds is the average with all others at 0.
    alone = (np.where(np.isnan(gaps), np.nan, 0.0) for _ in gaps)
    added = np.zeros((len(gaps), len(averages)))
    for text, cells in enumerate(alone):
        cells[text] = gaps[text]
        means = views(layout, cells)
        added[text] = [means[name][0] for name in averages]
    bounds = np.abs(added.sum(axis=0)) - _TIES
    stream = Stream("lit exchange", seed, len(gaps))
    block = max(1, _BLOCK // len(gaps))
    extreme = np.zeros(len(averages), dtype=np.int64)
    for begin in range(0, FLIPS, block):
        rows = min(block, FLIPS - begin)
        flips = (stream.words(rows * len(gaps)) >> np.uint64(63)).astype(np.float64)
        sums = (1.0 - 2.0 * flips.reshape(rows, len(gaps))) @ added
        extreme += (np.abs(sums) >= bounds).sum(axis=0)
    return {name: float(p) for name, p in zip(averages, (extreme + 1) / (FLIPS + 1))}


def compare(
    first: Sequence[Record], second: Sequence[Record], names: tuple[str, str]
) -> list[Table]:
    """Differences of two models on the chains that both did, a table a part and metric.

    Scores of a judge are compared only if one and the same judged both.

    Raises:
        ValueError: a text is not the same in both.
    """
    judges = judges_of(first), judges_of(second)
    judged_alike = judges[0] is not None and judges[0] == judges[1]
    metrics = (*HEADLINE, "chrf_gated") if judged_alike else ("chrf_gated",)
    a, b = (judge or "nobody" for judge in judges)
    told = (
        f"Judged by {a}."
        if judged_alike
        else (
            f"Judged by {a} and by {b}: judge both with the same judge to compare their scores."
            if a != b
            else "Nobody judged these chains."
        )
    )
    sides = [parts_of(records)[0] for records in (first, second)]
    tables: list[Table] = []
    for part in PARTS:
        keys = [{(one.text_id, one.sequence) for one in side.get(part, ())} for side in sides]
        if keys[0] & keys[1]:
            pair = paired(sides[0][part], sides[1][part], metrics=metrics)
            tables += _pair_tables(names, part, pair, told)
    return tables


def _pair_tables(
    names: tuple[str, str], part: str, pair: Mapping[str, Any], told: str
) -> list[Table]:
    heads = (
        *columns("text", "first", "second", "over"),
        *columns("number", "difference", "SE", digits=1),
        *interval("95% interval", "number", 1),
        Column("p", "p"),
    )
    return [
        Table(
            f"lit_pairs_{metric}_{part}",
            f"LiT: first minus second, {label(metric)} ({part})",
            heads,
            tuple(
                (
                    *names,
                    " ".join(map(readable, view.split(":"))),
                    *map(cell.get, ("difference", "se", "low", "high", "p")),
                )
                for view, cell in by_view.items()
            ),
            "Paired by text. Intervals come from resampling texts; p exchanges the two models "
            "within texts, and is not corrected for several pairs. "
            f"{pair['chains']} chains of {pair['texts']} texts that both have. {told}",
        )
        for metric, by_view in pair["metrics"].items()
    ]


_VIEWS = (
    (
        "category",
        "macro_category",
        "average",
        ("subcategory:",),
        {
            "main": "Layout of the paper's Tables 2, 6 and 7. ",
            "robustness": "Layout of the paper's Table 4. ",
        },
    ),
    (
        "sequence",
        "global",
        "global",
        ("tier:", "sequence:"),
        {
            "main": "Layout of the paper's Tables 3, 8 and 9. ",
        },
    ),
)


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
        (
            model,
            by_view[overall]["mean"],
            by_view[overall]["se"],
            *(by_view[name]["mean"] if name in by_view else None for name in names),
        )
        for model, by_view in sorted(rows.items(), key=lambda row: -row[1][overall]["mean"])
    ]
    averages = [mean([v for v in column if v is not None]) for column in list(zip(*body))[1:]]
    averages[1] = None
    return Table(
        f"lit_{part}_{metric}_{kind}",
        f"LiT {part}, {label(metric)}: models by {kind}",
        (
            Column("model"),
            Column(head, "number", 1),
            Column("SE", "number", 1, after=" ± "),
            *(Column(name.partition(":")[2], "number", 1) for name in names),
        ),
        (*body, ("Average", *averages)),
        f"{layouts.get(part, '')}A chain counts 0 unless each of its hops is a translation into "
        f"the language that was asked for (the paper has no such condition). {told}",
    )
