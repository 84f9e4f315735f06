"""The programs of the 25 ciphers: from a text of capital letters to its ciphertext."""

import hashlib
from collections.abc import Callable, Mapping

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Program = Callable[..., str]
"""Takes the text, and the parameters of the rule by name."""
Codes = Mapping[str, str]
"""What each letter becomes."""


def cells(grid: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """The place of every sign in a grid: (row, column), both counted from 0."""
    return {sign: (r, c) for r, row in enumerate(grid) for c, sign in enumerate(row)}


def pieces(text: str, size: int) -> list[str]:
    """``text`` cut into pieces of ``size`` characters; the last may be shorter."""
    return [text[i : i + size] for i in range(0, len(text), size)]


def full(text: str, size: int, filler: str) -> str:
    """``text`` with as many fillers as the last piece of ``size`` characters lacks."""
    return text + filler * (-len(text) % size)


def by_letter(codes: Codes, separator: str = "") -> Program:
    """Every letter is replaced on its own, always in the same way."""
    return lambda text: separator.join(codes[p] for p in text)


def by_place(codes_at: Callable[..., Codes]) -> Program:
    """The place of a letter in the text decides how it is replaced."""
    return lambda text, **parameters: "".join(
        codes_at(i, **parameters)[p] for i, p in enumerate(text)
    )


# Rules 1 to 5: letters one by one.
LINE = "XMJQUDONPRGTVBWFAKSHZCYEIL"

mirror = by_letter({
    p: "RFDJUHABCEGIKLMNOPQSTVWXYZ"[(25 - i + 4) % 26] for i, p in enumerate(ALPHABET)
})  # fmt: skip
pigpen = by_letter(dict(zip(ALPHABET, "!@#$%^&*()_+=~?/0:;<>12345")))
multitap = by_letter({
    letter: f"{key}^{count}"
    for key, name in enumerate(["ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"], 2)
    for count, letter in enumerate(name, 1)
})  # fmt: skip
polybius = by_letter({
    sign: f"{r + 1}{c + 1}"
    for sign, (r, c) in cells(("RTXFS", "WCMVH", "ZJAPB", "LQYGK", "NEUDI")).items()
} | {"O": "66"})  # fmt: skip
affine = by_letter({p: LINE[(3 * i + 5) % 26] for i, p in enumerate(LINE)})

# Rule 6: a deck of cards gives the key stream.
LETTERS = "JDWOTRACXQMFYEZGUKPVBSHNLI"
DECK = (
    9, 25, 44, 38, 40, 22, 11, 36, 13, 39, 18, 42, 10, 53, 26, 12, 1, 16, 3, 43, 37, 17, 30, 4,
    28, 48, 27, 41, 32, 15, 47, 29, 20, 51, 6, 7, 52, 34, 35, 5, 50, 9, 54, 46, 23, 31, 24, 14,
    8, 33, 2, 49, 45, 21,
)  # fmt: skip
"""The deck of the rule, kept as it is: it holds the card 9 twice and no 19."""
JOKER_A, JOKER_B = 53, 54


def _down(deck: list[int], card: int, steps: int) -> list[int]:
    """The deck with one card moved down; below the last card comes the second place."""
    rank = deck.index(card) + steps
    rest = [other for other in deck if other != card]
    rank = rank if rank < len(deck) else rank - len(deck) + 1
    return [*rest[:rank], card, *rest[rank:]]


def next_card(deck: list[int]) -> tuple[int, list[int]]:
    """The next value of the key stream and the deck after it."""
    while True:
        deck = _down(_down(deck, JOKER_A, 1), JOKER_B, 2)
        first, second = sorted((deck.index(JOKER_A), deck.index(JOKER_B)))
        deck = deck[second + 1 :] + deck[first : second + 1] + deck[:first]
        count = min(deck[-1], JOKER_A)
        deck = [*deck[count:-1], *deck[:count], deck[-1]]
        value = deck[min(deck[0], JOKER_A)]
        if value not in (JOKER_A, JOKER_B):
            return value, deck


def solitaire(text: str) -> str:
    """Rule 6: add the key stream modulo 26."""
    deck, out = list(DECK), ""
    for letter in text:
        value, deck = next_card(deck)
        out += LETTERS[(LETTERS.index(letter) + value) % 26]
    return out


# Rules 7 to 10: alphabets by place.
PHILLIPS = ("PHILS", "ABCDE", "FGKMN", "OQRTU", "VWXYZ")
OUTER, INNER = "QWERTYUIOPASDFGHJZXCVBNMKL", "JKLZXCVBNMASDFGHJQWERTYUIO"
"""The inner disc holds J twice and no P: a ciphertext letter J has two readings."""
REELS = (
    "ABCEIGDJFVUYMHTQKZOLRXSPWN", "ACDEHFIJKTLMOUVYGZNPQXRWSB", "ADKOMJUBGEPHSCZINXFYQRTVWL",
    "AEDCBIFGJHLKMRUOQVPTNWYXZS", "AFNQUKDOPITJBRHCYSLWEMZVXG", "AGPOCIXLURNDYZHWBJSQFKVMET",
    "AHXJEZBNIKPVROGSYDULCFMQTW", "AIHPJOBWKCVFZLQERYNSUMGTDX", "AJDSKQOIVTZEFHGYUNLPMBXWCR",
    "AKELBDFJGHONMTPRQSVZUXYWIC", "ALTMSXVQPNOHUWDIZYCGKRFBEJ", "AMNFLHQGCUJTBYPZKXISRDVEWO",
    "ANCJILDHBMKGXUZTSWQYVORPFE", "AODWPKJVIUQHZCTXBLEGNYRSMF", "APBVHIYKSGUENTCXOWFQDRLJZM",
    "AQJNUBTGIMWZRVLXCSHDEOKFPY", "ARMYOFTHEUSZJXDPCWGQIBKLNV", "ASDMCNEQBOZPLGVJRKYTFUIWXH",
    "ATOJYLFXNGWHVCMIRBSEKUPDZQ", "AUTRZXQLYIOVBPESNHJWMDGFCK", "AVNKHRGOXEYBFSJMUDQCLZWTIP",
    "AWVSFDLIEBHKNRJQZGMXPUCOTY", "AXKWREVDTUFOYHMLSIQNJCPGBZ", "AYJPXMVKBQWUGLOSTECHNZFRID",
    "AZDNBUHYFWJLVGRCQMPSOEXTKI",
)  # fmt: skip


def phillips(position: int) -> Codes:
    """Rule 7: one cell down and one to the right in eight squares in turn; J stays J.

    Each square is the one before with its last row moved to the top.
    """
    turn = position // 5 % 8
    grid = PHILLIPS[-turn % 5 :] + PHILLIPS[: -turn % 5]
    moved = {p: grid[(r + 1) % 5][(c + 1) % 5] for p, (r, c) in cells(grid).items()}
    return {**moved, "J": "J"}


def porta(position: int, key: str) -> Codes:
    """Rule 8: the letter at the same place of the key letter's alphabet."""
    pair, high, low = ALPHABET.index(key[position % len(key)]) // 2, ALPHABET[13:], ALPHABET[:13]
    return dict(zip(ALPHABET, high[13 - pair :] + high[: 13 - pair] + low[pair:] + low[:pair]))


def alberti(position: int, period: int, increment: int) -> Codes:
    """Rule 9: the letter at the same place of the inner disc.

    After every ``period`` letters the disc goes on by ``increment``. The rule says "to the right",
    but its example moves the first letters to the end; so does this.
    """
    by = position // period * increment % 26
    return dict(zip(OUTER, INNER[by:] + INNER[:by]))


def jefferson(position: int) -> Codes:
    """Rule 10: the next letter on the reel of the place."""
    reel = REELS[position % len(REELS)]
    return dict(zip(reel, reel[1:] + reel[:1]))


# Rules 11 to 15: letters in pairs, or through their places in a grid.
FIRST = ("KLMNO", "PRSTU", "VWXYZ", "ABCDE", "FGHIJ")
SECOND = ("ECHOA", "BDFGI", "JKLMN", "PRSTU", "VWXYZ")
THIRD = ("VORTE", "XABCD", "FGHIJ", "KLMNP", "SUWYZ")
DIGITS = dict(zip(["..", ".-", "./", "-.", "--", "-/", "/.", "/-", "//"], "549867312"))
MORSE = dict(zip(ALPHABET, (
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--",
    "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
)))  # fmt: skip
BIFID = ("UBILA", "NTCDE", "FGHKM", "OPQRS", "VWXYZ")
WIDE = ("QWERTYUIO", "PASDFGHJK", "LZXCVBNM#")
TALL = ("QWE", "RTY", "UIO", "PAS", "DFG", "HJK", "LZX", "CVB", "NM#")
COLLON = ("MZSDP", "KNFLQ", "GAOXU", "WRYVC", "BTEHI")


def four_square(text: str) -> str:
    """Rule 11: without Q, an odd text filled with X; grids 1 and 4 become grids 2 and 3."""
    positions, out = cells(FIRST), ""  # grids 1 and 4 are alike
    for pair in pieces(full(text.replace("Q", ""), 2, "X"), 2):
        (r1, c1), (r2, c2) = positions[pair[0]], positions[pair[1]]
        out += SECOND[r1][c1] + THIRD[r2][c2]
    return out


def morbit(text: str) -> str:
    """Rule 12: a digit for every pair of Morse signs; a last sign without a partner stays."""
    return "".join(DIGITS.get(x, x) for x in pieces("/".join(MORSE[p] for p in text), 2))


def bifid(text: str) -> str:
    """Rule 13: without J; the row numbers, then the column numbers, read two by two."""
    positions = [cells(BIFID)[p] for p in text.replace("J", "")]
    numbers = [row for row, _ in positions] + [column for _, column in positions]
    return "".join(BIFID[r][c] for r, c in zip(numbers[::2], numbers[1::2]))


def digrafid(text: str) -> str:
    """Rule 14: groups of six filled with #; a pair gives column, number and row."""
    wide, tall, out = cells(WIDE), cells(TALL), ""
    for pair in pieces(full(text, 6, "#"), 2):
        (r1, c1), (r2, c2) = wide[pair[0]], tall[pair[1]]
        out += f"{c1}{3 * r1 + c2 + 1}{r2}"
    return out


# Rule 15: without J; every letter becomes the head of its row and the foot of its column.
collon = by_letter({
    p: COLLON[r][0] + COLLON[-1][c] for p, (r, c) in cells(COLLON).items()
} | {"J": ""})  # fmt: skip

# Rules 16 to 20: letters change places (rule 19 replaces them by pairs and parts the pairs).
SQUARE, HEADS = ("RUA0QB", "D2WKS1", "H45FTZ", "YCGX7L", "98I3PN", "6JVOEM"), "ADFGVX"


def _to_and_fro(lines: list[str], size: int, end: str) -> str:
    """Lines written forward and backward in turn and read across, each part closed by ``end``."""
    parts = [""] * size
    for number, line in enumerate(lines):
        order = range(size) if number % 2 == 0 else range(size - 1, -1, -1)
        for part, letter in zip(order, line):
            parts[part] += letter
    return "".join(part + end for part in parts)


def redefence(text: str) -> str:
    """Rule 16: columns written down and up in turn, the first of five letters, the others of #
    and four; read line by line."""
    return _to_and_fro([text[:5], *("#" + piece for piece in pieces(text[5:], 4))], 5, "*")


def path(text: str) -> str:
    """Rule 17: odd lines from the left, even lines from the right; read column by column."""
    return _to_and_fro(pieces(text, 5), min(5, len(text)), "#")


def _grille_order() -> list[int]:
    """Rule 18: the cells of a grid of four by four in the order in which the template shows them.

    It has four holes (row, column) and is turned by a quarter against the clock three times.
    """
    holes, order = [(1, 2), (1, 3), (2, 3), (3, 0)], list[int]()
    for _ in range(4):
        order += [4 * r + c for r, c in sorted(holes)]
        holes = [(3 - c, r) for r, c in holes]
    return order


GRILLE = _grille_order()


def grille(text: str) -> str:
    """Rule 18: blocks of 16, filled through the holes, with # where letters run out."""
    blocks = pieces(full(text, 16, "#"), 16)
    return "".join(block[GRILLE.index(cell)] for block in blocks for cell in range(16))


def adfgvx(text: str) -> str:
    """Rule 19: a letter for the row and one for the column; all rows, then all columns."""
    positions = [cells(SQUARE)[p] for p in text]
    return "".join(HEADS[r] for r, _ in positions) + "".join(HEADS[c] for _, c in positions)


def columns(text: str) -> str:
    """Rule 20: lines of seven, filled with $, their columns in the order of the list."""
    lines = pieces(full(text, 7, "$"), 7)
    return "".join(line[c] for line in lines for c in (1, 4, 0, 6, 5, 2, 3))


# Rules 21 to 25: letters as numbers of their ASCII code.
BOX = (0xF, 0xA, 0x7, 0x5, 0x9, 0x3, 0xD, 0x0, 0xE, 0x8, 0x4, 0x6, 0x1, 0x2, 0xB, 0xC)
HASH = hashlib.sha256(b"SECRET_KEY").digest()

bits = by_letter({
    p: "".join(f"{ord(p) ^ 0b10101010:08b}"[i] for i in (2, 0, 3, 1, 4, 6, 5, 7)) for p in ALPHABET
})  # fmt: skip


def sbox(text: str) -> str:
    """Rule 22: blocks of eight filled with zero bytes; key, box, turn left by one bit, key."""
    out = []
    for key, byte in zip(b"12345678" * len(text), full(text, 8, "\0").encode("ascii")):
        high, low = divmod(byte ^ key, 16)
        boxed = 16 * BOX[high] + BOX[low]
        out.append(((boxed << 1 | boxed >> 7) & 255) ^ key)
    return bytes(out).hex().upper()


# The exponent is its own inverse: 263 * 263 = 1 modulo 264, the order of the group.
powers = by_letter({p: str(pow(ord(p), 263, 299)) for p in ALPHABET}, ",")
products = by_letter({p: str(12 * ord(p)) for p in ALPHABET}, ",")


def hashed(text: str) -> str:
    """Rule 25: exclusive or with the bytes of the hash value, over and over, in hexadecimal."""
    return bytes(byte ^ HASH[i % len(HASH)] for i, byte in enumerate(text.encode("ascii"))).hex()
