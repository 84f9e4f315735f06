"""Identifiers of people and rooms: an upper-case letter and a number in 1000..9999.

Inside the package an identifier is a code, ``9000 * letter + number - 1000``, so that drawing and
rendering are array operations.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .rng import Stream

Codes = npt.NDArray[np.int32]

NUMBERS = 9000
TOTAL = 26 * NUMBERS
WIDTH = 5
PATTERN = "[A-Z][1-9][0-9]{3}"

_MANY = re.compile(f"(?:{PATTERN})*")
_ZERO = np.frombuffer(b"A1000", dtype=np.uint8).astype(np.int32)
_WEIGHT = np.array([NUMBERS, 1000, 100, 10, 1], dtype=np.int32)

SAMPLES = (
    "A1234", "B5678", "C9012", "D5506", "D6881", "G5374", "W2169", "T3803", "R5010", "F8573",
    "M5422", "U4598", "V6313",
)  # fmt: skip
"""Identifiers that the format blocks and examples print: never drawn."""


def code(name: str) -> int:
    """The code of one identifier.

    Raises:
        ValueError: ``name`` is not an identifier.
    """
    if not isinstance(name, str) or not re.fullmatch(PATTERN, name):
        raise ValueError(
            f"{name!r} is not an identifier: it must be an upper-case letter and 1000..9999"
        )
    return (ord(name[0]) - ord("A")) * NUMBERS + int(name[1:]) - 1000


def codes(names: Iterable[str]) -> Codes:
    """The codes of several identifiers, shape (n,).

    Raises:
        ValueError: one of them is not an identifier.
    """
    listed = list(names)
    if {*map(type, listed)} <= {str} and {*map(len, listed)} <= {WIDTH}:
        text = "".join(listed)
        if _MANY.fullmatch(text):
            letters = np.frombuffer(text.encode("ascii"), dtype=np.uint8).reshape(-1, WIDTH)
            return (letters - _ZERO) @ _WEIGHT
    return np.array([code(name) for name in listed], dtype=np.int32)  # names the one at fault


def name(value: int) -> str:
    """The identifier of one code."""
    return f"{chr(ord('A') + value // NUMBERS)}{value % NUMBERS + 1000}"


def names(values: Iterable[int]) -> list[str]:
    """The identifiers of several codes."""
    array = np.fromiter(values, dtype=np.int64) if not isinstance(values, np.ndarray) else values
    text = as_bytes().take(array).tobytes().decode("ascii")
    return [text[begin : begin + WIDTH] for begin in range(0, len(text), WIDTH)]


@lru_cache(maxsize=1)
def as_bytes() -> npt.NDArray[np.bytes_]:
    """Every identifier in ASCII, indexed by code: shape (TOTAL,), five bytes each."""
    text = np.empty((26, NUMBERS, WIDTH), dtype=np.uint8)
    text[:, :, 0] = np.arange(ord("A"), ord("Z") + 1)[:, np.newaxis]
    number = np.arange(NUMBERS) + 1000
    for column, power in enumerate((1000, 100, 10, 1), start=1):
        text[:, :, column] = ord("0") + number // power % 10
    return text.reshape(TOTAL, WIDTH).view(f"S{WIDTH}")[:, 0]


def draw(stream: Stream, n: int) -> Codes:
    """``n`` different identifiers in random order, none of the samples.

    Raises:
        ValueError: there are not so many.
    """
    return _drawable()[stream.sample(len(_drawable()), n)]


@lru_cache(maxsize=1)
def _drawable() -> Codes:
    return np.delete(np.arange(TOTAL, dtype=np.int32), codes(SAMPLES))
