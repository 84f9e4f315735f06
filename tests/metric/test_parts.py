"""The parts that every score, reward and table is made of, each against its definition."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import xlgo_metric as xm
from tests.looping import looped
from xlgo_metric import rewards
from xlgo_metric.core import STATUSES, Column, Grade, Measure, Record, values_of
from xlgo_metric.scoring import summarize
from xlgo_metric.table import Table, written
from xlgo_metric.views import (
    exact_limits,
    frame_of,
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


def test_rewards_of_every_status(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the answers, whatever a family says of its partial credit."""
    shares = dict(zip(STATUSES, (0.1, 0.5, 0.2, 0.3, 0.4, 0.6)))
    family: Any = SimpleNamespace(
        grade=lambda text, reference: grade(text.partition(" ")[0], answer=text),
        partial_credit=lambda found, reference: float(
            found.answer.partition(" ")[2] or shares[found.status]
        ),
    )
    monkeypatch.setattr(rewards, "family_of", lambda reference: family)
    texts = [*STATUSES, "wrong -3", "wrong 7", "wrong 1", "wrong 0"]
    references = [SLT] * len(texts)
    assert rewards.reward(texts, references) == [1.0] + [0.0] * 9
    assert rewards.format_reward(texts, references) == [1.0, 0.5, 0, 0, 0, 0.5, *[0.5] * 4]
    partial = [1.0, 0.45, 0, 0, 0, 0, 0, 0.9, 0.9, 0]
    assert rewards.partial_reward(texts, references) == pytest.approx(partial)


def test_what_is_measured_of_one_answer() -> None:
    measures = [
        Measure("always", lambda g, r: 1.0), Measure("never", lambda g, r: None),
        Measure("told", lambda g, r: None, keeps_unknown=True, aggregate=lambda values: 0.0),
        Measure("plain", lambda g, r: 2.0, plain_only=True),
        Measure("hidden", lambda g, r: 3.0, in_harness=False),
    ]  # fmt: skip
    plain = {"always": 1.0, "told": None, "plain": 2.0}
    for reference in ({}, {"condition": "plain"}, {"condition": None}):
        assert values_of(measures, grade("wrong"), reference) == plain
    del plain["plain"]
    assert values_of(measures, grade("wrong"), {"condition": "romanised"}) == plain


def test_common_measures_of_every_status() -> None:
    from xlgo_metric.core import COMMON_MEASURES

    found = {one.name: [one.value(grade(s), {}) for s in STATUSES] for one in COMMON_MEASURES}
    assert found == {
        "acc": [1, 0, 0, 0, 0, None], "parsed": [1, 1, 0, 0, 0, 1], "strict": [1, 0, 0, 0, 0, 0],
        "truncated": [0, 0, 0, 0, 1, 0],
    }  # fmt: skip
    assert [one.name for one in COMMON_MEASURES if not one.higher_is_better] == ["truncated"]


def test_groups_weigh_the_same_whatever_their_size() -> None:
    one = Measure("m", lambda g, r: r.get("m"))
    groups = [
        [Record(grade("wrong"), {"m": value}) for value in of]
        for of in ([1, 0, 0, 0], [1, None], [], [None], [1])
    ]
    assert one.mean(groups) == pytest.approx((0.25 + 1 + 1) / 3)
    assert one.mean([[], groups[3]]) is None


def rows(columns: str, *values: Sequence[Any]) -> pd.DataFrame:
    return pd.DataFrame([dict(zip(columns.split(), one)) for one in values])


def test_a_frame_holds_what_the_reference_says_before_all_else() -> None:
    reference = {
        **SLT,
        "params": {"level": "of params", "own": 2},
        "level": "of reference",
        "list": [1],
    }
    records = [
        Record(grade("wrong", details={"level": 1, "own": 1, "more": 3, "status": 1}), reference),
        Record(grade("correct"), {**SLT, "instance_id": "i"}),
    ]  # fmt: skip
    first, second = frame_of(records, [Measure("m", lambda g, r: g.correct)]).to_dict("records")
    assert (first["level"], first["own"], first["more"]) == ("of reference", 2, 3)
    assert (first["status"], first["correct"], first["m"], first["question"]) == (
        "wrong",
        False,
        0.0,
        0,
    )
    assert (second["status"], second["m"], second["question"]) == ("correct", 1.0, "i")
    assert not {"list", "params", "answer"} & first.keys()


@looped("digits", range(4))
def test_halves_are_rounded_away_from_zero_as_decimals_are(digits: int) -> None:
    for tenth in range(-2000, 2000, 35):
        value = Decimal(tenth) / Decimal(10) ** (digits + 1)
        exact = value.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP) + 0
        assert written(float(value), digits) == f"{exact:.{digits}f}".replace("-", "−")


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


def test_a_fault_counts_once_for_each_answer() -> None:
    references: list[Any] = [SLT, "no JSON", {"task": "slt"}, json.dumps(SLT), 7]
    score = xm.score(["1"] * 5, references)
    assert score["unusable"] == 3
    with pytest.raises(ValueError, match="none of the 2 references can be used: row 0: a ref"):
        xm.score(["1"] * 2, references[1:3])
    with pytest.raises(ValueError, match="predictions and references are swapped"):
        xm.score([json.dumps(SLT)] * 3, ["1"] * 3)
    assert xm.score([json.dumps(SLT)] * 3, ["1", "2", json.dumps(SLT)])["unusable"] == 2
