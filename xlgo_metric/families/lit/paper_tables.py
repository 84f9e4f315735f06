"""The paper's result tables for many models: a row each, by category and by sequence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import Table, mean
from ...table import Column
from .models import agreement_tables
from .tables import label
from .values import HEADLINE

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
