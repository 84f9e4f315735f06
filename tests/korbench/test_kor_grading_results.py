"""Reading the authors' result files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from xlgo_metric.core import Record
from xlgo_metric.families.korbench import FAMILY, read_results

KOR: Any = FAMILY  # its sections have open keys

PUBLISHED = KOR.published


def write(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text(text, encoding="utf-8")


def test_files_become_responses_and_references(tmp_path):
    write(
        tmp_path / "run" / "Some-Model-7B_logic_zero-shot.jsonl",
        {"idx": "1", "rule_id": "1", "answer": "[[A]]", "response": "[[A]]"},
        {"idx": 2, "rule_id": 1, "answer": "[[B]]", "response": {"error": "time out"}},
    )
    write(
        tmp_path / "base_cipher_three-shot.jsonl",
        {"idx": "3", "rule_id": "1", "answer": "[[Q]]", "response": "Q", "category": "Encryption"},
    )
    found = list(read_results(tmp_path, "paper"))
    assert [one.response for one in found] == ["Q", "[[A]]", None]
    reference = found[1].reference
    assert (reference["model"], reference["setting"]) == ("Some-Model-7B", "zero-shot")
    assert (reference["task"], reference["rule_id"], reference["idx"]) == ("kor_logic", "1", "1")
    assert (reference["mode"], reference["shots"]) == ("paper", 0)
    assert (found[0].reference["category"], found[0].reference["shots"]) == ("cipher", 3)
    records = [Record(PUBLISHED.grade(one), one.reference) for one in found]
    rows = KOR.summarize(records)["measured"]
    (row,) = (row for row in rows if row["by"] == "model" and row["model"] == "Some-Model-7B")
    assert (row["setting"], row["task"], row["score_paper"]) == ("zero-shot", "kor_logic", 0.5)


def test_mixed_and_other_settings(tmp_path):
    write(
        tmp_path / "m_Multi-RQ.jsonl",
        {
            "idx": "1",
            "question_list": ["operation_121", "logic_89"],
            "answer": ["[[5+5i]]", "[[C]]"],
            "response": '{"question1": "[[5i+5]]", "question2": "C"}',
        },
    )
    write(
        tmp_path / "m_puzzle_trick.jsonl",
        {"idx": "51", "rule_id": "6", "answer": "[[4]]", "response": "[[4]]"},
    )
    found = {one.reference["task"]: one for one in read_results(tmp_path)}
    reference: Any
    _, text, reference = found["kor_multi_rq"]
    assert [question["rule_id"] for question in reference["questions"]] == ["13", "9"]
    grade = KOR.grade(text, reference)
    assert grade.correct
    assert grade.details["questions"]["paper"] == [False, False]
    assert "kor_puzzle_trick" in found


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "line 2: not valid JSON"),
        ("[1]", "line 2: an object is needed, not list"),
        ({"idx": "1", "rule_id": "1", "answer": "[[A]]"}, "line 2: no 'response'"),
        ({"idx": "1", "answer": "[[A]]", "response": ""}, "line 2: 'rule_id' must be text"),
        (
            {"idx": "1", "question_list": ["logic_1"], "answer": [], "response": ""},
            "line 2: 'question_list' and 'answer' must be lists of the same length",
        ),
        (
            {"idx": "1", "question_list": ["x_1"], "answer": ["[[A]]"], "response": ""},
            "line 2: 'x_1' is not written as",
        ),
    ],
)
def test_errors_name_file_and_line(tmp_path, row, message):
    good = {"idx": "1", "rule_id": "1", "answer": "[[A]]", "response": "[[A]]"}
    write(tmp_path / "m_logic_zero-shot.jsonl", good, row)
    with pytest.raises(ValueError, match=r"m_logic_zero-shot\.jsonl") as caught:
        list(read_results(tmp_path))
    assert message in str(caught.value)


def test_errors_of_folder_and_mode(tmp_path):
    with pytest.raises(ValueError, match="has no result files"):
        list(read_results(tmp_path))
    with pytest.raises(ValueError, match="unknown mode 'loose'"):
        list(read_results(tmp_path, "loose"))
    with pytest.raises(ValueError, match="there is no such file or folder"):
        list(read_results(tmp_path / "nowhere"))


def test_several_runs_are_told_apart(tmp_path):
    row = {"idx": "1", "rule_id": "1", "answer": "[[A]]", "response": "[[A]]"}
    for model, text in (("m", "[[A]]"), ("n", "[[B]]")):
        write(tmp_path / f"{model}_logic_zero-shot.jsonl", {**row, "response": text})
    answers = list(PUBLISHED.read(tmp_path, "default"))
    section = KOR.summarize([Record(PUBLISHED.grade(a), a.reference) for a in answers])
    assert section["warnings"] == [
        "the numbers by task pool 2 runs of 2 models: those by model keep them apart"
    ]
    rows = [row for row in section["measured"] if row["by"] == "model"]
    assert {row["model"]: row["score_default"] for row in rows} == {"m": 1, "n": 0}
    assert not KOR.summarize([Record(PUBLISHED.grade(a), a.reference) for a in answers[:1]])[
        "warnings"
    ]
