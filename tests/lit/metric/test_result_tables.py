"""The paper's tables for many models."""

from statistics import fmean
from typing import Any

import pytest

from tests.lit.made import made_set
from xlgo_metric.families.lit import FAMILY
from xlgo_metric.families.lit.summary import summarize


def section(shift: int, sizes: dict[str, int] | None = None) -> Any:
    parts = {"main": made_set(sizes, shift)}
    return summarize(parts, data_origin="sample", judge="rule", draws=50)


def test_models_stand_in_the_order_of_their_scores_with_the_average_below() -> None:
    sections = {"low": section(12), "high": section(0), "middle": section(5)}
    found = {table.name: table for table in FAMILY.many(sections, {})}
    table = found["lit_main_raw_mqm_gated_category"]
    assert [row[0] for row in table.rows] == ["high", "middle", "low", "Average"]
    assert [c.name for c in table.columns][:4] == ["model", "average", "SE", "stem"]
    for place in (1, 3, 4, 5):
        column = [row[place] for row in table.rows]
        assert column[-1] == pytest.approx(fmean(column[:-1]))
    # The average of a row is the plain mean of its categories.
    for row in table.rows:
        assert row[1] == pytest.approx(fmean(row[3:]))
    by_sequence = found["lit_main_mqm80_gated_sequence"]
    assert [c.name for c in by_sequence.columns][3:5] == ["high", "low"]
    assert "Judged by rule." in table.caption
    assert "lit_metrics" in found
