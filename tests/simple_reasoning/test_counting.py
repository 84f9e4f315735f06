"""Counting: each prompt is counted again by code that shares nothing with it.

In the parallel wording of nine languages, and in the paper's English one.
"""

import json
import re
import unicodedata
from typing import Any

import datasets
import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.families.simple_reasoning import counting
from xlgo_dataset.sources import read_toml

simple_reasoning: Any = xd.family("simple_reasoning")

LANGUAGES = {
    "char_count": ("en", "ar", "es", "hi", "ja", "ru", "ta", "te", "zh"),
    "word_count": ("en", "ar", "es", "hi", "ru", "ta", "te"),
}
CELLS = [(task, code, "parallel") for task, codes in LANGUAGES.items() for code in codes]
CELLS += [(task, "en", "paper") for task in LANGUAGES]
OPTIONS: dict[str, dict[str, Any]] = {
    "char_count": {"m": [50, 100]},
    "word_count": {"m": [50, 100], "k": [1, 3, 6], "min_length": 3},
}
VIRAMAS = "\u094d\u09cd\u0c4d\u0d4d"  # those that bind consonants: not the Tamil one


def table(code):
    return read_toml(counting.FOLDER / f"{code}.toml")


def split_characters(written: str, conjuncts: bool) -> list[str]:
    """Characters by rules GB9, GB9a and, if wanted, GB9c of Annex #29, for letters and marks."""
    found: list[str] = []
    for c in written:
        mark = unicodedata.category(c) in ("Mn", "Mc", "Me") or c in "\u200c\u200d"
        # Past the marks of a nukta or joiner, a virama binds a consonant to the one before it.
        bound = (
            conjuncts
            and bool(found)
            and unicodedata.category(c) == "Lo"
            and found[-1].rstrip("\u200d\u093c\u09bc\u0c3c")[-1:] in tuple(VIRAMAS)
            and unicodedata.category(found[-1][0]) == "Lo"
        )
        if found and (mark or bound):
            found[-1] += c
        else:
            found.append(c)
    return found


def parse(task, prompt, code, wording):
    """What is asked about, and the text, by the strings of the language alone."""
    if wording == "paper":
        head, _, passage = re.split(r"Here is the text(\.?)\n", prompt)
        (asked,) = re.findall(r"in the list \[(.*)\] appears|the character \"(.*)\" appears", head)
        return "".join(asked).split(", "), passage
    own = table(code)
    lines = prompt.split("\n")
    assert lines[0] == own["characters" if task == "char_count" else "words"]
    assert lines[-2].startswith(f"{own['text']}: ")
    passage = lines[-2].removeprefix(f"{own['text']}: ")
    if task == "char_count":
        assert lines[-1] == f"{own['number']} #N#"
        return [lines[1].removeprefix("C: ")], passage
    asked = [re.fullmatch(rf"{i}: (\S+)", line)[1] for i, line in enumerate(lines[1:-2], 1)]
    assert lines[-1] == f"{own['numbers']} [{', '.join(['N'] * len(asked))}]"
    return asked, passage


@looped(("task", "code", "wording"), CELLS)
def test_every_prompt_is_counted_again(task, code, wording):
    spaced = table(code).get("spaces", True)
    sentences = unicodedata.normalize("NFC", "".join(table(code)["articles"]).lower())
    for row in simple_reasoning.rows(task, [code], n=20, text=wording, **OPTIONS[task]):
        asked, passage = parse(task, row["prompt"], code, wording)
        counts = json.loads(row["answer"])["counts"]
        if wording == "parallel":  # the paper's has other texts
            assert re.sub(r"\s", "", passage) in re.sub(r"\s", "", sentences)
        if task == "word_count":
            tokens = passage.split()
            assert [sum(token == word for token in tokens) for word in asked] == counts
            assert all(word[0].isalpha() and len(word) >= 3 for word in asked)
            others = {t for t in tokens if t[0].isalpha() and len(t) >= 3} - set(asked)
            assert all(tokens.count(other) <= min(counts) for other in others)
        else:
            ways = [split_characters(passage, conjuncts) for conjuncts in (True, False)]
            assert [way.count(asked[0]) for way in ways] == counts * 2
            assert asked[0][0].isalpha()
        words = len(passage.split()) if spaced else len(split_characters(passage, True)) // 2
        m = json.loads(row["reference"])["params"]["m"]
        assert m <= words <= {50: 150, 100: 266}[m]


def test_a_text_is_the_same_however_its_accents_are_written(tmp_path):
    for form in ("NFC", "NFD"):
        (tmp_path / form).write_text(unicodedata.normalize(form, "Le café\n" * 9), "utf-8")
    assert counting.load(str(tmp_path / "NFD")) == counting.load(str(tmp_path / "NFC"))


def test_wikitext_comes_from_the_hub_at_run_time(monkeypatch):
    asked = []

    def fake(*names, split):
        asked.append((*names, split))
        if split == "train":
            raise OSError("no network")
        return {"text": [" = Title = \n", *(["word " * 60 + "\n"] * 3)]}

    monkeypatch.setattr(datasets, "load_dataset", fake)
    load = counting.load.__wrapped__  # what is loaded here is not kept
    assert len(load("wikitext", "test").articles[0]) == 3
    with pytest.raises(ValueError, match=r"no network.*own"):
        load("wikitext", "train")
    assert asked[0] == ("Salesforce/wikitext", "wikitext-2-v1", "test")
