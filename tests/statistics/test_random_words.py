"""Draws against pure-Python rules and against SciPy's distributions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from xlgo_metric.statistics.draws import Stream


def test_a_stream_is_a_function_of_its_key_alone() -> None:
    first = Stream("beta draws", 0, "slt", "te").words(5)
    Stream("something", "else").words(100)
    np.testing.assert_array_equal(first, Stream("beta draws", 0, "slt", "te").words(5))
    assert not np.array_equal(first, Stream("beta draws", 1, "slt", "te").words(5))
    assert not np.array_equal(Stream("ab", "c").words(5), Stream("a", "bc").words(5))


def test_uniforms_are_open_and_uniform() -> None:
    u = Stream("uniform").uniforms((200, 100))
    assert u.shape == (200, 100)
    assert 0 < u.min() < u.max() < 1
    assert stats.kstest(u.ravel(), "uniform").pvalue > 0.001
    words = Stream("uniform").words(3).tolist()
    assert u.ravel()[:3].tolist() == [(2 * (word >> 12) + 1) / 2**53 for word in words]


@pytest.mark.parametrize(("k", "n"), [(0, 50), (50, 50), (17, 50), (1, 1), (0, 3), (499, 500)])
def test_betas_are_the_inverse_distribution_of_the_uniforms(k: int, n: int) -> None:
    drawn = Stream("beta").betas(np.array([float(k)]), np.array([float(n)]), 400)[:, 0]
    uniforms = Stream("beta").uniforms((400, 1))[:, 0]
    np.testing.assert_allclose(drawn, stats.beta(k + 1, n - k + 1).ppf(uniforms), rtol=1e-9)


def test_fair_binomials_count_bits_of_the_words() -> None:
    sizes = np.array([3, 0, 64, 100])
    drawn = Stream("fair").fair_binomials(sizes, 50)
    stream = Stream("fair")
    expected = []
    for size in sizes.tolist():
        total = np.zeros(50, dtype=int)
        for bits in [64] * (size // 64) + ([size % 64] if size % 64 else []):
            words = stream.words(50).tolist()
            total += [bin(word >> (64 - bits)).count("1") for word in words]
        expected.append(total)
    np.testing.assert_array_equal(drawn, np.array(expected).T)


def test_resamples_pick_items_by_the_halves_of_the_words() -> None:
    counts = np.array([[5, 0, 3, 2]])
    drawn = Stream("resample").resample(counts, 6)
    words = Stream("resample").words(30).tolist()
    halves = [half for word in words for half in (word & 0xFFFFFFFF, word >> 32)]
    items = np.repeat(np.arange(4), counts[0])
    for row in range(6):
        picked = [items[half * 10 >> 32] for half in halves[10 * row : 10 * row + 10]]
        assert drawn[row, 0].tolist() == np.bincount(picked, minlength=4).tolist()
