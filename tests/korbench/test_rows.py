"""The rows of the loaded tasks on a small set of our own."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.looping import looped
from xlgo_dataset.families.korbench import FAMILY
from xlgo_dataset.families.korbench.loading import CATEGORIES

korbench: Any = FAMILY

FIXTURE = str(Path(__file__).parent / "fixture")
REAL = os.environ.get("XLGO_KOR_DATA")


def read(name):
    lines = (Path(FIXTURE) / name).read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def made(task, **options):
    rows = list(korbench.rows(task, ["en"], source=FIXTURE, **options))
    return [(row, json.loads(row["reference"])) for row in rows]


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_question_comes_with_its_rule_and_its_stored_answer(category):
    rules = {row["idx"]: row["rule_content"] for row in read(f"{category}/rule.jsonl")}
    items = {row["idx"]: row for row in read(f"{category}/sample.jsonl")}
    found = made(f"kor_{category}")
    assert len(found) == len(items)
    for row, reference in found:
        item = items[reference["idx"]]
        assert (reference["category"], reference["rule_id"]) == (category, item["rule_id"])
        assert reference["answer"] == item["answer"]
        assert row["level"] == int(item["rule_id"])
        assert row["instance_id"] == f"kor_{category}-{item['idx']}"
        rule, question = rules[item["rule_id"]], item["question"].strip()
        assert rule in row["prompt"]
        assert row["prompt"].index(rule) < row["prompt"].index(question)
        for other in rules.values():
            assert other == rule or other not in row["prompt"]
        assert row["prompt"].count("### Question:") == 1


def test_the_trick_follows_the_question():
    plain = {reference["idx"]: row["prompt"] for row, reference in made("kor_puzzle")}
    for row, reference in made("kor_puzzle_trick"):
        before, _, after = row["prompt"].partition("\n\nHint: Start with the rarest piece.")
        assert before + after == plain[reference["idx"]]


@pytest.mark.parametrize("setting", ["Multi-Q", "Multi-R", "Multi-RQ"])
def test_a_mixed_row_holds_its_rules_questions_and_a_template(setting):
    entries = {row["idx"]: row for row in read(f"mixed/{setting}.jsonl")}
    for row, reference in made("kor_" + setting.lower().replace("-", "_")):
        entry = entries[reference["idx"]]
        asked = reference["questions"]
        assert [f"{q['category']}_{q['idx']}" for q in asked] == entry["question_list"]
        assert reference["rules"] == entry["rule_list"]
        assert reference["answer"] == [q["answer"] for q in asked]
        assert (row["complexity"], row["level"]) == (len(asked), len(entry["rule_list"]))
        places = []
        for name in entry["rule_list"]:
            category, idx = name.split("_")
            rules = {r["idx"]: r["rule_content"] for r in read(f"{category}/rule.jsonl")}
            places.append(row["prompt"].index(rules[idx].strip()))
        for number, question in enumerate(asked, 1):
            items = {r["idx"]: r for r in read(f"{question['category']}/sample.jsonl")}
            item = items[question["idx"]]
            assert (question["answer"], question["rule_id"]) == (item["answer"], item["rule_id"])
            places.append(row["prompt"].index(f"\n{number}. {item['question'].strip()}"))
        assert places == sorted(places)
        start = row["prompt"].index("{")
        template = json.loads(row["prompt"][start : row["prompt"].index("}") + 1])
        assert list(template) == [f"question{n}" for n in range(1, len(asked) + 1)]


@looped(
    ("task", "given", "message"),
    [
        (
            "kor_cipher",
            {"seed": 1},
            "unknown option 'seed': allowed are source, revision, mode, shots",
        ),
        ("kor_logic", {"mode": "strict"}, "mode=.strict. must be one of default, paper, stored"),
        ("kor_cipher", {"shots": 5}, "shots=5 must be one of 0, 3"),
        ("kor_cipher", {"shots": True}, "shots=True must be one of 0, 3"),
        ("kor_cipher", {"source": ""}, "source='' must be a text"),
        ("kor_puzzle_trick", {"shots": 3}, "unknown option 'shots'"),
        ("kor_multi_q", {"shots": 3}, "unknown option 'shots'"),
        ("kor_self_correction", {"rounds": 0}, "rounds=0 must be an integer from 1 to 20"),
        ("kor_self_correction", {"needle": 1}, "needle=1 must be True or False"),
        (
            "kor_self_correction",
            {"categories": "cipher,maths"},
            "must be names of operation",
        ),
        ("kor_self_correction", {"categories": []}, "must be names of operation"),
        ("kor_self_correction", {"categories": 3}, "categories=3 must be names"),
        ("kor_cipher_fresh", {"needle": True}, "unknown option 'needle'"),
        ("kor_cipher_fresh", {"source": 1}, "source=1 must be a text"),
        ("kor_cipher_fresh", {"per_rule": 0}, "per_rule=0 must be an integer from 1"),
        ("kor", {}, "unknown task 'kor'"),
    ],
)
def test_wrong_options_are_refused_by_name(task, given, message):
    with pytest.raises(ValueError, match=message):
        korbench.options(task, **given)


def test_rows_can_be_made_in_parts():
    assert korbench.shards("kor_cipher_fresh", per_rule=4) == 4
    task = "kor_cipher_fresh"
    asked: dict[str, Any] = {"languages": ["en"], "per_rule": 4}
    parts = [list(korbench.rows(task, indexes=[n], **asked)) for n in range(4)]
    assert [row for part in parts for row in part] == list(korbench.rows(task, **asked))
    assert korbench.shards("kor_cipher", source=FIXTURE) == 1
    assert len(list(korbench.rows("kor_cipher", ["en"], source=FIXTURE, indexes=[0]))) == 8
    assert not list(korbench.rows("kor_cipher", ["en"], source=FIXTURE, indexes=[]))


def test_caches_learn_of_the_folder_that_rows_depend_on():
    assert FAMILY.files("kor_cipher", source=FIXTURE) == (Path(FIXTURE),)
    assert FAMILY.files("kor_cipher") == FAMILY.files("kor_cipher_fresh") == ()
