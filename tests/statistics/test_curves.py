"""Curves, their gaps and spreads, against closed forms, SciPy and the published tables."""

import itertools
import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import curve_fit
from scipy.special import chdtr

from benchmarks.derive_profiles import LANGUAGES, PROFILES, derive, published
from tests.looping import looped
from xlgo_metric.statistics.draws import Stream
from xlgo_metric.statistics.gamma import (
    Q_BOUNDS,
    fit_curves,
    gamma_accuracy,
)
from xlgo_metric.statistics.gaps import (
    Estimate,
    Gap,
    average_accuracy,
    cell_stream,
    curve_draws,
    divergence,
    fit_gamma,
    smd,
    whole_divergence,
)
from xlgo_metric.statistics.levels import misfits
from xlgo_metric.statistics.measures import (
    average_at_k,
    back_translation_delta,
    dw_acc,
    pearson,
    spearman,
)
from xlgo_metric.views import MEAN, RANGE, SD

SIZES = np.linspace(100, 600, 20)


def curve(c: np.ndarray, q: Any, r: float) -> np.ndarray:
    return chdtr(q, q / (r * c * c))


def simulated(q: float, half: float, seed: int) -> np.ndarray:
    """Right answers of 50 at each size."""
    return np.random.default_rng(seed).binomial(50, curve(SIZES, q, half**-2))


def test_the_curve_is_a_chi_square_distribution() -> None:
    q, r = np.array([0.7, 3.0, 15.0, 300.0])[:, None], 1.3e-5
    np.testing.assert_allclose(
        gamma_accuracy(SIZES, q, r), curve(SIZES, q, r), rtol=1e-11, atol=1e-300
    )


@pytest.mark.parametrize("q", [1.5, 3.0, 10.0, 30.0, 60.0])
def test_fits_are_those_of_curve_fit(q: float) -> None:
    grid = np.linspace(100, 600, 101)
    for seed in range(6):
        p = simulated(q, 180.0 + 50 * seed, seed) / 50
        ours = fit_curves(SIZES, p)
        scipys, _ = curve_fit(
            curve,
            SIZES,
            p,
            p0=ours,
            bounds=([0.5, 1e-12], [2000, 1]),
            x_scale=[float(x) for x in ours],
            xtol=1e-12,
            ftol=1e-14,
        )
        apart = gamma_accuracy(grid, *ours) - gamma_accuracy(grid, *scipys)
        assert np.abs(apart).max() < 1e-4


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 5000), st.integers(0, 7)), min_size=1, max_size=12),
    st.sampled_from(["ls", "wls"]),
)
def test_any_counts_give_a_finite_curve(levels: list[tuple[int, int]], method: Any) -> None:
    c, k = zip(*levels)
    fit = fit_gamma(c, k, 7, method=method)
    assert Q_BOUNDS[0] * 0.999 <= fit.q <= Q_BOUNDS[1] * 1.001
    assert 0 < fit.r < math.inf
    assert math.isfinite(fit.deviance)
    assert np.isfinite(fit.accuracy(c)).all()
    assert fit.identified or fit.warnings


@pytest.mark.parametrize(
    ("k", "says"),
    [
        ([50] * 6, "every answer is right"),
        ([0] * 6, "every answer is wrong"),
        ([10, 14, 20, 26, 33, 40], "flat or rising"),
        ([25, 26, 24, 25, 25, 26], "flat or rising"),
        ([50, 50, 50, 0, 0, 0], "only 0 of 6 levels"),
    ],
)
def test_data_that_fix_no_curve_are_flagged(k: list[int], says: str) -> None:
    fit = fit_gamma([10, 20, 30, 40, 50, 60], k, 50)
    assert not fit.identified
    assert any(says in text for text in fit.warnings)


GRID = np.linspace(100, 600, 20_001)


Curve = tuple[float, float]


def random_pairs(count: int, low: int, high: int) -> list[tuple[Curve, Curve]]:
    rng = np.random.default_rng(7)
    q = np.exp(rng.uniform(np.log(0.6), np.log(900), (count, 2)))
    half = rng.uniform(0.6 * low, 1.3 * high, (count, 2))
    q[::5, 1], half[::7, 1] = q[::5, 0], half[::7, 0]
    return [((q[i, 0], half[i, 0] ** -2), (q[i, 1], half[i, 1] ** -2)) for i in range(count)]


@pytest.mark.parametrize(("low", "high"), [(1, 4), (1, 2), (7, 7), (3, 40), (100, 600)])
def test_the_gap_of_whole_complexities_is_the_largest_of_all_of_them(low: int, high: int) -> None:
    sizes = np.arange(low, high + 1)
    for one, other in random_pairs(40, low, high):
        gap = curve(sizes, *one) - curve(sizes, *other)
        found = whole_divergence(one, other, low, high)
        assert abs(found.smd) == pytest.approx(np.abs(gap).max(), abs=1e-12)
        assert found.c_star == int(found.c_star)
        assert found.rd == pytest.approx((np.sign(found.smd) * gap).min(), abs=1e-12)
        assert abs(found.smd) <= abs(divergence(one, other, low, high).smd) + 1e-12


def test_the_largest_gap_is_the_largest_on_a_dense_grid() -> None:
    pairs = random_pairs(60, 100, 600)
    english, other = (np.array([p[i] for p in pairs]).T for i in (0, 1))
    batch = divergence(tuple(english), tuple(other), 100, 600)
    for i, (a, b) in enumerate(pairs):
        gap = curve(GRID, *a) - curve(GRID, *b)
        largest = np.abs(gap).argmax()
        assert abs(batch.smd[i]) == pytest.approx(abs(gap[largest]), abs=2e-6)
        at = batch.c_star[i]
        assert batch.smd[i] == pytest.approx(curve(at, *a) - curve(at, *b), abs=1e-12)
        assert (batch.f_en[i], batch.f_l[i]) == pytest.approx((curve(at, *a), curve(at, *b)))
        assert batch.rd[i] == pytest.approx((np.sign(batch.smd[i]) * gap).min(), abs=3e-6)
        assert 100 <= at <= 600
        assert smd(a, b, 100, 600) == (batch.smd[i], at)


@looped("q", [0.5, 0.9, 1.0, 1.5, 1.6, 2.0, 7.0, 100.0, 1500.0])
@looped("half", [40.0, 150.0, 300.0, 900.0])
def test_average_accuracy_is_the_integral(q: float, half: float) -> None:
    area, _ = quad(curve, 100, 600, (q, half**-2), points=[min(max(half, 101), 599)], epsabs=1e-10)
    assert average_accuracy(q, half**-2, 100, 600) == pytest.approx(area / 500, abs=1e-7)


def test_a_cell_depends_on_its_own_task_language_and_seed() -> None:
    k = simulated(8, 300, 3)
    first = curve_draws(SIZES, k, 50, stream=cell_stream("slt", "te"))
    curve_draws(SIZES, k, 50, stream=cell_stream("dsa", "te"))
    again = curve_draws(SIZES, k, 50, stream=cell_stream("slt", "te"))
    np.testing.assert_array_equal(first.curves[0], again.curves[0])
    for other in (cell_stream("dsa", "te"), cell_stream("slt", "ta"), cell_stream("slt", "te", 1)):
        assert not np.array_equal(
            first.curves[0], curve_draws(SIZES, k, 50, stream=other).curves[0]
        )


@pytest.mark.parametrize(
    ("smd", "marked"), [(0.195, False), (-0.195, False), (0.197, True), (-0.197, True)]
)
def test_the_published_mark_is_196_spreads(smd: float, marked: bool) -> None:
    rest = Estimate(0.0, 1.0)
    assert Gap(Estimate(smd, 0.1), rest, rest, rest, rest).published_rule == marked


LEVELS = np.round(np.linspace(100, 600, 20))


def flags(accuracy: np.ndarray, n: int, repeats: int, seed: int = 0) -> float:
    rng = np.random.default_rng(seed)
    streams = (Stream("test", seed, i) for i in range(repeats))
    curves = [(LEVELS, rng.binomial(n, accuracy), n, stream) for stream in streams]
    return float(np.mean([result.found for result in misfits(curves)]))


@pytest.mark.parametrize(
    ("n", "ceiling"),
    [
        pytest.param(10, 0.97, marks=pytest.mark.slow),
        (50, 1.0),
        pytest.param(10, 1.0, marks=pytest.mark.slow),
        pytest.param(50, 0.97, marks=pytest.mark.slow),
    ],
)
def test_a_right_curve_is_flagged_in_about_one_of_forty(n: int, ceiling: float) -> None:
    curve = ceiling * gamma_accuracy(LEVELS, 15.0, 300.0**-2)
    assert flags(curve, n, 60) <= 0.1  # 6 of 60: chance .001 at 2.5%


@pytest.mark.parametrize(
    "accuracy",
    [
        np.where(LEVELS < 300, 0.95, 0.05),
        0.6 * gamma_accuracy(LEVELS, 40, 450.0**-2) + 0.4 * gamma_accuracy(LEVELS, 40, 200.0**-2),
        0.3 + 0.7 * gamma_accuracy(LEVELS, 15, 250.0**-2),
    ],
)
def test_steps_stages_and_floors_are_seen(accuracy: np.ndarray) -> None:
    assert flags(accuracy, 50, 20) >= 0.9


TABLES = published()
MODELS = tuple(TABLES["models"])


@pytest.fixture(scope="module")
def profiles() -> dict[str, dict]:
    return {model: derive(model) for model in MODELS}


def test_curves_of_some_tables_give_the_others(profiles) -> None:
    """Tables 6 to 9 are used up to their rounding; Tables 2 and 5 and the averages are not."""
    near = 0
    for model, profile in profiles.items():
        for task, curves in profile["tasks"].items():
            table = TABLES["models"][model]["tasks"][task]
            ends = profile["ranges"][task]
            pairs: dict[str, Any] = {code: tuple(of.values()) for code, of in curves.items()}
            for code, pair in pairs.items():
                mean = average_accuracy(*pair, *ends)
                assert 100 * mean == pytest.approx(table["avg_acc"][code][0], abs=0.3)
            for code in LANGUAGES:
                found = divergence(pairs["en"], pairs[code], *ends)
                value, sd = table["smd"][code]
                near += abs(100 * found.smd - value) <= sd
                assert 100 * found.smd == pytest.approx(value, abs=0.2)
                assert found.c_star == pytest.approx(table["c_star"][code][0], abs=1.0)
                assert 100 * found.rd == pytest.approx(table["rd"][code][0], abs=0.3)
                slope = 100 * abs(float(found.f_en) - float(found.f_l)) / 20 + 2.5
                assert 100 * found.f_en == pytest.approx(table["f_en"][code][0], abs=slope)
    assert near >= 100  # of 120 cells


@pytest.mark.parametrize("model", MODELS)
def test_the_shipped_profiles_are_current(profiles, model: str) -> None:
    shipped, derived = json.loads((PROFILES / f"{model}.json").read_text("utf-8")), profiles[model]
    assert [shipped[key] for key in ("ranges", "notes")] == [derived["ranges"], derived["notes"]]
    for task, curves in derived["tasks"].items():
        for language, curve in curves.items():
            assert shipped["tasks"][task][language] == pytest.approx(curve, rel=1e-3)


@looped(
    ("accuracies", "score"),
    [
        ([1, 0, 0, 0], 1 / 15),
        ([0, 0, 0, 1], 8 / 15),
        ([0.9, 0.6, 0.4, 0.2], (0.9 + 1.2 + 1.6 + 1.6) / 15),
        ([1, 1, 1, 1], 1),
    ],
)
def test_dw_acc_by_hand(accuracies: list[float], score: float) -> None:
    found = dw_acc(accuracies)
    assert (found, type(found)) == (pytest.approx(score), float)
    assert dw_acc(np.ones((3, 2, 4))).shape == (3, 2)


def test_average_at_16_rounds_to_whole_questions() -> None:
    counts = [90] * 8 + [91] * 8
    assert average_at_k(counts, 125)[0] == 91 / 125


def test_one_question_in_one_of_16_runs_is_a_deviation_of_020() -> None:
    """The smallest value that PolyMath's Tables 16 to 19 print, again and again."""
    _, sd = average_at_k([100] * 15 + [101], 125)
    assert f"{100 * sd:.2f}" == "0.20"
    assert math.isnan(average_at_k([100], 125)[1])


def test_spread_of_a_printed_row() -> None:
    """PolyMath, Table 5a, Qwen-2.5-72B-Instruct: average 7.6, std. 2.3, range 8.0."""
    row = "8.8 10.4 5.6 9.6 6.4 11.2 4.0 12.0 9.6 5.6 7.2 6.4 8.8 5.6 4.8 4.8 7.2 9.6"
    frame = pd.DataFrame([[float(x) for x in row.split()]])
    assert [f"{of(frame)[0]:.1f}" for of in (MEAN, SD, RANGE)] == ["7.6", "2.3", "8.0"]


def test_correlations_are_scipys() -> None:
    rng = np.random.default_rng(2)
    for size in (4, 6, 11, 30):
        x, y = rng.integers(0, 9, size), rng.normal(size=size)
        assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic)
        rho, p = spearman(x, y)
        assert rho == pytest.approx(stats.spearmanr(x, y).statistic)
        if size > 8:
            assert p == pytest.approx(stats.spearmanr(x, y).pvalue)


@pytest.mark.parametrize(("rho", "significant"), [(0.886, True), (0.657, False), (0.6, False)])
def test_the_marks_of_table_11(rho: float, significant: bool) -> None:
    """XLGoBench marks -0.886 over six languages as significant at .05, and nothing weaker."""
    for order in itertools.permutations(range(6)):
        found, p = spearman(range(6), order)
        if found == pytest.approx(-rho, abs=5e-4):
            assert (p < 0.05) == significant
            return
    pytest.fail("six ranks do not give such a coefficient")


def test_equation_8_by_hand() -> None:
    """c* = 220 between 200 and 300: (80 d1^2/s1^2 + 20 d2^2/s2^2) / 100."""
    found = back_translation_delta((200, 300), 220, (0.8, 0.5), (0.05, 0.1), (0.7, 0.6))
    assert found == pytest.approx((80 * 4 + 20 * 1) / 100)


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
