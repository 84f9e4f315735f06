"""The random words against Philox4x64-10 written out from its publication."""

import hashlib

import pytest

from xlgo_dataset.core.rng import MAX_BOUND, Stream

M0, M1 = 0xD2E7470EE14C6C93, 0xCA5A826395121157
W0, W1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
MASK = (1 << 64) - 1


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Ten rounds of Salmon et al. (2011), section 3.2."""
    (a, b, c, d), (k, m) = counter, key
    for _ in range(10):
        p, q = M0 * a, M1 * c
        a, b, c, d = (q >> 64) ^ b ^ k, q & MASK, (p >> 64) ^ d ^ m, p & MASK
        k, m = (k + W0) & MASK, (m + W1) & MASK
    return [a, b, c, d]


def test_philox_written_out_meets_the_published_vector() -> None:
    # Random123's known answers for philox4x64-10 of zero counter and key.
    assert philox([0] * 4, [0] * 2) == [
        0x16554D9ECA36314C,
        0xDB20FE9D672D0FDC,
        0xD7E772CEE186176B,
        0x7E68B68AEC7BA23B,
    ]


def words_by_hand(n: int, *parts: object) -> list[int]:
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in parts)
    digest = hashlib.sha256(text.encode()).digest()
    key = [int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")]
    out: list[int] = []
    counter = 1  # NumPy counts up before it draws
    while len(out) < n:
        out += philox([counter, 0, 0, 0], key)
        counter += 1
    return out[:n]


@pytest.mark.parametrize("key", [("xlgo", 1, "slt", 100, "test", 0, 3, 0), ("x",), ("é", -5)])
def test_words(key: tuple[int | str, ...]) -> None:
    assert Stream(*key).words(11).tolist() == words_by_hand(11, *key)


def test_keys_of_other_types_differ() -> None:
    assert Stream("a", 1).words(2).tolist() != Stream("a", "1").words(2).tolist()


def test_integers_are_scaled_words() -> None:
    drawn = Stream("k").integers(1000, 50).tolist()
    assert drawn == [((word >> 24) * 1000) >> 40 for word in words_by_hand(50, "k")]


@pytest.mark.parametrize("bound", [0, -1, MAX_BOUND + 1])
def test_impossible_bounds_are_refused(bound: int) -> None:
    with pytest.raises(ValueError, match=r"bound must be 1\.\."):
        Stream("k").integers(bound, 1)


@pytest.mark.parametrize(("bound", "size"), [(1, 1), (10, 10), (10, 4), (1000, 30), (1000, 499)])
def test_a_sample_holds_different_numbers(bound: int, size: int) -> None:
    drawn = Stream("s", bound, size).sample(bound, size).tolist()
    assert len(set(drawn)) == len(drawn) == size
    assert set(drawn) <= set(range(bound))


def test_a_sample_larger_than_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot draw 9 different integers below 8"):
        Stream("k").sample(8, 9)
