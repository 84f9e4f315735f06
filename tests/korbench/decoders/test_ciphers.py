"""The cipher programs and fresh questions: second programs, round trips, the published answers."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from xlgo_dataset.families.korbench import FAMILY
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


korbench: Any = FAMILY

TASK = "kor_cipher_fresh"
COLUMNS = {
    "id", "instance_id", "task", "language", "complexity", "level", "index", "seed", "prompt",
    "answer", "reference",
}  # fmt: skip
SCHEDULES = {
    **dict.fromkeys(map(str, range(1, 26)), (1, 1, 1, 2, 11)),
    **dict.fromkeys(("11", "12", "13", "14"), (2, 2, 2, 2, 11)),
    **dict.fromkeys(("16", "17"), (5, 8, 11, 20, 35)),
    "18": (4, 8, 12, 20, 35),
    "20": (7, 7, 7, 8, 16),
}
"""As the released questions have them (measured)."""


@pytest.fixture(scope="module")
def rows():
    return list(korbench.rows(TASK, ["en"]))


def test_ten_distinct_questions_for_each_of_25_rules(rows):
    assert len(rows) == 250
    assert [row["level"] for row in rows[:25]] == list(range(1, 26))
    assert [row["index"] for row in rows] == [n // 25 for n in range(250)]
    for column in ("id", "instance_id", "prompt"):
        assert len({row[column] for row in rows}) == 250
    assert all(set(row) == COLUMNS for row in rows)


def test_lengths_and_directions_follow_the_released_questions(rows):
    for row in rows:
        reference = json.loads(row["reference"])
        index, rule_id = row["index"], reference["rule_id"]
        length = SCHEDULES[rule_id][index // 2]
        assert reference["direction"] == ("Encryption", "Decryption")[index % 2]
        assert row["complexity"] == length + (rule_id == "11") * (length % 2)


def test_the_three_examples_are_of_the_same_rule_and_never_the_question():
    for row in korbench.rows(TASK, ["en"], shots=3):
        reference = json.loads(row["reference"])
        *solved, last = row["prompt"].split("### Question:\n")[1:]
        assert len(solved) == 3
        assert len(set(solved)) == 3
        shown = {part.split('"')[1] for part in solved}
        answers = {part.split("### Answer:\n[[")[1].split("]]")[0] for part in solved}
        assert last.split('"')[1] == reference["text"]
        assert reference["text"] not in shown | answers
        assert row["id"].endswith("-en-3shot")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rule_id": "26"}, "unknown rule_id '26'"),
        ({"complexity": 0}, "complexity=0 must be an integer from 1"),
        ({"complexity": 1001}, "must be an integer from 1 to 1000"),
        ({"shots": 2}, "shots=2 must be one of 0, 3"),
        ({"split": "dev"}, "unknown split 'dev'"),
        ({"seed": -1}, "seed=-1 must be an integer from 0"),
        ({"index": True}, "index=True must be an integer from 0"),
        ({"depth": 1}, "unknown parameter 'depth'"),
    ],
)
def test_wrong_parameters_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        korbench.generate(TASK, **given)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"plaintext": None}, "plaintext a text"),
        ({"category": "Both"}, "category must be"),
        ({"rule_id": "0"}, "unknown rule_id '0'"),
        ({"parameters": {"key": "A"}}, "has the parameters none"),
        ({"plaintext": "a"}, "must be one or more letters"),
    ],
)
def test_wrong_json_forms_are_refused(change, message):
    whole = korbench.generate(TASK).to_json()
    with pytest.raises(ValueError, match=message):
        korbench.instance_from_json(TASK, whole | change)
    with pytest.raises(ValueError, match="has no 'rule_id'"):
        korbench.instance_from_json(TASK, {})
