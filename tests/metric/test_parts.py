"""The parts that every score, reward and table is made of, each against its definition."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from tests.looping import looped
from xlgo_metric import rewards
from xlgo_metric.core import Column, Grade, Record
from xlgo_metric.scoring import summarize
from xlgo_metric.table import Table
from xlgo_metric.views import (
    exact_limits,
)

SLT: dict[str, Any] = {"task": "slt", "answer": {"chain": [1, 2, 3, 4]}, "complexity": 4}


def grade(status: Any, **more: Any) -> Grade:
    return Grade(status == "correct", status, status == "correct", **more)


def test_limits_are_those_of_the_exact_binomial_test() -> None:
    for n in (1, 2, 5, 12, 400):
        for right in {0, 1, n // 2, n - 1, n}:
            found = binomtest(right, n).proportion_ci(0.95, method="exact")
            assert [*map(float, exact_limits(right / n, n))] == pytest.approx(
                [found.low, found.high]
            )
    low, high = exact_limits(np.array([0.0, 0.5, 1.0]), np.array([10, 10, 10]))
    assert (low[0], high[2]) == (0.0, 1.0)
    assert 0 < high[0] < low[2] < 1
    for mean, n in ((-0.1, 3), (1.1, 3), (0.5, 0)):
        with pytest.raises(ValueError, match="no interval"):
            exact_limits(mean, n)


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


def test_columns_write_signs_units_and_thousands() -> None:
    written_as: dict[Column, dict[float, str]] = {
        Column("x", "number", 1, signed=True): {
            1.0: "+1.0",
            -1.0: "−1.0",
            0.0: "0.0",
            -0.01: "0.0",
        },
        Column("x", "number", 1): {
            1.0: "1.0",
            9999.9: "9999.9",
            10000.0: "10,000.0",
            -12345.0: "−12,345.0",
        },
        Column("x", "difference"): {0.012: "+1.2", -0.012: "−1.2", 0.0: "0.0"},
        Column("x", "share", unit="%"): {0.145: "14.5%", 1.0: "100.0%"},
        Column("x", "p"): {0.0: "<0.0001", 0.00009: "<0.0001", 0.0001: "0.0001", 1.0: "1.0000"},
        Column("x", "count"): {9999: "9999", 10000: "10,000", 12345678: "12,345,678"},
    }
    for column, texts in written_as.items():
        assert {value: column.written(value) for value in texts} == texts
    with pytest.raises(ValueError, match="a row has 1 cells for 2 columns"):
        Table("t", "T", (Column("a"), Column("b")), ((1, 2), (1,)))


def answers_in(codes: str, task: str, **more: Any) -> list[Record]:
    return [
        Record(grade("correct" if (number + place) % 3 else "wrong"),
               {**SLT, "task": task, "language": code, "instance_id": f"{task}{number}", **more})
        for place, code in enumerate(codes.split()) for number in range(9)
        for _ in range(1 + number % 2)
    ]  # fmt: skip


def test_a_baseline_of_any_family_is_one_and_all_is_compared_with_it() -> None:
    first = answers_in("te hi", "slt", family="xlgobench")
    second = answers_in("hi en sw", "kor_logic", family="korbench", answer="1", rule_id="1",
                        category="logic", idx="1")  # fmt: skip
    score = summarize([*first, *second], baseline="te", draws=10)
    section = score["families"]["xlgobench"]
    assert section["readings"]["baseline"] == "te"
    assert {gap["language"] for gap in section["readings"]["gaps"]} == {"hi"}
    alone = [row["language"] for row in section["repeats"] if row["gap_between"] is None]
    assert alone == ["te"]
    with pytest.raises(
        ValueError,
        match="nothing was asked in this language; allowed are en, hi, sw, te",
    ):
        summarize([*first, *second], baseline="zh")
    assert (
        summarize([*first, *second], baseline="sw", draws=10)["families"].keys()
        == score["families"].keys()
    )
