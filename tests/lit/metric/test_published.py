"""The published tables of LiT (arXiv 2604.12911, Tables 2 to 9), recomputed."""

import itertools
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from xlgo_metric.families.lit.models import agreement, agreement_tables
from xlgo_metric.families.lit.views import SEQUENCES, TIERS, views

DATA: dict[str, Any] = json.loads(
    Path(__file__).with_name("published.json").read_text(encoding="utf-8")
)
ROUNDING = 0.07
TEXT, CHAIN = ["subcategory", "text_id"], ["tier", "sequence"]
TIER_OF = {name: tier for tier, names in TIERS.items() for name in names}


def means(number: int) -> dict[str, dict[str, float]]:
    """A table: by model and column, the mean, which a standard error may follow."""
    table = DATA[f"table{number}"]
    return {
        model: {
            name: cell[0] if isinstance(cell, list) else cell
            for name, cell in zip(table["columns"], row, strict=True)
        }
        for model, row in table["rows"].items()
    }


@pytest.mark.parametrize("number", [2, 4, 6, 7])
def test_average_is_the_plain_mean_of_the_columns(number):
    """Of made texts: as many per subcategory as the paper has, each at its mean."""
    for model, row in means(number).items():
        average = row.pop("average")
        sizes = dict.fromkeys(row, 12) if number == 4 else DATA["subcategory_n"]
        names = [name for name, size in sizes.items() for _ in range(size)]
        texts = pd.MultiIndex.from_arrays([names, range(len(names))], names=TEXT)
        chain = pd.MultiIndex.from_arrays([[""], ["all"]], names=CHAIN)
        found = views(pd.DataFrame([row[name] for name in names], texts, chain))
        assert found["macro_category"][0] == pytest.approx(average, abs=ROUNDING), model


@pytest.mark.parametrize("number", [3, 8, 9])
def test_tiers_and_global_mean(number):
    text = pd.MultiIndex.from_arrays([["s"], ["t"]], names=TEXT)
    tiers = [TIER_OF[name] for name in SEQUENCES]
    chains = pd.MultiIndex.from_arrays([tiers, SEQUENCES], names=CHAIN)
    for model, row in means(number).items():
        found = views(pd.DataFrame([[row[name] for name in SEQUENCES]], text, chains))
        for name in ("global", *TIERS):
            mean = found[name if name == "global" else f"tier:{name}"][0]
            assert mean == pytest.approx(row[name], abs=ROUNDING), (model, name)


@pytest.mark.parametrize(("first", "second", "rho"), [(3, 8, 0.957), (3, 9, 0.957), (8, 9, 0.982)])
def test_agreement_of_metrics_on_global_means(first, second, rho):
    one, two = (
        {model: row["global"] for model, row in means(number).items()} for number in (first, second)
    )
    assert agreement(one, two)[:2] == (22, pytest.approx(rho, abs=0.0006))


def test_correlation_of_categories_with_the_robustness_set():
    """Each column of the main set against the average of the robustness set."""
    robust = {model: row["average"] for model, row in means(4).items()}
    whole = pd.DataFrame(means(2)).T
    without = whole[~whole.index.str.startswith("Gemma-4-31B")]
    assert len(without) == 20
    found, every = (
        [agreement(main[column].to_dict(), robust)[:2] for column in main]
        for main in (without, whole)
    )
    printed = list(DATA["table5"].values())
    assert found == [(20, pytest.approx(value, abs=0.0015)) for value in printed]
    expected = [0.950, 0.913, 0.917, 0.960, 0.961, 0.964, 0.948, 0.941, 0.811]
    assert [rho for _, rho in every] == pytest.approx(expected, abs=0.001)


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
