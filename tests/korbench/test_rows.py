"""The rows of the loaded tasks on a small set of our own."""

import json
from pathlib import Path
from typing import Any

import pytest

from xlgo_dataset.families.korbench import FAMILY
from xlgo_dataset.families.korbench.loading import CATEGORIES

korbench: Any = FAMILY

FIXTURE = str(Path(__file__).parent / "fixture")


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
