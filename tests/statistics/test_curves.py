"""Curves, their gaps and spreads, against closed forms, SciPy and the published tables."""

import itertools
import json
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import curve_fit
from scipy.special import chdtr
from scipy.stats import chi2, norm

from benchmarks.derive_profiles import LANGUAGES, PROFILES, derive, published
from tests.looping import looped
from xlgo_metric import views
from xlgo_metric.statistics import adaptive, differences, draws, gamma, measures, paired
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

SIZES = np.linspace(100, 600, 20)


def curve(c: np.ndarray, q: Any, r: float) -> np.ndarray:
    return chdtr(q, q / (r * c * c))


def simulated(q: float, half: float, seed: int) -> np.ndarray:
    """Right answers of 50 at each size."""
    return np.random.default_rng(seed).binomial(50, curve(SIZES, q, half**-2))


def test_the_curve_is_a_chi_square_distribution() -> None:
    q, r = np.array([0.7, 3.0, 15.0, 300.0])[:, None], 1.3e-5
    np.testing.assert_allclose(
        gamma.gamma_accuracy(SIZES, q, r), curve(SIZES, q, r), rtol=1e-11, atol=1e-300
    )


@pytest.mark.parametrize("q", [1.5, 3.0, 10.0, 30.0, 60.0])
def test_fits_are_those_of_curve_fit(q: float) -> None:
    grid = np.linspace(100, 600, 101)
    for seed in range(6):
        p = simulated(q, 180.0 + 50 * seed, seed) / 50
        ours = gamma.fit_curves(SIZES, p)
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
        apart = gamma.gamma_accuracy(grid, *ours) - gamma.gamma_accuracy(grid, *scipys)
        assert np.abs(apart).max() < 1e-4


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 5000), st.integers(0, 7)), min_size=1, max_size=12),
    st.sampled_from(["ls", "wls"]),
)
def test_any_counts_give_a_finite_curve(levels: list[tuple[int, int]], method: Any) -> None:
    c, k = zip(*levels)
    fit = fit_gamma(c, k, 7, method=method)
    assert gamma.Q_BOUNDS[0] * 0.999 <= fit.q <= gamma.Q_BOUNDS[1] * 1.001
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
    streams = (draws.Stream("test", seed, i) for i in range(repeats))
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
    curve = ceiling * gamma.gamma_accuracy(LEVELS, 15.0, 300.0**-2)
    assert flags(curve, n, 60) <= 0.1  # 6 of 60: chance .001 at 2.5%


@pytest.mark.parametrize(
    "accuracy",
    [
        np.where(LEVELS < 300, 0.95, 0.05),
        0.6 * gamma.gamma_accuracy(LEVELS, 40, 450.0**-2)
        + 0.4 * gamma.gamma_accuracy(LEVELS, 40, 200.0**-2),
        0.3 + 0.7 * gamma.gamma_accuracy(LEVELS, 15, 250.0**-2),
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
    found = measures.dw_acc(accuracies)
    assert (found, type(found)) == (pytest.approx(score), float)
    assert measures.dw_acc(np.ones((3, 2, 4))).shape == (3, 2)


def test_average_at_16_rounds_to_whole_questions() -> None:
    assert measures.average_at_k([90] * 8 + [91] * 8, 125)[0] == 91 / 125


def test_one_question_in_one_of_16_runs_is_a_deviation_of_020() -> None:
    """The smallest value that PolyMath's Tables 16 to 19 print, again and again."""
    _, sd = measures.average_at_k([100] * 15 + [101], 125)
    assert f"{100 * sd:.2f}" == "0.20"
    assert math.isnan(measures.average_at_k([100], 125)[1])


def test_beyond_eight_pairs_a_rank_correlation_is_scipys() -> None:
    x, y = np.random.default_rng(2).integers(0, 9, (2, 30))
    assert measures.spearman(x, y) == pytest.approx(tuple(stats.spearmanr(x, y)))
    assert measures.spearman(range(9), range(9)) == pytest.approx((1.0, 0.0))
    assert measures.spearman([1, 2], [2, 1]) == (None, None)  # any two pairs lie on a line


@looped(
    ("call", "message"),
    [
        (lambda: measures.dw_acc([0.5, 0.5, 0.5]), "four accuracies are needed"),
        (lambda: measures.average_at_k([4, 6], 5), "between 0 and n = 5"),
        (lambda: measures.average_at_k([], 5), "one run or more"),
        (lambda: measures.pearson([1, 2], [1, 2, 3]), "two equally long lists"),
        (lambda: measures.back_translation_delta((2, 2), 2, (1, 1), (1, 1), (1, 1)), "do not encl"),
        (lambda: measures.back_translation_delta((2, 3), 4, (1, 1), (1, 1), (1, 1)), "do not encl"),
        (lambda: measures.back_translation_delta((2, 3), 2, (1, 1), (1, 0), (1, 1)), "above 0"),
        (lambda: differences.paired_limits(2, 2, 3), "cannot be among 3"),
        (lambda: differences.paired_limits(-1, 2, 3), "cannot be among 3"),
        (lambda: differences.unpaired_limits(1, 2, -1, 2), "impossible counts"),
        (lambda: differences.unpaired_limits(1, 2, 3, 2), "impossible counts"),
        (lambda: differences.unpaired_limits(1, 2, 0, 0), "impossible counts"),
        (lambda: differences.Contrast.of([0.5, -1.5]), "beyond 1"),
        (lambda: differences.questions_needed(0.1, margin=0.3, difference=0.2), "within it"),
        (lambda: differences.infer([differences.Contrast.of([1])], draws=18), "cannot show a p"),
        (lambda: paired.exchange_test(answers(0, 0.5), draws=0), "at least one draw"),
        (lambda: paired.whole_intervals({"te": answers(0, 0.5)}, draws=1), "at least 2 draws"),
        (lambda: curve_draws([1], [1], [2], draws=1, stream=cell_stream("", "")), "at least 2"),
        (lambda: adaptive.paired_draws(answers(0, 0.5), draws=1, stream=draws.Stream()), "least 2"),
        (lambda: misfits([([1, 2], [2, 1], 2, draws.Stream())], draws=38), "at least 39 draws"),
        (lambda: fit_gamma([1, 2], [3, 1], 2), "at most n correct answers"),
        (lambda: fit_gamma([1, 2], [1, 1], [2, 0]), "at least one answer"),
        (lambda: fit_gamma([1, 0], [1, 1], 2), "finite number above 0"),
        (lambda: gamma.fit_curves([1, 2], [0.5]), "one value per complexity"),
        (lambda: gamma.fit_curves([1], [0.5], n=0), "at least one answer"),
        (lambda: divergence((1, 1), (1, 1), 3, 2), "0 < c_min <= c_max"),
        (lambda: average_accuracy(1, 1, 2, 2), "0 < c_min < c_max"),
        (lambda: adaptive.Design(2, 2, 1), "0 < c_min < c_max"),
        (lambda: adaptive.Design(2, 9, 0), "at least one language"),
        (lambda: adaptive.Design(2, 9, 1, 39), "40 prompts per language or more"),
        (lambda: adaptive.Design(2, 9, 1, 10_001), "10000 prompts per language or less"),
        (lambda: views.exact_limits(0.5, 0), "no interval"),
        (lambda: views.exact_limits([0.5, 1.1], [2, 2]), "no interval"),
        (lambda: views.wilson(0.5, 0), "no interval"),
        (lambda: views.wilson(1.1, 2), "no interval"),
    ],
)
def test_numbers_that_cannot_be_are_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("rho", "significant"), [(0.886, True), (0.657, False), (0.6, False)])
def test_the_marks_of_table_11(rho: float, significant: bool) -> None:
    """XLGoBench marks -0.886 over six languages as significant at .05, and nothing weaker."""
    for order in itertools.permutations(range(6)):
        found, p = measures.spearman(range(6), order)
        if found == pytest.approx(-rho, abs=5e-4):
            assert (p < 0.05) == significant
            return
    pytest.fail("six ranks do not give such a coefficient")


def test_equation_8_by_hand() -> None:
    """c* = 220 between 200 and 300: (80 d1^2/s1^2 + 20 d2^2/s2^2) / 100."""
    found = measures.back_translation_delta((200, 300), 220, (0.8, 0.5), (0.05, 0.1), (0.7, 0.6))
    assert found == pytest.approx((80 * 4 + 20 * 1) / 100)


@pytest.mark.parametrize(("k", "n"), [(0, 50), (50, 50), (17, 50), (1, 1), (0, 3), (499, 500)])
def test_betas_are_the_inverse_distribution_of_the_uniforms(k: int, n: int) -> None:
    drawn = draws.Stream("beta").betas(np.array([float(k)]), np.array([float(n)]), 400)[:, 0]
    uniforms = draws.Stream("beta").uniforms((400, 1))[:, 0]
    np.testing.assert_allclose(drawn, stats.beta(k + 1, n - k + 1).ppf(uniforms), rtol=1e-9)


# The design that chooses complexities, and uncertainty with few answers at each of many.


SEVERAL = 5


def accuracy_at(c: Any, q: float, half: float) -> Any:
    """Accuracy, by the distribution function of chi squared: P(q/2, x/2) = chi2.cdf(x, q)."""
    return chi2.cdf(chi2.ppf(0.5, q) * (half / c) ** 2, q)


@cache
def right(size: int, index: int) -> int:
    """Languages that answer a question right."""
    own = np.random.default_rng([2, size, index])
    return int((own.random(SEVERAL) < accuracy_at(size, 12.0, 90.0)).sum())


def test_the_pilot_goes_up_and_ends_after_two_empty_levels() -> None:
    design = adaptive.Design(2, 2090, SEVERAL, 300)
    ratio = (2090 / 2) ** (1 / 7)
    assert list(design.pilot) == [round(2 * ratio**step) for step in range(8)]
    assert set(design.pilot) <= set(design.grid)
    assert 50 <= len(design.grid) <= 100
    asked: list[adaptive.Asked] = []
    for number, size in enumerate(design.pilot[:4]):
        assert adaptive.next_step(design, asked).cells == {size: (0, 1, 2, 3, 4)}
        asked += [(size, index, 3 if number < 2 else 0) for index in range(5)]
    # Two levels without a right answer: the other four are left out.
    step = adaptive.next_step(design, asked)
    assert sum(map(len, step.cells.values())) == 56  # 280 that are left, in 5 equal batches
    assert design.pilot[0] <= min(step.cells) <= max(step.cells) <= design.pilot[3]


def test_nothing_to_tell_stops_after_the_pilot() -> None:
    design = adaptive.Design(2, 2090, SEVERAL, 300)
    asked = [
        (size, index, 0)
        for place in (0, 1, 3, 5, 7)
        for size in [design.pilot[place]]
        for index in range(5)
    ]
    assert adaptive.next_step(design, asked) == adaptive.Step({}, "wrong everywhere")
    asked = [(size, index, SEVERAL) for size in design.pilot for index in range(5)]
    assert adaptive.next_step(design, asked) == adaptive.Step({}, "right everywhere")


@pytest.mark.parametrize("budget", [40, 41, 130, 300, 333])
def test_the_budget_is_used_and_never_exceeded(budget: int) -> None:
    design, asked = adaptive.Design(2, 2090, SEVERAL, budget), list[adaptive.Asked]()
    while (step := adaptive.next_step(design, asked)).reason is None:
        asked += [
            (size, index, right(size, index))
            for size, indexes in step.cells.items()
            for index in indexes
        ]
    assert len(asked) == len({question[:2] for question in asked}) == budget
    assert step.reason == "budget"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ([(3000, 0, 1)], "not one that this design asks"),
        ([(2, 0, 1), (2, 0, 1)], "stands there twice"),
        ([(2, 0, 6)], "6 languages right of 5"),
    ],
)
def test_answers_that_cannot_be(asked, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        adaptive.next_step(adaptive.Design(2, 2090, SEVERAL), asked)


def test_complexities_to_avoid_are_not_asked() -> None:
    plain = adaptive.Design(1, 100, SEVERAL)
    odd = adaptive.Design(1, 100, SEVERAL, avoided=lambda size: size % 2 == 0)
    assert not [size for size in odd.grid if size % 2 == 0]
    assert all(any(abs(size - other) <= 1 for other in odd.grid) for size in plain.grid)
    assert adaptive.Design(1, 100, SEVERAL, avoided=lambda size: True).grid == plain.grid


C = np.unique(np.round(np.exp(np.linspace(np.log(40), np.log(200), 40)))).astype(float)
N = 1 + np.arange(len(C)) % 12
Q, HALF = 20.0, 90.0


def answers(seed: int, phi: float, halves: tuple[float, float] = (HALF, HALF)) -> paired.PairCounts:
    """Pairs from two latent normals."""
    rng = np.random.default_rng(seed)
    latent = np.sin(phi * np.pi / 2)
    counts = []
    for size, n in zip(C, N):
        z = rng.multivariate_normal([0, 0], [[1, latent], [latent, 1]], size=n)
        right = z < norm.ppf([accuracy_at(size, Q, half) for half in halves])
        counts.append([*right.sum(axis=0), (right[:, 0] != right[:, 1]).sum()])
    k_en, k_l, discordant = np.array(counts).T
    return paired.PairCounts(C, N, k_en, k_l, discordant)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_weighted_fit_is_least_squares_reweighted_twice(seed: int) -> None:
    k = answers(seed, 0.0).k_base
    """By SciPy's fit of a curve of its chi-squared."""
    at, weights = np.array([Q, HALF]), N.astype(float)
    for _ in range(3):
        at, _ = curve_fit(accuracy_at, C, k / N, at, weights**-0.5)
        f = accuracy_at(C, *at)
        last, weights = weights, N / (f * (1 - f) + 0.05)
    q, r, used = gamma.fit_weighted(C, k, N)
    assert gamma.gamma_accuracy(C, q, r) == pytest.approx(accuracy_at(C, *at), abs=2e-4)
    assert used == pytest.approx(last, rel=2e-3)


def test_pairs_are_drawn_as_much_alike_as_they_are() -> None:
    for phi in (0.0, 0.6):
        en, other = adaptive.paired_draws(answers(0, phi), draws=2000, stream=draws.Stream("alike"))
        together = np.corrcoef(np.log(en.curves[1]), np.log(other.curves[1]))[0, 1]
        # The correlation of answers at one half, and a little less elsewhere.
        assert together == pytest.approx(phi, abs=0.15)


def test_an_interval_near_one_reaches_below_what_the_draws_all_but_repeat() -> None:
    # Every question on one side is right in English and wrong in the other: the gap is near 1.
    pairs = answers(4, 0.0, (180.0, 60.0))
    en, other = adaptive.paired_draws(pairs, stream=draws.Stream("near one"))
    found = adaptive.draws_interval(en, other, 2, 2090, pairs=int(N.sum()))
    assert 0.8 < found.low < found.high <= 1.0
