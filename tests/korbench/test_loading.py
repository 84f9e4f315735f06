"""The loader: what it finds by listing, and what it says when something is missing."""

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import xlgo_dataset as xd
from xlgo_dataset.families.korbench.loading import load

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


def prompts(source, task="kor_logic", **options):
    return [row["prompt"] for row in korbench.rows(task, ["en"], source=str(source), **options)]


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
