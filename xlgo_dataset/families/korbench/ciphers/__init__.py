"""The 25 cipher programs of KOR-Bench, written from the texts of the rules.

``CIPHERS`` holds them by the id of their rule. A program takes the bare text and gives the
ciphertext, without quotation marks or brackets. The rules with their tables are those of KOR-Bench
(arXiv 2410.06526; github.com/KOR-Bench/KOR-Bench, Apache-2.0); the texts that say them to models
(``rules/``) are this project's own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any

from xlgo_metric.core import refuse

from . import programs
from .programs import ALPHABET, Program, by_place

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
        program: encrypts; it takes the text and the parameters by name.
        lengths: letters of the five questions in one direction.
        letters: the letters that come back unchanged from encryption and decryption.
        parameters: the names of what a question gives besides the text.
        ambiguous: letters of a ciphertext that have two readings.
        odd_filler: what comes back after a text of an odd number of letters.
    """

    rule_id: str
    title: str
    program: Program
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
        own, others = (", ".join(x) or "none" for x in (self.parameters, parameters))
        refuse(
            f"rule {self.rule_id}",
            (
                not text or set(text) - set(ALPHABET),
                f": {text!r} must be one or more letters from A to Z",
            ),
            (
                set(parameters) != set(self.parameters),
                f" has the parameters {own}; got {others}",
            ),
        )
        for name, value in parameters.items():
            what, is_right = _ALLOWED[name]
            if not is_right(value):
                raise ValueError(f"rule {self.rule_id}: {name}={value!r} must be {what}")
        return self.program(text, **parameters)

    def filled(self, text: str) -> str:
        """A text as it comes back from its ciphertext."""
        return text + self.odd_filler * (len(text) % 2)

    def text(self) -> str:
        """The rule as a model reads it, in this project's own words."""
        name = f"rules/{int(self.rule_id):02}.txt"
        return resources.files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


_ALLOWED: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "key": (
        "letters A to Z",
        lambda key: isinstance(key, str) and key != "" and set(key) <= set(ALPHABET),
    ),
    "period": ("an integer from 1", _is_number),
    "increment": ("an integer from 1", _is_number),
}
"""What a parameter must be."""

_PAIRS, _LINES = (2, 2, 2, 2, 11), (5, 8, 11, 20, 35)
_NO_J, _NO_Q = ALPHABET.replace("J", ""), ALPHABET.replace("Q", "")

_ALL = (
    Cipher("1", "Mirror, shift and substitute", programs.mirror),
    Cipher("2", "Signs for letters", programs.pigpen),
    Cipher("3", "Telephone keys", programs.multitap),
    Cipher("4", "Square of five", programs.polybius),
    Cipher("5", "Straight line", programs.affine),
    Cipher("6", "Deck of cards", programs.solitaire),
    Cipher("7", "Eight squares in turn", by_place(programs.phillips)),
    Cipher("8", "Thirteen alphabets", by_place(programs.porta), parameters=("key",)),
    Cipher(
        "9", "Two discs", by_place(programs.alberti),
        parameters=("period", "increment"), ambiguous="J",
    ),
    Cipher("10", "Twenty-five reels", by_place(programs.jefferson)),
    Cipher(
        "11", "Four squares", programs.four_square, _PAIRS, _NO_Q,
        odd_filler="X",
    ),
    Cipher("12", "Pairs of Morse signs", programs.morbit, _PAIRS),
    Cipher("13", "Rows, then columns", programs.bifid, _PAIRS, _NO_J),
    Cipher("14", "Three digits for two letters", programs.digrafid, _PAIRS),
    Cipher("15", "Head and foot", programs.collon, letters=_NO_J),
    Cipher("16", "Down and up", programs.redefence, _LINES),
    Cipher("17", "To and fro", programs.path, _LINES),
    Cipher("18", "Turning template", programs.grille, (4, 8, 12, 20, 35)),
    Cipher("19", "Rows apart from columns", programs.adfgvx),
    Cipher("20", "Columns rearranged", programs.columns, (7, 7, 7, 8, 16)),
    Cipher("21", "Bits", programs.bits),
    Cipher("22", "Half bytes", programs.sbox),
    Cipher("23", "Powers", programs.powers),
    Cipher("24", "Products", programs.products),
    Cipher("25", "Bytes of a hash value", programs.hashed),
)  # fmt: skip

CIPHERS: Mapping[str, Cipher] = MappingProxyType({cipher.rule_id: cipher for cipher in _ALL})

__all__ = ["ALPHABET", "CIPHERS", "DECRYPTION", "DIRECTIONS", "ENCRYPTION", "LENGTHS", "Cipher"]
