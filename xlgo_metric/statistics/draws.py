"""Random draws whose values do not change with the release of NumPy.

NumPy promises that the raw 64-bit words of a bit generator stay the same, but not the methods of
``Generator``. Every draw here is therefore made from raw Philox words by exact integer or
inverse-distribution rules. A stream is keyed by text, so a result depends only on what it is for,
never on what else was computed before it.
"""

import hashlib

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_WORD_BITS = 64
_BLOCK_WORDS = 1 << 20


def derive_seed(*key: object) -> int:
    """A 63-bit seed that is a stable function of the parts of ``key`` (as text)."""
    return int.from_bytes(_digest(key)[:8], "little") >> 1


def _digest(key: tuple[object, ...]) -> bytes:
    return hashlib.sha256("\x1f".join(map(str, key)).encode()).digest()


class Stream:
    """A stream of random words keyed by the parts of ``key`` (as text, through SHA-256)."""

    def __init__(self, *key: object) -> None:
        self._philox = np.random.Philox(key=int.from_bytes(_digest(key)[:16], "little"))

    def words(self, count: int) -> npt.NDArray[np.uint64]:
        """The next ``count`` raw 64-bit words."""
        return np.asarray(self._philox.random_raw(count), dtype=np.uint64)

    def uniforms(self, shape: tuple[int, ...]) -> Floats:
        """Uniform numbers of the open interval (0, 1), 52 bits each."""
        # Half a step is added, so that neither 0 nor 1 can occur: their quantiles are infinite.
        uniforms = (self.words(int(np.prod(shape))) >> np.uint64(12)).astype(np.float64)
        uniforms += 0.5
        uniforms *= 2.0**-52
        return uniforms.reshape(shape)

    def betas(self, k: Floats, n: Floats, draws: int) -> Floats:
        """``draws`` accuracies per level from Beta(k + 1, n - k + 1), by the inverse distribution.

        Args:
            k: correct answers per level, shape (levels,).
            n: answers per level, shape (levels,).

        Returns:
            Shape (draws, levels).
        """
        from scipy.special import betaincinv

        uniforms = self.uniforms((draws, len(k)))
        result = np.empty_like(uniforms)
        for level, (right, total) in enumerate(zip(k, n)):
            u = uniforms[:, level]
            # The two ends have closed forms, and on a whole benchmark half the levels are there.
            if right == total:
                result[:, level] = u ** (1.0 / (total + 1.0))
            elif right == 0:
                result[:, level] = -np.expm1(np.log1p(-u) / (total + 1.0))
            else:
                result[:, level] = betaincinv(right + 1.0, total - right + 1.0, u)
        return result

    def fair_binomials(self, sizes: Integers, draws: int) -> Integers:
        """Exact Bin(size, 1/2) variates: the number of ones among ``size`` random bits.

        Args:
            sizes: shape (levels,), not negative.

        Returns:
            Shape (draws, levels).
        """
        result = np.zeros((draws, len(sizes)), dtype=np.int64)
        for level, size in enumerate(sizes.tolist()):
            for done in range(0, size, _WORD_BITS):
                bits = min(size - done, _WORD_BITS)
                words = self.words(draws) >> np.uint64(_WORD_BITS - bits)
                result[:, level] += np.bitwise_count(words)
        return result

    def binomials(self, sizes: Integers, chances: Floats, draws: int) -> Integers:
        """Bin(size, chance) variates, by the inverse distribution.

        Args:
            sizes: shape (levels,), not negative.
            chances: shape (levels,), in [0, 1].

        Returns:
            Shape (draws, levels).
        """
        from scipy.special import bdtr

        uniforms = self.uniforms((draws, len(sizes)))
        result = np.empty(uniforms.shape, dtype=np.int64)
        for level, (size, chance) in enumerate(zip(sizes.tolist(), chances.tolist())):
            below = bdtr(np.arange(size, dtype=np.float64), size, chance)
            result[:, level] = np.searchsorted(below, uniforms[:, level], side="left")
        return result

    def multinomials(self, sizes: Integers, chances: Floats, draws: int) -> Integers:
        """Multinomial variates: as many items of each level as ``sizes``, by a uniform number each.

        Args:
            sizes: shape (levels,), not negative.
            chances: of the categories, shape (levels, categories), each row summing to 1.

        Returns:
            Shape (draws, levels, categories).
        """
        # A uniform number lies below an edge where its word lies below this one.
        limits = np.cumsum(chances, axis=1)[:, :-1] * 2.0**52
        edges = np.ceil(np.maximum(limits - 0.5, 0.0)).astype(np.uint64)
        result = np.zeros((draws, *chances.shape), dtype=np.int64)
        for level, size in enumerate(sizes.tolist()):
            block = max(1, _BLOCK_WORDS // max(size, 1))
            for begin in range(0, draws, block):
                rows = slice(begin, min(begin + block, draws))
                items = self.words((rows.stop - begin) * size) >> np.uint64(12)
                items = items.reshape(rows.stop - begin, size)
                below = [_counted(items < edge) for edge in edges[level]]
                below.append(np.full(rows.stop - begin, size))
                result[rows, level] = np.diff(np.stack(below, axis=1), prepend=0, axis=1)
        return result

    def normals(self, shape: tuple[int, ...]) -> Floats:
        """Standard normal variates, by the inverse distribution."""
        from scipy.special import ndtri

        result: Floats = ndtri(self.uniforms(shape))
        return result

    def resample(self, counts: Integers, draws: int) -> Integers:
        """Bootstrap resamples of categories: per level as many items as there are, with return.

        Args:
            counts: items per level and category, shape (levels, categories).

        Returns:
            Shape (draws, levels, categories). The share of an item is exact to 2**-32.
        """
        levels, categories = counts.shape
        result = np.zeros((draws, levels, categories), dtype=np.int64)
        for level in range(levels):
            edges = np.cumsum(counts[level])
            total = int(edges[-1])
            block = max(1, _BLOCK_WORDS // max(total, 1))
            for begin in range(0, draws, block):
                rows = min(block, draws - begin)
                below = self._below(edges, rows, total)
                result[begin : begin + rows, level] = np.diff(below, prepend=0, axis=1)
        return result

    def _below(self, edges: Integers, rows: int, total: int) -> Integers:
        """How many of ``total`` uniform item numbers lie below each edge, shape (rows, edges)."""
        halves = self.words((rows * total + 1) // 2).view(np.uint32)[: rows * total]
        # item = floor(half * total / 2**32) < edge  <=>  half < ceil(edge * 2**32 / total)
        limits = [-((-int(edge) << 32) // total) if total else 0 for edge in edges]
        table = halves.reshape(rows, total)
        columns = [_counted(table < limit) for limit in limits[:-1]]
        return np.stack([*columns, np.full(rows, total)], axis=1).astype(np.int64)


def _counted(truths: npt.NDArray[np.bool_]) -> Integers:
    """How many of each row are true: eight at a time, several times as fast as a sum."""
    result: Integers = np.bitwise_count(np.packbits(truths, axis=1)).sum(axis=1, dtype=np.int64)
    return result


def exchanges(stream: Stream, discordant: Integers, nets: Integers | None, draws: int) -> Integers:
    """Differences of correct answers per level when the two answers to a question are exchanged.

    Questions of one cluster are exchanged together, so that the draws stay exact whatever the
    dependence within a cluster.

    Args:
        stream: where the draws come from.
        discordant: question pairs that are right in exactly one language, shape (levels,).
        nets: clusters of several questions, shape (clusters, 3): level, difference of right
            answers, discordant pairs; ``None`` without any.
        draws: how many.

    Returns:
        Shape (draws, levels).
    """
    # A cluster is exchanged as one: its pairs must not be tossed a second time on their own.
    alone = discordant.copy()
    if nets is not None:
        np.subtract.at(alone, nets[:, 0], nets[:, 2])
    result = 2 * stream.fair_binomials(alone, draws) - alone
    if nets is not None:
        signs = 2 * stream.fair_binomials(np.ones(len(nets), dtype=np.int64), draws) - 1
        np.add.at(result.T, nets[:, 0], (signs * nets[:, 1]).T)
    return result
