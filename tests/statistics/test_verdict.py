"""Verdicts, ranks and "no gap": against enumeration, published definitions and known truth."""

from __future__ import annotations

import numpy as np
import pytest

from xlgo_metric.statistics.differences import MARGIN, claim_power, paired_limits, questions_needed
from xlgo_metric.statistics.levels import scan


def test_a_scan_claims_each_side_where_it_is() -> None:
    first = np.array([1, 2, 3, 20, 22, 25, 4, 2])
    second = np.array([18, 20, 3, 1, 2, 1, 3, 2])
    found = scan(first, second)
    assert found.p_first < 0.01
    assert found.p_second < 0.01
    assert found.second[:2].all()
    assert found.first[3:6].all()
    assert not (found.first & found.second).any()
    assert scan(np.zeros(3), np.zeros(3)).p_first == 1.0


def test_a_scan_claims_nothing_too_often_where_the_other_is_ahead() -> None:
    """The null of a direction is "nowhere ahead", whatever happens on the other side."""
    rng, wrong = np.random.default_rng(5), 0
    for seed in range(300):
        differ = rng.integers(0, 15, 12)
        share = np.where(np.arange(12) < 6, 0.5, 0.15)
        ups = rng.binomial(differ, share)
        wrong += int(scan(ups, differ - ups, draws=399, seed=seed).first.any())
    assert wrong / 300 <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / 300)


@pytest.mark.parametrize("discordant", [0.1, pytest.param(0.3, marks=pytest.mark.slow)])
def test_the_questions_that_no_gap_takes_are_enough_by_simulation(discordant: float) -> None:
    n = questions_needed(discordant)
    rng = np.random.default_rng(0)
    differ = rng.binomial(n, discordant, 600)
    first = rng.binomial(differ, 0.5)
    claims = [
        max(map(abs, paired_limits(int(a), int(d - a), n))) < MARGIN for a, d in zip(first, differ)
    ]
    assert np.mean(claims) == pytest.approx(0.8, abs=0.06)
    assert claim_power(n, discordant) >= 0.8 > claim_power(int(0.85 * n), discordant)
    with pytest.raises(ValueError, match="discordant pairs in"):
        questions_needed(discordant, difference=0.06)
