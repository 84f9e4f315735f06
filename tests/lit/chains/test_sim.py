"""The simulated translator: codes that can be read back, and exactly the loss of its profile."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlgo_dataset.families.lit import chains
from xlgo_dataset.families.lit.translator import (
    decode,
    encode,
    translator,
)

NAMES = {
    "Arab": "ARABIC", "Beng": "BENGALI", "Cyrl": "CYRILLIC", "Deva": "DEVANAGARI",
    "Ethi": "ETHIOPIC", "Grek": "GREEK", "Gujr": "GUJARATI", "Guru": "GURMUKHI", "Hans": "CJK",
    "Hebr": "HEBREW", "Jpan": "HIRAGANA", "Knda": "KANNADA", "Kore": "HANGUL", "Latn": "LATIN",
    "Mlym": "MALAYALAM", "Taml": "TAMIL", "Telu": "TELUGU", "Thai": "THAI",
}  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(max_codepoint=126, min_codepoint=32)))
def test_every_code_can_be_read_back_and_is_its_own(text: str) -> None:
    seen = set()
    for code, language in chains.chain_languages().items():
        written = encode(text, code)
        assert decode(written) == text
        assert unicodedata.normalize("NFC", written) == written
        seen.add(written)
        if code != "en":
            letters = [c for c in written.partition("⟧ ")[2] if unicodedata.category(c)[0] == "L"]
            assert all(NAMES[language.script] in unicodedata.name(c) for c in letters)
    assert len(seen) == len(chains.chain_languages())


@pytest.mark.parametrize(
    "profile",
    [{"loss": {"xx": 0.1}}, {"loss": {"te": 2}}, {"loss": {"te": "a"}}, {"loss": {"te": True}},
     {"echo": ["xx"]}, {"echo": "gn"}, {"los": {}}, {"loss": 3}],
)  # fmt: skip
def test_profiles_are_checked(profile: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="profile of a translator"):
        translator(profile)
