"""The cipher programs against second programs, round trips, and the published answers."""

import json
import os
import re
from pathlib import Path

import pytest

from xlgo_dataset.core.rng import Stream
from xlgo_dataset.families.korbench.ciphers import ALPHABET, CIPHERS
from xlgo_dataset.families.korbench.ciphers.programs import DECK, next_card

from . import DECODERS
from .second_programs import PROGRAMS

REAL = os.environ.get("XLGO_REAL_DATA")
ROUND_TRIPS = 1000

by_rule = pytest.mark.parametrize("rule_id", list(CIPHERS))


def drawn(stream, cipher, letters, longest=40):
    size = 1 + stream.integer(longest)
    text = "".join(letters[stream.integer(len(letters))] for _ in range(size))
    given = {
        "key": lambda: "".join(ALPHABET[stream.integer(26)] for _ in range(1 + stream.integer(12))),
        "period": lambda: 1 + stream.integer(15),
        "increment": lambda: 1 + stream.integer(30),
    }
    return text, {name: given[name]() for name in cipher.parameters}


@by_rule
def test_a_second_program_that_reads_the_rule_text_agrees(rule_id):
    cipher, stream = CIPHERS[rule_id], Stream("test", "second", rule_id)
    for _ in range(60):
        text, parameters = drawn(stream, cipher, ALPHABET, longest=90)
        if set(text) <= {"J", "Q"}:
            continue  # nothing is left of it in rules 11, 13 and 15
        expected = PROGRAMS[rule_id](cipher.text(), text, **parameters)
        assert cipher.encode(text, **parameters) == expected


@by_rule
def test_a_thousand_round_trips(rule_id):
    cipher, stream = CIPHERS[rule_id], Stream("test", "round trip", rule_id)
    decode = DECODERS[rule_id]
    for _ in range(ROUND_TRIPS):
        text, parameters = drawn(stream, cipher, cipher.letters)
        if rule_id == "11" and len(text) % 2:
            text = text[:-1] or "AB"
        code = cipher.encode(text, **parameters)
        if rule_id == "9":
            # The inner disc has no P and two J: of the text, all but what became J comes back.
            back = decode(code, **parameters)
            assert [b for b, c in zip(back, code) if c != "J"] == [
                t for t, c in zip(text, code) if c != "J"
            ]
            assert (back == text) or set(code) & set(cipher.ambiguous)
        else:
            assert decode(code, **parameters) == cipher.filled(text) == text


def test_what_does_not_come_back():
    assert DECODERS["11"](CIPHERS["11"].encode("ABC")) == CIPHERS["11"].filled("ABC") == "ABCX"
    assert DECODERS["11"](CIPHERS["11"].encode("QAB")) == "AB"
    for rule_id in ("13", "15"):
        assert DECODERS[rule_id](CIPHERS[rule_id].encode("AJB")) == "AB"
    first, second = (CIPHERS["9"].encode(x, period=9, increment=1) for x in "QJ")
    assert first == second == "J"


@by_rule
def test_the_examples_in_a_rule_text_are_right(rule_id):
    cipher = CIPHERS[rule_id]
    text = cipher.text().split("To decrypt")[0].split("To encrypt")[1]
    shown = {
        "3": ("AF", "2^13^3"), "13": ("AC", "BX"), "14": ("TH", "415"), "15": ("H", "BH"),
        "16": ("HELLOWORLD", "HL#*ERD*LO*LW*O#*"),
        "17": ("LIDAHELLOWORLD", "LWO#IOR#DLL#ALD#HE#"),
        "18": ("LOVEHELLOWORLD", "LHEOWLLOORDVE##L"), "19": ("AE", "AXFV"),
        "20": ("ABCDEFG", "BEAGFCD"), "21": ("A", "11011101"), "24": ("A", "780"),
    }  # fmt: skip
    if rule_id in shown:
        plain, code = shown[rule_id]
        assert plain in text
        assert code in text
        assert cipher.encode(plain)[: len(code)] == code
    else:
        assert "becomes " not in text or rule_id in ("1", "6", "22")


def test_the_deck_goes_on_right_when_a_joker_comes_to_lie_last():
    # It takes thousands of key numbers until joker B is the last card at the count.
    text, cipher = "A" * 4000, CIPHERS["6"]
    assert cipher.encode(text) == PROGRAMS["6"](cipher.text(), text)


def test_the_key_stream_of_the_deck_begins_as_the_rule_prints_it():
    assert sorted(set(range(1, 55)) - set(DECK)) == [19]
    assert DECK.count(9) == 2
    value, deck = next_card(list(DECK))
    assert value == 14
    assert deck[:4] == [29, 20, 51, 6]
    assert deck[-1] == 26


@pytest.mark.parametrize(
    ("rule_id", "text", "parameters", "message"),
    [
        ("1", "", {}, "must be one or more letters"),
        ("1", "abc", {}, "must be one or more letters"),
        ("8", "A", {}, "has the parameters key; got none"),
        ("8", "A", {"key": "a"}, "must be letters A to Z"),
        ("9", "A", {"period": 0, "increment": 1}, "must be an integer from 1"),
        ("1", "A", {"key": "A"}, "has the parameters none; got key"),
    ],
)
def test_wrong_texts_and_parameters_are_refused(rule_id, text, parameters, message):
    with pytest.raises(ValueError, match=message):
        CIPHERS[rule_id].encode(text, **parameters)


@pytest.mark.skipif(not REAL, reason="XLGO_REAL_DATA names no folder with the published data")
def test_all_published_answers_are_reproduced():
    folder, count = Path(str(REAL)) / "kor" / "cipher", 0
    for name in ("sample", "three-shot"):
        for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").split("\n"):
            if not line:
                continue
            item, count = json.loads(line), count + 1
            cipher, question = CIPHERS[item["rule_id"]], item["question"]
            text = re.search(r'text: "([^"]*)"', question)[1]
            key = re.search(r"Key: *([A-Z]+)", question)
            disc = re.search(r"period: *(\d+)\s+increment: *(\d+)", question)
            parameters = {"key": key[1]} if key else {}
            if disc:
                parameters = {"period": int(disc[1]), "increment": int(disc[2])}
            way = cipher.encode if item["category"] == "Encryption" else DECODERS[item["rule_id"]]
            assert f"[[{way(text, **parameters)}]]" == item["answer"], item
    assert count == 325
