"""The 25 cipher programs of KOR-Bench, written from the texts of the rules.

``CIPHERS`` holds them by the id of their rule. A program takes the bare text and gives the
ciphertext, without quotation marks or brackets. The rules with their tables are those of KOR-Bench
(arXiv 2410.06526; github.com/KOR-Bench/KOR-Bench, Apache-2.0); the texts that say them to models
(``rules/``) are this project's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from . import modern, monoalphabetic, polyalphabetic, polygraphic, transposition
from .tables import ALPHABET, without

ENCRYPTION, DECRYPTION = "Encryption", "Decryption"
DIRECTIONS = (ENCRYPTION, DECRYPTION)

LENGTHS = (1, 1, 1, 2, 11)
"""Letters of the five questions in one direction, where the rule has no schedule of its own."""


@dataclass(frozen=True)
class Cipher:
    """One rule.

    Attributes:
        rule_id: "1" to "25".
        title: a name.
        encoder: the program that encrypts; it takes the text and the parameters by name.
        lengths: letters of the five questions in one direction.
        letters: the letters that come back unchanged from encryption and decryption.
        parameters: the names of what a question gives besides the text.
        ambiguous: letters of a ciphertext that have two readings.
        odd_filler: what comes back after a text of an odd number of letters.
    """

    rule_id: str
    title: str
    encoder: Callable[..., str]
    lengths: tuple[int, ...] = LENGTHS
    letters: str = ALPHABET
    parameters: tuple[str, ...] = ()
    ambiguous: str = ""
    odd_filler: str = ""

    def encode(self, text: str, **parameters: Any) -> str:
        """The ciphertext of a text of capital letters.

        Raises:
            ValueError: the text is empty or holds something else, or a parameter is wrong.
        """
        if not text or set(text) - set(ALPHABET):
            raise ValueError(
                f"rule {self.rule_id}: {text!r} must be one or more letters from A to Z"
            )
        return self.encoder(text, **self._checked(parameters))

    def filled(self, text: str) -> str:
        """A text as it comes back from its ciphertext."""
        return text + self.odd_filler * (len(text) % 2)

    def text(self) -> str:
        """The rule as a model reads it, in this project's own words."""
        return _text(self.rule_id)

    def _checked(self, given: Mapping[str, object]) -> dict[str, object]:
        if set(given) != set(self.parameters):
            wanted = ", ".join(self.parameters) or "none"
            found = ", ".join(given) or "none"
            raise ValueError(f"rule {self.rule_id} has the parameters {wanted}; got {found}")
        for name, value in given.items():
            if name == "key":
                if not isinstance(value, str) or not value or set(value) - set(ALPHABET):
                    raise ValueError(f"rule {self.rule_id}: key={value!r} must be letters A to Z")
            elif not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"rule {self.rule_id}: {name}={value!r} must be an integer from 1")
        return dict(given)


@cache
def _text(rule_id: str) -> str:
    name = f"rules/{int(rule_id):02}.txt"
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


_PAIRS, _LINES = (2, 2, 2, 2, 11), (5, 8, 11, 20, 35)
_NO_J, _NO_Q = without(ALPHABET, "J"), without(ALPHABET, "Q")
_1, _6, _11, _16, _21 = monoalphabetic, polyalphabetic, polygraphic, transposition, modern

_ALL = (
    Cipher("1", "Mirror, shift and substitute", _1.mirror_encode),
    Cipher("2", "Signs for letters", _1.pigpen_encode),
    Cipher("3", "Telephone keys", _1.multitap_encode),
    Cipher("4", "Square of five", _1.polybius_encode),
    Cipher("5", "Straight line", _1.affine_encode),
    Cipher("6", "Deck of cards", _6.solitaire_encode),
    Cipher("7", "Eight squares in turn", _6.phillips_encode),
    Cipher("8", "Thirteen alphabets", _6.porta_encode, parameters=("key",)),
    Cipher(
        "9", "Two discs", _6.alberti_encode,
        parameters=("period", "increment"), ambiguous="J",
    ),
    Cipher("10", "Twenty-five reels", _6.jefferson_encode),
    Cipher(
        "11", "Four squares", _11.four_square_encode, _PAIRS, _NO_Q,
        odd_filler="X",
    ),
    Cipher("12", "Pairs of Morse signs", _11.morbit_encode, _PAIRS),
    Cipher("13", "Rows, then columns", _11.bifid_encode, _PAIRS, _NO_J),
    Cipher("14", "Three digits for two letters", _11.digrafid_encode, _PAIRS),
    Cipher("15", "Head and foot", _11.collon_encode, letters=_NO_J),
    Cipher("16", "Down and up", _16.redefence_encode, _LINES),
    Cipher("17", "To and fro", _16.path_encode, _LINES),
    Cipher("18", "Turning template", _16.grille_encode, (4, 8, 12, 20, 35)),
    Cipher("19", "Rows apart from columns", _16.adfgvx_encode),
    Cipher("20", "Columns rearranged", _16.columns_encode, (7, 7, 7, 8, 16)),
    Cipher("21", "Bits", _21.xor_encode),
    Cipher("22", "Half bytes", _21.sbox_encode),
    Cipher("23", "Powers", _21.rsa_encode),
    Cipher("24", "Products", _21.product_encode),
    Cipher("25", "Bytes of a hash value", _21.hash_encode),
)  # fmt: skip

CIPHERS: Mapping[str, Cipher] = MappingProxyType({cipher.rule_id: cipher for cipher in _ALL})

__all__ = ["ALPHABET", "CIPHERS", "DECRYPTION", "DIRECTIONS", "ENCRYPTION", "LENGTHS", "Cipher"]
