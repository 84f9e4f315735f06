"""Two sides on the same questions, right or wrong: counts, exact limits and exact test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from xlgo_metric.statistics.differences import paired_limits, sign_test


@dataclass(frozen=True)
class Contrast:
    """How many of the common questions each of two sides answers correctly.

    Attributes:
        n: common questions.
        right_base, right_other: correct answers of the baseline and of the other side.
        only_base, only_other: questions that this side alone answers correctly.
    """

    n: int
    right_base: int
    right_other: int
    only_base: int
    only_other: int

    @classmethod
    def of(cls, base: npt.ArrayLike, other: npt.ArrayLike) -> Contrast:
        """Count answers to the same questions.

        Args:
            base, other: whether each question was answered correctly, shape (questions,).

        Raises:
            ValueError: no questions, or shapes that do not match.
        """
        first, second = (np.asarray(side, dtype=np.bool_) for side in (base, other))
        if first.shape != second.shape or not first.size:
            raise ValueError(f"one answer each is needed: shapes {first.shape} and {second.shape}")
        both = int((first & second).sum())
        right = int(first.sum()), int(second.sum())
        return cls(first.size, *right, right[0] - both, right[1] - both)

    @property
    def accuracies(self) -> tuple[float, float]:
        """Of the baseline and of the other side, fractions."""
        return self.right_base / self.n, self.right_other / self.n

    @property
    def difference(self) -> float:
        """Accuracy of the baseline minus that of the other side; positive: the other is behind."""
        return (self.right_base - self.right_other) / self.n

    @property
    def limits(self) -> tuple[float, float]:
        """Exact 95% limits of ``difference``; they leave out 0 if and only if ``p`` < 0.05."""
        return paired_limits(self.only_base, self.only_other, self.n)

    @property
    def p(self) -> float:
        """Exact two-sided sign test of ``only_base`` against ``only_other`` (McNemar)."""
        return sign_test(self.only_base, self.only_other)
