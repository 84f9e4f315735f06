"""pass@k, intervals and the paper's numbers, by enumeration, SciPy and the printed tables."""

import itertools
import json
from statistics import fmean
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_metric.families.simple_reasoning.summary import paper_half_width, pass_at_k, published

from .test_grading import oracle

simple_reasoning: Any = xd.family("simple_reasoning")


def test_the_paper_stands_beside_the_measured_cells():
    rows = list(simple_reasoning.rows("irrelevant", ["en"], n=1)) * 5
    score = xm.score([oracle(row) for row in rows], [row["reference"] for row in rows])
    table = next(one for one in xm.tables(score) if one.name == "irrelevant_en")
    assert len(table.rows) == 8
    shown = [dict(zip(table.headings(), row)) for row in table.shown()]
    row = next(r for r in shown if (r["trees"], r["sentences"]) == ("4", "60"))
    # Paper 002, Figure 4: P = 4, S = 60.
    assert row["o1"].startswith("0.25 ±")
    assert row["G3"].startswith("0.80 ±")
    assert (row["measure"], row["value"]) == ("pass@5", "1.00")
    assert "o1-2024-12-17" in table.caption


def test_every_published_cell_is_a_setting_of_the_default_rows():
    for task, table in published()["tasks"].items():
        if task == "unpuzzles":
            continue
        params = [
            json.loads(r["reference"])["params"] for r in simple_reasoning.rows(task, ["en"], n=1)
        ]
        for cell in table["cells"]:
            assert any(cell["params"].items() <= p.items() for p in params), (task, cell["params"])


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_is_the_share_of_subsets_with_a_right_response(n):
    for c, k in itertools.product(range(n + 1), range(1, n + 1)):
        subsets = list(itertools.combinations([True] * c + [False] * (n - c), k))
        assert pass_at_k(n, c, k) == pytest.approx(fmean(any(s) for s in subsets))


def test_the_half_width_gives_every_printed_interval():
    cells = [
        (round(cell["value"][model] * table["n"]), table["n"], half)
        for table in published()["tasks"].values()
        for cell in table["cells"]
        for model, half in cell["half_width"].items()
        if half is not None
    ]
    assert len(cells) == 367
    for right, n, half in cells:
        values = [1.0] * right + [0.0] * (n - right)
        assert paper_half_width(values) == pytest.approx(half, abs=0.0051)
