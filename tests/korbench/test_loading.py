"""The loader and the rows of the loaded tasks, on a small set of our own."""

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import xlgo_dataset as xd
from xlgo_dataset.families.korbench.loading import CATEGORIES, load

korbench: Any = xd.family("korbench")

FIXTURE = Path(__file__).parent / "fixture"


@pytest.fixture
def copy(tmp_path):
    return Path(shutil.copytree(FIXTURE, tmp_path / "copy"))


def jsonl(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def rewrite(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def rows(task, source=FIXTURE, **options):
    return list(korbench.rows(task, ["en"], source=str(source), **options))


def prompts(source, task="kor_logic", **options):
    return [row["prompt"] for row in rows(task, source, **options)]


def test_of_a_part_in_two_formats_the_lines_are_asked(copy: Path) -> None:
    items = jsonl(copy / "logic" / "sample.jsonl")
    other = pyarrow.Table.from_pylist([{**item, "question": "Another one?"} for item in items])
    pyarrow.parquet.write_table(other, copy / "logic" / "sample.parquet")
    assert prompts(copy) == prompts(FIXTURE)


def test_a_missing_file_is_named_with_what_is_there(copy):
    (copy / "logic" / "rule.jsonl").unlink()
    with pytest.raises(ValueError, match=r"has no file logic-rule \(jsonl, .* cipher-rule"):
        prompts(copy)
    (copy.parent / "empty").mkdir()
    with pytest.raises(ValueError, match="found none of the data files"):
        prompts(copy.parent / "empty")


@pytest.mark.parametrize(
    ("name", "column", "task"),
    [
        ("logic/rule.jsonl", "rule_content", "kor_logic"),
        ("logic/sample.jsonl", "question", "kor_logic"),
        ("logic/sample.jsonl", "answer", "kor_logic"),
        ("logic/sample.jsonl", "rule_id", "kor_logic"),
        ("counterfactual/sample.jsonl", "real_life_answer", "kor_counterfactual"),
        ("mixed/Multi-R.jsonl", "rule_list", "kor_multi_r"),
    ],
)
def test_a_missing_column_is_named_with_those_that_are_there(copy, name, column, task):
    rows = jsonl(copy / name)
    for row in rows:
        row["other"] = row.pop(column)
    rewrite(copy / name, rows)
    with pytest.raises(
        ValueError, match=f"{name}: row 0 has no '{column}': its columns are .*other"
    ):
        prompts(copy, task)


def test_the_revision_of_a_folder_is_its_content_and_can_be_pinned(copy):
    before = load(str(copy)).revision
    assert before == load(str(FIXTURE)).revision
    assert prompts(copy, revision=before) == prompts(FIXTURE)
    (copy / "notes.md").write_text("not data")
    assert load(str(copy)).revision == before
    items = jsonl(copy / "logic" / "sample.jsonl")
    rewrite(copy / "logic" / "sample.jsonl", [{**items[0], "answer": "[[p9]]"}, *items[1:]])
    assert load(str(copy)).revision != before
    with pytest.raises(ValueError, match=f"has the revision sha256-.*, not {before}"):
        prompts(copy, revision=before)


def by_idx(name):
    return {row["idx"]: row for row in jsonl(FIXTURE / f"{name}.jsonl")}


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_question_comes_with_its_rule_and_its_stored_answer(category):
    rules = {idx: row["rule_content"] for idx, row in by_idx(f"{category}/rule").items()}
    items = by_idx(f"{category}/sample")
    found = rows(f"kor_{category}")
    assert len(found) == len(items)
    for row in found:
        reference = json.loads(row["reference"])
        item = items[reference["idx"]]
        expected = {"category": category, "rule_id": item["rule_id"], "answer": item["answer"]}
        assert {name: reference[name] for name in expected} == expected
        assert row["level"] == int(item["rule_id"])
        assert row["instance_id"] == f"kor_{category}-{item['idx']}"
        rule, prompt = rules[item["rule_id"]], row["prompt"]
        assert -1 < prompt.find(rule) < prompt.index(item["question"].strip())
        assert not [other for other in rules.values() if other != rule and other in prompt]
        assert prompt.count("### Question:") == 1


@pytest.mark.parametrize("setting", ["Multi-Q", "Multi-R", "Multi-RQ"])
def test_a_mixed_row_holds_its_rules_questions_and_a_template(setting):
    entries = by_idx(f"mixed/{setting}")
    for row in rows("kor_" + setting.lower().replace("-", "_")):
        reference, prompt = json.loads(row["reference"]), row["prompt"]
        entry, asked = entries[reference["idx"]], reference["questions"]
        assert [f"{q['category']}_{q['idx']}" for q in asked] == entry["question_list"]
        assert reference["rules"] == entry["rule_list"]
        items = [by_idx(f"{q['category']}/sample")[q["idx"]] for q in asked]
        stored = [(item["answer"], item["rule_id"]) for item in items]
        assert [(q["answer"], q["rule_id"]) for q in asked] == stored
        assert reference["answer"] == [answer for answer, _ in stored]
        assert (row["complexity"], row["level"]) == (len(asked), len(entry["rule_list"]))
        named = [name.split("_") for name in entry["rule_list"]]
        texts = [by_idx(f"{name}/rule")[idx]["rule_content"].strip() for name, idx in named]
        texts += [f"\n{n}. {item['question'].strip()}" for n, item in enumerate(items, 1)]
        places = [prompt.index(text) for text in texts]
        assert places == sorted(places)
        template = json.loads(prompt[prompt.index("{") : prompt.index("}") + 1])
        assert list(template) == [f"question{n}" for n in range(1, len(asked) + 1)]


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("shots", [0, 3])
def test_a_question_without_its_rule_has_only_questions(category, shots):
    rules = by_idx(f"{category}/rule")
    plain = rows(f"kor_{category}", shots=shots)
    bare = rows(f"kor_{category}", shots=shots, rules=False)
    assert [row["instance_id"] for row in bare] == [row["instance_id"] for row in plain]
    assert not {row["id"] for row in bare} & {row["id"] for row in plain}
    for with_rule, without in zip(plain, bare):
        reference, prompt = json.loads(without["reference"]), without["prompt"]
        rule = rules[reference["rule_id"]]["rule_content"].strip()
        assert rule in with_rule["prompt"]
        assert rule not in prompt
        assert with_rule["prompt"].endswith(prompt)
        assert prompt.startswith("### Question:\n")
        assert prompt.count("### Question:") == 1 + shots
        assert reference["rule_shown"] is False
