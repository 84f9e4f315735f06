"""Nothing that a grader meets ends a scoring, and nothing that it raises is lost."""

import json
from typing import Any

import pytest

import xlgo_metric as xm
from tests.looping import looped
from xlgo_metric.core import Grade
from xlgo_metric.family import grade_safely

GOOD = {"task": "dsa", "answer": {"state": "E2679"}, "language": "en", "complexity": 4}
BAD: list[Any] = [
    "{",
    "[1]",
    "[" * 100_000,
    5,
    None,
    {},
    {"task": "dsa"},
    {"task": ["dsa"], "answer": {}},
    GOOD | {"family": "chess"},
    GOOD | {"covariates": 5.0},
    GOOD | {"params": "paper"},
    GOOD | {"language": "e" * 300},
    GOOD | {"language": 5},
    GOOD | {"complexity": "four"},
    GOOD | {"complexity": True},
]


def test_what_a_grader_raises_is_named(caught: list[str]) -> None:
    def grade(prediction: str, reference: dict[str, Any]) -> Grade:
        raise ArithmeticError("gamma function \ud800pole")

    found = grade_safely(grade, "x", {}, where="samples.jsonl:7")
    assert (found.correct, found.status) == (False, "bad_format")
    assert found.details["error"] == "ArithmeticError: gamma function ?pole"
    assert found.details["raised_at"].startswith("test_guard.py:")
    assert caught[0].startswith("samples.jsonl:7: grading raised ArithmeticError")
    json.dumps(found.to_json(), ensure_ascii=False).encode()


def test_deep_recursion_is_caught_and_an_interrupt_is_not(caught: list[str]) -> None:
    def deep() -> Grade:
        return deep()

    def stopped() -> Grade:
        raise KeyboardInterrupt

    assert grade_safely(deep).details["error"].startswith("RecursionError")
    with pytest.raises(KeyboardInterrupt):
        grade_safely(stopped)


@looped("reference", BAD, ids=lambda r: str(r)[:40])
def test_a_reference_that_cannot_be_used_costs_its_row(reference: Any) -> None:
    right = '{"state": "Room E2679"}'
    records = xm.grade_all([right, right, "none"], [GOOD, reference, GOOD])
    assert [record.grade.status for record in records] == ["correct", "bad_format", "no_answer"]
    assert records[1].grade.details["error"]
    score = xm.score([right, right, "none"], [GOOD, reference, GOOD], draws=20)
    assert score["unusable"] == 1
    alone = xm.score([right, "none"], [GOOD, GOOD], draws=20)
    assert score["families"] == alone["families"]
    with pytest.raises(ValueError, match="none of the 1 references"):
        xm.score([right], [reference])


@pytest.mark.parametrize(
    "reference",
    [
        {"task": "dsa", "answer": {"chain": [1]}},
        {"task": "dsa", "answer": {"state": ["E2679"]}},
        {"task": "graph_sp", "answer": {"path": 5}, "edges": "none"},
        {"task": "slt", "answer": {"chain": {}}},
        {"task": "sudoku", "answer": {}},
        {"family": "easy", "task": "travel", "answer": {}, "edges": 5},
        {"family": "easy", "task": "proof_tree", "answer": {"number": {}}},
        {"family": "easy", "task": "unpuzzles", "answer": {"text": {"a": 1}}},
        {"family": "easy", "task": "word_count", "answer": {"counts": 5}},
        {"family": "easy", "task": "logic_eval", "answer": []},
    ],
)
def test_no_reference_makes_grading_raise(reference: dict[str, Any], caught: list[str]) -> None:
    answers = [
        '{"state": "E2679"}',
        '{"path": ["A1234", "B1234"]}',
        '{"chain": [1]}',
        "5",
        "",
        "[('Oslo', 'Moss', 'bus')]",
        "\\boxed{5}",
        "My final answer is: 5",
        "[5]",
    ]
    for record in xm.grade_all(answers, [reference] * len(answers)):
        assert not record.grade.correct
        assert record.grade.status in xm.STATUSES


@pytest.mark.parametrize("prediction", [5, ["{}"], {"text": "{}"}, b"{}", True])
def test_a_prediction_that_is_no_text_costs_its_row(prediction: Any, caught: list[str]) -> None:
    (record,) = xm.grade_all([prediction], [GOOD])
    assert (record.grade.status, record.response) == ("bad_format", None)
    assert "not" in record.grade.details["error"]
    assert len(caught) == 1
