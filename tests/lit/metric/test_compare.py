import itertools

import pytest

from xlgo_metric.families.lit.models import agreement, agreement_tables

SIX = {"a": 10.0, "b": 12.5, "c": 9.0, "d": 30.0, "e": 11.0, "f": 28.0}


def test_the_printed_correlations_are_among_those_of_six_models():
    """0.94, -0.26 and -0.09 are 33/35, -9/35 and -3/35; the grid that six ranks can reach."""
    reached = {
        round(agreement(SIX, dict(zip(SIX, order)))[1] * 35)
        for order in itertools.islice(itertools.permutations(SIX.values()), 0, 720, 5)
    }
    assert {33, -9, -3} <= reached
    assert all(value % 2 for value in reached)


def test_agreement_of_metrics_over_models():
    scores = {"one": SIX, "two": {name: -value for name, value in SIX.items()}, "few": {"a": 1.0}}
    (table,) = agreement_tables(scores)
    assert [row[:4] for row in table.rows] == [("one", "two", 6, pytest.approx(-1))]
    assert agreement_tables({"one": SIX}) == []
