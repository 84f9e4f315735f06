"""Which languages, or models, can be distinguished in an order: simultaneous intervals of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.differences import clustered_sign_test
from xlgo_metric.statistics.draws import Floats
from xlgo_metric.statistics.multiple import holm

ALPHA = 0.05


@dataclass(frozen=True)
class Pair:
    """Two of those compared, by their places.

    Attributes:
        first, second: places.
        gain: accuracy of the first minus that of the second.
        p: exact test over clusters; ``p_holm`` after Holm's correction for all pairs.
    """

    first: int
    second: int
    gain: float
    p: float
    p_holm: float = 1.0


@dataclass(frozen=True)
class Rank:
    """A place and the places that cannot be ruled out at 95%, all from 1."""

    rank: int
    low: int
    high: int


def compared(right: npt.ArrayLike, cluster: npt.ArrayLike) -> list[Pair]:
    """Every pair, on the same questions: the clustered sign test with Holm's correction.

    Args:
        right: correct answers, shape (compared, questions), truth values or whole-number weights.
        cluster: which cluster each question belongs to, whole numbers from 0.
    """
    answers, of = np.asarray(right).astype(np.int64), np.asarray(cluster)
    found = []
    for a, b in combinations(range(len(answers)), 2):
        difference = answers[a] - answers[b]
        sums = np.rint(np.bincount(of, weights=difference))
        found.append(Pair(a, b, float(difference.mean()), clustered_sign_test(sums)))
    adjusted = holm([pair.p for pair in found])
    return [replace(pair, p_holm=float(p)) for pair, p in zip(found, adjusted)]


def ranks(scores: npt.ArrayLike, pairs: Sequence[Pair]) -> tuple[Rank, ...]:
    """The rank of each, best first, with its interval; equal scores share a rank.

    As many stand above as are significantly better, and as many below as are significantly worse.
    All intervals hold together with a chance of at least 95%, since Holm's pairs do (Mogstad,
    Romano, Shaikh and Wilhelm 2024, doi:10.1093/restud/rdad006, with exact tests in the place of
    their bounds).

    Args:
        scores: higher is better, shape (compared,).
        pairs: from :func:`compared`.
    """
    values: Floats = np.asarray(scores, dtype=np.float64)
    above, below = [0] * len(values), [0] * len(values)
    for pair in pairs:
        if pair.p_holm < ALPHA and pair.gain != 0:
            better, worse = (
                (pair.first, pair.second) if pair.gain > 0 else (pair.second, pair.first)
            )
            above[worse] += 1
            below[better] += 1
    return tuple(
        Rank(1 + int(np.sum(values > value)), 1 + over, len(values) - under)
        for value, over, under in zip(values, above, below)
    )


def may_be_last(found: Sequence[Rank]) -> list[int]:
    """The places of those that may be the last, one only where it is behind all others."""
    return [place for place, rank in enumerate(found) if rank.high == len(found)]
