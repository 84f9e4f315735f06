"""What holds of a whole score: its order, its signature, and what may be left out of it."""

import random

import pytest

import xlgo_metric as xm
from xlgo_metric.core import COMMON_MEASURES, MISSING, Grade, Record, values_of
from xlgo_metric.scoring import cut_off

from .test_summary import FAST, record

MATHS = {
    "family": "polymath",
    "task": "polymath",
    "language": "en",
    "level": "low",
    "control": "none",
}
EASY = {"family": "easy", "task": "proof_tree", "language": "en", "seed": 0, "data": 1}


def easy(index: int, right: bool, **changes) -> Record:
    reference = EASY | {"instance_id": f"i{index}", "params": {"depth": 3}} | changes
    return Record(Grade(right, "correct" if right else "wrong"), reference)


def maths(index: int, right: bool, **changes) -> Record:
    return Record(Grade(right, "correct" if right else "wrong"), MATHS | {"index": index} | changes)


def test_an_option_that_no_family_has_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown option 'drews': allowed are .*draws"):
        xm.summarize([easy(0, True)], drews=50)


def test_the_order_of_the_records_changes_nothing_of_a_mixed_score() -> None:
    records = [easy(i, i < 3) for i in range(5)] + [maths(i, i < 2) for i in range(4)]
    records += [
        record("slt", x, c, i, i * 10 < c) for x in ("en", "te") for c in (10, 20) for i in range(3)
    ]
    first = xm.summarize(records, draws=20)
    assert list(first["families"]) == ["xlgobench", "polymath", "simple_reasoning"]
    random.Random(2).shuffle(records)
    again = xm.summarize(records, draws=20)
    assert again["signature"] == first["signature"]
    assert again["families"]["xlgobench"] == first["families"]["xlgobench"]


def test_thinking_inside_the_responses_is_measured() -> None:
    reference = {"task": "slt", "language": "en", "complexity": 1, "answer": {"chain": [1]}}
    texts = ["<think>four</think>[1]", "<think>sixsix</think>[1]", '{"chain": [1]}', None]
    found = xm.score(texts, [reference] * 4)["families"]["xlgobench"]
    assert found["thinking"]["slt"]["mean_characters"] == {"en": (4 + 6) / 2}
    apart = xm.score(texts, [reference] * 4, thinking=["x" * 7, None, None, None])
    lengths = apart["families"]["xlgobench"]["thinking"]["slt"]["mean_characters"]
    assert lengths == {"en": 7}
    with pytest.raises(ValueError, match="4 predictions but 1 texts of thinking"):
        xm.score(texts, [reference] * 4, thinking=["x"])


def test_an_answer_that_waits_for_a_judge_has_no_accuracy() -> None:
    reference = {"task": "slt", "language": "en"}
    waits, wrong = Grade(False, "needs_judge"), Grade(False, "wrong")
    assert "acc" not in values_of(COMMON_MEASURES, waits, reference)
    assert values_of(COMMON_MEASURES, wrong, reference)["acc"] == 0.0


def test_a_failed_request_is_in_no_rate() -> None:
    failed = Record(Grade(False, "no_answer", details={MISSING: True}), MATHS | {"index": 2})
    headline = xm.summarize([maths(0, True), maths(1, False), failed])["headline"]
    assert (headline["accuracy"], headline["parsed"]) == (0.5, 1.0)


@pytest.mark.parametrize("status", ["correct", "wrong", "no_answer", "bad_format", "needs_judge"])
def test_what_was_cut_off_is_truncated_unless_its_answer_could_be_read(status) -> None:
    found = Grade(status == "correct", status, strict=True)
    is_read = status in ("correct", "wrong")
    assert cut_off(found) == (found if is_read else Grade(False, "truncated"))


def test_answers_under_a_condition_are_in_no_accuracy_of_a_language() -> None:
    plain = [record("slt", code, 10, i, True) for code in ("en", "te") for i in range(20)]
    changed = [
        record("slt", "te", 10, i, False, reference={"condition": "english_rules"})
        for i in range(20)
    ]
    section = xm.summarize([*plain, *changed], **FAST)["families"]["xlgobench"]
    cell = section["tasks"]["slt"]["languages"]["te"]
    assert (cell["n"], cell["accuracy"], cell["difference"]["difference"]) == (20, 1.0, 0.0)
