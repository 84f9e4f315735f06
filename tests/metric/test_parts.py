"""The parts that every score, reward and table is made of, each against its definition."""

import json
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.stats import binomtest

import xlgo_metric as xm
from tests.looping import looped
from xlgo_metric import family, rewards, scoring, views

SLT: dict[str, Any] = {"task": "slt", "answer": {"chain": [1, 2, 3, 4]}, "complexity": 4}


def grade(status: Any, **more: Any) -> xm.Grade:
    return xm.Grade(status == "correct", status, status == "correct", **more)


@pytest.mark.parametrize("n", [1, 2, 5, 12, 400])
def test_limits_are_those_of_the_exact_binomial_test(n: int) -> None:
    for right in {0, 1, n // 2, n - 1, n}:
        found = binomtest(right, n).proportion_ci(0.95, method="exact")
        assert views.exact_limits(right / n, n) == pytest.approx((found.low, found.high))
    low, high = views.exact_limits(np.array([0.0, 0.5, 1.0]), np.array([n, n, n]))
    assert (low[0], high[2]) == (0.0, 1.0)
    assert (high[0], low[2]) == (views.exact_limits(0.0, n)[1], views.exact_limits(1.0, n)[0])
    for mean, count in ((-0.1, 3), (1.1, 3), (0.5, 0)):
        with pytest.raises(ValueError, match="no interval"):
            views.exact_limits(mean, count)


@looped(
    ("completion", "text"),
    [
        ("a", "a"), (None, ""), (3, ""), ([], ""), ({"role": "user", "content": "no"}, ""),
        ([{"role": "assistant", "content": "a"}], "a"),
        ([{"content": "a"}, {"role": "assistant", "content": "b"}], "a\nb"),
        ([{"role": "system", "content": "s"}, {"role": "user", "content": "u"},
          {"role": "assistant", "content": "a"}, {"role": "tool", "content": "t"},
          {"role": "assistant", "content": "b"}], "a\nb"),
        ([{"content": [{"type": "text", "text": "a"}, {"type": "image"}, "b", {"text": "c"}]}],
         "a\nb\nc"),
        ([{"content": None}, {"content": 4}, "x", {"content": "a"}], "a"),
    ],
)  # fmt: skip
def test_a_completion_is_all_that_the_assistant_said(completion: Any, text: str) -> None:
    assert rewards.text_of(completion) == text


@looped(
    ("column", "texts"),
    [
        (xm.Column("x", "number", 1, signed=True),
         {1.0: "+1.0", -1.0: "−1.0", 0.0: "0.0", -0.01: "0.0"}),
        (xm.Column("x", "number", 1),
         {1.0: "1.0", 9999.9: "9999.9", 10000.0: "10,000.0", -12345.0: "−12,345.0"}),
        (xm.Column("x", "difference"), {0.012: "+1.2", -0.012: "−1.2", 0.0: "0.0"}),
        (xm.Column("x", "share", unit="%"), {0.145: "14.5%", 0.4315: "43.2%", 1.0: "100.0%"}),
        (xm.Column("x", "p"), {0.0: "<0.0001", 0.00009: "<0.0001", 1e-4: "0.0001", 1.0: "1.0000"}),
        (xm.Column("x", "count"), {9999: "9999", 10000: "10,000", 12345678: "12,345,678"}),
    ],
)  # fmt: skip
def test_columns_write_signs_units_and_thousands(
    column: xm.Column, texts: dict[float, str]
) -> None:
    assert {value: column.written(value) for value in texts} == texts
    with pytest.raises(ValueError, match="table 't': a row has 1 cells for 2 columns"):
        xm.Table("t", "T", (column, xm.Column("b")), ((1, 2), (1,)))


def answers_in(codes: str, task: str, **more: Any) -> list[xm.Record]:
    return [
        xm.Record(grade("correct" if (number + place) % 3 else "wrong"),
               {**SLT, "task": task, "language": code, "instance_id": f"{task}{number}", **more})
        for place, code in enumerate(codes.split()) for number in range(9)
        for _ in range(1 + number % 2)
    ]  # fmt: skip


def test_a_baseline_of_any_family_is_one_and_all_is_compared_with_it() -> None:
    second = {"family": "korbench", "answer": "1", "rule_id": "1", "category": "logic", "idx": "1"}
    records = answers_in("te hi", "slt") + answers_in("hi en sw", "kor_logic", **second)
    section = scoring.summarize(records, baseline="te", draws=10)["families"]["xlgobench"]
    assert section["readings"]["baseline"] == "te"
    assert {gap["language"] for gap in section["readings"]["gaps"]} == {"hi"}
    assert [row["language"] for row in section["repeats"] if row["gap_between"] is None] == ["te"]
    assert scoring.summarize(records, baseline="sw", draws=10)["families"].keys() == {
        "xlgobench",
        "korbench",
    }
    with pytest.raises(ValueError, match=r"nothing was asked in .*; allowed are en, hi, sw, te"):
        scoring.summarize(records, baseline="zh")


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


def test_what_a_grader_raises_is_named(caught: pytest.LogCaptureFixture) -> None:
    def grade(prediction: str, reference: dict[str, Any]) -> xm.Grade:
        raise ArithmeticError("gamma function \ud800pole")

    found = family.grade_safely(grade, "x", {}, where="samples.jsonl:7")
    assert (found.correct, found.status, found.details["error"]) == (
        False, "bad_format", "ArithmeticError: gamma function ?pole",
    )  # fmt: skip
    assert found.details["raised_at"].startswith("test_parts.py:")
    assert caught.messages[0].startswith("samples.jsonl:7: grading raised ArithmeticError")
    json.dumps(found.to_json(), ensure_ascii=False).encode()


def test_deep_recursion_is_caught_and_an_interrupt_is_not(caught: pytest.LogCaptureFixture) -> None:
    def deep() -> xm.Grade:
        return deep()

    assert family.grade_safely(deep).details["error"].startswith("RecursionError")
    with pytest.raises(KeyboardInterrupt):
        family.grade_safely(Mock(side_effect=KeyboardInterrupt))


@looped("reference", BAD, ids=lambda r: str(r)[:40])
def test_a_reference_that_cannot_be_used_costs_its_row(reference: Any) -> None:
    right = '{"state": "Room E2679"}'
    records = xm.grade_all([right, right, "none"], [GOOD, reference, GOOD])
    assert [record.grade.status for record in records] == ["correct", "bad_format", "no_answer"]
    assert records[1].grade.details["error"]
    section, rejected = scoring.summarize_rows(records, draws=20)
    assert section["unusable"] == len(rejected) == 1
    with pytest.raises(ValueError, match="none of the 1 references"):
        xm.score([right], [reference])


def test_a_row_that_cannot_be_used_changes_nothing_of_the_others() -> None:
    right = '{"state": "Room E2679"}'
    score = xm.score([right, right, "none"], [GOOD, "{", GOOD], draws=20)
    assert score["families"] == xm.score([right, "none"], [GOOD, GOOD], draws=20)["families"]


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
def test_no_reference_makes_grading_raise(
    reference: dict[str, Any], caught: pytest.LogCaptureFixture
) -> None:
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
def test_a_prediction_that_is_no_text_costs_its_row(
    prediction: Any, caught: pytest.LogCaptureFixture
) -> None:
    (record,) = xm.grade_all([prediction], [GOOD])
    assert (record.grade.status, record.response) == ("bad_format", None)
    assert "not" in record.grade.details["error"]
    assert len(caught.messages) == 1
