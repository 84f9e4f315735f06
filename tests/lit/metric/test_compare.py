from __future__ import annotations

import itertools
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

from tests.lit.made import made, made_set, number
from xlgo_metric.families.lit.compare import paired
from xlgo_metric.families.lit.models import (
    agreement,
    agreement_tables,
    correlation_table,
    rank_correlations,
    read_ratings,
)  # fmt: skip
from xlgo_metric.table import DASH

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
    assert (found["texts"], found["chains"]) == (4, 10)
    assert found["metrics"]["raw_mqm_gated"]["global"]["difference"] == pytest.approx(5)


def test_mistakes_of_comparisons():
    other = [replace(r, original="Another text.") for r in made_set({"stem": 1})]
    with pytest.raises(ValueError, match="not the same in both"):
        paired(made_set({"stem": 1}), other)


def test_a_difference_stands_for_every_view():
    found = paired(made_set(shift=2), made_set(shift=6), draws=100)["metrics"]["raw_mqm_gated"]
    assert found["subcategory:informal"]["difference"] == pytest.approx(4)
    assert {"global", "macro_category", "tier:low", "sequence:africa"} < set(found)


@pytest.mark.parametrize("ties", [False, True])
def test_p_values_of_few_models_count_all_orders(ties):
    first = dict(SIX, b=10.0) if ties else SIX
    second = {name: float(number(name)) for name in SIX}
    if ties:
        second["c"] = second["a"]
    found = agreement(first, second)
    x, y = ([side[name] for name in sorted(SIX)] for side in (first, second))
    observed = stats.spearmanr(x, y)[0]
    assert found["spearman"] == pytest.approx(observed)
    orders = [stats.spearmanr(order, y)[0] for order in itertools.permutations(x)]
    p = fmean(abs(rho) >= abs(observed) - 1e-9 for rho in orders)
    assert found["p"] == pytest.approx(p, abs=1e-12)
    assert "Only 6 models" in found["warning"]


def test_p_values_of_many_models_are_those_of_scipy():
    first = {str(i): float(number(i)) for i in range(15)}
    second = {str(i): float(number(i, "y")) for i in range(15)}
    found = agreement(first, second)
    x, y = ([side[name] for name in sorted(first)] for side in (first, second))
    assert found["p"] == pytest.approx(stats.spearmanr(x, y).pvalue)
    assert found["warning"] is None


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
        assert found["spearman"] is found["p"] is None


def test_ratings_from_outside(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(
        "model,score,language,source,date\nm0,1300,,arena,2025-01\nm1,1250,,arena,2025-02\n"
        "m2,1200,,arena,\nm0,0.5,de,exam,\nm9,7,de,exam,\n",
        encoding="utf-8-sig",
    )
    points = {"m0": 9.0, "m1": 8.0, "m2": 5.0}
    drawn = {name: np.array([value, value + 1]) for name, value in points.items()}
    drawn["m1"][1] = 20.0  # in the second resample m1 is first
    table = correlation_table(points, read_ratings(path), drawn)
    arena, exam = table.rows
    assert arena[:3] == ("arena", DASH, 3)
    assert arena[3:] == pytest.approx((1, 2 / 6, 0.5125, 0.9875))
    assert exam == ("exam", "de", 1, None, None, None, None)
    assert "below 10" in table.caption


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
    scores = {"one": SIX, "two": {name: -value for name, value in SIX.items()}, "few": {"a": 1.0}}
    (table,) = agreement_tables(scores)
    assert [row[:4] for row in table.rows] == [("one", "two", 6, pytest.approx(-1))]
    assert agreement_tables({"one": SIX}) == []


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
