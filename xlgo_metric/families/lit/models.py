"""Many models in the tables of the paper, and whether its metrics rank them alike."""

import itertools
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ...core import Table, mean
from ...family import Section
from ...statistics.measures import spearman
from ...table import Column, columns
from ...views import Row
from .records import SPLITS
from .tables import label
from .values import HEADLINE

Cells = Mapping[str, Row]
"""Means and errors of a metric by view."""

_View = tuple[str, str, tuple[str, ...]]
_VIEWS: tuple[_View, ...] = (
    ("category", "macro_category", ("subcategory:",)),
    ("sequence", "global", ("tier:", "sequence:")),
)
"""What the columns are, the mean over all, and the kinds of the others."""
_LAYOUTS = {
    "main_category": "Layout of the paper's Tables 2, 6 and 7. ",
    "robustness_category": "Layout of the paper's Table 4. ",
    "main_sequence": "Layout of the paper's Tables 3, 8 and 9. ",
}


def many(sections: Mapping[str, Section], _: Mapping[str, pd.DataFrame]) -> list[Table]:
    """The paper's Tables 2 to 9 for many models: a row each, the best first, gated.

    None of texts that fewer than two models did.

    Args:
        sections: by model, of its score.
    """
    tables: list[Table] = []
    scores: dict[str, dict[str, float]] = {}
    for part in dict.fromkeys(part for content in sections.values() for part in content["splits"]):
        contents = {name: s["splits"][part] for name, s in sections.items() if part in s["splits"]}
        texts = {
            name: (content["texts"], content["sequences"]) for name, content in contents.items()
        }
        usual = max(texts.values(), key=list(texts.values()).count)
        alike = [name for name in contents if texts[name] == usual]
        judges = dict.fromkeys(sections[name]["options"]["judge"] or "nobody" for name in alike)
        judging = f"Judged by {', '.join(judges)}."
        if len(judges) > 1:
            judging += " Scores of different judges cannot be compared: judge all with one judge."
        if excluded := [name for name in contents if name not in alike]:
            judging += (
                f" Left out, since their texts or sequences are others: {', '.join(excluded)}."
            )
        for metric in HEADLINE:
            cells = {x: m[metric] for x in contents if metric in (m := contents[x]["metrics"])}
            if part in SPLITS and cells:
                means = {name: views["macro_category"]["mean"] for name, views in cells.items()}
                scores[f"{part}: {label(metric)}"] = means
            # Raw MQM, which has more values than a share, ranks models whose scores are equal.
            raw = {x: contents[x]["metrics"].get("raw_mqm_gated", {}).get("global") for x in alike}
            ties = {name: -cell["mean"] if cell else 0.0 for name, cell in raw.items()}
            rows = {x: cells[x] for x in sorted(alike, key=lambda x: (ties[x], x)) if x in cells}
            if len(rows) > 1:
                tables += [_table(part, metric, rows, judging, view) for view in _VIEWS]
    return [*tables, *agreement_tables(scores)]


def _table(part: str, metric: str, rows: Mapping[str, Cells], judging: str, view: _View) -> Table:
    """One table: models by their mean over all, a stable order of equal ones; column means last."""
    kind, overall, kinds = view
    used = dict.fromkeys(name for views in rows.values() for name in views)
    names = [name for start in kinds for name in used if name.startswith(start)]
    body: list[tuple[Any, ...]] = [
        (
            model,
            views[overall]["mean"],
            views[overall]["se"],
            *(views[name]["mean"] if name in views else None for name in names),
        )
        for model, views in sorted(rows.items(), key=lambda row: -row[1][overall]["mean"])
    ]
    averages = [mean([v for v in column if v is not None]) for column in list(zip(*body))[1:]]
    return Table(
        f"lit_{part}_{metric}_{kind}",
        f"LiT {part}, {label(metric)}: models by {kind}",
        (
            Column("model"),
            Column("average" if overall == "macro_category" else overall, "number", 1),
            Column("SE", "number", 1, after=" ± "),
            *columns("number", *(name.partition(":")[2] for name in names), digits=1),
        ),
        (*body, ("Average", averages[0], None, *averages[2:])),
        f"{_LAYOUTS.get(f'{part}_{kind}', '')}A chain counts 0 unless each of its hops is a "
        "translation into the language that was asked for (the paper has no such condition). "
        f"{judging}",
    )


def agreement(
    first: Mapping[str, float], second: Mapping[str, float]
) -> tuple[int, float | None, float | None]:
    """Spearman's correlation of two scores over the models that have both (the paper's Table 5).

    Returns:
        Their number, the correlation and its two-sided p (exact up to eight models; both ``None``
        with fewer than three or where one side does not vary).
    """
    models = sorted(first.keys() & second.keys())
    return len(models), *spearman([first[x] for x in models], [second[x] for x in models])


def agreement_tables(scores: Mapping[str, Mapping[str, float]]) -> list[Table]:
    """Whether scores, by name and model, rank the models alike; none below three models."""
    rows = [
        (first, second, *numbers)
        for first, second in itertools.combinations(scores, 2)
        if (numbers := agreement(scores[first], scores[second]))[0] > 2
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
