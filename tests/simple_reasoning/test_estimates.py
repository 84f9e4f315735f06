"""pass@k, intervals, and the paper's interval against enumeration, SciPy and the printed tables."""

import itertools
from statistics import fmean

import pytest

from xlgo_metric.families.simple_reasoning.summary import paper_half_width, pass_at_k, published


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
