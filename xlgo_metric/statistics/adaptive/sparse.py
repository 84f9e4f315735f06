"""Uncertainty where there are few answers at each of many complexities, as adaptive designs give.

With 1 to 15 answers a level, Beta(k + 1, n - k + 1) draws vary less than the data do, and pairs
resampled within a level hardly vary at all. Here the accuracy of a level is that of the fitted
curve, moved by what the answers at neighbouring complexities lie above or below it; answers are
drawn again with these accuracies, as many at each complexity as there were, in pairs that are as
much alike as the observed ones; and the curves are refitted. So the standard deviation printed of a
gap takes account of the pairing.

The levels of such a design lie where answers tell most, so each counts by what its answers tell
(:func:`xlgo_metric.statistics.gamma.fit_weighted`). Even levels keep the paper's least squares.
"""

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.draws import Floats, Integers, Stream
from xlgo_metric.statistics.gamma import fit_curves, fit_weighted, gamma_accuracy
from xlgo_metric.statistics.gaps import DRAWS, REACH, Draws, divergence, spread
from xlgo_metric.statistics.paired import PairCounts, PairedInterval

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
