from __future__ import annotations

import itertools
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

from tests.lit.made import made, made_set, number
from xlgo_metric.comparison.compare import Cell, settle
from xlgo_metric.families.lit.compare import paired
from xlgo_metric.families.lit.models import (
    agreement,
    agreement_tables,
    correlation_table,
    rank_correlations,
    read_ratings,
)
from xlgo_metric.families.lit.records import ChainRecord
from xlgo_metric.table import DASH

SIX = {"a": 10.0, "b": 12.5, "c": 9.0, "d": 30.0, "e": 11.0, "f": 28.0}


NAMES = ("one", "two")


def cell(first: list[ChainRecord], second: list[ChainRecord]) -> Cell:
    """The comparison by gated raw MQM."""
    (drafted,) = paired(first, second, NAMES, "main", ["raw_mqm_gated"])
    return settle([drafted])[0]


def test_a_shift_of_all_chains_is_found_exactly():
    better, worse = made_set(), made_set(shift=7)
    found = cell(better, worse)
    assert (found.clusters, found.n) == (20, 60)
    assert found.difference == pytest.approx(7)
    assert found.p_value is not None
    assert found.p_value < 0.001
    assert found.is_significant
    assert cell(worse, better).difference == pytest.approx(-7)


def test_no_difference_has_no_mark():
    found = cell(made_set(), made_set())
    assert (found.difference, found.is_significant) == (0, False)
    assert "0 informative" in found.refused


def test_the_p_value_exchanges_models_within_texts():
    """Against random changes of sign, a text at a time."""
    names = ("e_asia", "africa")
    one = [made(f"t{i}", "stem", s, number(i, s)) for i in range(24) for s in names]
    two = [made(f"t{i}", "stem", s, number(i, s, "x")) for i in range(24) for s in names]
    gaps = np.array(
        [fmean(number(i, s, "x") - number(i, s) for s in names) for i in range(24)], dtype=float
    )
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (40_000, 24))
    extreme = np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9
    found = cell(one, two)
    assert found.difference == pytest.approx(gaps.mean())
    assert found.p_value == pytest.approx(extreme.mean(), abs=0.02)


def test_sequences_weigh_alike():
    """One sequence with two texts and one with four."""
    texts = {"e_asia": 2, "africa": 4}
    sides = [
        [
            made(f"t{i}", "stem", s, shift * (s == "africa"))
            for s, n in texts.items()
            for i in range(n)
        ]
        for shift in (0, 6)
    ]
    assert cell(*sides).difference == pytest.approx((0 + 6) / 2)


def test_only_chains_that_both_have_count():
    found = cell(made_set({"stem": 4}), made_set({"stem": 4}, shift=5)[:-2])
    assert (found.clusters, found.n) == (4, 10)
    assert found.difference == pytest.approx(5)


def test_mistakes_of_comparisons():
    other = [replace(r, original="Another text.") for r in made_set({"stem": 1})]
    with pytest.raises(ValueError, match="not the same in both"):
        paired(made_set({"stem": 1}), other, NAMES, "main")


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
