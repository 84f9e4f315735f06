"""Random draws that give the same values on every Python, NumPy and processor.

The words come from NumPy's Philox bit generator, whose raw output is fixed by its definition
(Salmon et al., 2011, "Parallel random numbers: as easy as 1, 2, 3"). Everything drawn from the
words is made here: the methods of ``numpy.random.Generator`` and Python's ``random.shuffle`` may
change between releases.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")

MAX_BOUND = 1 << 24
"""Largest bound of an integer draw: the excess chance of any value is at most bound / 2^40."""

_CHUNK = 64


class Stream:
    """A stream of random draws named by a key.

    Args:
        key: integers and strings that name the stream. Streams of different keys are unrelated:
            the key goes through SHA-256, so keys that look alike share nothing.
    """

    def __init__(self, *key: int | str) -> None:
        text = "\x1f".join(f"{type(part).__name__}:{part}" for part in key)
        digest = hashlib.sha256(text.encode("utf-8")).digest()
        self._philox = np.random.Philox(key=int.from_bytes(digest[:16], "little"))
        self._spare: list[int] = []

    def words(self, n: int) -> npt.NDArray[np.uint64]:
        """``n`` raw 64-bit words, shape (n,)."""
        return self._philox.random_raw(n)

    def integers(self, bound: int, size: int) -> npt.NDArray[np.int64]:
        """Integers in [0, bound), shape (size,).

        Raises:
            ValueError: ``bound`` is not in 1..2^24.
        """
        _check(bound)
        high = self.words(size) >> np.uint64(24)
        return ((high * np.uint64(bound)) >> np.uint64(40)).astype(np.int64)

    def integer(self, bound: int) -> int:
        """One integer in [0, bound). Draws words in blocks, so many single draws are cheap."""
        _check(bound)
        if not self._spare:
            self._spare = self.words(_CHUNK).tolist()[::-1]
        return ((self._spare.pop() >> 24) * bound) >> 40

    def uniform(self) -> float:
        """One number in [0, 1), a multiple of 2^-24."""
        return self.integer(MAX_BOUND) / MAX_BOUND

    def permutation(self, n: int) -> npt.NDArray[np.int64]:
        """The numbers 0..n-1 in random order, shape (n,)."""
        mask = np.uint64((1 << max(n - 1, 1).bit_length()) - 1)
        # The low bits hold the position: keys never tie, so any sorting algorithm agrees.
        keys = (self.words(n) & ~mask) | np.arange(n, dtype=np.uint64)
        keys.sort()
        return (keys & mask).astype(np.int64)

    def sample(self, bound: int, size: int) -> npt.NDArray[np.int64]:
        """``size`` different integers in [0, bound) in random order, shape (size,).

        Raises:
            ValueError: there are not so many, or ``bound`` is not in 1..2^24.
        """
        if size > bound:
            raise ValueError(f"cannot draw {size} different integers below {bound}")
        if 2 * size >= bound:
            _check(bound)
            return self.permutation(bound)[:size]
        drawn = np.empty(0, dtype=np.int64)
        while True:
            drawn = np.concatenate([drawn, self.integers(bound, size + size // 16 + 16)])
            kept = _first_of_each(drawn)
            if len(kept) >= size:
                return drawn[kept[:size]]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """A new list with the items in random order."""
        return [items[i] for i in self.permutation(len(items)).tolist()]


def _first_of_each(values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Positions of the first occurrence of each value, in order."""
    # Two sorts of plain integers: several times as fast as np.unique with its indices.
    keys = (values << 32) | np.arange(len(values))
    keys.sort()
    new = np.ones(len(keys), dtype=bool)
    new[1:] = keys[1:] >> 32 != keys[:-1] >> 32
    return np.sort(keys[new] & 0xFFFFFFFF)


def _check(bound: int) -> None:
    if not 1 <= bound <= MAX_BOUND:
        raise ValueError(f"cannot draw an integer below {bound}: the bound must be 1..{MAX_BOUND}")
