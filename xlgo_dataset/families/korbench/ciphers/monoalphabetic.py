"""Rules 1 to 5: every letter is replaced on its own, always in the same way."""

from __future__ import annotations

from .tables import ALPHABET, cells

# Rule 1: mirror, shift, substitute.
SUBSTITUTES = "RFDJUHABCEGIKLMNOPQSTVWXYZ"
SHIFT = 4


def mirror_encode(text: str) -> str:
    """Rule 1: mirror in the alphabet, four letters forward, then the substitute."""
    return "".join(SUBSTITUTES[(25 - ALPHABET.index(p) + SHIFT) % 26] for p in text)


# Rule 2: a sign for a letter.
SIGNS = "!@#$%^&*()_+=~?/0:;<>12345"


def pigpen_encode(text: str) -> str:
    """Rule 2: the sign of each letter."""
    return "".join(SIGNS[ALPHABET.index(p)] for p in text)


# Rule 3: keys of a telephone.
KEYS = {2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ"}
_PRESSES = {
    letter: f"{key}^{count}" for key, name in KEYS.items() for count, letter in enumerate(name, 1)
}


def multitap_encode(text: str) -> str:
    """Rule 3: key and number of presses, written without separators: ``8^26^3``."""
    return "".join(_PRESSES[p] for p in text)


# Rule 4: a square of five by five that has no O.
SQUARE = ("RTXFS", "WCMVH", "ZJAPB", "LQYGK", "NEUDI")
OUTSIDE = {"O": "66"}
_PAIRS = {sign: f"{r + 1}{c + 1}" for sign, (r, c) in cells(SQUARE).items()} | OUTSIDE


def polybius_encode(text: str) -> str:
    """Rule 4: row and column, both counted from 1; O is 66."""
    return "".join(_PAIRS[p] for p in text)


# Rule 5: a straight line over the places of an alphabet.
LINE = "XMJQUDONPRGTVBWFAKSHZCYEIL"
FACTOR, OFFSET = 3, 5


def affine_encode(text: str) -> str:
    """Rule 5: place x becomes place 3x + 5 modulo 26."""
    return "".join(LINE[(FACTOR * LINE.index(p) + OFFSET) % 26] for p in text)
