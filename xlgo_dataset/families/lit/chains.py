"""The chains of languages: eight sequences, pairwise ones, and one's own."""

import itertools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from xlgo_metric.core import allowed_name

from ...core import Json
from ...sources import read_toml

ENGLISH = "en"
_LONGEST = 20


class Language(NamedTuple):
    """A language that a chain may go through.

    Attributes:
        code: BCP 47, as short as it can be.
        name: in English.
        asked: the name that prompts use.
        bcp47: with its script.
        script: ISO 15924.
        iso639_3: the individual languages that a translation may be in, the usual one first.
    """

    code: str
    name: str
    asked: str
    bcp47: str
    script: str
    iso639_3: tuple[str, ...]


class LanguageChain(NamedTuple):
    """A chain of languages.

    Attributes:
        sequence: its name.
        tier: ``high``, ``medium`` or ``low`` for the eight sequences, else empty.
        codes: from English through others back to English.
    """

    sequence: str
    tier: str
    codes: tuple[str, ...]


_CONTENT: Json = read_toml(Path(__file__).parent / "sequences.toml")

CHAIN_LANGUAGES: Mapping[str, Language] = MappingProxyType({
    code: Language(
        code,
        entry["name"],
        entry.get("asked", entry["name"]),
        entry["bcp47"],
        entry["script"],
        tuple(entry["iso639_3"]),
    )
    for code, entry in _CONTENT["languages"].items()
})  # fmt: skip
"""All languages that chains may have, by code."""

SEQUENCES = tuple(
    LanguageChain(entry["name"], entry["tier"], (ENGLISH, *entry["through"], ENGLISH))
    for entry in _CONTENT["sequences"]
)
"""The eight sequences of the paper (Table 3), in its order: four languages in series."""

PAIRS = tuple(
    LanguageChain(f"en_{code}", "", (ENGLISH, code, ENGLISH))
    for code in _CONTENT["pairwise"]["languages"]
)
"""English to a language and back, for the seven that the paper compares with preferences."""


def custom(chain: str) -> LanguageChain:
    """A chain of one's own.

    Args:
        chain: codes joined by commas, from ``en`` to ``en``, as ``en,te,hi,en``.

    Raises:
        ValueError: an unknown language, one twice in a row, or a chain that does not begin and
            end with English or has nothing between, or too much.
    """
    codes = tuple(code.strip() for code in chain.split(",")) if isinstance(chain, str) else ()
    if not 3 <= len(codes) <= _LONGEST + 2 or (codes[0], codes[-1]) != (ENGLISH, ENGLISH):
        raise ValueError(
            f"chain={chain!r} must go from en through 1 to {_LONGEST} languages back to en, as in "
            "'en,te,hi,en'"
        )
    for code, following in itertools.pairwise(codes):
        if allowed_name(code, "language", sorted(CHAIN_LANGUAGES), "chain: ") == following:
            raise ValueError(f"chain={chain!r} has {code} twice in a row: leave one out")
    return LanguageChain("-".join(codes), "", codes)
