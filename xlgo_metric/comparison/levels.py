"""Two languages at the levels that both were asked: counts, limits, and what they show together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from xlgo_metric.comparison.contrast import Contrast
from xlgo_metric.comparison.counts import Cell, Pairs
from xlgo_metric.statistics.claims.blocks import scan
from xlgo_metric.statistics.differences import paired_limits, unpaired_limits
from xlgo_metric.statistics.draws import Floats, Integers
from xlgo_metric.statistics.evidence import Mask, most, telling


@dataclass(frozen=True)
class Levels:
    """Right answers of two languages at their common levels, by rising complexity.

    Attributes:
        c: complexities, shape (levels,).
        k_en, n_en, k_l, n_l: right answers and answers of the two languages.
        discordant: pairs that are right in exactly one of them; ``None`` where the questions are
            not the same.
    """

    c: Floats
    k_en: Integers
    n_en: Integers
    k_l: Integers
    n_l: Integers
    discordant: Integers | None

    @classmethod
    def of_pairs(cls, pairs: Pairs) -> Levels:
        """The questions that were answered in both languages."""
        return cls(pairs.c, pairs.k_en, pairs.n, pairs.k_l, pairs.n, pairs.discordant)

    @classmethod
    def unpaired(cls, english: Cell, other: Cell) -> Levels:
        """All answers at complexities that both languages have."""
        (c_en, k_en, n_en), (c_l, k_l, n_l) = english.levels, other.levels
        c, in_en, in_l = np.intersect1d(c_en, c_l, assume_unique=True, return_indices=True)
        return cls(c, k_en[in_en], n_en[in_en], k_l[in_l], n_l[in_l], None)

    def most(self, sign: float) -> float:
        """The largest gap of that sign that the exact 95% limits of any level allow."""
        limits = [self._limits(np.array([at])) for at in range(len(self.c))]
        return most(np.array(limits).reshape(-1, 2), sign)

    def pooled(self) -> dict[str, Any] | None:
        """Both languages over the levels that tell them apart; ``None`` without common levels."""
        if not len(self.c):
            return None
        chosen, between = telling(self.k_en + self.k_l, self.n_en + self.n_l)
        return {"between": between, **self._counted(chosen)}

    def together(self) -> dict[str, Any] | None:
        """Both languages over all their common levels; ``None`` without any."""
        if not len(self.c):
            return None
        return {"between": False, **self._counted(np.ones(len(self.c), dtype=np.bool_))}

    def contrast(self) -> Contrast:
        """The same questions over all levels; they must be pairs.

        Raises:
            ValueError: the questions are not the same in both languages.
        """
        only_en, only_l = self._alone(np.arange(len(self.c)))
        if only_en is None or only_l is None:
            raise ValueError("questions that are not the same have no paired test")
        n, right_en, right_l = (int(side.sum()) for side in (self.n_en, self.k_en, self.k_l))
        return Contrast(n, right_en, right_l, only_en, only_l)

    def sides(self, seed: int) -> dict[str, Any] | None:
        """Where each of the two languages is ahead: exact, for all runs of levels together.

        Returns:
            ``p_behind`` and ``p_ahead``, one-sided, that the second language is so nowhere, and
            ``behind`` and ``ahead``, the counts over the levels of the shortest runs where it is;
            ``None`` where the questions are not the same.
        """
        if self.discordant is None or not len(self.c):
            return None
        only_en = (self.discordant + self.k_en - self.k_l) // 2
        found = scan(only_en, self.discordant - only_en, seed=seed)
        return {
            "p_behind": found.p_first,
            "p_ahead": found.p_second,
            "behind": self._counted(found.first) if found.first.any() else None,
            "ahead": self._counted(found.second) if found.second.any() else None,
        }

    def _counted(self, chosen: Mask) -> dict[str, Any]:
        """Counts over some levels, pooled, and the exact limits of the difference."""
        low, high = self._limits(np.flatnonzero(chosen))
        only_en, only_l = self._alone(np.flatnonzero(chosen))
        return {
            "levels": [int(c) if c == int(c) else c for c in self.c[chosen].tolist()],
            "n_en": int(self.n_en[chosen].sum()),
            "k_en": int(self.k_en[chosen].sum()),
            "n_l": int(self.n_l[chosen].sum()),
            "k_l": int(self.k_l[chosen].sum()),
            "only_en": only_en,
            "only_l": only_l,
            "low": low,
            "high": high,
        }

    def _alone(self, at: Integers) -> tuple[int | None, int | None]:
        """Pairs that are right in the first language only, and in the second only."""
        if self.discordant is None:
            return None, None
        apart = int((self.k_en[at] - self.k_l[at]).sum())
        differ = int(self.discordant[at].sum())
        return (differ + apart) // 2, (differ - apart) // 2

    def _limits(self, at: Integers) -> tuple[float, float]:
        """Exact 95% limits of the difference over some levels together."""
        only_en, only_l = self._alone(at)
        if only_en is not None and only_l is not None:
            return paired_limits(only_en, only_l, int(self.n_en[at].sum()))
        return unpaired_limits(
            int(self.k_en[at].sum()), int(self.n_en[at].sum()),
            int(self.k_l[at].sum()), int(self.n_l[at].sum()),
        )  # fmt: skip
