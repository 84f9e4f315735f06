from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.lit.made import made, made_set
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.lit.records import SPLITS, parts_of, raw_mqm
from xlgo_metric.families.lit.spread import spreads
from xlgo_metric.families.lit.summary import summarize
from xlgo_metric.families.lit.views import Layout, replicates

DRAWS = 2_000


def score(records, **options):
    given = {"data_origin": "sample", "model": "made", "judge": "rule", "draws": DRAWS, **options}
    parts = {split: [r for r in records if r.split == split] for split in SPLITS}
    return summarize(parts, **given)


@pytest.fixture(scope="module")
def whole():
    return score(made_set())


def raw(record):
    return raw_mqm(record.judgement.errors)


def test_standard_errors_are_those_of_resampled_texts(whole):
    """Within a subcategory the error is s / sqrt(n); the macro one joins them."""
    texts: dict[Any, Any] = {}
    for record in made_set():
        texts.setdefault(record.subcategory, {}).setdefault(record.text_id, []).append(raw(record))
    exact = {
        name: stdev(map(fmean, found.values())) / math.sqrt(len(found))
        for name, found in texts.items()
    }
    cells = whole["splits"]["main"]["metrics"]["raw_mqm"]
    for name, se in exact.items():
        assert cells[f"subcategory:{name}"]["se"] == pytest.approx(se, rel=0.08)
    joint = math.hypot(*exact.values()) / len(exact)
    assert cells["macro_category"]["se"] == pytest.approx(joint, rel=0.08)
    assert cells["macro_category"]["low"] < cells["macro_category"]["mean"]
    assert cells["macro_category"]["mean"] < cells["macro_category"]["high"]


@pytest.mark.parametrize(
    ("records", "options", "message"),
    [
        (made_set({"stem": 1}), {"weights": "x"}, "cannot be read"),
        ([made("a", "stem", "e_asia", 1), made("a", "informal", "africa", 1)], {},
         "two subcategories"),
        ([made("a", "stem", "e_asia", 1), replace(made("b", "stem", "e_asia", 1), tier="low")], {},
         "two tiers"),
    ],
)  # fmt: skip
def test_mistakes_are_told(records, options, message):
    with pytest.raises(ValueError, match=message):
        score(records, **options)


def test_an_interval_has_the_degrees_of_freedom_of_its_weights() -> None:
    """Categories weigh alike in the macro mean, texts in the global one."""
    groups = [[10.0, 50, 90], [20.0, 60, 95], [55.0, 65, 60, 58, 62, 57, 63, 61, 59, 60]]
    kinds = tuple(np.repeat(("stem", "inference", "informal"), (3, 3, 10)).tolist())
    layout = Layout(tuple(f"t{i:02}" for i in range(16)), kinds, ("s",), ("",))
    cells = np.concatenate(groups)[:, None]
    drawn = replicates(layout, {"m": cells}, DRAWS, 0)["m"]
    found = spreads(layout, cells, drawn, ends=(-np.inf, np.inf))
    for view, weights in {"macro_category": [1 / 3] * 3, "global": [3 / 16, 3 / 16, 5 / 8]}.items():
        parts = [w * w * np.var(g, ddof=1) / len(g) for w, g in zip(weights, groups)]
        freedom = sum(parts) ** 2 / sum(v * v / (len(g) - 1) for v, g in zip(parts, groups))
        one = found[view]
        reach = (one["high"] - one["low"]) / 2
        assert reach / one["se"] == pytest.approx(stats.t.ppf(0.975, freedom)), view


def test_texts_without_a_value_give_no_degrees_of_freedom() -> None:
    """Each category has texts that no judgement could be read of: fewer are known than asked."""
    known = {
        "stem": [10.0, 50, 90, 40],
        "inference": [20.0, 60, 95, 30, 35],
        "informal": [55.0, 65, 60, 90],
    }
    lost = {"stem": 9, "inference": 1, "informal": 5}
    kinds = tuple(kind for kind in known for _ in range(len(known[kind]) + lost[kind]))
    layout = Layout(tuple(f"t{i:02}" for i in range(len(kinds))), kinds, ("s",), ("",))
    cells = np.concatenate([[*known[kind], *[np.nan] * lost[kind]] for kind in known])[:, None]
    drawn = replicates(layout, {"m": cells}, DRAWS, 0)["m"]
    found = spreads(layout, cells, drawn, ends=(-np.inf, np.inf))
    free = {f"subcategory:{kind}": len(values) - 1 for kind, values in known.items()}
    parts = {kind: np.var(values, ddof=1) / len(values) / 9 for kind, values in known.items()}
    shares = [v * v / (len(known[kind]) - 1) for kind, v in parts.items()]
    free["macro_category"] = sum(parts.values()) ** 2 / sum(shares)
    for view, freedom in free.items():
        one = found[view]
        reach = (one["high"] - one["low"]) / 2
        assert reach / one["se"] == pytest.approx(stats.t.ppf(0.975, freedom)), view


def test_of_a_repeated_chain_the_first_counts() -> None:
    reference = {
        "task": "lit_africa", "text_id": "a", "subcategory": "stem", "category": "abstracts",
        "text_split": "main", "sequence": "africa", "tier": "low", "original": "Hi there.",
    }  # fmt: skip
    records = [
        Record(Grade(True, "correct", answer={"status": "ok", "hops": [hop]}), reference)
        for final in ("first", "second")
        for hop in [{"hop": 1, "src": "en", "tgt": "en", "output": final}]
    ]
    parts, left_out = parts_of(records)
    assert [chain.final for chain in parts["main"]] == ["first"]
    assert left_out == 1
