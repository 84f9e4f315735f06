"""What a table of words owes, and that every table and no broken one holds it."""

from __future__ import annotations

import json
import re

import pytest

import xlgo_dataset as xd
from xlgo_cli.harness.make_tasks import task_folders
from xlgo_metric.reading.tables import MAY_BE_EMPTY, PLACES, TableError, codes, read_table, table

SMALL: dict[str, object] = {"code": "xx", "name": "Test"} | {
    place: [place] for place in PLACES if place not in MAY_BE_EMPTY
}


@pytest.mark.parametrize("code", codes())
def test_every_table_holds_what_it_owes(code: str) -> None:
    found = table(code)
    assert found.code == code
    for place in PLACES:
        pattern = re.compile(found.pattern(place), re.IGNORECASE)
        for word in found.words[place]:
            written = word.strip("*")
            assert pattern.fullmatch(written.replace("...", "")), (place, word)
            assert pattern.fullmatch(written.replace("...", "x y")), (place, word)


def test_every_default_language_has_a_table() -> None:
    assert set(xd.LANGUAGES) <= set(codes())


def test_a_language_without_a_table_cannot_join_the_default_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = "'xx' cannot be a default language: the reader has no table"
    monkeypatch.setattr(xd, "LANGUAGES", (*xd.LANGUAGES, "xx"))
    with pytest.raises(ValueError, match=told), task_folders(["xlgobench"]):
        pass
    monkeypatch.setattr("xlgo_dataset.hub.builder.available", lambda: ("en", "xx"))
    family = type(xd.FAMILIES["xlgobench"])
    monkeypatch.setattr(family, "default_languages", lambda self, task: ("en", "xx"))
    with pytest.raises(ValueError, match=told):
        xd.load_dataset("slt", split="test", streaming=True)


def test_a_table_stands_in_the_form_of_texts() -> None:
    """NFKC parts the Thai vowel in two; a pattern that does not would never match."""
    assert re.fullmatch(table("th").pattern("label"), "\u0e04\u0e33\u0e15\u0e2d\u0e1a") is None
    assert re.fullmatch(table("th").pattern("label"), "\u0e04\u0e4d\u0e32\u0e15\u0e2d\u0e1a")


def test_whole_words_touch_no_letter_of_any_script() -> None:
    assert not re.search(table("pt").pattern("or"), "outra")
    assert not re.search(table("hi").pattern("or"), "\u092f\u093e\u0926")  # yaad, not ya
    assert re.search(table("ar").pattern("label"), "\u0648\u0627\u0644\u062c\u0648\u0627\u0628")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"labels": ["label"]}, "unknown places \\['labels'\\]"),
        ({"label": []}, "no words in 'label'"),
        ({"label": [""]}, "empty word"),
        ({"label": ["label", " * "]}, "empty word"),
        ({"label": [1]}, "list of strings"),
        ({"label": "label"}, "list of strings"),
        ({"code": "yy"}, "needs a code, 'xx', and a name"),
        ({"not_before": []}, "not_before or not_behind"),
    ],
)
def test_what_a_table_lacks_is_told(change: dict[str, object], told: str) -> None:
    whole = SMALL | {"not_before": ["not"], "note": "Not audited."}
    read_table(json.dumps(whole), "xx")
    with pytest.raises(TableError, match=told):
        read_table(json.dumps(whole | change), "xx")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"code": ', "no JSON: Expecting value"),
        ("[]", "needs a code"),
        ('{"code": "xx", "label": ["a"], "label": ["b"]}', "\\['label'\\] stand in it twice"),
    ],
)
def test_a_file_that_is_no_table_is_told(text: str, told: str) -> None:
    with pytest.raises(TableError, match=told):
        read_table(text, "xx")


def test_a_language_without_a_table_is_named() -> None:
    with pytest.raises(TableError, match=r"languages/xx\.json"):
        table("xx")


@pytest.mark.parametrize(
    ("text", "found"), [("சரியாக", True), ("சரியாகத்தான்", True), ("சரியாகப்", False)]
)
def test_a_particle_that_stresses_a_word_may_be_written_together_with_it(
    text: str, found: bool
) -> None:
    pattern = re.compile(table("ta").pattern("right"))
    assert bool(pattern.fullmatch(text)) is found
