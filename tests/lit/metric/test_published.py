"""The published tables, recomputed by the functions that score a run."""

import numpy as np
import pytest

from tests.lit.metric.published import DATA, SUBCATEGORY_N, category, sequence
from xlgo_metric.families.lit.models import agreement
from xlgo_metric.families.lit.views import SEQUENCES, TIERS, Layout, views

ROUNDING = 0.07
CATEGORY_TABLES = (2, 4, 6, 7)
SEQUENCE_TABLES = (3, 8, 9)
TIER_OF = {name: tier for tier, names in TIERS.items() for name in names}


def columns_of(row):
    return {name: cell for name, cell in row.items() if name != "average"}


def category_views(row, sizes):
    """Both averages of made texts: as many per subcategory as the paper has, each at its mean."""
    names = [name for name, size in sizes.items() for _ in range(size)]
    layout = Layout(tuple(map(str, range(len(names)))), tuple(names), ("all",), ("",))
    return views(layout, np.array([[row[name][0]] for name in names]))


@pytest.mark.parametrize("number", CATEGORY_TABLES)
def test_average_is_the_plain_mean_of_the_columns(number):
    for model, row in category(number).items():
        sizes = dict.fromkeys(columns_of(row), 12) if number == 4 else SUBCATEGORY_N
        found = category_views(row, sizes)
        assert found["macro_category"][0] == pytest.approx(row["average"][0], abs=ROUNDING), model


@pytest.mark.parametrize("number", SEQUENCE_TABLES)
def test_tiers_and_global_mean(number):
    layout = Layout(("t",), ("s",), SEQUENCES, tuple(TIER_OF[name] for name in SEQUENCES))
    for model, row in sequence(number).items():
        cells = {name: row[name] for name in SEQUENCES}
        found = views(layout, np.array([[cells[name] for name in SEQUENCES]]))
        assert found["global"][0] == pytest.approx(row["global"], abs=ROUNDING), model
        for tier in TIERS:
            assert found[f"tier:{tier}"][0] == pytest.approx(row[tier], abs=ROUNDING), (model, tier)


@pytest.mark.parametrize(("first", "second", "rho"), [(3, 8, 0.957), (3, 9, 0.957), (8, 9, 0.982)])
def test_agreement_of_metrics_on_global_means(first, second, rho):
    one, two = (
        {model: row["global"] for model, row in sequence(number).items()}
        for number in (first, second)
    )
    found = agreement(one, two)
    assert found[0] == 22
    assert found[1] == pytest.approx(rho, abs=0.0006)


def _by_column(main, robustness):
    """Each column of the main set against the average of the robustness set."""
    columns = next(iter(main.values()))
    return [agreement({m: row[c] for m, row in main.items()}, robustness) for c in columns]


def test_correlation_of_categories_with_the_robustness_set():
    robust = {model: row["average"][0] for model, row in category(4).items()}
    main = {
        model: {name: mean for name, (mean, _) in row.items()} for model, row in category(2).items()
    }
    printed = list(DATA["table5"].values())
    without = {model: row for model, row in main.items() if not model.startswith("Gemma-4-31B")}
    assert len(without) == 20
    found = _by_column(without, robust)
    assert [entry[0] for entry in found] == [20] * 9
    for entry, value in zip(found, printed, strict=True):
        assert entry[1] == pytest.approx(value, abs=0.0015)
    whole = [entry[1] for entry in _by_column(main, robust)]
    expected = [0.950, 0.913, 0.917, 0.960, 0.961, 0.964, 0.948, 0.941, 0.811]
    assert whole == pytest.approx(expected, abs=0.001)
