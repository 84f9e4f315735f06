"""Which complexities to ask next, when nothing is known of a model: the design ``pooled5``.

All languages are asked the same questions. A pilot goes up in even steps of log c; then batches go
where the curve of all languages together is .9, .7, .5, .3 and .1. What is asked next, and when it
is enough, depends on the answers only through S_j, the number of languages that were right on
question j. Exchanging the answers of two languages to a question leaves every S_j as it is, so that
under "the language changes nothing" the same questions would have been asked: given the questions,
the paired test (:mod:`xlgo_metric.statistics.paired`) stays exact, with the stopping rule too.

Nothing here is random. The functions on arrays take many runs at once, for simulations.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import gammaincinv

from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.fitting import fit_likelihood

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
