"""Nothing is claimed that no level shows: brute force, exact tests of SciPy, enumeration."""

from typing import Any

import numpy as np
import pytest
from scipy.special import gammainc
from scipy.stats import multinomial

from xlgo_metric.families.xlgobench.summary import headline, summarize
from xlgo_metric.families.xlgobench.tables import tables
from xlgo_metric.families.xlgobench.together import settle
from xlgo_metric.statistics.differences import paired_limits
from xlgo_metric.statistics.gaps import divergence, whole_divergence

from .test_summary import FAST, counted


def curve(c: np.ndarray, q: float, r: float) -> np.ndarray:
    return gammainc(q / 2, q / (2 * r * c * c))


def score(right: dict[str, list[int]], n: int, levels: list[int]) -> Any:
    return summarize(counted(right, n, levels), **FAST)


def telugu(found: dict) -> dict:
    return found["tasks"]["slt"]["languages"]["te"]


def test_the_gap_of_whole_complexities_is_the_largest_of_all_of_them() -> None:
    rng = np.random.default_rng(3)
    for low, high in ((1, 4), (1, 2), (7, 7), (3, 40), (100, 600)):
        sizes = np.arange(low, high + 1)
        for _ in range(40):
            q = np.exp(rng.uniform(np.log(0.6), np.log(900), 2))
            half = rng.uniform(0.6 * low, 1.3 * high, 2)
            pair: Any = [(q[i], half[i] ** -2) for i in (0, 1)]
            gap = curve(sizes, *pair[0]) - curve(sizes, *pair[1])
            found = whole_divergence(pair[0], pair[1], low, high)
            assert abs(found.smd) == pytest.approx(np.abs(gap).max(), abs=1e-12)
            assert found.c_star == int(found.c_star)
            assert found.rd == pytest.approx((np.sign(found.smd) * gap).min(), abs=1e-12)
            assert abs(found.smd) <= abs(divergence(pair[0], pair[1], low, high).smd) + 1e-12


@pytest.mark.parametrize("n", [4, 10, 25])
def test_paired_limits_hold_the_difference_by_enumeration(n: int) -> None:
    outcomes = [(a, b) for a in range(n + 1) for b in range(n + 1 - a)]
    limits = np.array([paired_limits(a, b, n) for a, b in outcomes])
    for only_en in np.linspace(0, 1, 12):
        for only_l in np.linspace(0, 1 - only_en, 8):
            rest = max(0.0, 1 - only_en - only_l)
            chances = multinomial.pmf(
                [(a, b, n - a - b) for a, b in outcomes], n, [only_en, only_l, rest]
            )
            gap = only_en - only_l
            inside = (limits[:, 0] <= gap + 1e-9) & (gap - 1e-9 <= limits[:, 1])
            assert chances[inside].sum() >= 0.95


def test_a_gap_between_levels_is_not_supported() -> None:
    """Both are right below the drop and wrong above it, but the curves part between the levels."""
    found = score({"en": [50, 50, 3, 0], "te": [50, 47, 0, 0]}, 50, [10, 40, 70, 100])
    cell = telugu(found)
    limits = [paired_limits(*level, 50) for level in ((0, 0), (3, 0), (3, 0), (0, 0))]
    assert cell["most"] == max(high for _, high in limits)
    assert cell["smd"] is None
    assert (cell["supported"], cell["coarse"]) == (False, True)
    # No level shows the drop: the interval allows for any fall between two of them.
    assert cell["paired"]["interval"] == "model-free"
    assert cell["paired"]["low"] < 0
    assert cell["paired"]["high"] > 0.9
    assert any("too far apart to show the drop" in text for text in found["warnings"])
    assert "smd" not in [t.name for t in tables(found)]
    assert "smd_te" not in headline(found)


def test_that_nothing_can_be_seen_is_not_said_beside_a_difference() -> None:
    """Whichever of two tests finds it: that of the levels, corrected together, or of the whole."""
    kinds = ("nothing", "everything")
    cases = [
        (p, sure, kind) for p in (0.004, 0.02, 0.7) for sure in (True, False) for kind in kinds
    ]
    ranks = sorted(range(len(cases)), key=lambda i: cases[i][0])
    corrected, least = dict[int, float](), 0.0
    for rank, i in enumerate(ranks):
        least = corrected[i] = max(least, min(1.0, (len(cases) - rank) * cases[i][0]))
    assert sum(p < 0.05 for p in corrected.values()) == 4  # .004 and no other
    ends = dict.fromkeys(("estimate", "low", "high", "free_low", "free_high"))
    languages: Any = {
        f"l{number}": {
            "paired": {"p": p, **ends},
            "difference": {"difference": 0.02, "is_significant": sure},
            "sides": {"p_behind": 0.5, "p_ahead": 0.5, "behind": None, "ahead": None},
            "extreme": kind, "rd": None, "rd_sd": None, "crossing": None,
        }
        for number, (p, sure, kind) in enumerate(cases)
    }  # fmt: skip
    settle({"slt": {"languages": languages}})
    for number, (p, sure, kind) in enumerate(cases):
        cell = languages[f"l{number}"]
        assert cell["paired"]["p_holm"] == pytest.approx(corrected[number])
        assert cell["extreme"] == (None if sure or p == 0.004 else kind), (p, sure)


def test_a_crossing_needs_both_sides() -> None:
    levels = list(range(10, 90, 10))
    flat, steep = [40, 36, 32, 28, 24, 20, 16, 12], [50, 50, 50, 40, 10, 0, 0, 0]
    cell = telugu(score({"en": flat, "te": steep}, 50, levels))
    found = cell["crossing"]
    side = [levels.index(c) for c in found["levels"]]
    assert set(side) <= set(range(4)) or set(side) <= set(range(4, 8))
    only_en = sum(max(flat[i] - steep[i], 0) for i in side)
    only_l = sum(max(steep[i] - flat[i], 0) for i in side)
    assert (found["only_en"], found["only_l"]) == (only_en, only_l)
    assert (only_en - only_l) * cell["difference"]["difference"] < 0
    assert max(cell["sides"]["p_behind"], cell["sides"]["p_ahead"]) < 0.01
    shifted = telugu(score({"en": steep, "te": [50, 50, 40, 12, 0, 0, 0, 0]}, 50, levels))
    assert shifted["crossing"] is None
