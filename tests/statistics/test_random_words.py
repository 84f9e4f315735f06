"""Draws against pure-Python rules and against SciPy's distributions."""

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


@pytest.mark.parametrize(("k", "n"), [(0, 50), (50, 50), (17, 50), (1, 1), (0, 3), (499, 500)])
def test_betas_are_the_inverse_distribution_of_the_uniforms(k: int, n: int) -> None:
    drawn = Stream("beta").betas(np.array([float(k)]), np.array([float(n)]), 400)[:, 0]
    uniforms = Stream("beta").uniforms((400, 1))[:, 0]
    np.testing.assert_allclose(drawn, stats.beta(k + 1, n - k + 1).ppf(uniforms), rtol=1e-9)
