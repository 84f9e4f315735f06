"""The cipher programs against second programs, round trips, and the published answers."""

import json
import os
import re
from pathlib import Path

import pytest

from xlgo_dataset.families.korbench.ciphers import CIPHERS

REAL = os.environ.get("XLGO_REAL_DATA")

by_rule = pytest.mark.parametrize("rule_id", list(CIPHERS))


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
            answer = item["answer"].removeprefix("[[").removesuffix("]]")
            plain, secret = (text, answer) if item["category"] == "Encryption" else (answer, text)
            assert cipher.encode(plain, **parameters) == secret, item
    assert count == 325
