"""Rules 11 to 15: letters are replaced in pairs or through their places in a grid."""

from __future__ import annotations

from xlgo_dataset.families.korbench.ciphers.programs import cells, pieces

# Rule 11: four squares without Q.
FIRST = FOURTH = ("KLMNO", "PRSTU", "VWXYZ", "ABCDE", "FGHIJ")
SECOND = ("ECHOA", "BDFGI", "JKLMN", "PRSTU", "VWXYZ")
THIRD = ("VORTE", "XABCD", "FGHIJ", "KLMNP", "SUWYZ")


def _pairs(text: str, left: tuple[str, ...], right: tuple[str, ...],
           to_left: tuple[str, ...], to_right: tuple[str, ...]) -> str:  # fmt: skip
    from_left, from_right, out = cells(left), cells(right), []
    for pair in pieces(text, 2):
        (r1, c1), (r2, c2) = from_left[pair[0]], from_right[pair[1]]
        out.append(to_left[r1][c1] + to_right[r2][c2])
    return "".join(out)


def four_square_decode(code: str) -> str:
    """Rule 11, backwards; a padding X stays."""
    return _pairs(code, SECOND, THIRD, FIRST, FOURTH)


# Rule 12: Morse signs in pairs.
DIGITS = {
    "..": "5", ".-": "4", "./": "9", "-.": "8", "--": "6", "-/": "7", "/.": "3", "/-": "1",
    "//": "2",
}  # fmt: skip
MORSE = {
    "A": ".-", "B": "-...", "C": "-.-.", "D": "-..", "E": ".", "F": "..-.", "G": "--.",
    "H": "....", "I": "..", "J": ".---", "K": "-.-", "L": ".-..", "M": "--", "N": "-.",
    "O": "---", "P": ".--.", "Q": "--.-", "R": ".-.", "S": "...", "T": "-", "U": "..-",
    "V": "...-", "W": ".--", "X": "-..-", "Y": "-.--", "Z": "--..",
}  # fmt: skip
_SIGN_PAIRS = {digit: pair for pair, digit in DIGITS.items()}
_FROM_MORSE = {signs: letter for letter, signs in MORSE.items()}


def morbit_decode(code: str) -> str:
    """Rule 12, backwards."""
    signs = "".join(_SIGN_PAIRS.get(c, c) for c in code)
    return "".join(_FROM_MORSE[letter] for letter in signs.split("/"))


# Rule 13: all rows, then all columns, read in pairs.
BIFID = ("UBILA", "NTCDE", "FGHKM", "OPQRS", "VWXYZ")
_BIFID_PLACES = cells(BIFID)


def bifid_decode(code: str) -> str:
    """Rule 13, backwards."""
    numbers = [number for c in code for number in _BIFID_PLACES[c]]
    half = len(code)
    return "".join(BIFID[r][c] for r, c in zip(numbers[:half], numbers[half:]))


# Rule 14: pairs of letters become three digits.
WIDE = ("QWERTYUIO", "PASDFGHJK", "LZXCVBNM#")
TALL = ("QWE", "RTY", "UIO", "PAS", "DFG", "HJK", "LZX", "CVB", "NM#")
FILLER, GROUP = "#", 6


def digrafid_decode(code: str) -> str:
    """Rule 14, backwards, without the padding."""
    out = []
    for c1, number, r2 in (map(int, piece) for piece in pieces(code, 3)):
        out.append(WIDE[(number - 1) // 3][c1] + TALL[r2][(number - 1) % 3])
    return "".join(out).rstrip(FILLER)


# Rule 15: the head of the row and the foot of the column.
COLLON = ("MZSDP", "KNFLQ", "GAOXU", "WRYVC", "BTEHI")
_COLLON_PLACES = cells(COLLON)
HEADS, FEET = "".join(row[0] for row in COLLON), COLLON[-1]


def collon_decode(code: str) -> str:
    """Rule 15, backwards."""
    return "".join(COLLON[HEADS.index(pair[0])][FEET.index(pair[1])] for pair in pieces(code, 2))
