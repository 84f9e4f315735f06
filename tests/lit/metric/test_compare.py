from __future__ import annotations

import itertools
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

from tests.lit.made import made, made_set, number
from xlgo_metric.families.lit.models.agreement import (
    agreement,
    correlate,
    rank_correlations,
    rank_moves,
    read_ratings,
)  # fmt: skip
from xlgo_metric.families.lit.models.compare import (
    drawn_scores,
    metric_agreement,
    paired,
)  # fmt: skip
from xlgo_metric.families.lit.tables import correlation_table, pair_tables

SIX = {"a": 10.0, "b": 12.5, "c": 9.0, "d": 30.0, "e": 11.0, "f": 28.0}


def test_a_shift_of_all_chains_is_found_exactly():
    better, worse = made_set(), made_set(shift=7)
    found = paired(better, worse, draws=500)
    assert (found["texts"], found["chains"]) == (20, 60)
    for cell in found["metrics"]["raw_mqm_gated"].values():
        assert cell["difference"] == pytest.approx(7)
        assert (cell["se"], cell["low"], cell["high"]) == pytest.approx((0, 7, 7), abs=1e-9)
    assert found["metrics"]["raw_mqm_gated"]["global"]["p"] < 0.001
    back = paired(worse, better, draws=500)
    assert back["metrics"]["raw_mqm_gated"]["macro_category"]["difference"] == pytest.approx(-7)


def test_no_difference_has_a_p_value_of_one():
    found = paired(made_set(), made_set(), draws=50)
    for cells in found["metrics"].values():
        assert cells["global"]["p"] == cells["macro_category"]["p"] == 1


def test_the_p_value_exchanges_models_within_texts():
    """Against all 2^8 exchanges, counted one by one."""
    names = ("e_asia", "africa")
    one = [made(f"t{i}", "stem", s, number(i, s)) for i in range(8) for s in names]
    two = [made(f"t{i}", "stem", s, number(i, s, "x") // 2) for i in range(8) for s in names]
    gaps = [
        fmean(b - a for a, b in pair)
        for pair in ([(number(i, s), number(i, s, "x") // 2) for s in names] for i in range(8))
    ]
    observed = abs(fmean(gaps))
    extreme = [
        abs(fmean(s * g for s, g in zip(signs, gaps))) >= observed - 1e-9
        for signs in itertools.product((1, -1), repeat=8)
    ]
    compared = paired(one, two, draws=50)
    found = compared["metrics"]["raw_mqm_gated"]
    assert found["global"]["difference"] == pytest.approx(fmean(gaps))
    assert found["global"]["p"] == pytest.approx(fmean(extreme), abs=0.015)
    assert found["macro_category"]["p"] == found["global"]["p"]


def test_only_chains_that_both_have_count():
    first = made_set({"stem": 4})
    second = made_set({"stem": 4}, shift=5)[:-2]
    found = paired(first, second, draws=50)
    assert (found["chains"], found["only_first"], found["only_second"]) == (10, 2, 0)
    assert found["metrics"]["raw_mqm_gated"]["global"]["difference"] == pytest.approx(5)


def test_mistakes_of_comparisons():
    other = [replace(r, original="Another text.") for r in made_set({"stem": 1})]
    with pytest.raises(ValueError, match="not the same in both"):
        paired(made_set({"stem": 1}), other)


def test_pairs_and_their_tables():
    pair = paired(made_set(shift=2), made_set(shift=6), draws=100)
    cell = pair["metrics"]["raw_mqm_gated"]["subcategory:informal"]
    assert cell["difference"] == pytest.approx(4)
    tables = pair_tables(("thinks", "plain"), pair["metrics"], "main", "All chains.")
    table = {t.name: t for t in tables}["lit_pairs_raw_mqm_gated_main"]
    assert table.shown()[0][:4] == ["thinks", "plain", "macro category", "4.0"]


@pytest.mark.parametrize("ties", [False, True])
def test_p_values_of_few_models_count_all_orders(ties):
    first = dict(SIX, b=10.0) if ties else SIX
    second = {name: float(number(name)) for name in SIX}
    if ties:
        second["c"] = second["a"]
    found = agreement(first, second)
    x, y = ([side[name] for name in sorted(SIX)] for side in (first, second))
    for name, measure in (
        ("spearman", stats.spearmanr), ("pearson", stats.pearsonr), ("kendall", stats.kendalltau),
    ):  # fmt: skip
        observed = measure(x, y)[0]
        assert found[name] == pytest.approx(observed), name
        orders = [measure(order, y)[0] for order in itertools.permutations(x)]
        p = fmean(abs(o) >= abs(observed) - 1e-9 for o in orders)
        assert found[f"{name}_p"] == pytest.approx(p, abs=1e-12), name
    assert found["exact"]
    assert "Only 6 models" in found["warning"]


def test_p_values_of_many_models_are_those_of_scipy():
    first = {str(i): float(number(i)) for i in range(15)}
    second = {str(i): float(number(i, "y")) for i in range(15)}
    found = agreement(first, second)
    x, y = ([side[name] for name in sorted(first)] for side in (first, second))
    assert found["spearman_p"] == pytest.approx(stats.spearmanr(x, y).pvalue)
    assert found["pearson_p"] == pytest.approx(stats.pearsonr(x, y).pvalue)
    assert found["kendall_p"] == pytest.approx(stats.kendalltau(x, y, method="asymptotic").pvalue)
    assert (found["exact"], found["warning"]) == (False, None)


def test_the_printed_correlations_are_among_those_of_six_models():
    """0.94, -0.26 and -0.09 are 33/35, -9/35 and -3/35; the grid that six ranks can reach."""
    reached = {
        round(agreement(SIX, dict(zip(SIX, order)))["spearman"] * 35)
        for order in itertools.islice(itertools.permutations(SIX.values()), 0, 720, 5)
    }
    assert {33, -9, -3} <= reached
    assert all(value % 2 for value in reached)


def test_too_few_models_or_no_variation():
    for first, second in (({"a": 1.0}, {"a": 2.0}), (SIX, dict.fromkeys(SIX, 1.0)), (SIX, {})):
        found = agreement(first, second)
        assert found["spearman"] is found["pearson"] is found["kendall_p"] is None
    assert agreement(SIX, {})["largest_move"] is None


def test_moves_in_rank():
    assert rank_moves({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 2, "c": 3}) == {
        "a": 2,
        "b": 0,
        "c": 2,
    }
    assert rank_moves({"a": 3, "b": 3, "c": 1}, {"a": 5, "b": 4, "c": 1}) == {
        "a": 0,
        "b": 1,
        "c": 0,
    }


def test_ratings_from_outside(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(
        "model,score,language,source,date\nm0,1300,,arena,2025-01\nm1,1250,,arena,2025-02\n"
        "m2,1200,,arena,\nm0,0.5,de,exam,\nm9,7,de,exam,\n",
        encoding="utf-8-sig",
    )
    records = {f"m{i}": made_set({"stem": 6, "informal": 6}, shift=i) for i in range(3)}
    points, drawn = drawn_scores(records, metric="raw_mqm", draws=300)
    assert points["m0"] - points["m2"] == pytest.approx(2)
    found = correlate(points, read_ratings(path), drawn)
    assert [(e["source"], e["language"], e["n"]) for e in found] == [
        ("arena", "", 3),
        ("exam", "de", 1),
    ]
    assert (found[0]["spearman"], found[0]["low"], found[0]["high"]) == pytest.approx((1, 1, 1))
    assert found[0]["spearman_p"] == pytest.approx(2 / 6)
    assert found[0]["dates"] == ["2025-01", "2025-02"]
    assert "below 10" in correlation_table(found).caption


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,score\na,1\n", "no column 'model'"),
        ("", "no column 'model'"),
        ("model,score\na,good\n", "line 2"),
        ("model,score\na,1\n,2\n", "line 3"),
        ("model,score\na,inf\n", "line 2"),
        ("model,score\na,1\na,2\n", "a second time"),
    ],
)
def test_ratings_that_cannot_be_read(tmp_path, text, message):
    path = tmp_path / "ratings.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_ratings(path)
    with pytest.raises(ValueError, match="cannot be read"):
        read_ratings(tmp_path / "none.csv")


def test_rank_correlations_row_by_row():
    rows = np.array([[float(number(i, j)) for j in range(7)] for i in range(20)])
    fixed = [float(number("f", j)) for j in range(7)]
    for row, found in zip(rows, rank_correlations(rows, fixed)):
        assert found == pytest.approx(stats.spearmanr(row, fixed)[0])
    assert np.isnan(rank_correlations(np.ones((1, 7)), fixed)).all()


def test_agreement_of_metrics_over_models():
    records = {f"m{i}": made_set({"stem": 3, "informal": 3}, shift=3 * i) for i in range(4)}
    found = {(e["first"], e["second"]): e for e in metric_agreement(records)}
    assert found["raw_mqm_gated", "direct_gated"]["spearman"] == pytest.approx(1)
    assert found["raw_mqm_gated", "raw_mqm[1/5/10]_gated"]["n"] == 4
    assert metric_agreement({}) == []


def test_the_macro_p_value_weighs_subcategories_alike():
    """Two texts of one subcategory, six of another, against all 2^8 exchanges."""
    texts = [("stem", i) for i in range(2)] + [("informal", i) for i in range(6)]
    sides = [
        [made(f"{sub}{i}", sub, "e_asia", number(sub, i, side)) for sub, i in texts]
        for side in ("b", "c")
    ]
    gaps = [(number(s, i, "c") - number(s, i, "b")) / (2 if s == "stem" else 6) for s, i in texts]
    sums = [
        abs(sum(sign * gap for sign, gap in zip(signs, gaps)))
        for signs in itertools.product((1, -1), repeat=8)
    ]
    expected = fmean(value >= abs(sum(gaps)) - 1e-9 for value in sums)
    compared = paired(*sides, draws=50)
    found = compared["metrics"]["raw_mqm_gated"]
    assert found["macro_category"]["p"] == pytest.approx(expected, abs=0.015)
    assert found["macro_category"]["p"] > found["global"]["p"] + 0.3
