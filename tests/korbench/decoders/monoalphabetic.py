"""Rules 1 to 5: every letter is replaced on its own, always in the same way."""

from __future__ import annotations

from xlgo_dataset.families.korbench.ciphers.programs import ALPHABET, cells, pieces

# Rule 1: mirror, shift, substitute.
SUBSTITUTES = "RFDJUHABCEGIKLMNOPQSTVWXYZ"
SHIFT = 4


def mirror_decode(code: str) -> str:
    """Rule 1, backwards."""
    return "".join(ALPHABET[25 - (SUBSTITUTES.index(c) - SHIFT) % 26] for c in code)


# Rule 2: a sign for a letter.
SIGNS = "!@#$%^&*()_+=~?/0:;<>12345"


def pigpen_decode(code: str) -> str:
    """Rule 2, backwards."""
    return "".join(ALPHABET[SIGNS.index(c)] for c in code)


# Rule 3: keys of a telephone.
KEYS = {2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ"}
_PRESSES = {
    letter: f"{key}^{count}" for key, name in KEYS.items() for count, letter in enumerate(name, 1)
}
_PRESSED = {code: letter for letter, code in _PRESSES.items()}


def multitap_decode(code: str) -> str:
    """Rule 3, backwards: every letter takes three characters."""
    return "".join(_PRESSED[piece] for piece in pieces(code, 3))


# Rule 4: a square of five by five that has no O.
SQUARE = ("RTXFS", "WCMVH", "ZJAPB", "LQYGK", "NEUDI")
OUTSIDE = {"O": "66"}
_PAIRS = {sign: f"{r + 1}{c + 1}" for sign, (r, c) in cells(SQUARE).items()} | OUTSIDE
_LETTERS = {pair: sign for sign, pair in _PAIRS.items()}


def polybius_decode(code: str) -> str:
    """Rule 4, backwards."""
    return "".join(_LETTERS[pair] for pair in pieces(code, 2))


# Rule 5: a straight line over the places of an alphabet.
LINE = "XMJQUDONPRGTVBWFAKSHZCYEIL"
FACTOR, OFFSET, INVERSE = 3, 5, 9


def affine_decode(code: str) -> str:
    """Rule 5, backwards: 9 is the inverse of 3 modulo 26."""
    return "".join(LINE[INVERSE * (LINE.index(c) - OFFSET) % 26] for c in code)
