"""The statistics of a leaderboard against second ways to reach them."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from scipy.stats import binomtest

from xlgo_metric.comparison import AnswerTable, Cell, Comparison, compare

from ..comparison.test_compare import answer


def test_models_that_are_equal_are_told_apart_by_chance_only() -> None:
    """Answers to one puzzle in five languages go together; the plain sign test claims too much."""
    generator = np.random.default_rng(1)
    puzzles, languages, trials = 60, 5, 200
    cluster = np.repeat(np.arange(puzzles), languages)
    claims = naive = 0
    for _ in range(trials):
        skill = generator.random((2, puzzles)) < 0.5  # the same in all languages, but for slips
        right = np.repeat(skill, languages, axis=1) ^ (generator.random((2, len(cluster))) < 0.1)
        claims += Cell.of(right[0], right[1], "a", "b", cluster=cluster).is_significant
        only = [int(np.sum(right[a] & ~right[1 - a])) for a in (0, 1)]
        naive += binomtest(only[0], sum(only)).pvalue < 0.05
    assert claims / trials < 0.05 + 3 * sqrt(0.05 * 0.95 / trials)
    assert naive / trials > 0.15


def test_places_follow_from_who_is_clearly_better() -> None:
    pairs = {
        ("a", "b"): (0.1, 0.3),
        ("a", "c"): (0.1, 0.04),
        ("a", "d"): (0.9, 0.001),
        ("b", "c"): (0.0, 1.0),
        ("b", "d"): (0.8, 0.001),
        ("c", "d"): (0.8, 0.06),
    }
    made = Comparison(
        "model",
        None,
        cells=tuple(
            Cell({}, base, other, 10, 10, 0.0, 0.0, (0, 0), gain, gain, gain, p, p < 0.05)
            for (base, other), (gain, p) in pairs.items()
        ),
    )
    found = {name: (one.rank, one.low, one.high) for name, one in made.ranks().items()}
    assert found == {"a": (1, 1, 2), "b": (2, 1, 3), "c": (2, 2, 4), "d": (4, 3, 4)}
    with pytest.raises(ValueError, match="one cell for every two models"):
        replace(made, cells=made.cells[1:]).ranks()


def test_pairs_are_corrected_together() -> None:
    generator = np.random.default_rng(2)
    right = generator.random((4, 40)) < np.array([[0.9], [0.6], [0.5], [0.1]])
    rows = [
        answer(f"q{n}", "en", bool(correct), model=model)
        for model, of in zip("abcd", right)
        for n, correct in enumerate(of)
    ]
    pairs = compare(AnswerTable.of_answers(rows), "model", ranked=True).cells
    assert [pair.baseline + pair.other for pair in pairs] == ["ab", "ac", "ad", "bc", "bd", "cd"]
    for pair in pairs:
        first, second = (right["abcd".index(name)] for name in (pair.baseline, pair.other))
        alone = binomtest(int((first & ~second).sum()), int((first != second).sum())).pvalue
        assert pair.difference == pytest.approx(first.mean() - second.mean())
        # Single-step max-T: at least the p value of one test, at most about Bonferroni's.
        assert 0.9 * alone - 1e-3 <= pair.p_value <= len(pairs) * alone + 0.02
