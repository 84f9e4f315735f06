"""Rules 6 to 10: the place of a letter in the text decides how it is replaced."""

from __future__ import annotations

from xlgo_dataset.families.korbench.ciphers.programs import ALPHABET, cells, pieces

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
    place = deck.index(card) + steps
    rest = [other for other in deck if other != card]
    place = place if place < len(deck) else place - len(deck) + 1
    return [*rest[:place], card, *rest[place:]]


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


def _solitaire(text: str, sign: int) -> str:
    deck, out = list(DECK), []
    for letter in text:
        value, deck = next_card(deck)
        out.append(LETTERS[(LETTERS.index(letter) + sign * value) % 26])
    return "".join(out)


def solitaire_decode(code: str) -> str:
    """Rule 6, backwards: subtract the key stream."""
    return _solitaire(code, -1)


# Rule 7: eight squares in turn, each the one before with its last row moved to the top.
PHILLIPS = ("PHILS", "ABCDE", "FGKMN", "OQRTU", "VWXYZ")
_GRIDS = tuple(PHILLIPS[-k % 5 :] + PHILLIPS[: -k % 5] for k in range(8))


def _phillips(text: str, step: int) -> str:
    out = []
    for number, block in enumerate(pieces(text, 5)):
        grid = _GRIDS[number % 8]
        places = cells(grid)
        for letter in block:
            if letter == "J":
                out.append(letter)
            else:
                row, column = places[letter]
                out.append(grid[(row + step) % 5][(column + step) % 5])
    return "".join(out)


def phillips_decode(code: str) -> str:
    """Rule 7, backwards: one cell up and one to the left."""
    return _phillips(code, -1)


# Rule 8: thirteen alphabets, chosen by the letters of a key.
def porta_alphabet(pair: int) -> str:
    """The alphabet of the key letters number 2 * pair and 2 * pair + 1."""
    high, low = ALPHABET[13:], ALPHABET[:13]
    return high[13 - pair :] + high[: 13 - pair] + low[pair:] + low[:pair]


def porta_decode(code: str, key: str) -> str:
    """Rule 8, backwards."""
    return "".join(
        ALPHABET[porta_alphabet(ALPHABET.index(key[i % len(key)]) // 2).index(c)]
        for i, c in enumerate(code)
    )


# Rule 9: two discs, the inner one turned again and again.
OUTER, INNER = "QWERTYUIOPASDFGHJZXCVBNMKL", "JKLZXCVBNMASDFGHJQWERTYUIO"
"""The inner disc holds J twice and no P: a ciphertext letter J has two readings."""


def _turned(place: int, period: int, increment: int) -> str:
    by = place // period * increment % 26
    return INNER[by:] + INNER[:by]


def alberti_decode(code: str, period: int, increment: int) -> str:
    """Rule 9, backwards; of the two readings of J, the one that stands first on the outer disc."""
    return "".join(OUTER[_turned(i, period, increment).index(c)] for i, c in enumerate(code))


# Rule 10: twenty-five reels, one after the other.
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


def _jefferson(text: str, step: int) -> str:
    reels = [REELS[i % len(REELS)] for i in range(len(text))]
    return "".join(
        reel[(reel.index(letter) + step) % len(reel)] for reel, letter in zip(reels, text)
    )


def jefferson_decode(code: str) -> str:
    """Rule 10, backwards: the letter before."""
    return _jefferson(code, -1)
