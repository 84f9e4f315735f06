"""Answers that say little: nearly all right, few to a level, repeated, or right in English only."""

import json

import pytest

from xlgo_metric.families.xlgobench.measures import smd
from xlgo_metric.families.xlgobench.summary import summarize
from xlgo_metric.families.xlgobench.tables import tables

from .test_summary import FAST, counted

EIGHT = list(range(10, 90, 10))


@pytest.mark.parametrize(
    ("english", "telugu", "identified"),
    [
        ([10] * 8, [10, 9, 7, 5, 3, 1, 0, 0], False),
        ([10, 9, 7, 5, 3, 1, 0, 0], [0] * 8, False),
        ([10, 10, 9, 7, 5, 3, 1, 0], [10, 9, 7, 5, 3, 1, 0, 0], True),
    ],
)
def test_a_gap_rests_on_both_curves(english, telugu, identified: bool) -> None:
    found = summarize(counted({"en": english, "te": telugu}, 10, EIGHT), **FAST)
    cell = found["tasks"]["slt"]["languages"]["te"]
    assert cell["identified"] is identified
    assert cell["smd"] is None  # ten questions a level are too few for one
    many = {name: [3 * k for k in side] for name, side in {"en": english, "te": telugu}.items()}
    found = summarize(counted(many, 30, EIGHT), **FAST)
    assert (found["tasks"]["slt"]["languages"]["te"]["smd"] is not None) is identified
    assert ("smd" in {table.name for table in tables(found)}) is identified
    assert found["tasks"]["slt"]["languages"]["en"]["identified"] is None


@pytest.mark.parametrize(("n", "given"), [(1, False), (4, False), (5, True)])
def test_few_questions_give_a_test_and_no_interval(n: int, given: bool) -> None:
    """Resampling one question per level gives that question each time: a width of nothing."""
    falls = [n, n, max(n - 2, 0), n // 2, min(2, n - 1), 0, 0, 0]
    later = [n, n, n, n - 1, n // 2 + 1, n // 3, 0, 0]
    records = counted({"en": later, "te": falls, "ta": falls}, n, EIGHT)
    found = summarize(records, **FAST)
    for language in ("te", "ta"):
        paired = found["tasks"]["slt"]["languages"][language]["paired"]
        assert 0 < paired["p"] <= 1
        assert (paired["low"] is not None) is given
    said = [text for text in found["warnings"] if "no interval" in text]
    assert len(said) == (0 if given else 1)
    json.dumps(found, allow_nan=False)
    tables(found)


def test_the_harness_counts_questions_and_not_their_answers_as_the_report_does() -> None:
    """40 questions a level that are answered twice: the second answers are worse."""
    right = {"en": [40, 38, 36, 28, 20, 10, 4, 2], "te": [40, 36, 30, 20, 12, 6, 2, 0]}
    first = counted(right, 40, EIGHT)
    second = counted({code: [k - k // 8 for k in of] for code, of in right.items()}, 40, EIGHT)
    for records in (first, [*first, *first], [*first, *second]):
        values = [
            ("slt", ref["language"], ref["complexity"], one.grade.correct, ref["instance_id"], "")
            for one in records
            for ref in [one.reference]
        ]
        cell = summarize(records)["tasks"]["slt"]["languages"]["te"]
        assert cell["difference"]["n"] == 320
        assert smd(values, "te") == (cell["smd"], cell["smd_sd"])
