from __future__ import annotations

import json
import math
from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.lit.made import CHAINS, made, made_set, number
from xlgo_metric.core import Grade, Record
from xlgo_metric.families.lit.records import SPLITS, parts_of, raw_mqm
from xlgo_metric.families.lit.spread import spreads
from xlgo_metric.families.lit.summary import summarize
from xlgo_metric.families.lit.tables import tables
from xlgo_metric.families.lit.views import Layout, replicates, resampled_counts, views

DRAWS = 2_000


def score(records, **options):
    given = {"data_origin": "sample", "model": "made", "judge": "rule", "draws": DRAWS, **options}
    parts = {split: [r for r in records if r.split == split] for split in SPLITS}
    return summarize(parts, **given)


def means_of(section, metric, split="main"):
    return {v: c["mean"] for v, c in section["splits"][split]["metrics"][metric].items()}


@pytest.fixture(scope="module")
def whole():
    return score(made_set())


def raw(record):
    return raw_mqm(record.judgement.errors)


def expected_views(records, value):
    """Both published views, written out once more."""
    subs: dict[Any, Any] = {}
    for record in records:
        subs.setdefault(record.subcategory, {}).setdefault(record.text_id, []).append(value(record))
    by_sub = {name: fmean(map(fmean, texts.values())) for name, texts in subs.items()}
    by_seq: dict[Any, Any] = {}
    for record in records:
        by_seq.setdefault(record.sequence, []).append(value(record))
    by_seq = {name: fmean(values) for name, values in by_seq.items()}
    tiers = {"high": ("e_asia", "n_east"), "low": ("africa",)}
    return {
        "macro_category": fmean(by_sub.values()),
        "global": fmean(by_seq.values()),
        **{f"tier:{t}": fmean(by_seq[s] for s in names) for t, names in tiers.items()},
        **{f"sequence:{name}": v for name, v in by_seq.items()},
        **{f"subcategory:{name}": v for name, v in by_sub.items()},
    }


def test_known_losses_give_exact_scores(whole):
    records = made_set()
    for metric, value in {
        "raw_mqm": raw,
        "mqm80": lambda r: 100.0 * (raw(r) >= 80),
        "direct": lambda r: float(max(0, raw(r))),
        "mqm80_gated": lambda r: 100.0 * (raw(r) >= 80),
    }.items():
        found, expected = means_of(whole, metric), expected_views(records, value)
        assert found == pytest.approx(expected), metric
    assert means_of(whole, "raw_mqm")["macro_category"] != pytest.approx(
        means_of(whole, "raw_mqm")["global"], abs=0.01
    )


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


def test_chains_of_one_text_are_not_resampled_apart():
    """Where all sequences of a text score alike, more sequences make no error smaller."""
    one = [made(f"t{i}", "stem", "e_asia", number(i)) for i in range(12)]
    three = [made(f"t{i}", "stem", name, number(i)) for i in range(12) for name in CHAINS]
    first, second = (
        score(records)["splits"]["main"]["metrics"]["raw_mqm"]["global"] for records in (one, three)
    )
    assert first == pytest.approx({**second, "n": 12})


def test_resamples_keep_the_sizes_of_strata_and_are_fair():
    layout = Layout(tuple("abcdefg"), ("x",) * 3 + ("y",) * 4, ("s",), ("",))
    counts = np.concatenate(list(resampled_counts(layout, 20_000, 7)))
    assert counts[:, :3].sum(axis=1) == pytest.approx(3)
    assert counts[:, 3:].sum(axis=1) == pytest.approx(4)
    assert counts.mean(axis=0) == pytest.approx(np.ones(7), abs=0.03)
    assert counts[:, 0].var() == pytest.approx(1, abs=0.04)  # 9/4 of binomial(2, 1/3)
    assert np.corrcoef(counts[:, 0], counts[:, 3])[0, 1] == pytest.approx(0, abs=0.03)
    again = np.concatenate(list(resampled_counts(layout, 20_000, 7)))
    assert (again == counts).all()
    assert (np.concatenate(list(resampled_counts(layout, 20_000, 8))) != counts).any()
    # Further draws leave the first ones as they were.
    assert (np.concatenate(list(resampled_counts(layout, 50, 7))) == counts[:50]).all()


def test_the_signature_says_what_made_the_score(whole):
    fields = dict(part.split(":", 1) for part in whole["signature"].split("|"))
    assert fields["task"] == "lit"
    assert (fields["data"], fields["texts"], fields["judge"]) == ("sample", "20", "rule")
    assert fields["sequences"] == "e_asia+n_east+africa"
    assert (fields["weights"], fields["missing"], fields["seed"]) == ("1/5/25", "fail", "0")
    assert "lit-mqm-v1@" in fields["prompts"]
    assert list(fields)[-1] == "version"
    other = score(made_set(), weights="1/5/10", judge="http://x|y:z")
    assert "weights:1/5/10|judge:http///x/y/z|" in other["signature"]


def test_scores_are_of_the_weights_that_were_chosen():
    ten = {"minor": 1, "major": 5, "critical": 10}
    exact = expected_views(
        made_set(), lambda r: 100 - sum(ten[e.severity] for e in r.judgement.errors)
    )
    assert means_of(score(made_set(), weights="1/5/10"), "raw_mqm") == pytest.approx(exact)


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


def test_a_text_without_a_value_is_left_out_of_means():
    layout = Layout(("a", "b", "c"), ("x", "x", "y"), ("s", "t"), ("high", "low"))
    cells = np.array([[50.0, 70.0], [np.nan, np.nan], [10.0, np.nan]])
    found = {name: float(value[0]) for name, value in views(layout, cells).items()}
    assert found == pytest.approx(
        {
            "macro_category": 35, "global": 50, "tier:high": 30, "tier:low": 70, "sequence:s": 30,
            "sequence:t": 70, "subcategory:x": 60, "subcategory:y": 10,
        }
    )  # fmt: skip


def test_few_texts_have_no_error_and_all_alike_have_none_either():
    few = score([made(f"t{i}", "stem", "e_asia", 10 * i) for i in range(3)])
    cell = few["splits"]["main"]["metrics"]["raw_mqm_gated"]["subcategory:stem"]
    assert cell["se"] is cell["low"] is cell["high"] is None
    assert cell["texts"] == 3
    assert "fewer than 4 texts of STEM" in " ".join(few["warnings"])
    alike = score([made(f"t{i}", "stem", "e_asia", 0) for i in range(6)])
    cell = alike["splits"]["main"]["metrics"]["mqm80_gated"]["global"]
    assert cell["se"] is None
    # If the mean were below this, six texts at the top were less likely than one in forty.
    assert cell["low"] == pytest.approx(100 * 0.025 ** (1 / 6))
    assert cell["high"] == 100
    assert "± 0.0" not in json.dumps([t.shown() for t in tables(alike)], ensure_ascii=False)


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


def test_strata_weigh_by_their_texts_with_a_value():
    """Three known texts of six weigh as three of three: Welch's degrees of freedom by SciPy."""
    known = [0.0, 10.0, 30.0], [5.0, 7.0, 12.0]
    cells = np.array([*known[0], *[np.nan] * 3, *known[1]])[:, None]
    layout = Layout(tuple("abcdefghi"), ("x",) * 6 + ("y",) * 3, ("s",), ("",))
    drawn = {view: np.array([9.0, 11.0, 13.0]) for view in layout.members}
    cell = spreads(layout, cells, drawn, ends=(-math.inf, math.inf))["global"]
    times = stats.t.ppf(0.975, stats.ttest_ind(*known, equal_var=False).df)
    assert cell["high"] - cell["low"] == pytest.approx(2 * times * cell["se"])
