"""Models beside each other: two paired by text, and many in the tables of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...comparison.compare import Draft, draft, settle
from ...comparison.section import mark
from ...core import Record, Table, mean
from ...table import Column, columns, interval
from .models import agreement_tables
from .records import PARTS, ChainRecord, judges_of, parts_of
from .tables import label
from .values import HEADLINE, Options, values_of


def paired(
    first: Sequence[ChainRecord],
    second: Sequence[ChainRecord],
    names: tuple[str, str],
    part: str,
    metrics: Sequence[str] = HEADLINE,
) -> list[Draft]:
    """Two models on the chains that both have, to be tested: sequences weigh alike, as in
    ``global``, and all chains of a text hang together.

    Args:
        first, second: records of one part each.
        names: of the models; the first is the baseline.
        part: its name.
        metrics: those to compare; ones without values are left out.

    Raises:
        ValueError: a text that differs between the two.
    """
    chains = [{(r.text_id, r.sequence): r for r in records} for records in (first, second)]
    common = sorted(chains[0].keys() & chains[1].keys())
    for key in common:
        a, b = chains[0][key], chains[1][key]
        if (a.original, a.subcategory, a.split) != (b.original, b.subcategory, b.split):
            raise ValueError(f"the text {key[0]!r} is not the same in both results")
    values = [values_of([side[key] for key in common], Options()) for side in chains]
    result = []
    for metric in metrics:
        sides = {name: {key: of[key][metric] for key in common} for name, of in zip(names, values)}
        frame = pd.DataFrame(sides, index=common, dtype=np.float64).dropna()
        if len(frame):
            texts, sequences = zip(*frame.index)
            where = {"task": part, "measure": metric}
            result.append(draft(dict(frame), where, cluster=texts, task=sequences, reach=100.0))
    return result


def compare(
    first: Sequence[Record], second: Sequence[Record], names: tuple[str, str]
) -> list[Table]:
    """Differences of two models on the chains that both did, a row a part and metric.

    Scores of a judge are compared only if one and the same judged both.

    Raises:
        ValueError: a text is not the same in both.
    """
    judges = judges_of(first), judges_of(second)
    judged_alike = judges[0] is not None and judges[0] == judges[1]
    metrics = (*HEADLINE, "chrf_gated") if judged_alike else ("chrf_gated",)
    a, b = (judge or "nobody" for judge in judges)
    judging = (
        f"Judged by {a}."
        if judged_alike
        else (
            f"Judged by {a} and by {b}: judge both with the same judge to compare their scores."
            if a != b
            else "Nobody judged these chains."
        )
    )
    chains, others = (parts_of(records)[0] for records in (first, second))
    cells = settle(
        [
            one
            for part in PARTS
            for one in paired(chains.get(part, ()), others.get(part, ()), names, part, metrics)
        ]
    )
    heads = (
        *columns("text", "part", "score"),
        *columns("count", "chains", "texts"),
        *columns("number", *names, "difference", digits=1),
        Column("significant", after=" "),
        *interval("95% interval", "number", 1),
        Column("p", "p"),
    )
    rows = tuple(
        (one.task, label(one.where["measure"]), one.n, one.clusters, one.baseline_accuracy,
         one.accuracy, one.difference, mark(one) or None, one.ci_low, one.ci_high, one.p_value)
        for one in cells
    )  # fmt: skip
    caption = (
        "The chains that both have; sequences weigh alike, and the chains of a text are not "
        f"independent. Intervals, p and ● (significant at 5%) hold for all rows together. {judging}"
    )
    return (
        [Table("lit_pairs", "LiT: the first minus the second", heads, rows, caption)]
        if rows
        else []
    )


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
        judging = f"Judged by {', '.join(judges)}."
        if len(judges) > 1:
            judging += " Scores of different judges cannot be compared: judge all with one judge."
        if others := [name for name in contents if name not in alike]:
            judging += f" Left out, since their texts or sequences are others: {', '.join(others)}."
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
                tables += [_result_table(part, metric, view, rows, judging) for view in _VIEWS]
    return [*tables, *agreement_tables(scores)]


def _global(by_view: Mapping[str, Any]) -> float:
    return float(by_view["global"]["mean"]) if "global" in by_view else 0.0


def _result_table(
    part: str, metric: str, view: tuple[Any, ...], rows: Mapping[str, Any], judging: str
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
        f"the language that was asked for (the paper has no such condition). {judging}",
    )
