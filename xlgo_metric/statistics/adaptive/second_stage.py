"""More questions for two languages that are far apart, after the design ``pooled5``.

The questions of :mod:`xlgo_metric.statistics.adaptive.design` go where the languages fall
together. The curve of a language far behind then has few of them. It gets a second stage with
English: more questions, asked in these two languages only and counted only where these two are
compared.

Whether there is one, and where it asks, depends on the answers only through T_j, the number of the
two languages that were right on question j. Exchanging their answers to a question leaves T_j as
it is, so the paired test of the two stays exact. Which of the two is ahead is not seen: two curves
are fitted without a name. Nothing here is random, and the functions on arrays take many runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from xlgo_metric.statistics.adaptive.design import (
    LAPSE,
    MOST_BUDGET,
    PRIOR_SD,
    TARGETS,
    WEIGHTS,
    Asked,
    Design,
    checked,
    complexities_at,
    nearest_counts,
    parts,
)
from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.fitting import fit_likelihood
from xlgo_metric.statistics.gamma import curve_and_slopes

NAME = "adaptive-pooled5-pair"
"""The design of the questions of a second stage."""

BATCH = 50
ENOUGH = 0.25
"""Of the questions of the first stage, where each of the two curves falls."""

BEGIN = 1 / 3
"""Of what is enough: a second stage begins if one of the curves lacks so many."""

MOST = 0.5
"""Of the questions of the first stage: the most that a second stage asks."""

FALL = (0.95, 0.05)
"""From and to which accuracy a curve falls."""

FIRST_INDEX = MOST_BUDGET
"""The second stage of language number i (as they are listed) takes indexes from i + 1 times this:
no two pairs share a question that only one of them chose."""

_STEPS = 30  # of the fit of two curves
_QUARTILES = (0.75, 0.25)
_LEAST_LOG_Q = float(np.log(15.0))
_SMALL = 1e-12


def next_pair_cells(
    design: Design, first: Sequence[Asked], second: Sequence[Asked], number: int
) -> dict[int, tuple[int, ...]]:
    """What to ask two languages after the questions that they were asked.

    Args:
        design: the settings of the first stage.
        first: complexity, index and T of every question of the first stage, which is over.
        second: the same of their second stage so far.
        number: of the language, from 0, as they are listed.

    Returns:
        The indexes to ask of each complexity, rising; empty if they have enough.

    Raises:
        ValueError: a complexity that is not of the grid, a question that stands there twice, or a
            T that is not 0, 1 or 2.
    """
    right = checked(replace(design, languages=2), [*first, *second])
    at = {size: level for level, size in enumerate(design.grid)}
    counts = np.zeros((3, 1, len(at)), dtype=np.int64)
    for (size, _), t in right.items():
        counts[t, 0, at[size]] += 1
    if not counts[1].any() and not (counts[0].any() and counts[2].any()):
        return {}  # right everywhere or wrong everywhere: there is no curve to be seen
    batch = next_counts(
        design,
        counts[1],
        counts[2],
        counts.sum(axis=0),
        first=np.array([len(first)]),
        second=np.array([len(second)]),
    )[0].tolist()
    known = Counter(size for size, _, _ in second)
    begin = (number + 1) * FIRST_INDEX
    return {
        size: tuple(range(begin + known[size], begin + known[size] + count))
        for size, count in zip(design.grid, batch)
        if count
    }


def next_counts(
    design: Design, ones: Integers, twos: Integers, n: Integers, *,
    first: Integers, second: Integers,
) -> Integers:  # fmt: skip
    """The next batch of many pairs of languages; a row of zeros where a pair has enough.

    A curve has enough questions if ``ENOUGH`` times those of the first stage lie where it falls
    (:data:`FALL`), or if it does not fall within the range. A second stage begins where a curve
    lacks a third of that. What the two lack is then asked in batches at their ``TARGETS``, each
    curve in proportion to what it lacks.

    Args:
        design: its grid has G complexities.
        ones, twos: questions with one and with two of the two languages right, shape (runs, G).
        n: questions, shape (runs, G).
        first, second: questions of either stage so far, shape (runs,).

    Returns:
        Questions, shape (runs, G).
    """
    return _batches(design, fit_two(design, ones, twos, n), n, first=first, second=second)


def _batches(
    design: Design, theta: Floats, n: Integers, *, first: Integers, second: Integers
) -> Integers:
    """The next batch of pairs with these curves, shape (runs, G); see :func:`next_counts`."""
    lack = lacking(design, theta, n, first)
    begins = lack.questions.max(axis=1) >= BEGIN * lack.enough
    size = np.where(begins | (second > 0), np.minimum(lack.questions.sum(axis=1), BATCH), 0)
    size = np.minimum(size, np.maximum((MOST * first).astype(np.int64) - second, 0))
    found = np.zeros(n.shape, dtype=np.int64)
    for row in np.flatnonzero(size):
        shares = lack.questions[row] / lack.questions[row].sum()
        for curve, count in enumerate(parts(shares.tolist(), int(size[row]))):
            at = theta[row, curve][None]
            wanted = np.clip(complexities_at(at, TARGETS), design.c_min, design.c_max)
            found[row] += nearest_counts(design, wanted, parts(WEIGHTS, int(count)))[0]
    return found


@dataclass(frozen=True)
class Lack:
    """Two curves of each run and what they lack.

    Attributes:
        theta: (log q, log r), shape (runs, 2, 2).
        questions: what each curve lacks, shape (runs, 2).
        enough: what is enough for one, shape (runs,).
    """

    theta: Floats
    questions: Integers
    enough: Integers


def lacking(design: Design, theta: Floats, n: Integers, first: Integers) -> Lack:
    """What each of two curves lacks.

    Args:
        design: its grid has G complexities.
        theta: from :func:`fit_two`.
        n: questions, shape (runs, G).
        first: questions of the first stage, shape (runs,).
    """
    grid = np.log(np.array(design.grid, dtype=np.float64))
    falls = np.log(complexities_at(theta.reshape(-1, 2), FALL)).reshape(-1, 2, 2)
    inside = (falls[..., 0] < grid[-1]) & (falls[..., 1] > grid[0])
    ends = np.abs(falls[..., None] - grid).argmin(axis=3)  # runs, curves, ends
    levels = np.arange(len(grid))
    on_the_fall = (levels >= ends[..., :1]) & (levels <= ends[..., 1:])
    there = (on_the_fall * n[:, None]).sum(axis=2)
    enough = (ENOUGH * first).astype(np.int64)
    lack = np.where(inside, np.maximum(enough[:, None] - there, 0), 0)
    return Lack(theta, lack, enough)


def fit_two(design: Design, ones: Integers, twos: Integers, n: Integers) -> Floats:
    """Two curves without a name, from how many of two languages were right on each question.

    Expectation-maximisation, a fixed number of steps, for answers that are independent given the
    curves, each with the prior log q ~ N(log 15, 1) and the lapses of the first stage. It begins
    at the quartiles of the curve of both together.

    Args:
        design: its grid has G complexities.
        ones, twos: questions with one and with two right, shape (runs, G).
        n: questions, shape (runs, G).

    Returns:
        (log q, log r) of two curves, shape (runs, 2, 2); the first falls at lower complexities.
    """
    asked = n.any(axis=0)
    c = np.array(design.grid, dtype=np.float64)[asked]
    ceiling, floor = 1.0 - LAPSE[0], LAPSE[1]
    one, two, total = (x[:, asked].astype(np.float64) for x in (ones, twos, n))

    def fitted(right_by_curve: Floats, of: Floats, start: Floats | None = None) -> Floats:
        return fit_likelihood(
            c, right_by_curve, of, ceiling=ceiling, floor=floor, prior_sd=PRIOR_SD, start=start
        )[0]

    pooled = fitted(one + 2.0 * two, 2.0 * total)
    log_q = np.maximum(pooled[:, 0], _LEAST_LOG_Q)
    halves = np.log(complexities_at(pooled, _QUARTILES))
    theta = np.stack([np.stack([log_q, -2.0 * at], axis=1) for at in halves.T], axis=1)
    # Expectation and maximization (Dempster, Laird and Rubin 1977): which of the two languages was
    # right where one was is not known; each gets its expected share, and the curves are refitted.
    for _ in range(_STEPS):
        accuracy = floor + (ceiling - floor) * curve_and_slopes(c, theta.reshape(-1, 2))[0]
        accuracy = accuracy.reshape(len(one), 2, -1)
        only_one = accuracy * (1.0 - accuracy[:, ::-1])
        share = only_one / np.maximum(only_one.sum(axis=1, keepdims=True), _SMALL)
        right_by_curve = two[:, None] + one[:, None] * share
        rows = (
            right_by_curve.reshape(-1, len(c)),
            np.repeat(total, 2, axis=0),
            theta.reshape(-1, 2),
        )
        theta = fitted(*rows).reshape(-1, 2, 2)
    order = np.argsort(-theta[..., 1], axis=1)
    found: Floats = np.take_along_axis(theta, order[..., None], axis=1)
    return found
