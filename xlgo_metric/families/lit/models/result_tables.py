"""The paper's result tables for many models: a row each, by category and by sequence.

Tables 2, 6 and 7 (main texts by category: MQM of 80 or more, raw MQM, direct score), 3, 8 and 9
(the same by sequence), 4 (robustness texts by category) and 5 (do the two sets of texts, and the
metrics, rank the models alike). All are gated; the paper's are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....core import mean
from ....table import Column, Table
from ..shapes import ByView, LitSection, Split
from ..tables import agreement_table, label
from ..values import HEADLINE
from .agreement import agreement

_VIEWS = (
    ("category", "macro_category", "average", ("subcategory",)),
    ("sequence", "global", "global", ("tier", "sequence")),
)
_PAPER = {
    ("main", "category"): "Layout of the paper's Tables 2, 6 and 7.",
    ("main", "sequence"): "Layout of the paper's Tables 3, 8 and 9.",
    ("robustness", "category"): "Layout of the paper's Table 4.",
}
_MIN_MODELS = 2


def result_tables(sections: Mapping[str, LitSection]) -> list[Table]:
    """The tables of some models; none where fewer than two did the same texts.

    Args:
        sections: by model, of its score.
    """
    tables: list[Table] = []
    parts = dict.fromkeys(part for section in sections.values() for part in section["splits"])
    for part in parts:
        alike, others = _alike(sections, part)
        if len(alike) < _MIN_MODELS:
            continue
        notes = _told(sections, alike, others)
        ties = {name: _tie(content["metrics"]) for name, content in alike.items()}
        for metric in HEADLINE:
            rows = {
                name: content["metrics"][metric]
                for name, content in alike.items()
                if metric in content["metrics"]
            }
            if len(rows) >= _MIN_MODELS:
                made = [_table(part, metric, view, rows, ties) for view in _VIEWS]
                tables += [replace(one, caption=f"{one.caption} {notes}") for one in made]
    tables += _agreement(sections)
    return tables


def _alike(sections: Mapping[str, LitSection], part: str) -> tuple[dict[str, Split], list[str]]:
    """The models that did the texts and sequences that most did, and the others."""
    contents = {n: s["splits"][part] for n, s in sections.items() if part in s["splits"]}
    asked = {n: (tuple(c["texts"]), tuple(c["sequences"])) for n, c in contents.items()}
    counts = list(asked.values())
    usual = max(counts, key=counts.count)
    alike = {name: content for name, content in contents.items() if asked[name] == usual}
    return alike, [name for name in contents if name not in alike]


def _told(
    sections: Mapping[str, LitSection], alike: Mapping[str, Split], others: Sequence[str]
) -> str:
    judges = dict.fromkeys(str(sections[name]["options"]["judge"] or "nobody") for name in alike)
    told = f"Judged by {', '.join(judges)}."
    if len(judges) > 1:
        told += " Scores of different judges cannot be compared: judge all with one judge."
    if others:
        told += f" Left out, since their texts or sequences are others: {', '.join(others)}."
    return told


def _table(
    part: str,
    metric: str,
    view: tuple[str, str, str, tuple[str, ...]],
    rows: Mapping[str, ByView],
    ties: Mapping[str, float],
) -> Table:
    """One table, the best model first (by ``ties`` of equal ones), the mean of each column last."""
    kind, overall, head, kinds = view
    names = [overall] + [
        name
        for one in kinds
        for name in dict.fromkeys(v for by_view in rows.values() for v in by_view)
        if name.startswith(f"{one}:")
    ]
    columns = [Column("model"), Column(head, "number", 1), Column("SE", "number", 1, after=" ± ")]
    columns += [Column(name.partition(":")[2], "number", 1) for name in names[1:]]
    order = sorted(rows, key=lambda model: (-rows[model][overall]["mean"], -ties[model], model))
    body: list[tuple[Any, ...]] = []
    for model in order:
        cells = [rows[model].get(name) for name in names]
        means = [None if cell is None else cell["mean"] for cell in cells]
        body.append((model, means[0], rows[model][overall]["se"], *means[1:]))
    averages = [
        mean([value for row in body if (value := row[place]) is not None])
        for place in (1, *range(3, len(columns)))
    ]
    body.append(("Average", averages[0], None, *averages[1:]))
    return Table(
        f"lit_{part}_{metric}_{kind}",
        f"LiT {part}, {label(metric)}: models by {kind}",
        tuple(columns),
        tuple(body),
        f"{_PAPER.get((part, kind), '')} A chain counts 0 unless each of its hops is a translation "
        f"into the language that was asked for (the paper has no such condition).".strip(),
    )


def _tie(metrics: Mapping[str, ByView]) -> float:
    """What ranks models whose scores are equal: raw MQM, which has more values than a share."""
    cell = metrics.get("raw_mqm_gated", {}).get("global")
    return float(cell["mean"]) if cell else 0.0


def _agreement(sections: Mapping[str, LitSection]) -> list[Table]:
    """Whether main and robustness texts, and the metrics, rank the models alike (Table 5)."""
    scores: dict[str, dict[str, float]] = {}
    for model, section in sections.items():
        for part in ("main", "robustness"):
            if part not in section["splits"]:
                continue
            metrics = section["splits"][part]["metrics"]
            for metric in HEADLINE:
                if metric in metrics and (cell := metrics[metric].get("macro_category")):
                    scores.setdefault(f"{part}: {label(metric)}", {})[model] = cell["mean"]
    names = list(scores)
    entries = [
        {"first": a, "second": b, **agreement(scores[a], scores[b])}
        for place, a in enumerate(names)
        for b in names[place + 1 :]
        if len(scores[a].keys() & scores[b].keys()) > _MIN_MODELS
    ]
    return [agreement_table(entries)] if entries else []
