"""Random draws that give the same values on every Python, NumPy and processor.

The words come from NumPy's Philox bit generator, whose raw output is fixed by its definition
(Salmon et al., 2011, "Parallel random numbers: as easy as 1, 2, 3"). Everything drawn from the
words is made here: the methods of ``numpy.random.Generator`` and Python's ``random.shuffle`` may
change between releases.
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

T = TypeVar("T")

MAX_BOUND = 1 << 24
"""Largest bound of an integer draw: the excess chance of any value is at most bound / 2^40."""

_CHUNK = 64


class _Key(ISeedSequence):
    """A key of Philox as the seed: given as its key, it would gather entropy for nothing."""

    def __init__(self, digest: bytes) -> None:
        self._words = np.frombuffer(digest, dtype="<u8", count=2)

    def generate_state(self, n_words: int, dtype: object = np.uint32) -> npt.NDArray[np.uint64]:
        """The two words of the key, which is all that Philox asks for."""
        return self._words


class Stream:
    """A stream of random draws named by a key.

    Args:
        key: integers and strings that name the stream. Streams of different keys are unrelated:
            the key goes through SHA-256, so keys that look alike share nothing.
    """

    def __init__(self, *key: int | str) -> None:
        # The type is part of the key, and no part can hold the separator of two: (1, "2"), ("1", 2)
        # and ("12",) are three streams.
        text = "\x1f".join(f"{type(part).__name__}:{part}" for part in key)
        digest = hashlib.sha256(text.encode("utf-8")).digest()
        self._philox = np.random.Philox(_Key(digest))  # type: ignore[arg-type]
        # Blocks of single draws and words() share one stream: what is spare here is skipped by
        # words().
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
        # Multiply and shift (Lemire 2019) with the upper 40 bits of a word: their product with a
        # bound of at most 24 bits fits into 64, so no wider integer is needed.
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

    def permutation(self, n: int, size: int | None = None) -> npt.NDArray[np.int64]:
        """The numbers 0..n-1 in random order, shape (n,), or the first ``size`` of them."""
        mask = np.uint64((1 << max(n - 1, 1).bit_length()) - 1)
        # The low bits hold the position: keys never tie, so any sorting algorithm agrees.
        keys = (self.words(n) & ~mask) | np.arange(n, dtype=np.uint64)
        if size is not None and 4 * size < n:
            # The least keys come first. Only those below a limit are sorted, which is much cheaper
            # than all; should they be too few, all are, with the same outcome.
            few = keys[keys < np.uint64((2 * size << 64) // n)]  # twice as many as needed, about
            keys = few if len(few) >= size else keys
        keys.sort()
        return (keys[:size] & mask).astype(np.int64)

    def sample(self, bound: int, size: int) -> npt.NDArray[np.int64]:
        """``size`` different integers in [0, bound) in random order, shape (size,).

        Raises:
            ValueError: there are not so many, or ``bound`` is not in 1..2^24.
        """
        if size > bound:
            raise ValueError(f"cannot draw {size} different integers below {bound}")
        if 2 * size >= bound:  # drawing again and again would hit too many that are taken
            _check(bound)
            return self.permutation(bound, size)
        drawn = np.empty(0, dtype=np.int64)
        while True:
            # Values are appended, never replaced, so that the first of each are the same however
            # many rounds it takes.
            drawn = np.concatenate([drawn, self.integers(bound, size + size // 16 + 16)])
            firsts = _first_of_each(drawn)
            if len(firsts) >= size:
                return drawn[firsts[:size]]

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
