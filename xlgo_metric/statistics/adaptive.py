"""Which complexities to ask next, when nothing is known of a model; what few answers each tell.

All languages are asked the same questions. A pilot goes up in even steps of log c; then batches go
where the curve of all languages together is .9, .7, .5, .3 and .1. What is asked next, and when it
is enough, depends on the answers only through S_j, the number of languages that were right on
question j. Exchanging the answers of two languages to a question leaves every S_j as it is, so that
under "the language changes nothing" the same questions would have been asked: given the questions,
the paired test (:mod:`xlgo_metric.statistics.paired`) stays exact, with the stopping rule too.
Nothing in the design is random. The functions on arrays take many runs at once, for simulations.

Uncertainty: with 1 to 15 answers a level, Beta(k + 1, n - k + 1) draws vary less than the data do,
and pairs resampled within a level hardly vary at all. Here the accuracy of a level is that of the
fitted curve, moved by what the answers at neighbouring complexities lie above or below it; answers
are drawn again with these accuracies, as many at each complexity as there were, in pairs that are
as much alike as the observed ones; and the curves are refitted. So the standard deviation printed
of a gap takes account of the pairing.

The levels of such a design lie where answers tell most, so each counts by what its answers tell
(:func:`xlgo_metric.statistics.gamma.fit_weighted`). Even levels keep the paper's least squares.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import gammaincinv

from xlgo_metric.statistics.draws import Floats, Integers, Stream
from xlgo_metric.statistics.fitting import fit_likelihood
from xlgo_metric.statistics.gamma import fit_curves, fit_weighted, gamma_accuracy
from xlgo_metric.statistics.gaps import DRAWS, REACH, Draws, divergence, spread
from xlgo_metric.statistics.paired import PairCounts, PairedInterval

NAME = "adaptive-pooled5"


PILOT_LEVELS = 8
PILOT_QUESTIONS = 5
EMPTY_LEVELS = 2
"""The pilot ends after so many levels at which no language was right, if one was right below; else
it goes on at every second level."""

LEAST_BUDGET = PILOT_LEVELS * PILOT_QUESTIONS
MOST_BUDGET = 10_000
BATCH = 65
TARGETS = (0.9, 0.7, 0.5, 0.3, 0.1)
WEIGHTS = (0.15, 0.2, 0.3, 0.2, 0.15)
PRIOR_SD = 1.0
"""Of log q, around log 15."""

LAPSE = (0.02, 0.01)
"""How often the easiest question is taken to fail, and the hardest to succeed. Without it one slip
at a very low complexity, where the pilot begins, would move the whole curve."""

_STEPS = 13  # of the grid, from one level of the pilot to the next

Asked = tuple[int, int, int]
"""A question: its complexity, its index, and S, the number of languages right on it."""


@dataclass(frozen=True)
class Design:
    """What is settled before the first answer.

    Attributes:
        c_min, c_max: the range of complexities, 0 < c_min < c_max.
        languages: how many are asked.
        budget: prompts in each language, from ``LEAST_BUDGET`` to ``MOST_BUDGET``.
        avoided: whether questions of a complexity share structures: the nearest other one is asked.

    Raises:
        ValueError: a value out of range.
    """

    c_min: int
    c_max: int
    languages: int
    budget: int = 300
    avoided: Callable[[int], bool] = field(default=lambda size: False, compare=False)

    def __post_init__(self) -> None:
        if not 0 < self.c_min < self.c_max:
            raise ValueError(
                f"the range needs 0 < c_min < c_max, got {self.c_min} and {self.c_max}"
            )
        if self.languages < 1:
            raise ValueError(f"at least one language is needed, got {self.languages}")
        if self.budget < LEAST_BUDGET:
            raise ValueError(
                f"a budget must be {LEAST_BUDGET} prompts per language or more (what the pilot "
                f"takes), got {self.budget}"
            )
        if self.budget > MOST_BUDGET:
            raise ValueError(
                f"a budget must be {MOST_BUDGET} prompts per language or less, got {self.budget}"
            )

    @cached_property
    def grid(self) -> tuple[int, ...]:
        """The complexities that may be asked: whole, about evenly spaced in log c."""
        steps = (PILOT_LEVELS - 1) * _STEPS
        return tuple(sorted({self._at(step / steps) for step in range(steps + 1)}))

    @cached_property
    def pilot(self) -> tuple[int, ...]:
        """The complexities of the pilot, rising; all of them are in the grid."""
        steps = PILOT_LEVELS - 1
        return tuple(sorted({self._at(step / steps) for step in range(steps + 1)}))

    def _at(self, share: float) -> int:
        low, high = math.log(self.c_min), math.log(self.c_max)
        result = round(math.exp(low + share * (high - low)))
        result = min(max(result, self.c_min), self.c_max)
        near = (result + away for step in range(self.c_max) for away in (step, -step))
        allowed = (size for size in near if self.c_min <= size <= self.c_max)
        return next((size for size in allowed if not self.avoided(size)), result)


@dataclass(frozen=True)
class Step:
    """What to do next.

    Attributes:
        cells: the indexes to ask of each complexity, rising; empty if it is enough.
        reason: why it is enough: ``right everywhere``, ``wrong everywhere`` or ``budget``; ``None``
            while there is more to ask.
    """

    cells: dict[int, tuple[int, ...]]
    reason: str | None = None


def next_step(design: Design, asked: Sequence[Asked]) -> Step:
    """What to ask after the questions ``asked``; the order of these plays no part.

    Args:
        design: the settings.
        asked: complexity, index and S of every question so far.

    Raises:
        ValueError: a complexity that is not of the grid, a question that stands there twice, or
            an S that is not a number of languages.
    """
    right = checked(design, asked)
    sizes = {size: sum(key[0] == size for key in right) for size in design.grid}
    level = _next_of_pilot(design, right)
    if level is not None:
        return Step({level: tuple(range(PILOT_QUESTIONS))})
    if not any(right.values()):
        return Step({}, "wrong everywhere")
    if all(s == design.languages for s in right.values()):
        return Step({}, "right everywhere")
    n = np.array([[sizes[size] for size in design.grid]], dtype=np.int64)
    k = np.zeros_like(n)
    for (size, _), s in right.items():
        k[0, design.grid.index(size)] += s
    size = batch_size(design, len(right))
    if not size:
        return Step({}, "budget")
    counts = allot(design, pooled_fit(design, k, n), size)[0].tolist()
    cells = {
        c: tuple(range(sizes[c], sizes[c] + count))
        for c, count in zip(design.grid, counts)
        if count
    }
    return Step(cells)


def checked(design: Design, asked: Sequence[Asked]) -> dict[tuple[int, int], int]:
    """S by question.

    Raises:
        ValueError: see :func:`next_step`.
    """
    right: dict[tuple[int, int], int] = {}
    grid = set(design.grid)
    for size, index, s in asked:
        if size not in grid:
            raise ValueError(f"complexity {size} is not one that this design asks")
        if (size, index) in right:
            raise ValueError(f"question {index} of complexity {size} stands there twice")
        if not 0 <= s <= design.languages:
            raise ValueError(f"{s} languages right of {design.languages} cannot be")
        right[size, index] = s
    return right


def _next_of_pilot(design: Design, right: dict[tuple[int, int], int]) -> int | None:
    """The next complexity of the pilot, or ``None`` after it."""
    nothing, began, empty = not any(right.values()), False, 0
    for position, size in enumerate(design.pilot):
        if nothing and empty >= EMPTY_LEVELS and (position - EMPTY_LEVELS) % 2 == 0:
            continue  # some models fail small puzzles and solve large ones: look on, more thinly
        counts = [right.get((size, index)) for index in range(PILOT_QUESTIONS)]
        if None in counts:
            return size
        began |= any(counts)
        empty = 0 if any(counts) else empty + 1
        if began and empty >= EMPTY_LEVELS:
            return None
    return None


def batch_size(design: Design, questions: int) -> int:
    """How many questions the next batch has: what is left, in equal batches of at most 65."""
    remaining = max(design.budget - questions, 0)
    return -(-remaining // -(-remaining // BATCH)) if remaining else 0


def pooled_fit(design: Design, k: Integers, n: Integers) -> Floats:
    """The curve of all languages together: the mode with the prior log q ~ N(log 15, 1).

    Args:
        design: its grid has G complexities.
        k: correct answers summed over languages, shape (runs, G).
        n: questions, shape (runs, G); 0 where none was asked.

    Returns:
        (log q, log r), shape (runs, 2).
    """
    c = np.array(design.grid, dtype=np.float64)
    total = (n * design.languages).astype(np.float64)
    return fit_likelihood(
        c,
        k.astype(np.float64),
        total,
        ceiling=1.0 - LAPSE[0],
        floor=LAPSE[1],
        prior_sd=PRIOR_SD,
    )[0]


def complexities_at(theta: Floats, accuracies: npt.ArrayLike) -> Floats:
    """Where curves have the given accuracies, shape (runs, accuracies)."""
    a = 0.5 * np.exp(theta[:, :1])
    x = gammaincinv(a, np.asarray(accuracies, dtype=np.float64)[None])
    result: Floats = np.sqrt(a / (np.exp(theta[:, 1:]) * np.maximum(x, 1e-300)))
    return result


def allot(design: Design, theta: Floats, size: int) -> Integers:
    """The questions of a batch: where the curve has the ``TARGETS``, by their ``WEIGHTS``.

    Returns:
        Questions of each complexity of the grid, shape (runs, G), each row summing to ``size``.
    """
    return nearest_counts(design, complexities_at(theta, TARGETS), parts(WEIGHTS, size))


def parts(weights: Sequence[float], size: int) -> Integers:
    """``size`` questions shared out by weights that sum to 1, the largest remainders first."""
    shares = np.array(weights) * size
    counts = np.floor(shares + 1e-9).astype(np.int64)
    remaining = size - int(counts.sum())
    counts[np.argsort(counts - shares, kind="stable")[:remaining]] += 1
    return counts


def nearest_counts(design: Design, complexities: Floats, counts: Integers) -> Integers:
    """Questions of each complexity of the grid, from those wanted at complexities between.

    Args:
        design: its grid has G complexities.
        complexities: above 0, shape (runs, points).
        counts: questions at each point, shape (points,) or (runs, points).

    Returns:
        Shape (runs, G).
    """
    grid = np.log(np.array(design.grid, dtype=np.float64))
    nearest = np.abs(np.log(complexities)[:, :, None] - grid).argmin(axis=2)
    result = np.zeros((len(complexities), len(grid)), dtype=np.int64)
    rows = np.arange(len(complexities))[:, None]
    np.add.at(result, (rows, nearest), np.broadcast_to(counts, nearest.shape))
    return result


NEIGHBOURS = 15
"""Answers, at the least, that say how far a level lies above or below the curve."""

_ALIKE = (0.0, 0.99)
_TAILS = (0.025, 0.975)
_MIDDLE = (0.15865525, 0.84134475)  # one standard deviation about the centre of a normal


def smoothed(c: npt.ArrayLike, k: npt.ArrayLike, n: npt.ArrayLike, curve: npt.ArrayLike) -> Floats:
    """Accuracies of levels: the curve, and what the answers near each level lie above it.

    Args:
        c, k, n: complexity, correct answers and answers, shape (levels,), n above 0.
        curve: the fitted accuracy of each level.

    Returns:
        Fractions, shape (levels,).
    """
    log_c, k, n, curve = (np.asarray(x, dtype=np.float64) for x in (np.log(c), k, n, curve))
    off = k - n * curve
    result = np.empty_like(curve)
    for level in range(len(log_c)):
        near = np.argsort(np.abs(log_c - log_c[level]), kind="stable")
        enough = int(np.searchsorted(np.cumsum(n[near]), NEIGHBOURS)) + 1
        near = near[:enough]
        result[level] = curve[level] + off[near].sum() / n[near].sum()
    return np.clip(result, 0.0, 1.0)


def sparse_draws(
    c: npt.ArrayLike, k: npt.ArrayLike, n: npt.ArrayLike, *, draws: int = DRAWS, stream: Stream
) -> Draws:
    """A curve and its refits to redrawn answers; for :func:`curve_draws` where levels are small.

    Args:
        c, k, n: complexity, correct answers and answers per level, shape (levels,), n above 0.
        draws: number of refits, at least 2.
        stream: where the draws come from.

    Raises:
        ValueError: fewer than two draws, or what :func:`fit_curves` raises.
    """
    _check(draws)
    c, k = (np.asarray(x, dtype=np.float64) for x in (c, k))
    counts = np.broadcast_to(np.asarray(n, dtype=np.int64), c.shape)
    q, r, weights = fit_weighted(c, k, counts)
    p = smoothed(c, k, counts, gamma_accuracy(c, q, r))
    uniforms = stream.uniforms((draws, int(counts.sum())))
    redrawn = _summed(uniforms < np.repeat(p, counts), counts) / counts
    return Draws((float(q), float(r)), fit_curves(c, redrawn, n=weights, start=(q, r)))


def paired_draws(pairs: PairCounts, *, draws: int = DRAWS, stream: Stream) -> tuple[Draws, Draws]:
    """The curves of two languages and their refits, draw i of one belonging to draw i of the other.

    Args:
        pairs: the common questions.
        draws: number of refits, at least 2.
        stream: where the draws come from.

    Raises:
        ValueError: fewer than two draws, or what :func:`fit_curves` raises.
    """
    _check(draws)
    c, n = pairs.c, pairs.n
    fits = [fit_weighted(c, k, n) for k in (pairs.k_base, pairs.k_other)]
    p_base, p_other = (
        smoothed(c, k, n, gamma_accuracy(c, q, r))
        for k, (q, r, _) in zip((pairs.k_base, pairs.k_other), fits)
    )
    p_both = _right_in_both(pairs, p_base, p_other)
    # One uniform number a pair decides both answers: below p_both both are right, up to p_base the
    # baseline alone, in the stretch of p_other - p_both behind it the other language alone.
    uniforms = stream.uniforms((draws, int(n.sum())))
    to_both, to_base, to_other = (
        np.repeat(share, n) for share in (p_both, p_base, p_base + p_other - p_both)
    )
    right_base = uniforms < to_base
    right_other = (uniforms < to_both) | (~right_base & (uniforms < to_other))
    base, other = (
        Draws((float(q), float(r)), fit_curves(c, _summed(right, n) / n, n=weights, start=(q, r)))
        for right, (q, r, weights) in zip((right_base, right_other), fits)
    )
    return base, other


def _right_in_both(pairs: PairCounts, p_base: Floats, p_other: Floats) -> Floats:
    """The share of questions right in both languages, with one correlation for all levels."""
    n_both = (pairs.k_base + pairs.k_other - pairs.discordant) / 2.0
    # For shares p1, p2 and correlation rho, P(both right) = p1 p2 + rho sd1 sd2. The sums over
    # levels give one rho: a single level has too few answers for its own.
    sds = np.sqrt(p_base * (1.0 - p_base) * p_other * (1.0 - p_other))
    total = float((pairs.n * sds).sum())
    alike = float((n_both - pairs.n * p_base * p_other).sum()) / total if total > 0 else 0.0
    shares = p_base * p_other + float(np.clip(alike, *_ALIKE)) * sds
    # Frechet's bounds: what two events of these shares can have in common at all.
    return np.clip(shares, np.maximum(0.0, p_base + p_other - 1.0), np.minimum(p_base, p_other))


def central_spread(values: npt.ArrayLike) -> float:
    """Half of what the middle 68.3% of draws span: of normal draws, their standard deviation.

    Where two gaps of opposite sign are about as large, some draws jump to the other one; they
    would count for more than such jumps of the estimate do.
    """
    low, high = np.quantile(np.asarray(values, dtype=np.float64), _MIDDLE)
    return float(high - low) / 2.0


def draws_interval(
    base: Draws, other: Draws, c_min: float, c_max: float, *, pairs: int
) -> PairedInterval:
    """Interval of the signed max divergence: it spans three, each of which holds where others fail.

    The largest gap is biased away from 0, so the draws lie too far out; near 1 it cannot vary
    upwards, so that an interval about the estimate is too short. With s the sign of the observed
    SMD and a = arcsin, which opens up the scale near 1:

    1. 2a(|SMD|) - mean a(|SMD*|), plus and minus 1.96 sd a(s SMD*), turned back and held within 0
       and 1;
    2. the quantiles .025 and .975 of s SMD*, which may pass 0;
    3. below, Wilson's limit of the share |SMD| of m(1 - m) / var(SMD*) answers, m = mean|SMD*|,
       but of no more than there are.

    Args:
        base, other: from :func:`paired_draws`.
        c_min, c_max: the range of complexities.
        pairs: questions answered in both languages, above 0.
    """
    observed = float(divergence(base.curve, other.curve, c_min, c_max).smd)
    redrawn = divergence(base.curves, other.curves, c_min, c_max).smd
    sign = -1.0 if observed < 0 else 1.0
    opened = np.arcsin(np.clip(sign * redrawn, -1.0, 1.0))
    centre = 2.0 * np.arcsin(min(abs(observed), 1.0)) - float(np.abs(opened).mean())
    reach = REACH * spread(opened)
    turned = np.sin(np.clip([centre - reach, centre, centre + reach], 0.0, 0.5 * np.pi))
    tails = np.quantile(sign * redrawn, _TAILS)
    low = min(tails[0], turned[0], _wilson_low(abs(observed), np.abs(redrawn), pairs))
    ends = sorted((sign * float(low), sign * float(max(tails[1], turned[2]))))
    return PairedInterval(sign * float(turned[1]) + 0.0, ends[0] + 0.0, ends[1] + 0.0)


def _wilson_low(share: float, redrawn: Floats, pairs: int) -> float:
    """Wilson's lower limit of a share, of as many answers as its draws vary like, at most pairs."""
    mean, variance = float(redrawn.mean()), spread(redrawn) ** 2
    n = float(np.clip(mean * (1.0 - mean) / variance, 1.0, pairs)) if variance > 0 else pairs
    z = REACH * REACH / n
    middle = share + 0.5 * z
    return float((middle - np.sqrt(z * share * (1.0 - share) + 0.25 * z * z)) / (1.0 + z))


def _summed(right: npt.NDArray[np.bool_], n: Integers) -> Floats:
    """Correct answers per draw and level, from those per question."""
    starts = np.concatenate([[0], np.cumsum(n)[:-1]])
    result: Floats = np.add.reduceat(right.astype(np.float64), starts, axis=1)
    return result


def _check(draws: int) -> None:
    if draws < 2:
        raise ValueError(f"a standard deviation needs at least 2 draws, not {draws}")
