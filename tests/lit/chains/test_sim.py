"""The simulated translator: codes that can be read back, and exactly the loss of its profile."""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lit.made import share_left
from xlgo_dataset.families.lit import chains, loading, prompts
from xlgo_dataset.families.lit.translator import (
    LOST,
    Translator,
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


@pytest.mark.parametrize("seed", [0, 1])
def test_the_loss_is_exact_on_every_text_and_chain(seed: int) -> None:
    loss = {"default": 0.04, "ha": 0.125, "qu": 0.5, "en": 0.0}
    lossy = Translator(loss, seed=seed)
    known = chains.chain_languages()
    for chain in (*chains.sequences(), *chains.pairwise()):
        for text in loading.texts()[::5]:
            current, left = text.text, len(text.text.split())
            for src, tgt in pairwise(chain.codes):
                prompt = prompts.translation(current, known[src].asked, known[tgt].asked)
                answer = lossy.answer(prompt)
                assert answer is not None
                current = answer
                rate = Fraction(str(loss.get(tgt, loss["default"])))
                left -= int(left * rate + Fraction(1, 2))
            assert current.count(LOST) == len(text.text.split()) - left
            assert share_left(current, text.text) == left / len(text.text.split())


@pytest.mark.parametrize(
    "profile",
    [{"loss": {"xx": 0.1}}, {"loss": {"te": 2}}, {"loss": {"te": "a"}}, {"loss": {"te": True}},
     {"echo": ["xx"]}, {"echo": "gn"}, {"los": {}}, {"loss": 3}],
)  # fmt: skip
def test_profiles_are_checked(profile: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="profile of a translator"):
        translator(profile)
