"""The 25 cipher programs of KOR-Bench, written from the texts of the rules.

``CIPHERS`` holds them by the id of their rule. A program takes and gives the bare text, without
quotation marks or brackets. The rules with their tables are those of KOR-Bench (arXiv 2410.06526;
github.com/KOR-Bench/KOR-Bench, Apache-2.0); the texts that say them to models (``rules/``) are this
project's own.
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
        encoder, decoder: the two programs; they take the text and the parameters by name.
        lengths: letters of the five questions in one direction.
        letters: the letters that come back unchanged from encoding and decoding.
        parameters: the names of what a question gives besides the text.
        ambiguous: letters of a ciphertext that have two readings.
        odd_filler: what comes back after a text of an odd number of letters.
    """

    rule_id: str
    title: str
    encoder: Callable[..., str]
    decoder: Callable[..., str]
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

    def decode(self, code: str, **parameters: Any) -> str:
        """The text of a ciphertext.

        Raises:
            ValueError: it is no ciphertext of this rule, or a parameter is wrong.
        """
        chosen = self._checked(parameters)
        try:
            text = self.decoder(code, **chosen)
        except (KeyError, IndexError, ValueError, OverflowError):
            text = ""
        if not text or set(text) - set(ALPHABET):
            raise ValueError(f"rule {self.rule_id}: {code!r} is no ciphertext of this rule")
        return text

    def round_trips(self, text: str, **parameters: Any) -> bool:
        """Whether the ciphertext of ``text`` has ``text`` as its only reading, filler included."""
        code = self.encode(text, **parameters)
        read = self.decode(code, **parameters)
        filled = text + self.odd_filler * (len(text) % 2)
        return not set(code) & set(self.ambiguous) and read == filled

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
    Cipher("1", "Mirror, shift and substitute", _1.mirror_encode, _1.mirror_decode),
    Cipher("2", "Signs for letters", _1.pigpen_encode, _1.pigpen_decode),
    Cipher("3", "Telephone keys", _1.multitap_encode, _1.multitap_decode),
    Cipher("4", "Square of five", _1.polybius_encode, _1.polybius_decode),
    Cipher("5", "Straight line", _1.affine_encode, _1.affine_decode),
    Cipher("6", "Deck of cards", _6.solitaire_encode, _6.solitaire_decode),
    Cipher("7", "Eight squares in turn", _6.phillips_encode, _6.phillips_decode),
    Cipher("8", "Thirteen alphabets", _6.porta_encode, _6.porta_decode, parameters=("key",)),
    Cipher(
        "9", "Two discs", _6.alberti_encode, _6.alberti_decode,
        parameters=("period", "increment"), ambiguous="J",
    ),
    Cipher("10", "Twenty-five reels", _6.jefferson_encode, _6.jefferson_decode),
    Cipher(
        "11", "Four squares", _11.four_square_encode, _11.four_square_decode, _PAIRS, _NO_Q,
        odd_filler="X",
    ),
    Cipher("12", "Pairs of Morse signs", _11.morbit_encode, _11.morbit_decode, _PAIRS),
    Cipher("13", "Rows, then columns", _11.bifid_encode, _11.bifid_decode, _PAIRS, _NO_J),
    Cipher("14", "Three digits for two letters", _11.digrafid_encode, _11.digrafid_decode, _PAIRS),
    Cipher("15", "Head and foot", _11.collon_encode, _11.collon_decode, letters=_NO_J),
    Cipher("16", "Down and up", _16.redefence_encode, _16.redefence_decode, _LINES),
    Cipher("17", "To and fro", _16.path_encode, _16.path_decode, _LINES),
    Cipher("18", "Turning template", _16.grille_encode, _16.grille_decode, (4, 8, 12, 20, 35)),
    Cipher("19", "Rows apart from columns", _16.adfgvx_encode, _16.adfgvx_decode),
    Cipher("20", "Columns rearranged", _16.columns_encode, _16.columns_decode, (7, 7, 7, 8, 16)),
    Cipher("21", "Bits", _21.xor_encode, _21.xor_decode),
    Cipher("22", "Half bytes", _21.sbox_encode, _21.sbox_decode),
    Cipher("23", "Powers", _21.rsa_encode, _21.rsa_decode),
    Cipher("24", "Products", _21.product_encode, _21.product_decode),
    Cipher("25", "Bytes of a hash value", _21.hash_encode, _21.hash_decode),
)  # fmt: skip

CIPHERS: Mapping[str, Cipher] = MappingProxyType({cipher.rule_id: cipher for cipher in _ALL})

__all__ = ["ALPHABET", "CIPHERS", "DECRYPTION", "DIRECTIONS", "ENCRYPTION", "LENGTHS", "Cipher"]
