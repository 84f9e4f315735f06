"""Rules 11 to 15: letters are replaced in pairs or through their places in a grid."""

from __future__ import annotations

from .tables import cells, pieces, without

# Rule 11: four squares without Q.
FIRST = FOURTH = ("KLMNO", "PRSTU", "VWXYZ", "ABCDE", "FGHIJ")
SECOND = ("ECHOA", "BDFGI", "JKLMN", "PRSTU", "VWXYZ")
THIRD = ("VORTE", "XABCD", "FGHIJ", "KLMNP", "SUWYZ")


def four_square_encode(text: str) -> str:
    """Rule 11: without Q, an odd text filled with X; grids 1 and 4 become grids 2 and 3."""
    text = without(text, "Q")
    from_left, from_right, out = cells(FIRST), cells(FOURTH), []
    for pair in pieces(text + "X" * (len(text) % 2), 2):
        (r1, c1), (r2, c2) = from_left[pair[0]], from_right[pair[1]]
        out.append(SECOND[r1][c1] + THIRD[r2][c2])
    return "".join(out)


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


def morbit_encode(text: str) -> str:
    """Rule 12: a digit for every pair of Morse signs; a last sign without a partner stays."""
    signs = pieces("/".join(MORSE[p] for p in text), 2)
    return "".join(DIGITS.get(pair, pair) for pair in signs)


# Rule 13: all rows, then all columns, read in pairs.
BIFID = ("UBILA", "NTCDE", "FGHKM", "OPQRS", "VWXYZ")
_BIFID_PLACES = cells(BIFID)


def bifid_encode(text: str) -> str:
    """Rule 13: without J; the row numbers, then the column numbers, read two by two."""
    places = [_BIFID_PLACES[p] for p in without(text, "J")]
    numbers = [row for row, _ in places] + [column for _, column in places]
    return "".join(BIFID[r][c] for r, c in zip(numbers[::2], numbers[1::2]))


# Rule 14: pairs of letters become three digits.
WIDE = ("QWERTYUIO", "PASDFGHJK", "LZXCVBNM#")
TALL = ("QWE", "RTY", "UIO", "PAS", "DFG", "HJK", "LZX", "CVB", "NM#")
FILLER, GROUP = "#", 6


def digrafid_encode(text: str) -> str:
    """Rule 14: groups of six filled with #; a pair gives column, number and row."""
    text += FILLER * (-len(text) % GROUP)
    wide, tall, out = cells(WIDE), cells(TALL), []
    for pair in pieces(text, 2):
        (r1, c1), (r2, c2) = wide[pair[0]], tall[pair[1]]
        out.append(f"{c1}{3 * r1 + c2 + 1}{r2}")
    return "".join(out)


# Rule 15: the head of the row and the foot of the column.
COLLON = ("MZSDP", "KNFLQ", "GAOXU", "WRYVC", "BTEHI")
_COLLON_PLACES = cells(COLLON)
HEADS, FEET = "".join(row[0] for row in COLLON), COLLON[-1]


def collon_encode(text: str) -> str:
    """Rule 15: without J; every letter becomes the head of its row and the foot of its column."""
    places = [_COLLON_PLACES[p] for p in without(text, "J")]
    return "".join(HEADS[r] + FEET[c] for r, c in places)
