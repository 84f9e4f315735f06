"""The small set of our own holds one of everything that grading treats in its own way."""

import json
from pathlib import Path

import pytest

FIXTURE = Path(__file__).parent / "fixture"


def items(category, name="sample"):
    lines = (FIXTURE / category / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


@pytest.mark.parametrize(
    ("category", "indexes"),
    [
        # Two expressions joined by "or", plain "or", roots, logarithms, complex numbers,
        # derivatives, constants, sets, inequalities, matrices; 126 is no expression.
        ("operation", (18, 15, 73, 94, 115, 121, 126, 141, 146, 164, 171, 178, 179, 211, 221, 231)),
        ("logic", (1, 11, 41, 42, 50, 61, 91, 241)),
        ("cipher", (1, 2, 171, 172, 221, 222)),
        # The last three are kinds of stored answers that fail the published graders.
        ("puzzle", (1, 13, 22, 34, 41, 51, 61, 71, 81, 91, 101, 121, 141, 171, 181, 211, 231,
                    11, 31, 84, 93)),
        ("counterfactual", (1, 31)),
    ],
)  # fmt: skip
def test_every_kind_of_question_is_there(category, indexes):
    found = {int(item["idx"]): item for item in items(category)}
    assert set(indexes) <= set(found)
    examples = items(category, "three-shot")
    for index, item in found.items():
        rule = int(item["rule_id"])
        assert 10 * (rule - 1) < index <= 10 * rule
        own = [int(row["idx"]) for row in examples if row["rule_id"] == item["rule_id"]]
        assert own == [3 * rule - 2, 3 * rule - 1, 3 * rule]
        assert item["answer"].startswith("[[")
        assert item["answer"].endswith("]]")


def test_the_exceptions_are_what_they_should_be():
    puzzle = {item["idx"]: item["answer"] for item in items("puzzle")}
    assert "," in puzzle["11"]  # several endings
    assert " " in puzzle["31"]  # several words
    assert 1 + 3 * 4 != 16 == (1 + 3) * 4  # right only from left to right
    assert puzzle["84"] == "[[1+3*4=16]]"
    assert "\n" in puzzle["93"]  # several calculations
    examples = {item["idx"]: item["answer"] for item in items("puzzle", "three-shot")}
    assert examples["8"].endswith(" ]]")
    steps = json.loads((FIXTURE / "cipher/subquestions.json").read_text("utf-8"))
    details = [step for item in steps for step in item["steps_details"]]
    assert {type(step["atom"]) for step in details} == {str, int, list}
    assert any("', '" in step["answer"] for step in details)  # a grid
    assert [step for step in details if "type" not in step]
