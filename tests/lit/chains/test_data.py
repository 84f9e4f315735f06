"""Texts, sequences and rows against the published description; the simulated translator."""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.families.lit import questions
from xlgo_dataset.families.lit.translator import (
    decode,
    encode,
    translator,
)

# Table 3 of the paper, typed in from it.
TABLE_3 = {
    "e_asia": ("high", "Japanese Korean Chinese Russian"),
    "c_europe": ("high", "Romanian Hungarian German Polish"),
    "n_east": ("high", "Bulgarian Greek Turkish Persian"),
    "n_europe": ("medium", "Icelandic Swedish Finnish Lithuanian"),
    "se_asia": ("medium", "Chinese Thai Vietnamese Tagalog"),
    "s_asia": ("medium", "Hindi Tamil Bengali Punjabi"),
    "africa": ("low", "Swahili Arabic Hausa Amharic"),
    "s_america": ("low", "Portuguese Quechua Spanish Guarani"),
}


LIT = xd.family("lit")


def rows(task: str, **given: Any) -> list[dict[str, Any]]:
    if task == "lit_custom":
        given.setdefault("chain", "en,te,hi,en")
    return list(LIT.rows(task, **{"languages": ["en"], **given}))


def test_the_sequences_are_those_of_the_paper() -> None:
    known = questions.CHAIN_LANGUAGES
    found = {}
    for chain in questions.SEQUENCES:
        assert (chain.codes[0], chain.codes[-1], len(chain.codes)) == ("en", "en", 6)
        names = " ".join(known[code]["name"] for code in chain.codes[1:-1])
        found[chain.sequence] = (chain.tier, names)
    assert found == TABLE_3
    assert len({code for chain in questions.SEQUENCES for code in chain.codes[1:-1]}) == 31
    pairs = [chain.codes[1] for chain in questions.PAIRS]
    assert pairs == ["zh", "fr", "de", "ja", "ko", "ru", "es"]


LONG = '{"text_id": "%s", "text": "x", "subcategory": "stem"}'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1: not valid JSON"),
        ("[" * 100_000, "line 1: not valid JSON"),
        ("[]", "row 0 is no object"),
        ('{"text_id": "a", "text": " ", "subcategory": "stem"}', "text must be a text"),
        ('{"text_id": 3, "text": "x", "subcategory": "stem"}', "text_id must be a text"),
        ('{"text_id": "a", "text": "x"}', "subcategory must be a text"),
        ('{"text_id": "a", "text": "x", "subcategory": "art"}', "unknown subcategory 'art'"),
        ('{"text_id": "a", "text": "x", "subcategory": "polysemy"}', "unknown subcategory"),
        ('{"text_id": "a", "text": "x", "subcategory": "stem", "split": "dev"}', "unknown split"),
        ('{"text_id": "a", "text": "x", "subcategory": "stem", "lang": "de"}', "lang must be"),
        ("\n".join(['{"text_id": "a", "text": "x", "subcategory": "stem"}'] * 2), "there twice"),
        (LONG % ("a" * 101), "text_id must have at most 100 characters"),
        ("", "has no text of the split main"),
        (b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_mistakes_in_texts_are_one_line(tmp_path: Path, line: str | bytes, said: str) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_bytes(line if isinstance(line, bytes) else line.encode())
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        rows("lit_africa", source=str(file))
    assert "\n" not in str(error.value)


def test_texts_and_chains_take_turns(tmp_path: Path) -> None:
    """Of a folder with two files: subcategory by subcategory, each text with another chain."""
    kinds = {"a": "stem", "b": "stem", "c": "social", "r": "polysemy"}
    texts = [
        {"text_id": name, "text": f"Text {name}.", "subcategory": kind, "licence": f"L{name}"}
        | ({"split": "robustness"} if name == "r" else {})
        for name, kind in kinds.items()
    ]
    (tmp_path / "1.json").write_text(json.dumps(texts[:1]))
    (tmp_path / "2.json").write_text(json.dumps(texts[1:]))
    found = [json.loads(row["reference"]) for row in rows("lit_pairwise", source=str(tmp_path))]
    asked = [(one["text_id"], one["chain"]["codes"][1]) for one in found]
    assert asked[:6] == list(zip("acbacb", ("zh", "fr", "de", "fr", "de", "ja")))
    assert len(set(asked)) == len(asked) == 3 * 7
    robust = [json.loads(row["reference"]) for row in rows("lit_robustness", source=str(tmp_path))]
    about = [(one["sequence"], one["licence"], one["data_origin"]) for one in robust]
    assert about == [(name, "Lr", "user") for name in TABLE_3]
    own = json.loads(rows("lit_custom", chain=" en, te ,en")[0]["reference"])
    assert (own["chain"]["codes"], own["data_origin"]) == (["en", "te", "en"], "sample")


@looped(
    ("task", "given", "said"),
    [
        ("lit_x", {}, "unknown task 'lit_x'"),
        ("lit_africa", {"chain": "en,te,en"}, "unknown option 'chain'"),
        ("lit_africa", {"source": "no such file"}, "neither a folder nor the name"),
        ("lit_africa", {"source": 3}, "source=3 must be a text"),
        ("lit_africa", {"split": "train"}, "unknown split 'train'"),
        ("lit_africa", {"languages": ["en", "te"]}, "unknown language 'te'"),
        ("lit_custom", {"chain": "en,te"}, "must go from en through"),
        ("lit_custom", {"chain": "te,hi,en"}, "must go from en through"),
        ("lit_custom", {"chain": "en,te,hi"}, "must go from en through"),
        ("lit_custom", {"chain": 3}, "must go from en through"),
        ("lit_custom", {"chain": "en,xx,en"}, "unknown language 'xx'"),
        ("lit_custom", {"chain": "en,te,te,en"}, "te twice in a row"),
        ("lit_custom", {"chain": ",".join(["en", *["te", "hi"] * 10, "te", "en"])}, "1 to 20"),
    ],
)
def test_options_that_are_not_allowed(task: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        rows(task, **given)
    if task == "lit_custom":
        with pytest.raises(ValueError, match="needs chain="):
            LIT.options(task)


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
    for code, language in questions.CHAIN_LANGUAGES.items():
        written = encode(text, code)
        assert (decode(written), unicodedata.normalize("NFC", written)) == (text, written)
        seen.add(written)
        if code != "en":
            letters = [c for c in written.partition("⟧ ")[2] if unicodedata.category(c)[0] == "L"]
            assert all(NAMES[language["script"]] in unicodedata.name(c) for c in letters)
    assert len(seen) == len(questions.CHAIN_LANGUAGES)


def test_a_translator_may_repeat_a_text_and_another_seed_loses_other_words() -> None:
    profile: dict[str, Any] = {"loss": {"te": 0.5}, "echo": ["gn"]}
    text = "one two three four five six"
    said = {translator(profile, seed).translate(text, "en", "te") for seed in range(9)}
    assert (len(said) > 1, translator(profile).translate(text, "en", "gn")) == (True, text)


@pytest.mark.parametrize(
    "profile",
    [{"loss": {"xx": 0.1}}, {"loss": {"te": 2}}, {"loss": {"te": "a"}}, {"loss": {"te": True}},
     {"echo": ["xx"]}, {"echo": "gn"}, {"los": {}}, {"loss": 3}, {"loss": {"te": -0.1}}],
)  # fmt: skip
def test_profiles_are_checked(profile: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="profile of a translator"):
        translator(profile)
